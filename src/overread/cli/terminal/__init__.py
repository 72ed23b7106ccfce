"""What the verbs share at the terminal: options, notes, progress, tables."""
