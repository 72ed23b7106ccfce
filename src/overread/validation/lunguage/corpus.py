"""What a structured corpus holds: sections, entities, relations, studies per patient (LUNGUAGE, A.3.1, Figure A.1)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import get_args

from msgspec import Struct, field

from overread.report import Report
from overread.systems.lunguage.schema import Category, Relation, StructuredReport
from overread.validation.drawing import Amount, bars

COUNTED_RELATIONS = (*get_args(Relation), "dx_status", "dx_certainty", "associate", "evidence")
"""All eighteen: attributes, status, certainty and links."""


class Corpus(Struct, frozen=True, forbid_unknown_fields=True):
    """Counts of a corpus."""

    reports: int
    patients: int
    studies: dict[int, int]
    """Number of studies → patients that have so many."""

    sections: dict[str, int]
    """Section → reports with a finding in it."""

    entities: int
    distinct: int
    """Different entities, whatever their case."""

    categories: dict[str, int]
    statuses: dict[str, int]
    certainties: dict[str, int]
    relations: dict[str, int] = field(default_factory=dict)
    """Relation → values of it."""

    frequent: dict[str, int] = field(default_factory=dict)
    """The twenty most frequent entities."""


def corpus(views: Mapping[str, StructuredReport], reports: Iterable[Report]) -> Corpus:
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
    return Corpus(
        len(views),
        len(people),
        dict(sorted(Counter(people.values()).items())),
        dict(sections.most_common()),
        len(findings),
        len(names),
        dict(categories.most_common())
        | {str(name): 0 for name in get_args(Category) if name not in categories},
        dict(Counter(f.status for f in findings).most_common()),
        dict(Counter(f.certainty for f in findings).most_common()),
        {name: relations[name] for name in COUNTED_RELATIONS},
        dict(names.most_common(20)),
    )


def panels(found: Corpus) -> dict[str, dict[str, int]]:
    """Every count under the heading it is shown with."""
    studies = {f"{n} {'study' if n == 1 else 'studies'}": count for n, count in found.studies.items()}
    every = {
        "Patients by number of studies": studies,
        "Reports with a finding in the section": found.sections,
        "Entities by category": found.categories,
        "Entities by status": found.statuses,
        "Entities by certainty": found.certainties,
        "Relations": found.relations,
        "Most frequent entities": found.frequent,
    }
    return {title: rows for title, rows in every.items() if rows}


def rows(found: Corpus) -> list[tuple[str, ...]]:
    """For a file."""
    whole = {"reports": found.reports, "patients": found.patients}
    whole |= {"entities": found.entities, "different entities": found.distinct}
    every = {"all": whole, **panels(found)}
    counts = ((title, name, str(n)) for title, part in every.items() for name, n in part.items())
    return [("what", "name", "count"), *counts]


def corpus_bars(found: Corpus) -> str:
    drawn = {
        title: {name: Amount(n, f"{n:,}") for name, n in part.items()}
        for title, part in panels(found).items()
    }
    return bars(f"{found.reports:,} reports, {found.entities:,} entities", drawn)


def render(found: Corpus) -> str:
    lines = [f"{found.reports:,} reports of {found.patients:,} patients: {found.entities:,} entities, "
             f"{found.distinct:,} different, {sum(found.relations.values()):,} relations"]  # fmt: skip
    for title, part in panels(found).items():
        lines += ["", title, *(f"  {name:<40}{n:>9,}" for name, n in part.items())]
    return "\n".join(lines) + "\n"
