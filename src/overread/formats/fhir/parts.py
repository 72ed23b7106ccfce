"""What FHIR resources are made of: our names, parts to write, and values read with the place they stand in."""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from overread.errors import BadInput
from overread.formats.codes import Coding
from overread.report.span import Span
from overread.sources.encoding import bad, json_of, numbered, text_of

BASE = "https://overread.invalid/fhir"
"""Our canonical URL: a name, not an address. Nobody can own a host under .invalid, so it leads nowhere else."""

CONCEPTS = f"{BASE}/CodeSystem/finding"
"""Concepts of the lexicon."""

TERMS = f"{BASE}/CodeSystem/term"
"""Relations, statuses, certainties, sides: the words findings are described in."""

MODELS = f"{BASE}/CodeSystem/open-imaging-finding-model"
"""Ids of the Open Imaging Finding Models."""

REPORT_ID = f"{BASE}/identifier/report"
PATIENT_ID = f"{BASE}/identifier/patient"
STUDY_ID = f"{BASE}/identifier/study"


def extension(name: str) -> str:
    """The URL of one of our extensions.

    >>> extension("finding-span")
    'https://overread.invalid/fhir/StructureDefinition/finding-span'
    """
    return f"{BASE}/StructureDefinition/{name}"


Part = dict[str, Any]


def resources(path: Path) -> "Iterator[At]":
    """The resources of a Bundle, a single resource, an NDJSON file, or a folder of them."""
    if path.is_dir():
        for file in sorted([*path.glob("*.ndjson"), *path.glob("*.json")]):
            yield from resources(file)
    elif path.suffix.lower() in (".ndjson", ".jsonl"):
        for number, line in numbered(path):
            yield from unbundled(json_of(line, Any, path, f"line {number}"), path, f"line {number}")
    else:
        yield from unbundled(json_of(text_of(path, None), Any, path), path, "")


def unbundled(resource: Any, path: Path, place: str, depth: int = 0) -> "Iterator[At]":
    """The resource, or those inside it where it is a Bundle."""
    if not isinstance(resource, dict) or not isinstance(resource.get("resourceType"), str):
        raise bad(path, place, "not a FHIR resource: there is no resourceType.")
    if resource["resourceType"] != "Bundle":
        kind, id = resource["resourceType"][:40], resource.get("id")
        name = f"{kind}/{str(id)[:64]}" if id else kind  # cut where the id is no id
        yield At(resource, path, f"{place} ({name})" if place else name)
        return
    entries = resource.get("entry", [])
    if not isinstance(entries, list) or depth > 5:
        raise bad(
            path, place, "the entries of a Bundle must be a list, and Bundles nest no deeper than five."
        )
    for number, entry in enumerate(entries, 1):
        here = f"{place}, entry {number}".removeprefix(", ")
        inner = entry.get("resource") if isinstance(entry, dict) else None
        if inner is not None:
            yield from unbundled(inner, path, here, depth + 1)


class At:
    """A value inside a resource, which knows where it stands and can be asked for its parts by kind."""

    def __init__(self, value: object, path: Path, place: str) -> None:
        self.value, self.path, self.place = value, path, place

    def wrong(self, problem: str) -> BadInput:
        return bad(self.path, self.place, problem)

    def __bool__(self) -> bool:
        return self.value is not None

    def get(self, *names: str) -> "At":
        """A field of an object, or of objects within each other; an absent one is there, and false."""
        found = self
        for name in names:
            if found.value is not None and not isinstance(found.value, dict):
                raise found.wrong("an object was expected here.")
            inner = found.value.get(name) if isinstance(found.value, dict) else None
            found = At(inner, self.path, f"{found.place}.{name}")
        return found

    def items(self) -> "list[At]":
        """The items of a list; none where there is no list."""
        if self.value is None:
            return []
        if not isinstance(self.value, list):
            raise self.wrong("a list was expected here.")
        return [At(one, self.path, f"{self.place}[{n}]") for n, one in enumerate(self.value)]

    def first(self) -> "At":
        found = self.items()
        return found[0] if found else At(None, self.path, f"{self.place}[0]")

    def extensions(self, name: str) -> "list[At]":
        """Those of ours with this name, or the parts of one of ours that are called so."""
        own = (extension(name), name)
        return [one for one in self.get("extension").items() if one.get("url").value in own]

    def extension(self, name: str) -> "At":
        """The first of them; false where there is none."""
        none = At(None, self.path, f"{self.place}.extension({name})")
        return next(iter(self.extensions(name)), none)

    def reference(self) -> str:
        """`Patient/7`, wherever the server that it names."""
        return "/".join((self.get("reference").string() or "").split("/")[-2:])

    def decoded(self) -> bytes:
        try:
            return base64.b64decode("".join((self.string() or "").split()), validate=True)
        except (binascii.Error, ValueError):
            raise self.wrong("not base64.") from None

    def string(self) -> str | None:
        if self.value is not None and not isinstance(self.value, str):
            raise self.wrong("text was expected here.")
        return self.value

    def whole(self) -> int:
        if type(self.value) is not int:
            raise self.wrong("a whole number was expected here.")
        return self.value

    def number(self) -> float | None:
        if self.value is not None and type(self.value) not in (int, float):
            raise self.wrong("a number was expected here.")
        return None if self.value is None else float(self.value)  # type: ignore[arg-type]


ODD_SPACE = re.compile(r"[^\S \r\n\t]")
"""White space FHIR strings must not hold."""


def name_of(kind: str, *ids: str) -> str:
    """A resource id that is the same whenever the same thing is written."""
    return str(uuid5(NAMESPACE_URL, "/".join([BASE, kind, *(id.replace("/", "//") for id in ids)])))


def refer(kind: str, id: str) -> Part:
    return {"reference": f"{kind}/{id}"}


def refer_to(report: str, mark: str) -> Part:
    """The Observation of a finding."""
    return refer("Observation", name_of("Observation", report, mark))


def concept(codes: Iterable[Coding], text: str | None = None) -> Part:
    told = ({"system": one.system, "code": one.code, "display": one.display} for one in codes)
    coded = [{name: value for name, value in one.items() if value or name != "display"} for one in told]
    shown = string(text) if text else None
    return {**({"coding": coded} if coded else {}), **({"text": shown} if shown else {})}


def term(code: str) -> Coding:
    """A word of our own code system."""
    return Coding(TERMS, code)


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
