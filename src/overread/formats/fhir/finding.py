"""A finding as an Observation, there and back, and a conclusion as a Condition."""

from collections.abc import Iterable
from typing import Any

from overread.formats.annotated import AnnotatedReport, Detail, Mark, Step, assertion, is_asked, words
from overread.formats.codes import Codes, Coding, finding_models
from overread.formats.fhir import parts
from overread.formats.fhir.parts import At, Part, concept, refer_to, string, term, valued
from overread.formats.pieces import FACTS, RELATIONS
from overread.report.span import Span

INTERPRETATIONS = "http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation"
CODES = {
    "present": "POS", "abnormal": "A", "possible": "IND", "indeterminate": "IND", "unlikely": "IND", "absent": "NEG",
    "normal": "N", "resolved": "NEG",
}  # fmt: skip
"""How HL7 interprets each assertion; history and what an indication asks about have no interpretation."""

CODED = ("concept", "level", "side", "section")
"""What else of a finding is a code, where it is known."""

VERIFICATION = "http://terminology.hl7.org/CodeSystem/condition-ver-status"
IMAGING = Coding("http://terminology.hl7.org/CodeSystem/observation-category", "imaging")
"""The category of a result; what an indication asks about is none."""


def observation(report: AnnotatedReport, mark: Mark, codes: Codes, base: Part) -> Part:
    """One finding: present or absent, where, how sure, how it changed, and the words and rules behind it.

    It is derived from the findings it rests on, and from the document it was read from, which FHIR lists there too.
    """
    document = report.origin is not None and report.origin["resourceType"] == "DocumentReference"
    behind = [refer_to(report.id, id) for id in mark.evidence] + ([refer_back(report)] if document else [])
    out = {
        "resourceType": "Observation",
        "id": parts.name_of("Observation", report.id, mark.id),
        "status": "preliminary",  # read by a program, seen by nobody yet
        "category": [concept([term("indication") if is_asked(mark) else IMAGING])],
        "code": code_of(mark, codes),
        **base,
        **stated_value(mark),
        "extension": finding_extensions(report, mark),
        "component": components(mark),
        "hasMember": [refer_to(report.id, id) for id in mark.associate],
        "derivedFrom": behind,
    } | site(mark, codes)
    return {name: one for name, one in out.items() if one != []}


def refer_back(report: AnnotatedReport) -> Part:
    """The hospital's own resource."""
    assert report.origin is not None
    return parts.refer(str(report.origin["resourceType"]), str(report.origin.get("id") or report.id))


def stated_value(mark: Mark) -> Part:
    """What it comes to, as value and interpretation; neither for what the indication asks about."""
    shown = assertion(mark)
    if shown == "indication":
        return {}
    sizes = [string(d.text) for d in mark.details if d.relation == "measurement" and d.text.strip()]
    said: Part = {"valueCodeableConcept": concept([term(shown)], shown)}
    if sizes and shown == "present":
        said = {"valueString": "; ".join(sizes)}
    meant = [concept([Coding(INTERPRETATIONS, CODES[shown])], shown)] if shown in CODES else []
    return said | ({"interpretation": meant} if meant else {})


def code_of(mark: Mark, codes: Codes) -> Part:
    """What was found: our concept, the finding model's id, the user's codes, and the report's own words."""
    named = ((parts.CONCEPTS, mark.concept), (parts.MODELS, finding_models().get(mark.concept or "")))
    known = [Coding(system, code) for system, code in named if code is not None]
    own = codes.coding(codes.name_of(mark))
    return concept([*known, *own], mark.entity if mark.entity.strip() else "finding")


def site(mark: Mark, codes: Codes) -> Part:
    """Where it is, in the report's words; codes where the map has a row for them."""
    places = [d.text for d in mark.details if d.relation == "location" and d.text.strip()]
    if not places:
        return {}
    known = [one for words in places for one in codes.coding(f"location:{words.lower()}")]
    return {"bodySite": concept(known, ", ".join(places))}


def finding_extensions(report: AnnotatedReport, mark: Mark) -> list[Part]:
    marks = [one.id for one in report.marks or ()]
    whose = [] if report.origin is None else [valued("finding-report", "Reference", refer_back(report))]
    return [
        valued("finding-id", "String", string(mark.id)),
        valued("finding-number", "Integer", marks.index(mark.id) + 1),
        *whose,
        *(parts.place("finding-span", span) for span in mark.spans),
        parts.place("finding-sentence", mark.sentence),
        *codes_said(mark, ("category", "status", "certainty")),
        *([valued("finding-gone", "Boolean", True)] if mark.gone else []),
        *codes_said(mark, CODED),
        *parts.exact(mark.entity),
        *(parts.place("rule-trace", one.span, *stated_rule(one)) for one in mark.trace),
    ]


def codes_said(mark: Mark, names: Iterable[str]) -> list[Part]:
    told = ((name, getattr(mark, name)) for name in names)
    return [valued(f"finding-{name}", "Code", code) for name, code in told if code is not None]


def stated_rule(one: Step) -> list[Part]:
    """The rule, and what it did with the words it saw."""
    told = {"rule": one.rule, "note": one.note}
    return [{"url": name, "valueString": string(text)} for name, text in told.items() if text.strip()]


