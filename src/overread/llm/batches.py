"""The files of a batch folder handed to a service's batch endpoint, and its answers brought back."""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from overread.errors import AskFailed, BadInput
from overread.extras import require
from overread.llm.batch_folder import PATH, REQUESTS
from overread.llm.privacy import ensure_consent, is_loopback
from overread.llm.settings import Settings

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
            base_url=self.name,
            api_key=settings.api_key.reveal() if settings.api_key else "none",
            timeout=settings.timeout,
            http_client=openai.DefaultHttpxClient(
                trust_env=not is_loopback(self.name), follow_redirects=False
            ),
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
        for name, one in list(self.sent.items()):
            if one.answers:
                continue
            now = self._ask(self._sdk.batches.retrieve, one.batch)
            found = [f for f in (now.output_file_id, getattr(now, "error_file_id", None)) if f]
            over = now.status in OVER
            for n, file in enumerate(found if over else []):
                content = self._ask(self._sdk.files.content, file).read()
                path = (
                    self.place / f"{name.replace(REQUESTS, 'answers-').removesuffix('.jsonl')}-{n + 1}.jsonl"
                )
                path.touch(mode=0o600)
                path.write_bytes(content)
            self._note(name, Sent(one.batch, str(now.status), over and bool(found)))
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
