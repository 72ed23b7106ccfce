"""The table of laws for a terminal."""

from collections.abc import Sequence

from overread.validation.laws.outcome import Outcome
from overread.validation.tables import table

KEY = (
    "Laws 1 to 7 are of readings, the others of scores. A break is a case in which the law does not hold;",
    "docs/laws.md says what each law asks and which breaks are known.",
)


def render(found: Sequence[Outcome], reports: int) -> str:
    """A row per law and metric, then the worst cases of each that broke."""
    rows = [[str(o.law), o.name, o.metric or "reading", f"{o.broken:,}", f"{o.tried:,}"] for o in found]
    lines = [f"{reports:,} reports", "", *table(("law", "what holds", "of", "breaks", "tried"), rows)]
    for outcome in found:
        if outcome.broken:
            lines += ["", f"{outcome.law}. {outcome.name} ({outcome.metric or 'reading'}), worst:"]
            lines += [f"  {one.item}: {one.what}" for one in outcome.worst]
    return "\n".join([*lines, "", *KEY]) + "\n"
