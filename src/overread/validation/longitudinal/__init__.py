"""Are comparisons with earlier studies right? People's sentences, and report generators in the paper's tables."""
