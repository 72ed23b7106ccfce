"""What is doubtful in a view, for people."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from overread.reader.doubts import Doubt


def doubt_lines(found: Sequence[Doubt]) -> Iterator[Text]:
    """What to look at again, and below it what the judge decided: both reasons of each."""
    for title, own in (
        ("Doubtful", [d for d in found if d.doubtful]),
        ("Decided by the judge against rules", [d for d in found if not d.doubtful]),
    ):
        if own:
            yield Text(f"{title}: {len(own)}", style="bold")
        for doubt in own:
            sentence = f" ({doubt.about}): {' '.join(doubt.quote.split())}"
            yield Text.assemble("  ", (doubt.words, "yellow"), sentence)
            yield Text(f"    {doubt.by_rules}")
            yield Text(f"    {doubt.by_judge}")
