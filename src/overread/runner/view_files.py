"""Views and timelines made elsewhere, in place of reports: the lines of `read` and `follow`, or LUNGUAGE's table.

A file of views serves the metrics of its own system; one that brings the texts too (the annotation table) serves all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from overread.errors import BadInput
from overread.report import Report, parse
from overread.sources import Source, Table
from overread.sources.encoding import reading
from overread.systems.clear.schema import Table as ClearTable
from overread.systems.lunguage.annotations import is_table, load_annotations
from overread.systems.lunguage.likeness import phrase, whole
from overread.systems.lunguage.schema import Quote, StructuredFinding, StructuredReport, Timeline
from overread.systems.registry import system

Decoded = TypeVar("Decoded")
SIGNS = {"atoms": "radsem", "conditions": "clear", "structured": "srrg", "sentences": "longitudinal"}
"""The field that gives a view away; `findings` and `observations` are looked at more closely."""


NO_WORDS = "–"
"""Stands for the words of a view that quotes none: a report that was read is not an empty one."""


class ViewFile(Struct, frozen=True):
    """What a file of views holds."""

    system: str
    views: dict[str, Any]
    timelines: dict[str, Timeline]
    reports: tuple[Report, ...]
    whole: bool
    """Are these the reports' own texts? Else the words of the views stand for them."""


def views_kind(path: Path) -> str | None:
    """The system whose views a file holds, `timeline`, `table`, or None for reports."""
    if path.suffix.lower() not in (".jsonl", ".ndjson"):
        return "table" if path.is_file() and is_table(path) else None
    with reading(path), path.open("rb") as file:
        first = next((line for line in file if line.strip()), b"{}")
    try:
        held = msgspec.json.decode(first, type=dict[str, Any])
    except msgspec.DecodeError:
        return None
    if isinstance(held.get("observations"), list) and "groups" in held:
        return "timeline"
    if isinstance(held.get("findings"), list):
        return "lunguage"
    return next((name for field, name in SIGNS.items() if isinstance(held.get(field), list | dict)), None)


@lru_cache(maxsize=16)
def load_view_file(path: str) -> ViewFile:
    """The views of a file, read once per process."""
    place = Path(path)
    kind = views_kind(place)
    if kind == "table":
        found = load_annotations(place)
        return ViewFile("lunguage", dict(found.views), found.timelines, tuple(found.reports.values()), True)
    if kind == "timeline":
        return of_timelines(view_lines_of(place, Timeline))
    if kind is None:
        raise BadInput(f"{path} holds no views.")
    views = {one.id: without_spans(one) for one in view_lines_of(place, system(kind).view)}
    return ViewFile(
        kind, views, {}, tuple(parse(words_in_view(v) or NO_WORDS, v.id) for v in views.values()), False
    )


def json_lines(
    path: Path, decode: Callable[[bytes], Decoded], wrong: Callable[[Exception], str]
) -> Iterator[Decoded]:
    """What stands in each line of a file; one that cannot be decoded is named, with what is wrong with it."""
    with reading(path):
        content = path.read_bytes().splitlines()
    for number, line in enumerate(content, 1):
        if line.strip():
            try:
                yield decode(line)
            except msgspec.DecodeError as error:
                raise BadInput(f"{path}, line {number}: {wrong(error)}") from None


def view_lines_of(path: Path, kind: type[Any]) -> Iterator[Any]:
    """Views; the list of doubts that `read --check` puts beside one of another system than LUNGUAGE is left out."""

    def decoded(line: bytes) -> Any:
        if b'"doubts"' not in line or issubclass(kind, StructuredReport):
            return msgspec.json.decode(line, type=kind)
        plain = msgspec.json.decode(line, type=dict[str, Any])
        plain.pop("doubts", None)
        return msgspec.convert(plain, kind)

    def wrong(error: Exception) -> str:
        where = str(error).rsplit(" - at ", 1)[-1]
        return f"not a view as `overread read` or `follow` writes it (at {where})."

    return json_lines(path, decoded, wrong)


def of_timelines(timelines: Iterable[Timeline]) -> ViewFile:
    """Timelines, and the findings of each of their studies."""
    views, reports, kept = {}, [], {}
    for timeline in timelines:
        kept[timeline.patient] = timeline
        for study in timeline.studies:
            own = [
                StructuredFinding(
                    o.id, o.section, Quote(0, 0, ""), o.entity, o.category, o.status, o.certainty,
                    {name: words for name, words in whole(o).items() if words},
                )
                for o in timeline.observations if o.study == study.study
            ]  # fmt: skip
            views[study.report] = StructuredReport(study.report, own)
            text = words_in_view(views[study.report]) or NO_WORDS
            reports.append(
                parse(text, study.report, patient=timeline.patient, study=study.study, day=study.day)
            )
    return ViewFile("lunguage", views, kept, tuple(reports), False)


def without_spans(view: Any) -> Any:
    """Findings without their places, which belong to a text that is not at hand."""
    if not isinstance(view, StructuredReport):
        return view
    bare = [msgspec.structs.replace(f, spans={}, doubts=msgspec.UNSET) for f in view.findings]
    return StructuredReport(view.id, bare)


def words_in_view(view: Any) -> str:
    """Words that stand for a report whose text is not at hand."""
    if isinstance(view, StructuredReport):
        quoted = dict.fromkeys(f.sentence.text for f in view.findings if f.sentence.text)
        return " ".join(quoted) or ". ".join(phrase(f.entity, f.attributes) for f in view.findings)
    if isinstance(view, ClearTable):
        return " ".join(f"{name}: {cell.level}." for name, cell in view.conditions.items() if cell.mentioned)
    said = msgspec.to_builtins(view)
    rows = said.get("atoms") or said.get("sentences") or said.get("utterances") or ()
    return " ".join(row["text"] for row in rows)


def source_of_views(path: Path) -> Source | None:
    """The reports behind a file of views; None where it holds reports."""
    kind = views_kind(path)
    if kind is None:
        return None
    found = load_view_file(str(path))
    name = "annotation table with texts" if found.whole else f"{kind} views"
    return Source(Table(str(path), name), found.reports)


def relabelled(timeline: Timeline, studies: Mapping[str, str]) -> Timeline:
    """The timeline with its studies called as the references call them: by report id, else by their order."""
    order = list(dict.fromkeys(studies.values()))
    labels = {
        one.study: studies.get(one.report) or (order[n] if n < len(order) else f"extra {n}")
        for n, one in enumerate(timeline.studies)
    }
    replace = msgspec.structs.replace
    return replace(
        timeline,
        studies=[replace(one, study=labels[one.study]) for one in timeline.studies],
        observations=[replace(o, study=labels[o.study]) for o in timeline.observations],
    )
