"""Gold as a bank of worked examples for `--examples`: one line per prompt that the answer serves."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from overread.report import parse

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


def example_line(stage: str, text: str, answer: JsonObject, **more: str) -> JsonObject:
    return {"stage": stage, "text": text, "answer": answer, **more}


def numbered_sentences(sentences: Iterable[str]) -> str:
    return "\n".join(f"{n}. {one}" for n, one in enumerate(sentences, 1))


def of_lunguage(text: str, line: JsonObject) -> Iterator[JsonObject]:
    from overread.systems.lunguage.examples import report_examples
    from overread.systems.lunguage.schema import StructuredReport

    view = msgspec.convert({"id": line["id"], "findings": line["findings"]}, StructuredReport)
    return report_examples(parse(text, line["id"]), view)


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
    from overread.systems.lunguage.examples import timeline_example
    from overread.systems.lunguage.timeline import Timeline

    yield timeline_example(msgspec.convert(line, Timeline))


MAKERS: dict[str, Callable[[str, JsonObject], Iterator[JsonObject]]] = {
    "clear": of_clear,
    "lunguage": of_lunguage,
    "radsem": of_radsem,
    "srrg": of_srrg,
    "longitudinal": of_longitudinal,
}
