"""A folder in place of a server: requests go into batch files, answers come from the files that are put beside them.

The lines are those of OpenAI's batch endpoint, which vLLM and others read as well. A `BatchFolder` sends nothing. A
question without an answer waits; asked again with the answers in the folder, a run goes on from there. `Batches` hands
the files to a service's batch endpoint and brings its answers back.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct

from overread.errors import AskFailed, BadInput
from overread.extras import require
from overread.llm.budget import Budget, Tally
from overread.llm.cache import key_of
from overread.llm.outcome import RejectedError, Reply, Request, UnansweredError, Usage
from overread.llm.privacy import ensure_consent
from overread.llm.server import RETRIED, body_of, connection, reply_of, route, tokens_in
from overread.llm.settings import Settings

PATH = "/v1/chat/completions"
MOST_REQUESTS = 50_000
MOST_BYTES = 100_000_000
"""A file takes no more than the batch endpoints in use do."""

REQUESTS = "requests-"


class Waiting(AskFailed):
    """Some questions have no answer yet; nothing is wrong."""


class Response(Struct, frozen=True):
    body: Raw = Raw(b"null")
    status_code: int = 200


class BatchLine(Struct, frozen=True):
    """One line of a batch file; services add fields of their own."""

    custom_id: str
    response: Response | None = None


class BatchFolder:
    """An endpoint that is a folder; without a place it only counts what would be asked."""

    def __init__(self, settings: Settings, place: Path | None) -> None:
        self.name = settings.base_url.rstrip("/") if settings.base_url else "batch"
        self.place = place
        self.waiting = 0
        """Questions of this run without an answer, new or asked before."""

        self.new = Budget(settings)
        """Requests that no file held yet; tokens out only where replies have a limit."""

        self.files: dict[Path, int] = {}
        """Written in this run, with the number of requests."""

        self._settings = settings
        self._latest: dict[str, Path] = {}
        self._answers: dict[str, tuple[Path, int, int]] = {}
        self._known: set[str] = set()
        if place is not None:
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._look(place)

    async def complete(self, request: Request) -> Reply:
        """The answer in the folder, or a request for one."""
        body = body_of(request)
        name = key_of(body)[:40]
        if name in self._answers:
            return self._reply(name, request)
        self.waiting += 1
        if name not in self._known:
            self._known.add(name)
            self._add(name, body, request)
        raise UnansweredError("waiting", "No answer yet: the request is in a batch file.")

    async def close(self) -> None:
        """Nothing is open."""

    def _look(self, place: Path) -> None:
        """Which answers are here, and which requests were written and wait."""
        failed: set[str] = set()
        for path in sorted(place.glob("*.jsonl")):
            for line, start, size in batch_lines(path):
                if path.name.startswith(REQUESTS):
                    self._known.add(line.custom_id)
                elif again(line):
                    failed.add(line.custom_id)
                else:
                    self._answers[line.custom_id] = (path, start, size)
        self._known -= failed  # the service gave up on them: they are asked again

    def _reply(self, name: str, request: Request) -> Reply:
        path, start, size = self._answers[name]
        with path.open("rb") as file:
            file.seek(start)
            line = msgspec.json.decode(file.read(size), type=BatchLine)
        assert line.response is not None
        if line.response.status_code >= 300:
            raise RejectedError(f"The batch refused the request: HTTP {line.response.status_code}.")
        return reply_of(bytes(line.response.body), request, self._settings.key)

    def _add(self, name: str, body: dict[str, Any], request: Request) -> None:
        self.new.tally.calls += 1
        self.new.add(request.model, Usage(tokens_in(request.messages), self._settings.reply_tokens or 0))
        if self.place is None:
            return
        line = {"custom_id": name, "method": "POST", "url": PATH, "body": body}
        path = self._file(request.model, self.place)
        self.files[path] += 1
        with path.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")

    def _file(self, model: str, place: Path) -> Path:
        """The file of a model that has room, for its owner alone: it holds reports. Services want one model a file."""
        path = self._latest.get(model)
        if path is None or self.files[path] >= MOST_REQUESTS or path.stat().st_size >= MOST_BYTES:
            paths = (place / f"{REQUESTS}{n:04}.jsonl" for n in range(1, 1_000_000))
            path = self._latest[model] = next(path for path in paths if not path.exists())
            path.touch(mode=0o600, exist_ok=False)
            self.files[path] = 0
        return path


def batch_lines(path: Path) -> Iterator[tuple[BatchLine, int, int]]:
    """Every line of a batch file, with where it stands."""
    start = 0
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            if raw.strip():
                try:
                    yield msgspec.json.decode(raw, type=BatchLine), start, len(raw)
                except msgspec.DecodeError:
                    raise BadInput(
                        f"{path}, line {number} is no line of a batch file (custom_id, response). Fetch it again, or "
                        "take it out of the folder."
                    ) from None
            start += len(raw)


def again(line: BatchLine) -> bool:
    """Did the service not get to it, so that it is worth asking again?

    >>> again(BatchLine("a")), again(BatchLine("a", Response(status_code=400)))
    (True, False)
    >>> again(BatchLine("a", Response(status_code=500)))
    True
    """
    found = line.response
    return found is None or found.status_code in RETRIED or found.status_code >= 500


def told(folder: BatchFolder) -> str:
    """What waits, and what to do about it."""
    asked = folder.new.tally
    if folder.place is None:
        return (
            f"{asked.calls:,} requests would be sent first, {estimate(asked)}. Questions that follow from their "
            "answers are not counted. Nothing was sent or written."
        )
    files = ", ".join(map(str, folder.files))
    new = f"{asked.calls:,} new requests, {estimate(asked)}, are in {files}. " if files else ""
    return (
        f"{folder.waiting:,} questions wait for answers. {new}The files hold report text. Send them (`overread batch "
        f"send {folder.place}`, or your server's own way), put the answers beside them as .jsonl files (`overread "
        f"batch fetch {folder.place}`), and give the same command again: it goes on from there, and may ask more."
    )


def estimate(asked: Tally) -> str:
    """
    >>> estimate(Tally(calls=2, tokens_in=1200, cost=0.5))
    'about 1,200 tokens in; cost from about 0.5000'
    """
    out = f", at most {asked.tokens_out:,} out" if asked.tokens_out else ""
    limit = "at most" if asked.tokens_out else "from"
    cost = "" if asked.cost is None else f"; cost {limit} about {asked.cost:.4f}"
    return f"about {asked.tokens_in:,} tokens in{out}{cost}"


SENT = "sent.json"
OVER = frozenset({"completed", "failed", "expired", "cancelled"})


class Sent(Struct, frozen=True):
    """A file of requests that a service has."""

    batch: str
    status: str = "sent"
    answers: bool = False
    """Are its answers here?"""


class Batches:
    """One folder, one service."""

    def __init__(self, settings: Settings, place: Path) -> None:
        if not place.is_dir():
            raise BadInput(f"{place} is no folder; `--batch {place}` with a command that asks writes one.")
        self.place = place
        self.sent = self._read()
        self._openai = openai = require("openai", "llm")
        self.name = settings.endpoint
        ensure_consent(self.name, settings.yes_send)
        self._sdk: Any = openai.OpenAI(
            **connection(settings), http_client=openai.DefaultHttpxClient(**route(self.name))
        )

    def send(self) -> list[str]:
        """Hand over every file that was not; their names."""
        new = [p for p in sorted(self.place.glob(f"{REQUESTS}*.jsonl")) if p.name not in self.sent]
        for path in new:
            with path.open("rb") as file:
                held = self._ask(self._sdk.files.create, file=file, purpose="batch")
            made = self._ask(
                self._sdk.batches.create, input_file_id=held.id, endpoint=PATH, completion_window="24h"
            )
            self._note(path.name, Sent(str(made.id), str(made.status)))
        return [path.name for path in new]

    def fetch(self) -> dict[str, Sent]:
        """Bring back what is answered; where every file stands."""
        for name, one in [(name, one) for name, one in self.sent.items() if not one.answers]:
            now = self._ask(self._sdk.batches.retrieve, one.batch)
            files = (now.output_file_id, getattr(now, "error_file_id", None)) if now.status in OVER else ()
            found = list(filter(None, files))
            for n, file in enumerate(found, 1):
                content = self._ask(self._sdk.files.content, file).read()
                answers = name.replace(REQUESTS, "answers-").removesuffix(".jsonl")
                path = self.place / f"{answers}-{n}.jsonl"
                path.touch(mode=0o600)
                path.write_bytes(content)
            self._note(name, Sent(one.batch, str(now.status), bool(found)))
        return self.sent

    def _ask(self, what: Any, *given: Any, **named: Any) -> Any:
        openai = self._openai
        try:
            return what(*given, **named)
        except openai.APIStatusError as error:
            trouble = AskFailed(
                f"{self.name} answered HTTP {error.status_code}: it has no batch endpoint, or does not accept the key "
                "(OVERREAD_API_KEY) or the file."
            )
        except openai.OpenAIError as error:
            trouble = AskFailed(f"{self.name} cannot be asked ({type(error).__name__}).")
        raise trouble  # here and not above, so that it carries no trace of the request and its headers

    def _read(self) -> dict[str, Sent]:
        path = self.place / SENT
        try:
            return msgspec.json.decode(path.read_bytes(), type=dict[str, Sent]) if path.exists() else {}
        except msgspec.DecodeError:
            raise BadInput(f"{path} is not as it was written; remove it to send every file again.") from None

    def _note(self, name: str, sent: Sent) -> None:
        self.sent[name] = sent
        (self.place / SENT).write_bytes(msgspec.json.format(msgspec.json.encode(self.sent)) + b"\n")
