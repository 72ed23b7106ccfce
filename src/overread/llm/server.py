"""One request to an OpenAI-compatible server, what each kind of refusal means, and the bytes of a reply.

Errors are restated in our own words, with the status and short codes only: a server may echo the key or the
report in its message. A reply is no more than is reasonable, and never holds the key.
"""

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from importlib import import_module
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from overread.errors import AskFailed
from overread.extras import require
from overread.llm.outcome import (
    Message,
    RejectedError,
    Reply,
    Request,
    TransientError,
    UnansweredError,
    Usage,
)
from overread.llm.privacy import is_loopback
from overread.llm.settings import Settings

LARGEST = 8_000_000
"""Bytes of one reply; answers here are some kilobytes, so none is asked for in compressed form."""

HIDDEN = "<hidden>"


class TooLargeError(Exception):
    """A reply beyond all reason."""


def scrubbed(text: str, key: str) -> str:
    """Without the key, whatever a server sends back; `none` and the like are no secret, and are words."""
    return text.replace(key, HIDDEN) if len(key) >= 6 else text


async def limit(response: Any) -> None:
    """Put a bound on a response before its body is read; given to the client as an event hook."""
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", ""):
        raise TooLargeError(f"an encoding that was not asked for ({encoding[:20]})")
    response.headers.pop("content-length", None)
    base = import_module(type(response).__module__.split(".")[0]).AsyncByteStream
    response.stream = _bounded(base)(response.stream)


def _bounded(base: type[Any]) -> type[Any]:
    """A stream of the client's own kind that stops at the limit."""

    class Bounded(base):  # type: ignore[misc]
        def __init__(self, stream: Any) -> None:
            self.stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            sent = 0
            async for block in self.stream:
                sent += len(block)
                if sent > LARGEST:
                    raise TooLargeError("more than is reasonable")
                yield block

        async def aclose(self) -> None:
            await self.stream.aclose()

    return Bounded


KNOWN_CODES = frozenset(
    """
    authentication_error billing_hard_limit_reached content_filter content_policy_violation
    context_length_exceeded DeploymentNotFound engine_overloaded exceed_context_size_error insufficient_quota
    internal_error internal_server_error invalid_api_key invalid_request_error invalid_type invalid_value
    max_tokens messages missing_required_parameter model model_not_found not_found_error OperationNotSupported
    overloaded_error permission_error rate_limit_error rate_limit_exceeded requests response_format seed
    server_error string_above_max_length temperature tokens unavailable_error unsupported_parameter
    unsupported_value
    """.split()
)
"""Short codes of servers in use, which may be shown; anything else may be an echo of key or report."""

CHATTY = ("openai", "httpx", "httpx2", "httpcore", "httpcore2")
"""Loggers of the client, which below a warning tell of requests, headers and what a server calls its status."""

MOST_TOKENS = 10_000_000
"""No reply has more; a figure beyond it, or below 0, is no count."""

RETRIED = frozenset({408, 409, 425, 429})


def connection(settings: Settings) -> dict[str, Any]:
    return {"base_url": settings.endpoint, "api_key": settings.key, "timeout": settings.timeout}


def route(address: str) -> dict[str, bool]:
    """Text goes where the user said and nowhere else: no redirects and, on loopback, no proxies."""
    return {"trust_env": not is_loopback(address), "follow_redirects": False}


def tokens_in(messages: Iterable[Message]) -> int:
    """Of a question, roughly: four characters taken for a token."""
    return sum(len(message["content"]) for message in messages) // 4 + 1


class Server:
    """A server, through the official client.

    Its own retries are off: ours count against the budget.
    """

    def __init__(self, settings: Settings) -> None:
        self.name = settings.endpoint
        self._timeout = settings.timeout
        self._openai = openai = require("openai", "llm")
        for name in CHATTY:
            logging.getLogger(name).setLevel(logging.WARNING)
        self._key = settings.key
        self._refused: set[str] = set()
        """Sampling settings this endpoint does not take, learned from its first refusal."""

        self._sdk: Any = openai.AsyncOpenAI(
            **connection(settings),
            default_headers={"Accept-Encoding": "identity"},
            max_retries=0,
            http_client=openai.DefaultAsyncHttpxClient(**route(self.name), event_hooks={"response": [limit]}),
        )

    async def complete(self, request: Request) -> Reply:
        """One try; a setting the endpoint does not take is left out, or sent by its other name, from then on."""
        for _ in SAMPLING:
            known = len(self._refused)
            try:
                return await self._once(request)
            except RejectedError:
                if len(self._refused) == known:
                    raise
        return await self._once(request)

    async def _once(self, request: Request) -> Reply:
        openai = self._openai
        trouble: Exception
        ask = self._sdk.chat.completions.with_raw_response.create
        try:
            async with asyncio.timeout(self._timeout):
                raw = await ask(**body_of(request, self._refused))
            return reply_of(raw.content, request, self._key)
        except (TimeoutError, openai.APITimeoutError):
            trouble = TransientError(f"No reply within {self._timeout:g} seconds.")
        except openai.APIStatusError as error:
            trouble = self._status_trouble(error)
        except openai.APIConnectionError as error:
            if (large := _too_large(error)) is not None:
                raise UnansweredError("transport", f"The server sent {large}.") from None
            refused = "ConnectError" in type(error.__cause__).__name__
            trouble = TransientError("The connection failed or broke off.", unreachable=refused)
        except TooLargeError as error:
            trouble = UnansweredError("transport", f"The server sent {error}.")
        except openai.OpenAIError as error:
            trouble = UnansweredError("transport", f"The request failed ({type(error).__name__}).")
        # Raised here and not above, so that it carries no trace of the request and its headers.
        raise trouble

    async def close(self) -> None:
        await self._sdk.close()

    def _status_trouble(self, error: Any) -> Exception:
        status: int = error.status_code
        said = _codes(error)
        if status == 401:
            return AskFailed(f"{self.name} did not accept the key{said}. Check OVERREAD_API_KEY.")
        if status == 404 or 300 <= status < 400:
            return AskFailed(f"{self.name} has no such model or path (HTTP {status}{said}): check both.")
        if status == 429 and error.code == "insufficient_quota":
            return AskFailed(f"{self.name} says that the account's quota is used up.")
        if status in RETRIED or (status >= 500 and status != 501):
            wait = retry_after(error.response.headers)
            asking = "" if wait is None else f" and asked to wait {wait:g} seconds"
            return TransientError(f"The server answered HTTP {status}{said}{asking}.", wait=wait)
        self._refused |= _unsupported(error)
        return RejectedError(f"The server refused the request: HTTP {status}{said}.")


