"""One report that cannot be read never stops a file: it is left out, and named."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar
from warnings import warn

from overread.errors import BadInput

T = TypeVar("T")
U = TypeVar("U")


class LeftOut(UserWarning):
    """Something of a file was left out; the text says where it stands and why."""


def readable(items: Iterable[T], work: Callable[[T], U]) -> Iterator[U]:
    """What the work gives for each item it can read; where it can read none, the first complaint is the error."""
    untold: list[BadInput] = []
    any_read = False
    for item in items:
        try:
            found = work(item)
        except BadInput as error:
            untold.append(error)
            found = None
        if any_read or found is not None:
            any_read = True
            for one in untold:
                leave_out(str(one))
            untold.clear()
        if found is not None:
            yield found
    if untold:
        raise untold[0]


def leave_out(problem: str) -> None:
    """Tell it as Python tells warnings; `overread convert` shows and counts them, `--strict` makes errors of them."""
    warn(f"{problem} Left out.", LeftOut, stacklevel=3)
