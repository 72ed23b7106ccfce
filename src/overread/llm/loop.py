"""An event loop in a thread of its own, so that callers need not know that asking is concurrent."""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError, wait
from typing import Any, TypeVar

from overread.errors import AskFailed

T = TypeVar("T")


class Loop:
    """Runs coroutines for any thread, also one that has a loop already (a notebook, a web server)."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="overread-llm", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`; Ctrl-C cancels it at once and is passed on."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            while not future.done():
                wait([future], timeout=0.5)  # in short spells: a plain wait cannot be interrupted on Windows
            return future.result()
        except CancelledError:
            raise AskFailed("Asking was stopped before every item had its turn.") from None
        except KeyboardInterrupt:
            future.cancel()
            raise

    def close(self, last: Coroutine[Any, Any, None]) -> None:
        """Cancel what is under way, do one `last` thing, and end the thread."""
        asyncio.run_coroutine_threadsafe(self._finish(last), self._loop).result(timeout=10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()

    async def _finish(self, last: Coroutine[Any, Any, None]) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await last
