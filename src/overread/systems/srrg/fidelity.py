"""How much of the original is left in a structured report: likeness of the texts, and the words that changed."""

from collections.abc import Callable, Mapping
from difflib import SequenceMatcher

from msgspec import Struct

from overread.encoders.base import Encoder
from overread.report import parse as parse_report
from overread.systems.srrg.schema import StructuredReport
from overread.systems.srrg.template import looks_structured, parse, show

TextMetric = Callable[[str, str], float | None]


class Edits(Struct, frozen=True, forbid_unknown_fields=True):
    """Words to insert, delete and replace, and how alike the texts are."""

    insertions: int
    deletions: int
    replacements: int
    similarity: float
    """2 × matching words / words of both; 1 for equal texts, and for two empty ones."""


def edits(original: str, structured: str) -> Edits:
    """Word by word, as the paper's readers' changes were counted (Appendix B).

    A stretch that is replaced counts with the longer of its two sides.

    >>> edits("small effusion is seen", "small left effusion")
    Edits(insertions=1, deletions=2, replacements=0, similarity=0.5714285714285714)
    """
    one, two = original.split(), structured.split()
    matcher = SequenceMatcher(None, one, two, autojunk=False)
    sizes = {"insert": 0, "delete": 0, "replace": 0}
    for what, a, b, c, d in matcher.get_opcodes():
        if what != "equal":
            sizes[what] += max(b - a, d - c)
    return Edits(sizes["insert"], sizes["delete"], sizes["replace"], matcher.ratio())


class Fidelity(Struct, frozen=True, forbid_unknown_fields=True):
    """One structured report beside its original."""

    edits: Edits
    edit_distance: float
    """Characters to change, as a share of the longer text."""

    cosine: float
    """Likeness of the two texts' vectors."""

    texts: dict[str, float | None]
    """Text metrics by name (ROUGE-L, BLEU, …)."""


def fidelity(original: str, structured: str, encoder: Encoder, metrics: Mapping[str, TextMetric]) -> Fidelity:
    """Compare a structured report with what it was made from."""
    from rapidfuzz.distance import Levenshtein

    vectors = encoder.encode([original, structured])
    return Fidelity(
        edits(original, structured),
        Levenshtein.normalized_distance(original, structured),
        float(vectors[0] @ vectors[1]),
        {name: metric(original, structured) for name, metric in metrics.items()},
    )


PARTS = ("whole", "findings", "impression")


def parts(original: str, structured: str) -> dict[str, tuple[str, str]]:
    """The two texts whole and by section, as running text; a section that neither has is left out.

    The original may be in the template itself: what readers changed is then counted in the lines as they stand,
    numbers and bullets included (Appendix B).
    """
    edited = looks_structured(original)
    shown = as_written if edited else plain
    found = {"whole": (shown(original) if edited else original, shown(structured))}
    for name in PARTS[1:]:
        both = section_of(original, name, shown), section_of(structured, name, shown)
        if any(both):
            found[name] = both
    return found


def section_of(text: str, name: str, shown: Callable[[str], str]) -> str:
    """Findings or impression of a free or a structured report."""
    if not looks_structured(text):
        report = parse_report(text)
        return " ".join(one.span.of(text).strip() for one in report.sections if one.name == name)
    told = parse(text).report
    kept = StructuredReport(findings=told.findings) if name == "findings" else None
    part = show(kept or StructuredReport(impression=told.impression))
    return shown(part).removeprefix(f"{name.capitalize()}:").strip()


def as_written(structured: str) -> str:
    """A structured report on one line, its markers kept."""
    return " ".join(structured.split())


def plain(structured: str) -> str:
    """A structured report as running text: markers and line breaks gone, for metrics that compare words.

    >>> plain("Pleura:\\n- No effusion\\n\\nImpression:\\n1. Normal\\n")
    'Pleura: No effusion Impression: Normal'
    """
    from overread.systems.srrg.parsing import MARKER

    return " ".join(
        " ".join(MARKER.sub("", line, count=1).split()) for line in structured.splitlines()
    ).replace("  ", " ")
