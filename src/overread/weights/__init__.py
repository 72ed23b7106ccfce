"""Published weights: which there are, how they come to a folder, and what the folder holds."""
