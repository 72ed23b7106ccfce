"""Gold as a bank of worked examples for `--examples`: one line per prompt that the answer serves."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from overread.report import parse
from overread.review.exports.gold import gold_line, settled
from overread.review.store.tables import Study

Example = dict[str, Any]


def bank_lines(session: Session, study: Study) -> Iterator[Example]:
    """Examples from every settled item; the patient's name keeps them from that patient's own reports."""
    make = MAKERS[study.sheet]
    for one in settled(session, study):
        if one.rows:
            patient = one.item.content.get("patient")
            for example in make(one.item.content["text"], gold_line(study, one), patient):
                yield {**example, "patient": patient}


def of_clear(text: str, line: Example, patient: str | None) -> Iterator[Example]:
    seen = {
        name: {"level": c["level"], "mentioned": c["mentioned"]} for name, c in line["conditions"].items()
    }
    yield {"stage": "clear/presence", "text": text, "answer": seen}


def of_lunguage(text: str, line: Example, patient: str | None) -> Iterator[Example]:
    from overread.systems.lunguage.examples import report_examples
    from overread.systems.lunguage.schema import StructuredReport

    view = msgspec.convert({"id": line["id"], "findings": line["findings"]}, StructuredReport)
    yield from report_examples(parse(text, line["id"], patient=patient), view)


def of_radsem(text: str, line: Example, patient: str | None) -> Iterator[Example]:
    sentences = [one.span for section in parse(text, "").section("findings") for one in section.sentences]
    said = []
    for atom in line["atoms"]:
        number = next((n for n, s in enumerate(sentences, 1) if s.start <= atom["start"] < s.end), None)
        if number is not None:
            said.append({"number": number, "text": atom["text"], "normality": atom["normality"]})
    shown = "\n".join(f"{n}. {' '.join(s.of(text).split())}" for n, s in enumerate(sentences, 1))
    if said:
        answer = {"area": line.get("area", []), "type": line.get("type", "-"), "sentences": said}
        yield {"stage": "radsem/atoms", "text": shown, "answer": answer}


def of_srrg(text: str, line: Example, patient: str | None) -> Iterator[Example]:
    found = line["structured"]
    answer = {name: found.get(name, "") for name in ("exam_type", "history", "technique", "comparison")}
    bullets = [{"header": header, "bullets": lines} for header, lines in found.get("findings", {}).items()]
    answer |= {"findings": bullets, "impression": found.get("impression", [])}
    yield {"stage": "srrg/structure", "text": text, "answer": answer}


def of_longitudinal(text: str, line: Example, patient: str | None) -> Iterator[Example]:
    for one in line["sentences"]:
        yield {
            "stage": "longitudinal/compares",
            "text": one["text"],
            "answer": {"compares": one["longitudinal"]},
        }
        if one["longitudinal"]:
            diseases = [item["disease"] for item in one["items"]]
            yield {"stage": "longitudinal/diseases", "text": one["text"], "answer": {"diseases": diseases}}


MAKERS: dict[str, Callable[[str, Example, str | None], Iterator[Example]]] = {
    "clear": of_clear,
    "lunguage": of_lunguage,
    "radsem": of_radsem,
    "srrg": of_srrg,
    "longitudinal": of_longitudinal,
}
