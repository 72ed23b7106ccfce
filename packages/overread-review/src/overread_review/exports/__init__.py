"""What leaves a study: gold, tables, banks of examples, the study as one archive."""
