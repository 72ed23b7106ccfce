"""Data inside the page: small things as JSON, large ones compressed and opened on demand."""

import gzip
from base64 import b64encode
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def inline(value: Any) -> str:
    """JSON that may stand in a script element: nothing in it can end the element.

    >>> inline({"a": "</script>"})
    '{"a":"\\\\u003c/script>"}'
    """
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def packed(value: Any) -> str:
    """Compressed JSON as base64; the same bytes for the same value."""
    return b64encode(gzip.compress(msgspec.json.encode(value), 9, mtime=0)).decode()


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """
    >>> list(batches("abc", 2))
    [['a', 'b'], ['c']]
    """
    source = iter(items)
    while batch := list(islice(source, size)):
        yield batch
