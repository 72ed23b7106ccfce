"""Numbers only: intervals, paired tests, correlation, agreement, ranking; no idea what a report is."""
