"""Data inside the page: small things as JSON, large ones compressed and opened on demand."""

import gzip
from base64 import b64encode
from typing import Any

import msgspec


def inline(value: Any) -> str:
    """JSON that may stand in a script element: nothing in it can end the element.

    >>> inline({"a": "</script>"})
    '{"a":"\\\\u003c/script>"}'
    """
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def packed(value: Any) -> str:
    """Compressed JSON as base64; the same bytes for the same value."""
    return packed_json(msgspec.json.encode(value))


def packed_json(text: bytes) -> str:
    return b64encode(gzip.compress(text, 9, mtime=0)).decode()
