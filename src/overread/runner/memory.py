"""How often memory is searched for objects that hold each other: seldom."""

import gc

SELDOM = 50_000
"""New objects after which they are searched: reading a report leaves hardly any behind, and tables stay for good."""


def search_seldom() -> None:
    """For a process that is ours alone; whoever imports overread decides for himself."""
    gc.set_threshold(SELDOM)


def keep_for_good() -> None:
    """Never search what is here by now; memory that is inherited stays shared."""
    gc.collect()
    gc.freeze()


def leave_unsearched() -> None:
    """For a process about to end, which would search all its tables once more before they go."""
    gc.freeze()
