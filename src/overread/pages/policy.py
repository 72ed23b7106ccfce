"""What the page may do: run its own script, show its own style, and nothing else; no network at all."""

from base64 import b64encode
from hashlib import sha256


def policy(script: str, style: str, images: bool = False) -> str:
    """A Content-Security-Policy that names the page's one script and one style by their hashes.

    Images of the studies lie beside the page, on the same disk or server.

    >>> policy("a", "b").split("; ")[0]
    "default-src 'none'"
    """
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {named(script)}",
            f"style-src {named(style)}",
            "img-src data: blob:" + (" file: 'self'" if images else ""),
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def named(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
