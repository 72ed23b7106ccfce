"""Metrics of others behind one call: BLEU, ROUGE, METEOR, CIDEr, and trained ones when installed."""
