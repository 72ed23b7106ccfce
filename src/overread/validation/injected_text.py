"""What metrics make of injected errors, as tables and as a heat map."""

from collections.abc import Sequence
from html import escape

from overread.validation.injected import ROOM, Injected, Outcome, in_order, is_harmless
from overread.validation.ssree_text import table

CELL, LEFT, TOP = (126, 30), 190, 84
LIGHT, DARK = (246, 249, 251), (23, 92, 138)


def render(found: Sequence[Injected], reports: int) -> str:
    """Errors first, then rewrites that change nothing."""
    shown = in_order(kind for one in found for kind in one.kinds)
    titles = [one.title for one in found]
    parts = [f"{reports} reports, one change of each kind that fits", ""]
    for harmless, head in ((False, "errors: share caught, mean drop [95 %]"), (True, harmless_head())):
        rows = [row(kind, found) for kind in shown if is_harmless(kind) is harmless]
        parts += [*table((head, "n", *titles), rows), ""] if rows else []
    return "\n".join(parts)


def harmless_head() -> str:
    return f"harmless: share that drops by more than {ROOM:g}, mean drop [95 %]"


def row(kind: str, found: Sequence[Injected]) -> list[str]:
    outcomes = [one.kinds.get(kind) for one in found]
    n = max((o.reports + o.undefined for o in outcomes if o), default=0)
    return [kind, str(n), *(cell(o) for o in outcomes)]


def cell(one: Outcome | None) -> str:
    """
    >>> cell(None)
    '–'
    """
    if one is None or one.share is None or one.drop is None:
        return "–"
    missing = f" ({one.undefined} undefined)" if one.undefined else ""
    return f"{one.share:.1%}  {one.drop.value:.3f} [{one.drop.low:.3f}, {one.drop.high:.3f}]{missing}"


def heatmap(found: Sequence[Injected]) -> str:
    """Kinds down, metrics across: the share caught, or of harmless rewrites the share of false alarms."""
    shown = in_order(kind for one in found for kind in one.kinds)
    width, height = LEFT + CELL[0] * len(found) + 20, TOP + CELL[1] * len(shown) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="Share of injected errors caught">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        '<text x="12" y="22" font-size="15" fill="#22303a">Share of injected errors caught</text>',
        '<text x="12" y="40" fill="#55646f">rows marked ○ change nothing: there a dark cell is a false alarm</text>',
    ]
    for n, one in enumerate(found):
        x = LEFT + CELL[0] * n + CELL[0] // 2
        parts.append(
            f'<text x="{x}" y="{TOP - 10}" text-anchor="middle" fill="#22303a">{escape(one.title)}</text>'
        )
    for m, kind in enumerate(shown):
        y = TOP + CELL[1] * m
        mark = "○ " if is_harmless(kind) else ""
        parts.append(
            f'<text x="{LEFT - 10}" y="{y + 19}" text-anchor="end" fill="#22303a">{mark}{escape(kind)}</text>'
        )
        parts += [square(LEFT + CELL[0] * n, y, one, kind) for n, one in enumerate(found)]
    return "\n".join([*parts, "</svg>"]) + "\n"


def square(x: int, y: int, one: Injected, kind: str) -> str:
    outcome = one.kinds.get(kind)
    share = outcome.share if outcome else None
    fill = "#ffffff" if share is None else shade(share)
    ink = "#ffffff" if share is not None and share > 0.55 else "#22303a"
    told = "–" if share is None else f"{share:.2f}"
    return (
        f'<rect x="{x}" y="{y}" width="{CELL[0] - 2}" height="{CELL[1] - 2}" fill="{fill}" stroke="#dde4e9">'
        f"<title>{escape(one.title)}, {escape(kind)}: {told}</title></rect>"
        f'<text x="{x + CELL[0] // 2}" y="{y + 19}" text-anchor="middle" fill="{ink}">{told}</text>'
    )


def shade(share: float) -> str:
    """
    >>> shade(0.0), shade(1.0)
    ('#f6f9fb', '#175c8a')
    """
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(LIGHT, DARK, strict=True))
