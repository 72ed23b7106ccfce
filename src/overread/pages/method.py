"""A card per metric: formula, range, empty cases, what it does not hear, published anchors."""

import tomllib
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct


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
