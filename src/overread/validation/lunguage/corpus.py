"""What a structured corpus holds: sections, entities, relations, studies per patient (LUNGUAGE, A.3.1, Figure A.1)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from overread.report import Report
from overread.systems.lunguage.schema import Category, Relation, StructuredReport
from overread.validation.shown import Amount, bars

COUNTED_RELATIONS = (*get_args(Relation), "dx_status", "dx_certainty", "associate", "evidence")
"""All eighteen: attributes, status, certainty and links."""


TITLES = {
    "studies": "Patients by number of studies",
    "sections": "Reports with a finding in the section",
    "categories": "Entities by category",
    "statuses": "Entities by status",
    "certainties": "Entities by certainty",
    "relations": "Relations",
    "frequent": "Most frequent entities",
}
"""Tables of counts, and the heading each is shown with."""

CorpusCounts = dict[str, Any]
"""How many reports, patients, entities and distinct ones (whatever their case); and every table."""


def corpus(views: Mapping[str, StructuredReport], reports: Iterable[Report]) -> CorpusCounts:
    """The counts of structured reports; patients as far as the reports name them."""
    people = Counter(one.patient for one in reports if one.id in views and one.patient)
    findings = [f for view in views.values() for f in view.findings]
    relations = Counter[str]({"dx_status": len(findings), "dx_certainty": len(findings)})
    for one in findings:
        relations.update({name: len(values) for name, values in one.attributes.items()})
        relations.update({"associate": len(one.associate), "evidence": len(one.evidence)})
    names = Counter(f.entity.lower() for f in findings)
    sections = Counter(s for view in views.values() for s in sorted({f.section for f in view.findings}))
    categories = Counter[str](f.category for f in findings)
    return {
        "reports": len(views),
        "patients": len(people),
        "studies": dict(sorted(Counter(people.values()).items())),
        "sections": dict(sections.most_common()),
        "entities": len(findings),
        "distinct": len(names),
        "categories": dict(categories.most_common())
        | {str(name): 0 for name in get_args(Category) if name not in categories},
        "statuses": dict(Counter(f.status for f in findings).most_common()),
        "certainties": dict(Counter(f.certainty for f in findings).most_common()),
        "relations": {name: relations[name] for name in COUNTED_RELATIONS},
        "frequent": dict(names.most_common(20)),
    }


def panels(found: CorpusCounts) -> dict[str, dict[str, int]]:
    """Every table that holds something under its heading."""
    studies = {f"{n} {'study' if n == 1 else 'studies'}": count for n, count in found["studies"].items()}
    tables = found | {"studies": studies}
    return {title: tables[name] for name, title in TITLES.items() if tables[name]}


def rows(found: CorpusCounts) -> list[tuple[str, ...]]:
    """For a file."""
    whole = {name: found[name] for name in ("reports", "patients", "entities")}
    every = {"all": whole | {"different entities": found["distinct"]}, **panels(found)}
    counts = ((title, name, str(n)) for title, part in every.items() for name, n in part.items())
    return [("what", "name", "count"), *counts]


def corpus_bars(found: CorpusCounts) -> str:
    drawn = {
        title: {name: Amount(n, f"{n:,}") for name, n in part.items()}
        for title, part in panels(found).items()
    }
    return bars(f"{found['reports']:,} reports, {found['entities']:,} entities", drawn)


def render(found: CorpusCounts) -> str:
    lines = [
        f"{found['reports']:,} reports of {found['patients']:,} patients: {found['entities']:,} entities, "
        f"{found['distinct']:,} different, {sum(found['relations'].values()):,} relations"
    ]
    for title, part in panels(found).items():
        lines += ["", title, *(f"  {name:<40}{n:>9,}" for name, n in part.items())]
    return "\n".join(lines) + "\n"
