"""A sheet: rows with fields, filled from a suggestion, turned back into a line that the rest of overread reads.

Every kind of work is a sheet, so that one editor, one save, one audit and one merge serve them all.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.resources import files
from typing import Any, Literal

from msgspec import Struct, convert, field

from overread.errors import UnknownName

FieldType = Literal["fixed", "choice", "text", "words", "picks", "links", "lines"]
State = Literal["suggested", "accepted", "rejected"]
Place = tuple[int, int, int]
"""Which text of the item, and the half-open offsets in it."""

Value = str | list[str]


class Field(Struct, frozen=True, omit_defaults=True):
    """One thing to say of a row."""

    name: str
    label: str
    type: FieldType
    """fixed: shown, not edited; choice: one of the options; text: any words; words: a list of phrases;
    picks: several of many options, each with a mark; links: other rows; lines: text of several lines."""

    options: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    """What a pick can be marked with: `Edema: Present`."""

    required: bool = False
    when: tuple[str, tuple[str, ...]] | None = None
    """Asked only while another field has one of these values."""

    to: str = ""
    """Links: the kind of row they lead to; the row's own when empty."""

    one: bool = False
    """Links: one at most."""

    shared: bool = False
    """Text: what other rows say here is offered."""

    compared: str = "nominal"
    """How agreement on it is measured: nominal, ordinal, interval, set or none."""

    as_rows: bool = False
    """Choice: no more options than there are rows, as for places in a ranking."""

    help: str = ""
    """What one needs to know to fill it in, folded away below it."""


class Kind(Struct, frozen=True, omit_defaults=True):
    """A sort of row."""

    name: str
    label: str
    fields: tuple[Field, ...]
    title: str
    """The field that names the row."""

    add: str = ""
    """The field that selected words go to when a row is added; empty: no row of this kind comes from words."""

    bare: bool = False
    """Can a row be added without words?"""

    reject: bool = True
    """Can a row be struck out?"""

    ordered: bool = False
    """Do the rows' places matter?"""

    quick: tuple[str, ...] = ()
    """Two choice fields whose combinations are counted in a grid; words and a digit add a row."""


KINDS = tomllib.loads(files("overread_review.sheets").joinpath("kinds.toml").read_text("utf-8"))


def kinds_of(sheet: str, **words: Sequence[str]) -> tuple[Kind, ...]:
    """The kinds of a sheet's rows, with its vocabularies where the table has their names."""
    for one in (told for kind in KINDS[sheet] for told in kind["fields"]):
        one |= {name: words[one[name]] for name in ("options", "marks") if isinstance(one.get(name), str)}
        if isinstance(one.get("when", ["", []])[1], str):
            one["when"] = (one["when"][0], words[one["when"][1]])
    return convert(KINDS[sheet], tuple[Kind, ...])


class Row(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One line of a sheet."""

    id: str
    kind: str
    state: State = "suggested"
    added: bool = False
    values: dict[str, Value] = field(default_factory=dict)
    spans: dict[str, list[Place]] = field(default_factory=dict)
    """The words behind each field."""

    def text(self, name: str) -> str:
        """
        >>> Row("r1", "finding", values={"entity": "edema"}).text("entity")
        'edema'
        """
        value = self.values.get(name, "")
        return value if isinstance(value, str) else ", ".join(value)

    def entries(self, name: str) -> list[str]:
        value = self.values.get(name, [])
        return list(value) if isinstance(value, list) else ([value] if value else [])

    def offsets(self, name: str, part: int = 0) -> list[list[int]]:
        """The offsets behind a field in one of the texts."""
        return [[start, end] for place, start, end in self.spans.get(name, []) if place == part]


class Part(Struct, frozen=True):
    """One text that the reader sees."""

    title: str
    text: str


class Complaint(Struct, frozen=True):
    """Something that keeps a sheet from being handed in, where it is."""

    row: str
    line: int
    """Of a field of several lines, from 1; 0: the row as a whole."""

    problem: str


Content = Mapping[str, Any]
Line = Mapping[str, Any]


class Sheet(Struct, frozen=True):
    """One kind of work."""

    name: str
    kinds: tuple[Kind, ...]
    rows: Callable[[Content, Line], list[Row]]
    """The item and the suggested line → rows to begin with."""

    line: Callable[[Content, Line, Sequence[Row]], dict[str, Any]]
    """The item, the suggestion and the rows that stand → the line to export."""

    parts: Callable[[Content, Mapping[str, Any]], list[Part]]
    """The texts, in the order of the assignment's layout."""

    family: Literal["correct", "judge", "compare"] = "correct"
    missing: Callable[[Sequence[Row]], str] = lambda rows: ""
    """What keeps the rows from being handed in, beyond required fields, in words."""

    complaints: Callable[[Content, Sequence[Row]], list[Complaint]] = lambda content, rows: []
    """The same row by row, for sheets that are checked at every save."""

    @property
    def about(self) -> str:
        """What people do."""
        return str(KINDS["about"][self.name])

    def kind(self, name: str) -> Kind:
        return next(kind for kind in self.kinds if kind.name == name)


NAMES = tuple(
    "clear lunguage timeline radsem pairs srrg longitudinal notation judge compare terms ratings".split()
)
"""Each is a module beside this one that holds a SHEET, imported when asked for."""


def sheet(name: str) -> Sheet:
    """The sheet called `name`."""
    if name not in NAMES:
        raise UnknownName("kind of work", name, NAMES)
    found: Sheet = import_module(f"overread_review.sheets.{name}").SHEET
    return found


def one_report(content: Content, layout: Mapping[str, Any]) -> list[Part]:
    """The only text of an item that is a report."""
    return [Part("Report", content["text"])]


def two_reports(content: Content, layout: Mapping[str, Any]) -> list[Part]:
    """Both texts of an item that is a pair."""
    return [Part("Reference", content["reference"]), Part("Candidate", content["candidate"])]


def standing(rows: Sequence[Row]) -> list[Row]:
    """The rows that are not struck out."""
    return [row for row in rows if row.state != "rejected"]


def places(spans: Mapping[str, Any], part: int = 0) -> dict[str, list[Place]]:
    """A view's spans as places in a text; one that holds no words, as of what is only implied, is left out."""
    held = {name: [(part, int(s), int(e)) for s, e in found if 0 <= s < e] for name, found in spans.items()}
    return {name: found for name, found in held.items() if found}
