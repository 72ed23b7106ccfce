"""FHIR files → resources, each with the place it stands in."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from overread.errors import BadInput
from overread.sources.damage import bad, json_value
from overread.sources.encoding import detect, opened, text_of

Resource = dict[str, Any]
Placed = tuple[str, Path, Resource]
"""Where it stands in its file, the file, the resource."""


def resources(path: Path) -> Iterator[Placed]:
    """The resources of a Bundle, a single resource, an NDJSON file, or a folder of them."""
    if path.is_dir():
        for file in sorted([*path.glob("*.ndjson"), *path.glob("*.json")]):
            yield from resources(file)
    elif path.suffix.lower() in (".ndjson", ".jsonl"):
        yield from lines(path)
    else:
        whole = json_value(text_of(path, None), path)
        yield from unpacked(checked(whole, path, ""), path, "")


def lines(path: Path) -> Iterator[Placed]:
    with opened(path, detect(path)) as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                place = f"line {number}"
                yield from unpacked(checked(json_value(line, path, place), path, place), path, place)


def unpacked(resource: Resource, path: Path, place: str, depth: int = 0) -> Iterator[Placed]:
    """The resource, or those inside it where it is a Bundle."""
    if resource["resourceType"] != "Bundle":
        yield place or resource_name(resource), path, resource
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
            yield from unpacked(checked(inner, path, here), path, here, depth + 1)


def checked(value: object, path: Path, place: str) -> Resource:
    if not isinstance(value, dict) or not isinstance(value.get("resourceType"), str):
        raise bad(path, place, "not a FHIR resource: there is no resourceType.")
    return value


def resource_name(resource: Resource) -> str:
    """`DiagnosticReport/abc`, cut where the id is no id."""
    id = resource.get("id")
    return f"{resource['resourceType'][:40]}/{str(id)[:64]}" if id else resource["resourceType"][:40]


class At:
    """A value inside a resource, which knows where it stands and can be asked for its parts by kind."""

    def __init__(self, value: object, path: Path, place: str) -> None:
        self.value, self.path, self.place = value, path, place

    def wrong(self, problem: str) -> BadInput:
        return bad(self.path, self.place, problem)

    def __bool__(self) -> bool:
        return self.value is not None

    def get(self, name: str) -> "At":
        """A field of an object; an absent one is there, and false."""
        if self.value is not None and not isinstance(self.value, dict):
            raise self.wrong("an object was expected here.")
        inner = self.value.get(name) if isinstance(self.value, dict) else None
        return At(inner, self.path, f"{self.place}.{name}")

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
