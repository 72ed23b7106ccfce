"""Report text stays on this machine until a person has read where it would go."""

import socket
import sys
from ipaddress import ip_address
from urllib.parse import urlsplit

from overread.errors import AskFailed

_told: set[str] = set()
"""Hosts whose notice was shown in this process: once is enough."""


def is_loopback(url: str) -> bool:
    """Does this address stay on the machine? Only a loopback address does, or `localhost` where it means one.

    >>> is_loopback("http://localhost:8080/v1"), is_loopback("http://[::1]/v1"), is_loopback("http://127.9.9.9")
    (True, True, True)
    >>> is_loopback("https://api.openai.com/v1"), is_loopback("http://localhost.example.org")
    (False, False)
    >>> is_loopback("http://models.localhost/v1")
    False
    """
    host = (urlsplit(url).hostname or "").rstrip(".")
    addresses = resolved(host) if host == "localhost" else [host]
    try:
        return bool(addresses) and all(ip_address(one).is_loopback for one in addresses)
    except ValueError:
        return False


def resolved(host: str) -> list[str]:
    """The addresses this machine takes a name for."""
    try:
        return [str(found[4][0]).split("%")[0] for found in socket.getaddrinfo(host, None)]
    except OSError:
        return []


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
    if not agreed:
        print("Send? [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise AskFailed("Nothing was sent.")
    _told.add(url)
