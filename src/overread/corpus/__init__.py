"""The open corpus of invented, annotated reports: its notation, checks, builds and figures."""
