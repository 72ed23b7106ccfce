"""Data sets out of a corpus: who is in them, the files they have, examples, inputs of generators, records of tags."""
