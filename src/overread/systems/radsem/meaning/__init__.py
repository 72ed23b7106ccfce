"""What a statement says: made plain before it is read, its features, its doubt, its atoms."""
