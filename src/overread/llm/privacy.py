"""Report text stays on this machine until a person has read where it would go."""

import sys
from ipaddress import ip_address
from urllib.parse import urlsplit

from overread.errors import AskFailed

_told: set[str] = set()
"""Hosts whose notice was shown in this process: once is enough."""


def is_loopback(url: str) -> bool:
    """Does this address stay on the machine? Names are not looked up: only `localhost` is trusted.

    >>> is_loopback("http://localhost:8080/v1"), is_loopback("http://[::1]/v1"), is_loopback("http://127.9.9.9")
    (True, True, True)
    >>> is_loopback("https://api.openai.com/v1"), is_loopback("http://localhost.example.org")
    (False, False)
    """
    host = (urlsplit(url).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def notice(url: str) -> str:
    """What is about to happen, in words."""
    return (
        f"Report text will be sent to {urlsplit(url).hostname} ({url}), which is not this machine. "
        "Reports are confidential: be sure you may send them there."
    )


def ensure_consent(url: str, agreed: bool) -> None:
    """Show the notice once per host; without `agreed`, ask at the terminal or refuse."""
    if is_loopback(url) or url in _told:
        return
    if not agreed and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise AskFailed(f"{notice(url)} There is no terminal to ask at: add --yes-send if you agree.")
    print(notice(url), file=sys.stderr)
    if not agreed and not _yes():
        raise AskFailed("Nothing was sent.")
    _told.add(url)


def _yes() -> bool:
    print("Send? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
