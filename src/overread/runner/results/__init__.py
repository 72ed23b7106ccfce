"""Rows → what they come to: the board, standings with intervals and tests, the summary, and runs side by side."""
