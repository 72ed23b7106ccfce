"""The bytes of a reply: no more than is reasonable, compressed or not, and never with the key in them."""

import zlib
from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any

LARGEST = 8_000_000
"""Bytes of one reply, as sent and as unpacked; answers here are some kilobytes."""

PACKED = {"gzip": 31, "x-gzip": 31, "deflate": 47}
"""Encodings that are unpacked here, piece by piece, with what zlib calls them; no other is accepted."""

HIDDEN = "<hidden>"


class TooLargeError(Exception):
    """A reply beyond all reason."""


class Scrubber:
    """Takes the key out of whatever a server sends back."""

    def __init__(self, key: str | None) -> None:
        self.key = key if key and len(key) >= 6 else None  # `none` and the like are no secret, and are words

    def __call__(self, text: str) -> str:
        return text.replace(self.key, HIDDEN) if self.key else text


async def limit(response: Any) -> None:
    """Put a bound on a response before its body is read; given to the client as an event hook."""
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in (*PACKED, "identity", ""):
        raise TooLargeError(f"an encoding that was not asked for ({encoding[:20]})")
    if "content-encoding" in response.headers:
        del response.headers["content-encoding"]
    response.headers.pop("content-length", None)
    base = import_module(type(response).__module__.split(".")[0]).AsyncByteStream
    response.stream = _bounded(base)(response.stream, encoding)


def _bounded(base: type[Any]) -> type[Any]:
    """A stream of the client's own kind that stops at the limit."""

    class Bounded(base):  # type: ignore[misc]
        def __init__(self, stream: Any, encoding: str) -> None:
            self.stream, self.encoding = stream, encoding

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for block in unpacked(self.stream, self.encoding):
                yield block

        async def aclose(self) -> None:
            await self.stream.aclose()

    return Bounded


async def unpacked(stream: AsyncIterator[bytes], encoding: str) -> AsyncIterator[bytes]:
    """The blocks of a reply, unpacked; an error once it is too large either way."""
    unpack = zlib.decompressobj(PACKED[encoding]) if encoding in PACKED else None
    sent = told = 0
    async for block in stream:
        sent += len(block)
        if sent > LARGEST:
            raise TooLargeError("more than is reasonable")
        plain = block if unpack is None else _unpack(unpack, block, LARGEST + 1 - told)
        told += len(plain)
        if told > LARGEST:
            raise TooLargeError("more than is reasonable once unpacked")
        yield plain


def _unpack(unpack: Any, block: bytes, most: int) -> bytes:
    try:
        plain: bytes = unpack.decompress(block, most)
    except zlib.error:
        raise TooLargeError("bytes that cannot be unpacked") from None
    return plain
