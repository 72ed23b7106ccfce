"""A run: pairs joined, scored by worker processes, journalled, and left behind as a folder."""
