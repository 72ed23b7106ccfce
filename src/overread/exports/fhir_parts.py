"""Small parts FHIR resources are made of."""

import base64
import re
from collections.abc import Iterable
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from overread.exports.codes import Coding
from overread.report.span import Span
from overread.sources.fhir_names import BASE, TERMS, extension

Part = dict[str, Any]
ODD_SPACE = re.compile(r"[^\S \r\n\t]")
"""White space FHIR strings must not hold."""


def name_of(kind: str, *ids: str) -> str:
    """A resource id that is the same whenever the same thing is written."""
    return str(uuid5(NAMESPACE_URL, "/".join([BASE, kind, *(id.replace("/", "//") for id in ids)])))


def refer(kind: str, id: str) -> Part:
    return {"reference": f"{kind}/{id}"}


def concept(codings: Iterable[Part], text: str | None = None) -> Part:
    listed = list(codings)
    shown = string(text) if text else None
    return {**({"coding": listed} if listed else {}), **({"text": shown} if shown else {})}


def term(code: str) -> Part:
    """A word of our own code system."""
    return {"system": TERMS, "code": code}


def coding(one: Coding) -> Part:
    return {"system": one.system, "code": one.code, **({"display": one.display} if one.display else {})}


def string(text: str) -> str:
    """Text as FHIR takes it; odd white space becomes plain.

    >>> string("2\u00a0cm")
    '2 cm'
    """
    return ODD_SPACE.sub(" ", text)


def valued(name: str, kind: str, value: object) -> Part:
    return {"url": extension(name), f"value{kind}": value}


def place(name: str, span: Span, *more: Part) -> Part:
    """A stretch of the report's text."""
    ends = [{"url": "start", "valueInteger": span.start}, {"url": "end", "valueInteger": span.end}]
    return {"url": extension(name), "extension": [*ends, *more]}


def exact(wording: str) -> list[Part]:
    """The wording as it is, where FHIR cannot show it so."""
    if wording.strip() and string(wording) == wording:
        return []
    return [valued("exact-wording", "Base64Binary", base64.b64encode(wording.encode()).decode())]
