"""Gold as a bank of worked examples for `--examples`: one line per prompt that the answer serves."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from overread.report import parse

Line = dict[str, Any]
"""A view or an example as plain JSON values."""


def of_clear(text: str, line: Line, patient: str | None) -> Iterator[Line]:
    seen = {
        name: {"level": c["level"], "mentioned": c["mentioned"]} for name, c in line["conditions"].items()
    }
    yield {"stage": "clear/presence", "text": text, "answer": seen}
    labels = {name: c["presence"] for name, c in line["conditions"].items()}
    yield {"stage": "clear/labels", "text": text, "answer": labels}
    for name, cell in line["conditions"].items():
        if cell["presence"] != "positive":
            continue
        for choice in ("first_occurrence", "change", "severity"):
            if cell.get(choice):
                yield asked(f"clear/{choice}", text, {"answer": cell[choice]}, name)
        for phrases in ("location", "recommendation"):
            yield asked(f"clear/{phrases}", text, {"phrases": list(cell.get(phrases, ()))}, name)


def asked(stage: str, text: str, answer: Line, about: str) -> Line:
    return {"stage": stage, "text": text, "answer": answer, "about": about}


def of_lunguage(text: str, line: Line, patient: str | None) -> Iterator[Line]:
    from overread.systems.lunguage.examples import report_examples
    from overread.systems.lunguage.schema import StructuredReport

    view = msgspec.convert({"id": line["id"], "findings": line["findings"]}, StructuredReport)
    yield from report_examples(parse(text, line["id"], patient=patient), view)


def of_radsem(text: str, line: Line, patient: str | None) -> Iterator[Line]:
    sentences = [one.span for section in parse(text, "").section("findings") for one in section.sentences]
    said = []
    for atom in line["atoms"]:
        number = next((n for n, s in enumerate(sentences, 1) if s.start <= atom["start"] < s.end), None)
        if number is not None:
            said.append({"number": number, "text": atom["text"], "normality": atom["normality"]})
    shown = "\n".join(f"{n}. {' '.join(s.of(text).split())}" for n, s in enumerate(sentences, 1))
    if said:
        answer = {"area": list(line.get("area", [])), "type": line.get("type", "-"), "sentences": said}
        yield {"stage": "radsem/atoms", "text": shown, "answer": answer}


def of_srrg(text: str, line: Line, patient: str | None) -> Iterator[Line]:
    found = line["structured"]
    answer = {name: found.get(name, "") for name in ("exam_type", "history", "technique", "comparison")}
    bullets = [
        {"header": header, "bullets": list(lines)} for header, lines in found.get("findings", {}).items()
    ]
    answer |= {"findings": bullets, "impression": list(found.get("impression", []))}
    yield {"stage": "srrg/structure", "text": text, "answer": answer}
    said = line.get("utterances", [])
    if said:
        shown = "\n".join(f"{n}. {one['text']}" for n, one in enumerate(said, 1))
        labels = [
            {
                "number": n,
                "labels": [{"label": la["label"], "status": la.get("status")} for la in one["labels"]],
            }
            for n, one in enumerate(said, 1)
        ]
        yield {"stage": "srrg/label", "text": shown, "answer": {"statements": labels}}


def of_longitudinal(text: str, line: Line, patient: str | None) -> Iterator[Line]:
    for one in line["sentences"]:
        said, items = one["text"], one.get("items", ())
        yield {"stage": "longitudinal/compares", "text": said, "answer": {"compares": one["longitudinal"]}}
        if one["longitudinal"]:
            diseases = [item["disease"] for item in items]
            yield {"stage": "longitudinal/diseases", "text": said, "answer": {"diseases": diseases}}
        for item in items:
            if item.get("progression"):
                answer = {"progression": item["progression"]}
                yield asked("longitudinal/progression", said, answer, item["disease"])


def of_timeline(line: Line) -> Iterator[Line]:
    """The grouping of one patient, as `overread follow` writes it."""
    from overread.systems.lunguage.examples import timeline_example
    from overread.systems.lunguage.follow_by_llm import History
    from overread.systems.lunguage.schema import Quote, StructuredFinding, StructuredReport
    from overread.systems.lunguage.timeline import StudyView, Timeline

    timeline = msgspec.convert(line, Timeline)
    studies = []
    for study in timeline.studies:
        own = [o for o in timeline.observations if o.study == study.study]
        findings = [
            StructuredFinding(
                o.id, o.section, Quote(0, 0, ""), o.entity, o.category, o.status, o.certainty,
                {"location": o.location, **o.attributes},
            )
            for o in own
        ]  # fmt: skip
        studies.append(StudyView(study.study, study.day, StructuredReport(study.report, findings)))
    yield timeline_example(History(timeline.patient, tuple(studies)), timeline)


MAKERS: dict[str, Callable[[str, Line, str | None], Iterator[Line]]] = {
    "clear": of_clear,
    "lunguage": of_lunguage,
    "radsem": of_radsem,
    "srrg": of_srrg,
    "longitudinal": of_longitudinal,
}
