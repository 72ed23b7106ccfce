"""Many reports at once: pairs joined, scored in order, journalled, added up, written."""
