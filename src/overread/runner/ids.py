"""Lists of ids in few words."""

from collections.abc import Sequence


def shortened(ids: Sequence[str], most: int = 5) -> str:
    """
    >>> shortened(("a", "b"), most=1)
    '2 ids (a, …)'
    """
    told = ", ".join(ids[:most]) + (", …" if len(ids) > most else "")
    return f"{len(ids)} id{'s' if len(ids) > 1 else ''} ({told})"
