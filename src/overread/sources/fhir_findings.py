"""Observations that overread wrote → marks."""

import base64
import binascii
from typing import Any, cast

from overread.report.span import Span
from overread.sources.annotated import Detail, Mark, Step, words
from overread.sources.fhir_names import TERMS, extension
from overread.sources.fhir_resources import At
from overread.sources.pieces import FACTS, RELATIONS

STATUS = {"POS": "positive", "NEG": "negative"}


def marks_of(report: At, text: str, findings: dict[str, At], own: list[str]) -> tuple[Mark, ...]:
    """What a report lists as results or asks about, and `own`, which name it; results of others are not ours."""
    listed = [one.get("valueReference") for one in every(report, "asked-about")]
    named = dict.fromkeys([*map(reference, [*listed, *report.get("result").items()]), *own])
    chosen = sorted((findings[name] for name in named if name in findings), key=number)
    ids = {
        f"Observation/{one.get('id').string()}": extended(one, "finding-id").get("valueString").string() or ""
        for one in chosen
    }
    return tuple(mark(one, text, ids) for one in chosen)


def number(finding: At) -> int:
    """Where it stood among the findings of its report."""
    at = extended(finding, "finding-number").get("valueInteger")
    return at.whole() if at else 0


def reference(at: At) -> str:
    return "/".join((at.get("reference").string() or "").split("/")[-2:])


def mark(one: At, text: str, ids: dict[str, str]) -> Mark:
    spans = spans_of(one, "finding-span", text)
    if not spans:
        raise one.wrong("it has no finding-span.")
    sentence = spans_of(one, "finding-sentence", text)
    details = [detail for part in one.get("component").items() if (detail := detail_of(part, text))]
    facts = {name: chosen(one, f"finding-{name}", name) for name in ("certainty", "category")}
    return Mark(
        id=extended(one, "finding-id").get("valueString").string() or "",
        entity=wording(one, text, spans, one.get("code").get("text").string()),
        spans=spans,
        section=extended(one, "finding-section").get("valueCode").string() or "findings",
        sentence=sentence[0] if sentence else spans[0],
        category=facts["category"],
        status=cast(Any, status(one)),
        certainty=cast(Any, facts["certainty"]),
        details=tuple(details),
        associate=linked(one.get("hasMember"), ids),
        evidence=linked(one.get("derivedFrom"), ids),
        concept=extended(one, "finding-concept").get("valueCode").string(),
        level=extended(one, "finding-level").get("valueCode").string(),
        side=extended(one, "finding-side").get("valueCode").string(),
        gone=extended(one, "finding-gone").get("valueBoolean").value is True,
        trace=tuple(step(part, text) for part in every(one, "rule-trace")),
    )


def extended(at: At, name: str) -> At:
    return next(iter(every(at, name)), At(None, at.path, f"{at.place}.extension({name})"))


def every(at: At, name: str) -> list[At]:
    return [one for one in at.get("extension").items() if one.get("url").value == extension(name)]


def inner(at: At, name: str) -> At:
    found = (one for one in at.get("extension").items() if one.get("url").value == name)
    return next(found, At(None, at.path, f"{at.place}.extension({name})"))


def spans_of(at: At, name: str, text: str) -> tuple[Span, ...]:
    return tuple(span_of(one, text) for one in every(at, name))


def span_of(at: At, text: str) -> Span:
    start, end = (inner(at, name).get("valueInteger").whole() for name in ("start", "end"))
    if not 0 <= start <= end <= len(text):
        raise at.wrong(f"{start}–{end} lies outside the text of {len(text)} characters.")
    return Span(start, end)


def status(one: At) -> str:
    """As noted; resources of earlier versions say it by their interpretation."""
    if extended(one, "finding-status"):
        return chosen(one, "finding-status", "status")
    code = one.get("interpretation").first().get("coding").first().get("code").string()
    if code not in STATUS:
        raise one.wrong("its interpretation must be POS or NEG.")
    return STATUS[code]


def chosen(one: At, name: str, fact: str) -> str:
    value = extended(one, name).get("valueCode").string()
    if value not in FACTS[fact]:
        raise one.wrong(f"its {name} is none of {', '.join(FACTS[fact])}.")
    return value


def linked(at: At, ids: dict[str, str]) -> tuple[str, ...]:
    """Ids of the findings referred to; a reference outside the report is damage."""
    out = []
    for one in at.items():
        name = reference(one)
        if not name.startswith("Observation/"):
            continue
        if name not in ids:
            raise one.wrong("it refers to no finding among the report's results.")
        out.append(ids[name])
    return tuple(out)


def step(at: At, text: str) -> Step:
    note = inner(at, "note").get("valueString").string() or ""
    return Step(span_of(at, text), inner(at, "rule").get("valueString").string() or "", note)


def detail_of(part: At, text: str) -> Detail | None:
    """A component as a detail; what repeats the finding's own fields is none."""
    coding = part.get("code").get("coding").first()
    relation = coding.get("code").string()
    if coding.get("system").value != TERMS or relation not in RELATIONS:
        return None
    spans = spans_of(part, "finding-span", text)
    return Detail(relation, wording(part, text, spans, part.get("valueString").string()), spans)


def wording(at: At, text: str, spans: tuple[Span, ...], shown: str | None) -> str:
    """How it reads: as noted exactly, else the words covered, else as shown."""
    exact = extended(at, "exact-wording").get("valueBase64Binary")
    if not exact:
        return words(text, spans) if spans and shown is None else shown or ""
    try:
        return base64.b64decode(exact.string() or "", validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        raise exact.wrong("not base64.") from None
