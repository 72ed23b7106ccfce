"""A finding as an Observation, and a conclusion as a Condition."""

from typing import Any

from overread.exports.assertion import assertion, is_asked
from overread.exports.codes import Codes, finding_models
from overread.exports.fhir_parts import (
    Part,
    coding,
    concept,
    exact,
    name_of,
    place,
    refer,
    string,
    term,
    valued,
)
from overread.sources.annotated import AnnotatedReport, Detail, Mark, Step
from overread.sources.fhir_names import CONCEPTS, MODELS

INTERPRETATIONS = "http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation"
CODES = {
    "present": "POS", "abnormal": "A", "possible": "IND", "indeterminate": "IND", "unlikely": "IND", "absent": "NEG",
    "normal": "N", "resolved": "NEG",
}  # fmt: skip
"""How HL7 interprets each assertion; history and what an indication asks about have no interpretation."""

VERIFICATION = "http://terminology.hl7.org/CodeSystem/condition-ver-status"
CATEGORY = "http://terminology.hl7.org/CodeSystem/observation-category"


def observation(report: AnnotatedReport, mark: Mark, codes: Codes, base: Part) -> Part:
    """One finding: present or absent, where, how sure, how it changed, and the words and rules behind it."""
    out = {
        "resourceType": "Observation",
        "id": name_of("Observation", report.id, mark.id),
        "status": "preliminary",  # read by a program, seen by nobody yet
        "category": [category(mark)],
        "code": code_of(mark, codes),
        **base,
        **value(mark),
        "extension": notes(report, mark),
        "component": components(mark),
        "hasMember": [refer("Observation", name_of("Observation", report.id, id)) for id in mark.associate],
        "derivedFrom": sources(report, mark),
    } | site(mark, codes)
    return {name: one for name, one in out.items() if one != []}


def sources(report: AnnotatedReport, mark: Mark) -> list[Part]:
    """The findings it rests on, and the document it was read from, which FHIR lists there too."""
    document = report.origin is not None and report.origin["resourceType"] == "DocumentReference"
    return [refer("Observation", name_of("Observation", report.id, id)) for id in mark.evidence] + (
        [refer_back(report)] if document else []
    )


def refer_back(report: AnnotatedReport) -> Part:
    """The hospital's own resource."""
    assert report.origin is not None
    return refer(str(report.origin["resourceType"]), str(report.origin.get("id") or report.id))


def category(mark: Mark) -> Part:
    """A result of imaging, or what was known and asked before it."""
    return concept([term("indication") if is_asked(mark) else {"system": CATEGORY, "code": "imaging"}])


def value(mark: Mark) -> Part:
    """What it comes to, as value and interpretation; neither for what the indication asks about."""
    shown = assertion(mark)
    if shown == "indication":
        return {}
    sizes = [string(d.text) for d in mark.details if d.relation == "measurement" and d.text.strip()]
    said: Part = {"valueCodeableConcept": concept([term(shown)], shown)}
    if sizes and shown == "present":
        said = {"valueString": "; ".join(sizes)}
    if shown not in CODES:
        return said
    return said | {"interpretation": [concept([{"system": INTERPRETATIONS, "code": CODES[shown]}], shown)]}


def code_of(mark: Mark, codes: Codes) -> Part:
    """What was found: our concept, the finding model's id, the user's codes, and the report's own words."""
    known = [] if mark.concept is None else [{"system": CONCEPTS, "code": mark.concept}]
    model = finding_models().get(mark.concept or "")
    known += [] if model is None else [{"system": MODELS, "code": model}]
    known += [coding(one) for one in codes.coding(codes.name_of(mark))]
    return concept(known, mark.entity if mark.entity.strip() else "finding")


def site(mark: Mark, codes: Codes) -> Part:
    """Where it is, in the report's words; codes where the map has a row for them."""
    places = [d.text for d in mark.details if d.relation == "location" and d.text.strip()]
    if not places:
        return {}
    known = [coding(one) for words in places for one in codes.coding(f"location:{words.lower()}")]
    return {"bodySite": concept(known, ", ".join(places))}


def notes(report: AnnotatedReport, mark: Mark) -> list[Part]:
    marks = [one.id for one in report.marks or ()]
    whose = [] if report.origin is None else [valued("finding-report", "Reference", refer_back(report))]
    codes = {"concept": mark.concept, "level": mark.level, "side": mark.side, "section": mark.section}
    return [
        valued("finding-id", "String", string(mark.id)),
        valued("finding-number", "Integer", marks.index(mark.id) + 1),
        *whose,
        *(place("finding-span", span) for span in mark.spans),
        place("finding-sentence", mark.sentence),
        valued("finding-category", "Code", mark.category),
        valued("finding-status", "Code", mark.status),
        valued("finding-certainty", "Code", mark.certainty),
        *([valued("finding-gone", "Boolean", True)] if mark.gone else []),
        *(valued(f"finding-{name}", "Code", code) for name, code in codes.items() if code is not None),
        *exact(mark.entity),
        *(step(one) for one in mark.trace),
    ]


def step(one: Step) -> Part:
    """A rule, the words it saw, and what it did with them."""
    told = {"rule": one.rule, "note": one.note}
    strings = [{"url": name, "valueString": string(text)} for name, text in told.items() if text.strip()]
    return place("rule-trace", one.span, *strings)


def components(mark: Mark) -> list[Part]:
    """Certainty and side as codes, then every detail in the report's words."""
    out = [coded("certainty", mark.certainty)]
    out += [] if mark.side is None else [coded("laterality", mark.side)]
    return out + [component(detail) for detail in mark.details]


def coded(name: str, value: str) -> Part:
    return {"code": concept([term(name)]), "valueCodeableConcept": concept([term(value)], value)}


def component(detail: Detail) -> Part:
    notes = [*(place("finding-span", span) for span in detail.spans), *exact(detail.text)]
    shown = {"valueString": string(detail.text)} if detail.text.strip() else {}
    return {"code": concept([term(detail.relation)]), **shown, **({"extension": notes} if notes else {})}


def condition(report: AnnotatedReport, mark: Mark, codes: Codes, base: Part) -> Part:
    """A positive finding of the impression as a Condition that rests on its Observation."""
    verified = "confirmed" if mark.certainty == "definitive" else "provisional"
    out: dict[str, Any] = {
        "resourceType": "Condition",
        "id": name_of("Condition", report.id, mark.id),
        "verificationStatus": concept([{"system": VERIFICATION, "code": verified}]),
        "code": code_of(mark, codes),
        "subject": base.get("subject", {"display": "patient not named in the source"}),
        "evidence": [{"detail": [refer("Observation", name_of("Observation", report.id, mark.id))]}],
    }
    where = site(mark, codes)
    out |= {"bodySite": [where["bodySite"]]} if where else {}
    return out | ({"recordedDate": base["effectiveDateTime"]} if "effectiveDateTime" in base else {})
