"""Items of a study from files that `read` and `score` take, with suggestions of overread's own or from view files."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, ValidationError

from overread.corpus.files import notation_files, sound
from overread.corpus.notation import parse_file
from overread.corpus.records import lay_out
from overread.corpus.writing import annotated_sentences, pieces
from overread.errors import BadInput
from overread.formats import load
from overread.report import Report
from overread.sources import patients
from overread.validation.clear.files import rows_of
from overread_review.sheets.in_text import doubts_in
from overread_review.sheets.sheet import sheet
from overread_review.work.studies import NewItem
from overread_review.work.suggest import (
    CELLS,
    Line,
    by_key,
    lines,
    tag_lines,
    timeline_lines,
    verdicts,
    view_lines,
)

EMPTY = "nobody"


class Files(Struct, frozen=True):
    """What a study is made from."""

    reports: Path
    """Reports, references where candidates are judged, or a slice of the corpus."""

    candidates: tuple[Path, ...] = ()
    """One file per system; its name is the system's."""

    views: Path | None = None
    """Suggestions made elsewhere, such as by a language model; overread's own when there are none."""

    source: str = ""
    """Who made `views`."""

    metrics: tuple[str, ...] = ()
    """Metrics whose verdict is shown after a judgement."""

    blank: bool = False
    """No suggestions at all: readers begin with an empty sheet."""

    check: bool = False
    """Are overread's own suggestions checked a second time, so that doubtful ones come marked?"""


def make_items(kind: str, files: Files) -> list[NewItem]:
    """The items of a study of this kind, in the order of the file."""
    if files.check:
        check_checked(kind, files)
    if kind == "terms":
        return list(of_terms(files))
    reports = [] if kind == "notation" else list(load(files.reports))
    found: Callable[..., Iterator[NewItem]] = MAKERS.get(kind, of_reports)
    return list(found(sheet(kind).name, files, reports))


def check_checked(kind: str, files: Files) -> None:
    """Only a reading of single reports by rules is checked."""
    if kind in MAKERS:
        raise BadInput(f"--check is for readings of single reports; {kind} has none.")
    if files.blank or files.views is not None:
        raise BadInput(
            "--check is for overread's own suggestions; views made by `overread read --check` already have theirs."
        )


def of_reports(kind: str, files: Files, reports: Sequence[Report]) -> Iterator[NewItem]:
    item = suggested(files, "id", lambda: view_lines(kind, reports, files.check))
    for report in reports:
        yield item(report.id, {name: getattr(report, name) for name in CELLS})


def of_patients(kind: str, files: Files, reports: Sequence[Report]) -> Iterator[NewItem]:
    item = suggested(files, "patient", lambda: timeline_lines(reports))
    for patient in patients(reports):
        studies = [
            {"study": r.study or str(one.number), "day": one.day, "report": r.id, "text": r.text}
            for one in patient.studies
            for r in (one.report,)
        ]
        yield item(patient.id, {"patient": patient.id, "studies": studies})


def of_pairs(kind: str, files: Files, reports: Sequence[Report]) -> Iterator[NewItem]:
    others = one_system(files)
    pairs = [(one, others[one.id]) for one in reports if one.id in others]
    item = suggested(files, "name", lambda: tag_lines(*zip(*pairs, strict=True)))
    for reference, candidate in pairs:
        content = {"id": reference.id, "reference": reference.text, "candidate": candidate.text}
        yield item(reference.id, content)


def of_terms(files: Files) -> Iterator[NewItem]:
    """Rows with a term, its category and where it stands; those with a decision already bring it as a suggestion."""
    for line, row in rows_of(files.reports):
        term = str(row.get("term") or "").strip()
        if not term:
            raise BadInput(
                f"{files.reports}, line {line}: no term. The columns are term, category, context and codes."
            )
        category = str(row.get("category") or "").strip()
        text = str(row.get("context") or "").strip() or term
        key = f"{category}: {term}" if category else term
        known = ("decision", "normal", "to", "code", "log")
        told = {} if files.blank else {n: str(row.get(n) or "") for n in known}
        codes = {"codes": str(row["codes"])} if row.get("codes") else {}
        content = {"id": key, "term": term, "category": category, "text": text, **codes}
        yield NewItem(key, content, told, files.reports.stem if told.get("decision") else EMPTY)


def of_ratings(kind: str, files: Files, reports: Sequence[Report]) -> Iterator[NewItem]:
    """Every report with the answers that a set of `overread build clear-review` deals."""
    if len(files.candidates) != 1:
        raise BadInput(
            "Give the reports, and one set of answers with -c set-1.csv (`overread build clear-review`)."
        )
    (path,) = files.candidates
    key = path.with_name("key.csv")
    models = {str(r["item"]): str(r["model"]) for _, r in rows_of(key)} if key.exists() else {}
    answers: dict[str, list[dict[str, str]]] = {}
    for line, row in rows_of(path):
        one = {name: str(row.get(name) or "").strip() for name in ANSWERS}
        one["item"] = one["item"] or str(line)
        one["model"] = models.get(one["item"], one["model"])
        if not (one["study_id"] and one["condition"] and one["attribute"]):
            raise BadInput(f"{path}, line {line}: study_id, condition and attribute are needed.")
        answers.setdefault(one["study_id"], []).append(one)
    for report in reports:
        if report.id in answers:
            content = {"id": report.id, "text": report.text, "answers": answers[report.id]}
            yield NewItem(report.id, content, {}, EMPTY)


