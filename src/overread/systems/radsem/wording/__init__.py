"""What a statement says as one plain sentence: its pieces, its place, its grammar."""
