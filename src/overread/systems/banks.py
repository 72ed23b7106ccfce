"""Gold as a bank of worked examples for `--examples`: one line per prompt that the answer serves."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from overread.llm import Settings
from overread.report import Report, parse
from overread.systems.lunguage.asking import Asked
from overread.systems.lunguage.by_llm import numbered
from overread.systems.lunguage.follow_by_llm import observation_list
from overread.systems.lunguage.likeness import whole
from overread.systems.lunguage.schema import StructuredReport, Timeline

JsonObject = dict[str, Any]
"""A view or an example as plain JSON values."""


def of_clear(text: str, line: JsonObject) -> Iterator[JsonObject]:
    cells = line["conditions"]
    seen = {name: {"level": c["level"], "mentioned": c["mentioned"]} for name, c in cells.items()}
    yield example_line("clear/presence", text, seen)
    yield example_line("clear/labels", text, {name: c["presence"] for name, c in cells.items()})
    for name, cell in cells.items():
        if cell["presence"] != "positive":
            continue
        for choice in ("first_occurrence", "change", "severity"):
            if cell.get(choice):
                yield example_line(f"clear/{choice}", text, {"answer": cell[choice]}, about=name)
        for phrases in ("location", "recommendation"):
            yield example_line(f"clear/{phrases}", text, {"phrases": list(cell.get(phrases, ()))}, about=name)


def example_line(stage: str, text: str, answer: JsonObject, **more: str | None) -> JsonObject:
    return {"stage": stage, "text": text, "answer": answer, **more}


def numbered_sentences(sentences: Iterable[str]) -> str:
    return "\n".join(f"{n}. {one}" for n, one in enumerate(sentences, 1))


def of_lunguage(text: str, line: JsonObject) -> Iterator[JsonObject]:
    view = msgspec.convert({"id": line["id"], "findings": line["findings"]}, StructuredReport)
    return report_examples(parse(text, line["id"]), view)


def report_examples(report: Report, view: StructuredReport) -> Iterator[JsonObject]:
    """One example a section that has findings; write each as a JSON line of the bank."""
    for section in report.sections:
        spans = [*enumerate((sentence.span for sentence in section.sentences), 1)]
        places = {
            f.id: [n for n, span in spans if span.start <= f.sentence.start < span.end] for f in view.findings
        }
        numbers = {id: n for n, id in enumerate((id for id, here in places.items() if here), 1)}
        said = [
            {
                "number": numbers[f.id],
                "sentences": places[f.id],
                **{name: getattr(f, name) for name in ("entity", "category", "status", "certainty")},
                "attributes": [
                    {"relation": name, "words": list(words)} for name, words in f.attributes.items()
                ],
                "associate": [numbers[id] for id in f.associate if id in numbers],
                "evidence": [numbers[id] for id in f.evidence if id in numbers],
            }
            for f in view.findings
            if f.id in numbers
        ]
        if said:
            shown = numbered(Asked.of(report, [section]), Settings())
            yield example_line("lunguage/structure", shown, {"findings": said}, patient=report.patient)


def of_radsem(text: str, line: JsonObject) -> Iterator[JsonObject]:
    sentences = [one.span for section in parse(text, "").section("findings") for one in section.sentences]
    said = [
        {"number": n, "text": atom["text"], "normality": atom["normality"]}
        for atom in line["atoms"]
        for n, span in enumerate(sentences, 1)
        if span.start <= atom["start"] < span.end
    ]
    if said:
        answer = {"area": list(line.get("area", [])), "type": line.get("type", "-"), "sentences": said}
        yield example_line(
            "radsem/atoms", numbered_sentences(" ".join(s.of(text).split()) for s in sentences), answer
        )


def of_srrg(text: str, line: JsonObject) -> Iterator[JsonObject]:
    found = line["structured"]
    answer = {name: found.get(name, "") for name in ("exam_type", "history", "technique", "comparison")}
    bullets = [
        {"header": header, "bullets": list(lines)} for header, lines in found.get("findings", {}).items()
    ]
    answer |= {"findings": bullets, "impression": list(found.get("impression", []))}
    yield example_line("srrg/structure", text, answer)
    said = line.get("utterances", [])
    if said:
        labels = [
            [{"label": la["label"], "status": la.get("status")} for la in one["labels"]] for one in said
        ]
        statements = [{"number": n, "labels": some} for n, some in enumerate(labels, 1)]
        yield example_line(
            "srrg/label", numbered_sentences(one["text"] for one in said), {"statements": statements}
        )


def of_longitudinal(text: str, line: JsonObject) -> Iterator[JsonObject]:
    for one in line["sentences"]:
        said, items = one["text"], one.get("items", ())
        yield example_line("longitudinal/compares", said, {"compares": one["longitudinal"]})
        if one["longitudinal"]:
            yield example_line(
                "longitudinal/diseases", said, {"diseases": [item["disease"] for item in items]}
            )
        for item in items:
            if item.get("progression"):
                answer = {"progression": item["progression"]}
                yield example_line("longitudinal/progression", said, answer, about=item["disease"])


def of_timeline(line: JsonObject) -> Iterator[JsonObject]:
    """The grouping of one patient, as `overread follow` writes it."""
    yield timeline_example(msgspec.convert(line, Timeline))


def timeline_example(timeline: Timeline) -> JsonObject:
    """One example: the patient's observations and their groups."""
    groups = []
    for group in timeline.groups:
        members = {n: o for n, o in enumerate(timeline.observations, 1) if o.entity_group == group.name}
        days = [
            sorted({o.day for o in members.values() if o.temporal_group == e.number}) for e in group.episodes
        ]
        episodes = [{"days": one} for one in days]
        reason = "The same finding in the same place." if len(members) > 1 else "Mentioned once."
        groups.append({"name": group.name, "members": [*members], "episodes": episodes, "rationale": reason})
    shown = observation_list((o.day, o.status, o.entity, whole(o)) for o in timeline.observations)
    return example_line("lunguage/follow", shown, {"groups": groups}, patient=timeline.patient)


MAKERS: dict[str, Callable[[str, JsonObject], Iterator[JsonObject]]] = {
    "clear": of_clear,
    "lunguage": of_lunguage,
    "radsem": of_radsem,
    "srrg": of_srrg,
    "longitudinal": of_longitudinal,
}
