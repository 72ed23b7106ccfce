"""A validation of CLEAR as text: the paper's columns, ours beside the published rows."""

from collections.abc import Iterable, Sequence
from textwrap import fill

from overread.systems.clear.published import constants
from overread.systems.clear.schema import CHOICES, PHRASES, Condition
from overread.validation.clear import Figures, Validation, figures

Row = tuple[str, ...]
TARGETS = ("positive", "negative")


def render(found: Validation, top5: Sequence[Condition], zero_division: bool = False) -> str:
    """The whole answer; every list and choice that makes a number is named beside it."""
    numbers = figures(found, top5, zero_division)
    parts = [
        heading(found),
        aligned(presence(numbers)),
        presence_notes(numbers, top5, zero_division),
        aligned(accuracy(numbers)),
        aligned(similarity(numbers, judged=bool(found.judged))),
        similarity_notes(found),
        aligned(ratings(found)),
        rating_notes(found),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def heading(found: Validation) -> str:
    lines = [f"CLEAR against experts: {found.studies} studies compared"]
    unmatched = {
        "expert rows without a view": found.without_view,
        "views without an expert row": found.without_expert,
    }
    lines += [f"  {len(ids)} {what}, not scored: {shortened(ids)}" for what, ids in unmatched.items() if ids]
    return "\n".join(lines)


def presence(numbers: Figures) -> list[Row]:
    columns = ("@13", "@5", "micro")
    rows: list[Row] = [("presence F1", *(f"{t[:3]} {c}" for t in TARGETS for c in columns))]
    rows.append(("this reader", *(figure(numbers.presence[t][c]) for t in TARGETS for c in columns)))
    for name, published in constants()["labels"].items():
        rows.append((f"published: {name}", *map(figure, published["positive"] + published["negative"])))
    own = [numbers.presence[t][c] for t in TARGETS for c in columns]
    others = [constants()["labels"][name] for name in LABELLERS]
    best = [max(values) for t in TARGETS for values in zip(*(one[t] for one in others), strict=True)]
    rows.append(
        (
            "gain over the better of the two",
            *(gain(mine, other) for mine, other in zip(own, best, strict=True)),
        )
    )
    released = [figure(numbers.presence[t]["as-released"]) for t in TARGETS]
    rows.append(("as-released: accuracy, not F1", "", "", released[0], "", "", released[1]))
    return rows


LABELLERS = ("CheXbert", "CheXpert")
"""The labellers of others that the paper compares its best figures with."""


def gain(ours: float | None, other: float) -> str:
    """How much more, in per cent of the other.

    >>> gain(0.805, 0.695), gain(None, 0.5)
    ('+15.8%', '–')
    """
    return "–" if ours is None else f"{ours / other - 1:+.1%}"


def presence_notes(numbers: Figures, top5: Sequence[Condition], zero_division: bool) -> str:
    lines = [f"  @5 is the mean over: {', '.join(top5)}", "  micro pools the decisions of all conditions"]
    handled = "counted as 0" if zero_division else "left out of the means"
    for target, conditions in numbers.undefined.items():
        if conditions:
            lines.append(f"  {target}: {len(conditions)} of 13 undefined, {handled}: {', '.join(conditions)}")
    return "\n".join(fill(line, 100, subsequent_indent="    ") for line in lines)


def accuracy(numbers: Figures) -> list[Row]:
    """First occurrence, change, severity."""
    rows: list[Row] = [("accuracy", *(n.replace("_", " ") for n in CHOICES))]
    for kind in ("micro", "report averaged", "condition averaged", "where said", "all expert positives"):
        rows.append((kind, *(figure(numbers.accuracy[n][kind]) for n in CHOICES)))
    rows.append(("cells (said), expert positives", *(counted(numbers.accuracy[n]) for n in CHOICES)))
    for name, published in constants()["attributes"].items():
        rows.append((f"published micro: {name}", *(figure(published[n][2]) for n in CHOICES)))
    return rows


def similarity(numbers: Figures, judged: bool) -> list[Row]:
    """Location and recommendation."""
    kinds = ["ROUGE-L", "BLEU-4", *(["judge"] if judged else [])]
    rows: list[Row] = [("similarity", *PHRASES)]
    for kind in (
        *kinds,
        "ROUGE-L where said",
        "ROUGE-L precision",
        "ROUGE-L F1",
        "ROUGE-L, all expert positives",
    ):
        rows.append((kind, *(figure(numbers.similarity[n][kind]) for n in PHRASES)))
    rows.append(("cells (said), expert positives", *(counted(numbers.similarity[n]) for n in PHRASES)))
    for name, published in constants()["attributes"].items():
        rows.append((f"published ROUGE-L: {name}", *(figure(published[n]["rouge_l"]) for n in PHRASES)))
    return rows


def similarity_notes(found: Validation) -> str:
    lines = [
        "  accuracy, ROUGE-L and BLEU-4 count N/A = N/A as 1; `where said` leaves out cells the experts call N/A",
        "  `all expert positives` also counts conditions that only the experts call positive, as nothing said by us",
        "  ROUGE-L and BLEU-4 take the best match of each expert phrase (recall), precision that of each of ours",
    ]
    if found.unjudged:
        lines.append(f"  {found.unjudged} lists without a usable score of the judge, left out")
    return "\n".join(lines)


def ratings(found: Validation) -> list[Row]:
    """Pearson with the experts' ratings; no rows without ratings."""
    if not found.agreements:
        return []
    rows: list[Row] = [("ratings", "items", "experts", "ours", "Pearson")]
    rows += [(a.name, str(a.items), *map(figure, (a.experts, a.ours, a.r))) for a in found.agreements]
    return rows


def rating_notes(found: Validation) -> str:
    lines = []
    if found.agreements:
        lines.append(
            "  of one reader; the paper's Table 4 is over the means of two: overread validate clear-attributes"
        )
    if found.unrated:
        lines.append(f"  {found.unrated} ratings of cells that are not positive on both sides, left out")
    return "\n".join(lines)


def aligned(rows: Sequence[Row]) -> str:
    """Columns under each other, names to the left, figures to the right.

    >>> print(aligned([("", "a"), ("row", "0.5")]))
           a
    row  0.5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(line(row, widths) for row in rows)


def line(row: Row, widths: Iterable[int]) -> str:
    first, *others = (
        f"{c:<{w}}" if n == 0 else f"{c:>{w}}" for n, (c, w) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join([first, *others]).rstrip()


def figure(value: float | None) -> str:
    """
    >>> figure(0.9), figure(None)
    ('0.900', '–')
    """
    return "–" if value is None else f"{value:.3f}"


def counted(numbers: dict[str, float | None]) -> str:
    return f"{numbers['cells'] or 0:.0f} ({numbers['said'] or 0:.0f}), {numbers['expert positives'] or 0:.0f}"


def shortened(ids: Sequence[str]) -> str:
    return ", ".join(ids[:5]) + (" …" if len(ids) > 5 else "")
