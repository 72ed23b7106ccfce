"""What is doubtful in a view, for people."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from overread.reader.doubts import Doubt


def doubt_lines(found: Sequence[Doubt]) -> Iterator[Text]:
    """What to look at again: what was read and why, and what the text seems to say."""
    if found:
        yield Text(f"Doubtful: {len(found)}", style="bold")
    for doubt in found:
        sentence = f" ({doubt.about}): {' '.join(doubt.quote.split())}"
        yield Text.assemble("  ", (doubt.words, "yellow"), sentence)
        yield Text(f"    {doubt.as_read}")
        yield Text(f"    {doubt.as_heard}")
