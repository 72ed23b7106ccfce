"""CLEAR's Tables 3 and 4 as text, ours and the printed ones."""

from overread.validation.clear_curated import ALL, WAYS, Columns, Curated, correlations, published
from overread.validation.clear_text import Row, aligned, figure


def render(found: Curated) -> str:
    rated = ", ".join(f"{count} answers of {model}" for model, count in found.items.items())
    notes = [f"CLEAR attributes as experts rate them: {rated}"]
    if found.unsettled:
        notes.append(
            f"  {found.unsettled} cells without a right answer: nothing correct, nothing revised; not scored"
        )
    if found.unjudged:
        notes.append(f"  {found.unjudged} lists without a usable score of the judge, left out")
    parts = ["\n".join(notes), aligned(table(found.table)), aligned(pearsons(found.table))]
    heading = "published (Tables 3 and 4; averages worked out from their figures):"
    parts += [heading, aligned(table(published())), aligned(pearsons(published()))]
    return "\n\n".join(parts) + "\n"


def table(columns: Columns) -> list[Row]:
    """Table 3 on its side: a row for each attribute and model, a column for each figure."""
    ways = ("cond.", "report", "micro")
    alike = list(
        dict.fromkeys(name for model in columns.values() for one in model.values() for name in one.similarity)
    )
    heads = [f"experts {way}" for way in ways] + [f"acc. {way}" for way in ways]
    rows: list[Row] = [("", *heads, *alike, "avg experts", "avg all")]
    for a in ALL:
        own = {model: held[a] for model, held in columns.items() if a in held}
        for model, one in own.items():
            numbers = [*one.experts, *(one.accuracy or (None,) * len(WAYS)), *map(one.similarity.get, alike)]
            told = map(figure, [*numbers, one.by_experts, one.overall])
            rows.append((f"{a.replace('_', ' ')}, {model}", *told))
        if len(own) == 2:
            first, second = own.values()
            blank = ("",) * (len(rows[0]) - 2)
            rows.append((f"  {' − '.join(own)}", *blank, f"{first.overall - second.overall:+.3f}"))
    return rows


def pearsons(columns: Columns) -> list[Row]:
    """Table 4."""
    rows: list[Row] = [("Pearson with experts", "points", "r")]
    return [*rows, *((name, str(n), figure(r)) for name, (r, n) in correlations(columns).items())]
