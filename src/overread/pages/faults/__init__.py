"""What is wrong with a candidate: its errors, who tells them, and the very words that are wrong."""
