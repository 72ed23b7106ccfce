"""How often memory is searched for objects that hold each other: seldom."""

import gc

SELDOM = 50_000
"""New objects after which they are searched: reading a report leaves hardly any behind, and tables stay for good."""


def search_nothing() -> None:
    """For a process of ours while it starts: nearly all that it imports and reads will stay."""
    gc.disable()


def search_seldom() -> None:
    """For a process that is ours alone, what is here by now never: where it is inherited it stays shared.

    Whoever imports overread decides for himself.
    """
    leave_unsearched()
    gc.set_threshold(SELDOM)
    gc.enable()


def leave_unsearched() -> None:
    """For a process about to end too, which would search all its tables once more before they go."""
    gc.freeze()