SAMPLING = ("temperature", "seed", "max_tokens")


def _unsupported(error: Any) -> set[str]:
    """The sampling settings a refusal is about: named as its parameter, or in its words."""
    if error.status_code not in (400, 422):
        return set()
    if error.param in SAMPLING:
        return {error.param}
    words = str(error.message)
    return {
        name for name in SAMPLING if name in words and re.search(r"support|instead|unrecogni|unknown", words)
    }


def body_of(request: Request, refused: Collection[str] = ()) -> dict[str, Any]:
    sampling = {name: value for name, value in request.sampling.items() if name not in refused}
    if "max_tokens" in refused and "max_tokens" in request.sampling:
        sampling["max_completion_tokens"] = request.sampling["max_tokens"]
    body: dict[str, Any] = {"model": request.model, "messages": request.messages, **sampling}
    if request.format == "json_schema":
        name = re.sub(r"\W", "_", str(request.schema.get("title", "answer")))
        shape = {"name": name, "schema": request.schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": shape}
    elif request.format == "json_object":
        body["response_format"] = {"type": "json_object"}
    return body


class _Text(Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(Struct):
    message: _Text = msgspec.field(default_factory=_Text)
    finish_reason: str | None = None


class _Usage(Struct):
    prompt_tokens: Annotated[int, Meta(ge=0, le=MOST_TOKENS)]
    completion_tokens: Annotated[int, Meta(ge=0, le=MOST_TOKENS)]


class _Completion(Struct):
    choices: list[_Choice]
    usage: Any = None


def _too_large(error: BaseException) -> BaseException | None:
    """The reason, where a reply was given up for its size; the official client wraps it in errors of its own."""
    below: BaseException | None = error
    while below is not None and not isinstance(below, TooLargeError):
        below = below.__cause__ or below.__context__
    return below


def reply_of(content: bytes, request: Request, key: str) -> Reply:
    try:
        completion = msgspec.json.decode(content, type=_Completion)
    except msgspec.ValidationError:
        raise UnansweredError("transport", "The reply is no chat completion: check the base URL.") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise TransientError("The server's reply broke off or is no JSON.") from None
    choice = completion.choices[0] if completion.choices else _Choice()
    text = scrubbed(choice.message.content or "", key)
    try:
        found = msgspec.convert(completion.usage, _Usage)
        counted = Usage(found.prompt_tokens, found.completion_tokens)
    except msgspec.ValidationError:  # figures that cannot be true, or none
        counted = Usage(tokens_in(request.messages), len(text) // 4 + 1, estimated=True)
    refused = bool(choice.message.refusal) or choice.finish_reason == "content_filter"
    return Reply(text=text, usage=counted, finish=choice.finish_reason, refused=refused)


def _codes(error: Any) -> str:
    """The server's short codes, such as `context_length_exceeded`, as far as they are known ones."""
    codes = [c for c in (error.code, error.type, error.param) if isinstance(c, str) and c in KNOWN_CODES]
    return f", {', '.join(dict.fromkeys(codes))}" if codes else ""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait, from any of the three ways to say it.

    >>> retry_after({"retry-after": "2"}), retry_after({"retry-after-ms": "250"}), retry_after({})
    (2.0, 0.25, None)
    """
    for name, parts in (("retry-after-ms", 1000), ("retry-after", 1)):
        with suppress(KeyError, ValueError):
            return max(0.0, float(headers[name]) / parts)
    with suppress(KeyError, ValueError):
        return max(0.0, parsedate_to_datetime(headers["retry-after"]).timestamp() - time.time())
    return None
