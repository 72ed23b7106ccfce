"""Gold as a bank of worked examples for `--examples`: one line per prompt that the answer serves."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from overread.report import parse

Line = dict[str, Any]
"""A view or an example as plain JSON values."""


def of_clear(text: str, line: Line) -> Iterator[Line]:
    cells = line["conditions"]
    seen = {name: {"level": c["level"], "mentioned": c["mentioned"]} for name, c in cells.items()}
    yield asked("clear/presence", text, seen)
    yield asked("clear/labels", text, {name: c["presence"] for name, c in cells.items()})
    for name, cell in cells.items():
        if cell["presence"] != "positive":
            continue
        for choice in ("first_occurrence", "change", "severity"):
            if cell.get(choice):
                yield asked(f"clear/{choice}", text, {"answer": cell[choice]}, about=name)
        for phrases in ("location", "recommendation"):
            yield asked(f"clear/{phrases}", text, {"phrases": list(cell.get(phrases, ()))}, about=name)


def asked(stage: str, text: str, answer: Line, **more: str) -> Line:
    return {"stage": stage, "text": text, "answer": answer, **more}


def numbered(sentences: Iterable[str]) -> str:
    return "\n".join(f"{n}. {one}" for n, one in enumerate(sentences, 1))


def of_lunguage(text: str, line: Line) -> Iterator[Line]:
    from overread.systems.lunguage.examples import report_examples
    from overread.systems.lunguage.schema import StructuredReport

    view = msgspec.convert({"id": line["id"], "findings": line["findings"]}, StructuredReport)
    return report_examples(parse(text, line["id"]), view)


def of_radsem(text: str, line: Line) -> Iterator[Line]:
    sentences = [one.span for section in parse(text, "").section("findings") for one in section.sentences]
    said = [
        {"number": n, "text": atom["text"], "normality": atom["normality"]}
        for atom in line["atoms"]
        for n, span in enumerate(sentences, 1)
        if span.start <= atom["start"] < span.end
    ]
    if said:
        answer = {"area": list(line.get("area", [])), "type": line.get("type", "-"), "sentences": said}
        yield asked("radsem/atoms", numbered(" ".join(s.of(text).split()) for s in sentences), answer)


def of_srrg(text: str, line: Line) -> Iterator[Line]:
    found = line["structured"]
    answer = {name: found.get(name, "") for name in ("exam_type", "history", "technique", "comparison")}
    bullets = [
        {"header": header, "bullets": list(lines)} for header, lines in found.get("findings", {}).items()
    ]
    answer |= {"findings": bullets, "impression": list(found.get("impression", []))}
    yield asked("srrg/structure", text, answer)
    said = line.get("utterances", [])
    if said:
        labels = [
            [{"label": la["label"], "status": la.get("status")} for la in one["labels"]] for one in said
        ]
        statements = [{"number": n, "labels": some} for n, some in enumerate(labels, 1)]
        yield asked("srrg/label", numbered(one["text"] for one in said), {"statements": statements})


def of_longitudinal(text: str, line: Line) -> Iterator[Line]:
    for one in line["sentences"]:
        said, items = one["text"], one.get("items", ())
        yield asked("longitudinal/compares", said, {"compares": one["longitudinal"]})
        if one["longitudinal"]:
            yield asked("longitudinal/diseases", said, {"diseases": [item["disease"] for item in items]})
        for item in items:
            if item.get("progression"):
                answer = {"progression": item["progression"]}
                yield asked("longitudinal/progression", said, answer, about=item["disease"])


def of_timeline(line: Line) -> Iterator[Line]:
    """The grouping of one patient, as `overread follow` writes it."""
    from overread.systems.lunguage.examples import timeline_example
    from overread.systems.lunguage.timeline import Timeline

    yield timeline_example(msgspec.convert(line, Timeline))


MAKERS: dict[str, Callable[[str, Line], Iterator[Line]]] = {
    "clear": of_clear,
    "lunguage": of_lunguage,
    "radsem": of_radsem,
    "srrg": of_srrg,
    "longitudinal": of_longitudinal,
}
