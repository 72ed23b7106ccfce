"""What one report claims, for the terminal."""

from rich.table import Table

from overread.systems.ledger.schema import Account, Claim
from overread.systems.ledger.significance import significance
from overread.systems.ledger.weights import weights

POLARITY_COLOURS = {"present": "red", "absent": "green", "normal": "green"}


def render(view: Account) -> Table:
    """One row per claim."""
    found = Table(title=f"{view.id or 'report'}: {len(view.claims)} claims", title_justify="left")
    for name in ("finding", "is", "name", "where", "details", "significance", "because"):
        found.add_column(name, overflow="fold")
    for claim in view.claims:
        found.add_row(*claim_row(claim, view))
    return found


def claim_row(claim: Claim, view: Account) -> tuple[str, ...]:
    colour = POLARITY_COLOURS[claim.polarity]
    shown = (claim.told, f"[{colour}]{claim.polarity}[/]", claim.name, claim.where_words, details(claim))
    if claim.polarity != "present":
        return (*shown, "", "")
    judged = significance(claim, view.context, weights())
    return (*shown, judged.level, judged.reason)


def details(claim: Claim) -> str:
    parts = (claim.change or "", claim.acuity or "", claim.position or "", *sorted(claim.traits))
    return ", ".join(part for part in parts if part)
