"""The command as it is typed, without a process of its own: the same words, streams and exit status, sooner.

What belongs to a process (signals, pipes that close, threads, memory, what is imported) is tested in a real one.
"""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

from overread.cli import main
from overread.cli.terminal.voice import Voice, voice
from overread.lexicon.lexicon import adopt

app = main.put_together({name: place.loaded() for name, place in main.places().items()})
"""Every verb, for typer's runner."""


def overread(*words: object, cwd: Path | None = None, **variables: str) -> CompletedProcess[str]:
    """Run `overread` with these words, in this folder, with these variables added."""
    typed = ["overread", *map(str, words)]
    with chdir(cwd or Path.cwd()), alone(typed, variables) as streams:
        try:
            main.main()
            code: object = 0
        except SystemExit as left:
            code = left.code or 0
    return CompletedProcess(typed, int(str(code)), *(stream.buffer.getvalue().decode() for stream in streams))


@contextmanager
def alone(typed: list[str], variables: dict[str, str]) -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Streams that are no terminal, variables and words of their own, and nothing left behind."""
    streams = tuple(io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in "oe")
    with (
        patch.object(sys, "argv", typed), patch.object(sys, "stdout", streams[0]),
        patch.object(sys, "stderr", streams[1]), patch.dict(os.environ, variables),
        patch.object(main, "search_seldom"), patch.object(main.gc, "freeze"),
    ):  # fmt: skip
        try:
            yield streams
        finally:
            for stream in streams:
                stream.flush()
            adopt(None)
            vars(voice).update(vars(Voice()))
