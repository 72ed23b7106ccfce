"""Any number of reports: a pure function from Arrow table to Arrow table, and engines that move the tables."""

from overread.scale.batch import read_batch, score_batch

__all__ = ["read_batch", "score_batch"]