def components(mark: Mark) -> list[Part]:
    """Certainty and side as codes, then every detail in the report's words."""
    codes = {"certainty": mark.certainty, "laterality": mark.side}
    return [
        {"code": concept([term(name)]), "valueCodeableConcept": concept([term(value)], value)}
        for name, value in codes.items()
        if value is not None
    ] + [component(detail) for detail in mark.details]


def component(detail: Detail) -> Part:
    notes = [*(parts.place("finding-span", span) for span in detail.spans), *parts.exact(detail.text)]
    shown = {"valueString": string(detail.text)} if detail.text.strip() else {}
    return {"code": concept([term(detail.relation)]), **shown, **({"extension": notes} if notes else {})}


def condition(report: AnnotatedReport, mark: Mark, codes: Codes, base: Part) -> Part:
    """A positive finding of the impression as a Condition that rests on its Observation."""
    verified = "confirmed" if mark.certainty == "definitive" else "provisional"
    out: dict[str, Any] = {
        "resourceType": "Condition",
        "id": parts.name_of("Condition", report.id, mark.id),
        "verificationStatus": concept([Coding(VERIFICATION, verified)]),
        "code": code_of(mark, codes),
        "subject": base.get("subject", {"display": "patient not named in the source"}),
        "evidence": [{"detail": [refer_to(report.id, mark.id)]}],
    }
    where = site(mark, codes)
    out |= {"bodySite": [where["bodySite"]]} if where else {}
    return out | ({"recordedDate": base["effectiveDateTime"]} if "effectiveDateTime" in base else {})


def marks_of(report: At, text: str, findings: dict[str, At], own: list[str]) -> tuple[Mark, ...]:
    """What a report lists as results or asks about, and `own`, which name it; results of others are not ours."""
    listed = [one.get("valueReference") for one in report.extensions("asked-about")]
    named = dict.fromkeys([*(one.reference() for one in [*listed, *report.get("result").items()]), *own])
    chosen = sorted((findings[name] for name in named if name in findings), key=finding_number)
    ids = {f"Observation/{one.get('id').string()}": own_id(one) for one in chosen}
    return tuple(mark_from(one, text, ids) for one in chosen)


def own_id(finding: At) -> str:
    return finding.extension("finding-id").get("valueString").string() or ""


def finding_number(finding: At) -> int:
    """Where it stood among the findings of its report."""
    at = finding.extension("finding-number").get("valueInteger")
    return at.whole() if at else 0


def mark_from(one: At, text: str, ids: dict[str, str]) -> Mark:
    spans, sentence = (
        tuple(span_of(part, text) for part in one.extensions(f"finding-{name}"))
        for name in ("span", "sentence")
    )
    if not spans:
        raise one.wrong("it has no finding-span.")
    details = [detail for part in one.get("component").items() if (detail := detail_of(part, text))]
    facts: dict[str, Any] = {
        name: one.extension(f"finding-{name}").get("valueCode").string()
        for name in (*FACTS, *reversed(CODED))
    }
    for name, choices in FACTS.items():
        if facts[name] not in choices:
            raise one.wrong(f"its finding-{name} is none of {', '.join(choices)}.")
    facts["section"] = facts["section"] or "findings"
    return Mark(
        id=own_id(one),
        entity=noted_wording(one, text, spans, one.get("code", "text").string()),
        spans=spans,
        sentence=sentence[0] if sentence else spans[0],
        details=tuple(details),
        associate=linked(one.get("hasMember"), ids),
        evidence=linked(one.get("derivedFrom"), ids),
        gone=one.extension("finding-gone").get("valueBoolean").value is True,
        trace=tuple(step_of(part, text) for part in one.extensions("rule-trace")),
        **facts,
    )


def span_of(at: At, text: str) -> Span:
    start, end = (at.extension(name).get("valueInteger").whole() for name in ("start", "end"))
    if not 0 <= start <= end <= len(text):
        raise at.wrong(f"{start}–{end} lies outside the text of {len(text)} characters.")
    return Span(start, end)


def linked(at: At, ids: dict[str, str]) -> tuple[str, ...]:
    """Ids of the findings referred to; a reference outside the report is damage."""
    out = []
    for one in at.items():
        name = one.reference()
        if not name.startswith("Observation/"):
            continue
        if name not in ids:
            raise one.wrong("it refers to no finding among the report's results.")
        out.append(ids[name])
    return tuple(out)


def step_of(at: At, text: str) -> Step:
    note = at.extension("note").get("valueString").string() or ""
    return Step(span_of(at, text), at.extension("rule").get("valueString").string() or "", note)


def detail_of(part: At, text: str) -> Detail | None:
    """A component as a detail; what repeats the finding's own fields is none."""
    coding = part.get("code", "coding").first()
    relation = coding.get("code").string()
    if coding.get("system").value != parts.TERMS or relation not in RELATIONS:
        return None
    spans = tuple(span_of(one, text) for one in part.extensions("finding-span"))
    return Detail(relation, noted_wording(part, text, spans, part.get("valueString").string()), spans)


def noted_wording(at: At, text: str, spans: tuple[Span, ...], shown: str | None) -> str:
    """How it reads: as noted exactly, else the words covered, else as shown."""
    exact = at.extension("exact-wording").get("valueBase64Binary")
    if not exact:
        return words(text, spans) if spans and shown is None else shown or ""
    try:
        return exact.decoded().decode()
    except UnicodeDecodeError:
        raise exact.wrong("not base64.") from None
