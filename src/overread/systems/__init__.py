"""Five views of one reading, and the scores over them."""
