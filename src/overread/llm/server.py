"""One request to an OpenAI-compatible server, and what each kind of refusal means.

Errors are restated in our own words, with the status and short codes only: a server may echo the key or the
report in its message.
"""

import asyncio
import logging
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec
from msgspec import Struct

from overread.errors import AskFailed
from overread.extras import require
from overread.llm.budget import Usage
from overread.llm.endpoint import RejectedError, Reply, Request, TransientError
from overread.llm.outcome import UnansweredError
from overread.llm.privacy import is_loopback
from overread.llm.settings import Settings

CODE = re.compile(r"[A-Za-z][\w.\-\[\]]{0,63}")
RETRIED = frozenset({408, 409, 425, 429})


class Server:
    """A server, through the official client.

    Its own retries are off (ours count against the budget), and so are redirects and, on loopback, proxies:
    text goes where the user said and nowhere else.
    """

    def __init__(self, settings: Settings) -> None:
        self.name = settings.endpoint
        self._timeout = settings.timeout
        self._openai = openai = require("openai", "llm")
        # At DEBUG the client logs whole requests, and those hold reports.
        logging.getLogger("openai").setLevel(logging.INFO)
        self._sdk: Any = openai.AsyncOpenAI(
            base_url=self.name,
            api_key=settings.api_key.reveal() if settings.api_key else "none",
            max_retries=0,
            timeout=settings.timeout,
            http_client=openai.DefaultAsyncHttpxClient(
                trust_env=not is_loopback(self.name), follow_redirects=False
            ),
        )

    async def complete(self, request: Request) -> Reply:
        openai = self._openai
        trouble: Exception
        try:
            async with asyncio.timeout(self._timeout):
                raw = await self._sdk.chat.completions.with_raw_response.create(**_body(request))
            return _reply(raw.content, request)
        except (TimeoutError, openai.APITimeoutError):
            trouble = TransientError(f"No reply within {self._timeout:g} seconds.")
        except openai.APIStatusError as error:
            trouble = self._status_trouble(error)
        except openai.APIConnectionError as error:
            refused = "ConnectError" in type(error.__cause__).__name__
            trouble = TransientError("The connection failed or broke off.", unreachable=refused)
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
        return RejectedError(f"The server refused the request: HTTP {status}{said}.")


def _body(request: Request) -> dict[str, Any]:
    body: dict[str, Any] = {"model": request.model, "messages": request.messages, **request.sampling}
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
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


def _reply(content: bytes, request: Request) -> Reply:
    try:
        completion = msgspec.json.decode(content, type=_Completion)
    except msgspec.ValidationError:
        raise UnansweredError("transport", "The reply is no chat completion: check the base URL.") from None
    except msgspec.DecodeError:
        raise TransientError("The server's reply broke off or is no JSON.") from None
    choice = completion.choices[0] if completion.choices else _Choice()
    text = choice.message.content or ""
    usage = completion.usage
    counted = Usage(usage.prompt_tokens, usage.completion_tokens) if usage else _estimate(request, text)
    refused = bool(choice.message.refusal) or choice.finish_reason == "content_filter"
    return Reply(text=text, usage=counted, finish=choice.finish_reason, refused=refused)


def _estimate(request: Request, text: str) -> Usage:
    sent = sum(len(message["content"]) for message in request.messages)
    return Usage(sent // 4 + 1, len(text) // 4 + 1, estimated=True)


def _codes(error: Any) -> str:
    """The server's short codes, such as `context_length_exceeded`; free text is left out."""
    codes = [c for c in (error.code, error.type, error.param) if isinstance(c, str) and CODE.fullmatch(c)]
    return f", {', '.join(dict.fromkeys(codes))}" if codes else ""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait, from any of the three ways to say it.

    >>> retry_after({"retry-after": "2"}), retry_after({"retry-after-ms": "250"}), retry_after({})
    (2.0, 0.25, None)
    """
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        return max(0.0, float(headers["retry-after"]))
    except KeyError:
        return None
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(headers["retry-after"]).timestamp() - time.time())
    except (ValueError, KeyError):
        return None