ANSWERS = ("item", "study_id", "condition", "attribute", "answer", "model")


def one_system(files: Files) -> dict[str, Report]:
    if len(files.candidates) != 1:
        raise BadInput("This study needs exactly one file of candidates beside the references.")
    return {one.id: one for one in load(files.candidates[0])}


def of_notation(kind: str, files: Files, reports: Sequence[Report]) -> Iterator[NewItem]:
    """The reports of a slice of the corpus, each with its notation as it stands in the file."""
    if files.views is not None:
        raise BadInput("A slice of the corpus brings its own annotation; leave --views out, or give --blank.")
    root = files.reports
    for path in notation_files([root]):
        read = sound(path, *parse_file(path))
        name = path.relative_to(root).as_posix() if root.is_dir() else path.name
        for report, notation in zip(read, pieces(path.read_bytes().decode()), strict=True):
            content = {"id": report.id, "text": lay_out(report).text, "file": name, "notation": notation}
            lines = {"annotations": [lines for _, lines in annotated_sentences(notation)]}
            source = report.about.get("writer", name)[:80]
            yield NewItem(report.id, content, *(({}, EMPTY) if files.blank else (lines, source)))


def of_candidates(kind: str, files: Files, reports: Sequence[Report]) -> Iterator[NewItem]:
    """Every candidate of every system beside its reference."""
    systems = by_system(files, least=1)
    said = {}
    if files.metrics:
        known = {name: list(found.values()) for name, found in systems.items()}
        said = verdicts(reports, known, files.metrics)
    for report in reports:
        for name, found in systems.items():
            if report.id in found:
                content = {
                    "id": report.id, "reference": report.text, "candidate": found[report.id].text, "system": name,
                    "verdict": said.get((report.id, name), {}),
                }  # fmt: skip
                yield NewItem(f"{report.id} / {name}", content, {}, EMPTY)


def of_rivals(kind: str, files: Files, reports: Sequence[Report]) -> Iterator[NewItem]:
    """All systems' candidates of one report together."""
    systems = by_system(files, least=2)
    for report in reports:
        texts = {name: found[report.id].text for name, found in systems.items() if report.id in found}
        if len(texts) == len(systems):
            yield NewItem(
                report.id, {"id": report.id, "reference": report.text, "candidates": texts}, {}, EMPTY
            )


def by_system(files: Files, least: int) -> dict[str, dict[str, Report]]:
    if len(files.candidates) < least:
        raise BadInput(
            f"This study needs {least} or more files of candidates, one per system, beside the references."
        )
    names = [path.stem for path in files.candidates]
    if len(set(names)) < len(names):
        raise BadInput("Two files of candidates have the same name; a system is named after its file.")
    return {path.stem: {one.id: one for one in load(path)} for path in files.candidates}


def suggested(
    files: Files, key: str, by_rules: Callable[[], Mapping[str, Line]]
) -> Callable[[str, dict[str, Any]], NewItem]:
    """Makes items of an id and a content, with the line suggested for them and who made it."""
    found: Mapping[str, Line] = {}
    source = "overread"
    if files.views is None and not files.blank:
        found = by_rules()
    elif files.views is not None and not files.blank:
        found = checked(by_key(keyed(lines(files.views), key, files.views), key))
        source = files.source or files.views.stem
    return lambda id, content: NewItem(id, content, found.get(id, {}), source if id in found else EMPTY)


def keyed(found: Iterable[Line], key: str, path: Path) -> Iterator[Line]:
    for number, one in enumerate(found, 1):
        if not isinstance(one.get(key), (str, int)):
            raise BadInput(f"{path.name}, line {number}: no {key!r}. Give lines as overread writes them.")
        yield one


def checked(found: Mapping[str, Line]) -> Mapping[str, Line]:
    if not found:
        raise BadInput("The file of views is empty; leave it out and overread makes the suggestions.")
    for id, line in found.items():
        try:
            list(doubts_in(line))
        except ValidationError as error:
            raise BadInput(
                f"The doubts about {id} are not as `overread read --check` writes them: {error}."
            ) from None
    return found


MAKERS: dict[str, Callable[..., Iterator[NewItem]]] = {
    "timeline": of_patients,
    "pairs": of_pairs,
    "notation": of_notation,
    "judge": of_candidates,
    "compare": of_rivals,
    "ratings": of_ratings,
}
