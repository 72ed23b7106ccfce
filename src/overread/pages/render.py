"""Templates, style and script of the page as they ship, its card for each metric, data inside it, and what it may do.

It asks no network for anything.
"""

import gzip
import tomllib
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from overread.pages.words import p_value, score

SCRIPTS = (
    "base", "state", "export", "overview", "findings", "list", "marks", "case", "flags", "patients", "start",
)  # fmt: skip
"""Parts of the one script, in the order they stand in it."""


def script() -> str:
    parts = "\n".join(asset(f"script/{name}.js") for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


def asset(name: str, package: str = "overread.pages") -> str:
    return (files(package) / "templates" / name).read_text(encoding="utf-8")


def template(name: str = "report.html.j2", package: str = "overread.pages") -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"score": score, "p": p_value}
    for part in environment.list_templates(["j2"]):
        environment.get_template(part)
    return environment.get_template(name)


def inline(value: Any) -> str:
    """JSON that may stand in a script element: nothing in it can end the element.

    >>> inline({"a": "</script>"})
    '{"a":"\\\\u003c/script>"}'
    """
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def packed_json(text: bytes) -> str:
    """Compressed JSON as base64; the same bytes for the same value."""
    return b64encode(gzip.compress(text, 9, mtime=0)).decode()


def policy(script: str, style: str, images: bool = False) -> str:
    """A Content-Security-Policy that names the page's one script and one style by their hashes.

    Images of the studies lie beside the page, on the same disk or server.

    >>> policy("a", "b").split("; ")[0]
    "default-src 'none'"
    """
    pictures = "data: blob: file: 'self'" if images else "data: blob:"
    return (
        f"default-src 'none'; script-src {csp_hash(script)}; style-src {csp_hash(style)}; img-src {pictures}; "
        "base-uri 'none'; form-action 'none'"
    )


def csp_hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """What a reader must know before trusting a number."""

    title: str
    formula: str
    range: str
    empty: str
    deaf: str
    """What the metric does not hear, in one line."""

    variants: str
    cost: str
    page: str
    paper: str
    published: str


@cache
def cards() -> dict[str, Card]:
    text = (files("overread.pages") / "cards.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Card])


def card(metric: str) -> Card | None:
    """The card of a metric or, of a variant, of its family.

    >>> card("rouge-l").title, card("f1-srr-statuses").title, card("f1-srr-micro").title
    ('ROUGE', 'F1-SRR with statuses', 'F1-SRR')
    >>> card("somebody-elses") is None
    True
    """
    fitting = [name for name in cards() if metric == name or metric.startswith(f"{name}-")]
    return cards()[max(fitting, key=len)] if fitting else None
