"""The one network of overread: a small encoder and the heads on it, offline and deterministic."""
