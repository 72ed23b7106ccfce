"""A language model's server that misbehaves in forty ways: its item fails with a reason, the others are answered."""

import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from drills.outcome import Outcome
from overread.errors import OverreadError
from overread.llm import Answer, Client, Failure, Settings, ask_many
from overread.llm.settings import Secret

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.llm.conftest import PROMPT, Act, Ask, Loopback, Note, item, note

KEY = "sk-drill-0123456789-private"


def reply(**fields: Any) -> bytes:
    return json.dumps({"choices": [{"message": {"content": note(1)}}], **fields}).encode()


def content(text: str | None, **message: Any) -> bytes:
    return json.dumps({"choices": [{"message": {"content": text, **message}}]}).encode()


def error(status: int, **fields: Any) -> Act:
    return Act(status=status, raw=json.dumps({"error": fields}).encode())


BOMB = gzip.compress(b" " * 30_000_000)
PACKED = {"Content-Encoding": "gzip"}
STATUSES = (400, 403, 408, 409, 413, 418, 422, 425, 500, 502, 503, 504)
FAULTS: dict[str, Act] = {
    **{f"HTTP {status}": error(status, message=KEY) for status in STATUSES},
    "429 with a wait": Act(status=429, headers={"Retry-After": "0"}),
    "429 with a wait of a year": Act(status=429, headers={"Retry-After": "31536000"}),
    "429 with nonsense to wait": Act(status=429, headers={"Retry-After": "soon"}),
    "the key as an error code": error(400, code=KEY, type=KEY, param=KEY),
    "the key as an answer": Act(KEY),
    "the report as an error": error(400, message="Lungs are clear.", code="Lungs"),
    "connection reset": Act(trick="reset"),
    "reply cut": Act(note(1), trick="cut"),
    "no reply in time": Act(note(1), seconds=3),
    "reply in drops": Act(note(1), trick="drip"),
    "empty": Act(raw=b""),
    "not JSON": Act(raw=b"<html>busy</html>"),
    "not UTF-8": Act(raw=b'{"choices": "\xff\xfe"}'),
    "a list": Act(raw=b"[]"),
    "nested without end": Act(raw=b"[" * 200_000),
    "no choices": Act(raw=reply(choices=[])),
    "choices of another kind": Act(raw=reply(choices="none")),
    "no content": Act(raw=content(None)),
    "refused": Act(raw=content(None, refusal="no")),
    "prose": Act("The report is normal, I think."),
    "another shape": Act('{"study": "one", "state": 7}'),
    "cut answer": Act('{"study": 1, "sta'),
    "two answers": Act(note(1) + note(2)),
    "a number without end": Act('{"study": ' + "9" * 50_000 + "}"),
    "a hundred thousand braces": Act("{" * 100_000),
    "too large": Act(raw=b" " * 9_000_000),
    "a packed flood": Act(raw=BOMB, headers=PACKED),
    "a packed flood as an error": Act(raw=BOMB, headers=PACKED, status=500),
    "packed nonsense": Act(raw=b"no gzip", headers=PACKED),
    "an unknown packing": Act(raw=b"?", headers={"Content-Encoding": "br"}),
    "negative tokens": Act(raw=reply(usage={"prompt_tokens": -1, "completion_tokens": -9})),
    "tokens without end": Act(raw=reply(usage={"prompt_tokens": 10**18, "completion_tokens": 1})),
    "tokens in words": Act(raw=reply(usage={"prompt_tokens": "few", "completion_tokens": None})),
    "elsewhere": Act(status=302, headers={"Location": "http://127.0.0.1:1/v1"}),
}  # fmt: skip
STOPPING = ("elsewhere",)
"""Faults no item can survive: the run stops in one sentence."""


def faults(work: Path) -> Outcome:
    outcome = Outcome("faults of a model's server")
    server = Loopback()
    try:
        for n, (name, act) in enumerate(FAULTS.items()):
            server.behave = behaviour(act)
            outcome.count(asked(server, name, work / f"answers-{n}.sqlite"))
    finally:
        server.close()
    return outcome


def behaviour(act: Act) -> Callable[[Ask], Act]:
    return lambda ask: act if ask.study == 1 else Act(note(ask.study))


def asked(server: Loopback, name: str, cache: Path) -> str | None:
    """One item meets the fault, two do not."""
    settings = Settings(
        base_url=server.url, model=("m",), api_key=Secret(KEY), attempts=2, wait=0.01, timeout=1.0,
        cache_file=str(cache), concurrency=1,
    )  # fmt: skip
    try:
        with Client(settings) as client:
            outcomes = ask_many(client, PROMPT, [item(2), item(1), item(3)], Note)
    except OverreadError as error:
        return None if name in STOPPING and KEY not in str(error) else f"{name}: {error}"
    except Exception as error:
        return f"{name}: {type(error).__name__}: {error}"
    if not all(isinstance(outcomes[place], Answer) for place in (0, 2)):
        return f"{name}: another item was lost"
    told = repr(outcomes) + cache.read_bytes().decode("latin-1")
    if KEY in told or (isinstance(outcomes[1], Failure) and "Lungs" in outcomes[1].reason):
        return f"{name}: told what it must not"
    return None
