"""Data sets out of a corpus: who is in them, the files they have, inputs of generators, records of tags."""
