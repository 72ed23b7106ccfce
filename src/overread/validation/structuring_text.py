"""A validation of structuring as text: ours beside the published figures."""

from overread.stats.agreement import Counts
from overread.systems.lunguage.constants import published
from overread.validation.structuring import ENTITY, OBSERVATION, VALUE, Agreement


def render(found: Agreement, unmatched: int = 0) -> str:
    """Counts as precision, recall and F1, the thresholds of the fuzzy match below."""
    lines = [f"{found.reports} reports, {found.patients} patients compared"]
    if unmatched:
        lines.append(f"{unmatched} of the gold file without a view or timeline: not counted")
    lines.append(f"{'':<34}{'precision':>10}{'recall':>10}{'F1':>10}{'published F1':>15}")
    if found.reports:
        lines += [
            row("entities", found.entities),
            row("entity-relation pairs", found.relations, "entity-relation"),
            row("  as written", found.written_pairs),
            row("entity-relation-value triplets", found.triplets, "triplet"),
            row("  the same words only", found.exact_triplets),
            row("  as written", found.written_triplets),
            row("attribute values alone", found.values),
            row("  the same words only", found.exact_values),
            row("evidence links", found.evidence),
            row("associate links", found.associate),
        ]
    if found.patients:
        lines += [
            row("observations found", found.observations),
            row("entity groups, same-group pairs", found.entity_groups, "entity groups"),
            row("temporal groups, same-group pairs", found.temporal_groups, "temporal groups"),
        ]
    lines += [
        f"Fuzzy match by the letters two phrases share (plural and small words aside): entities from {ENTITY:.2f},",
        f"attribute values from {VALUE:.2f}, observations from {OBSERVATION:.2f}; another side, level, number or",
        "direction never matches. As written: the very same entity, relation and words, nothing paired beforehand.",
        "Same-group pairs are counted over the observations that both sides have.",
        "Published: best language model with five examples, Table 1.",
    ]
    return "\n".join(lines) + "\n"


def row(name: str, counts: Counts, task: str | None = None) -> str:
    figures = (counts.precision, counts.recall, counts.f1)
    known = f"{published()['structuring'][task]['published'][0]:.2f}" if task else ""
    return f"{name:<34}" + "".join(f"{shown(figure):>10}" for figure in figures) + f"{known:>15}"


def shown(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.3f}"
