"""`overread tags check`: is every record of a tag file sound?"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from overread.cli.terminal.tag_options import TagFile, Unlisted
from overread.cli.terminal.voice import note

if TYPE_CHECKING:
    from overread.systems.radsem.tag_file import Fault


def check(tags: TagFile, unlisted: Unlisted = False) -> None:
    """Validate every record of a tag file; errors are listed with line and type.

    Kinds: syntax (no JSON), field (missing, unknown or empty), label (not one of its words, or against the class of
    its pair), class (one pair in two classes), name (used twice), lost sentence (neither paired nor unmatched),
    unknown sentence (not of that report), tagged twice, listed twice. Exit code 1 when there is a fault.

        overread tags check tags.jsonl
    """
    from overread.systems.radsem.tag_file import examined

    sound, faults = examined(tags, listed=not unlisted)
    tell_faults(tags, len(sound), faults)
    raise typer.Exit(1 if faults else 0)


def tell_faults(path: Path, sound: int, faults: "Sequence[Fault]") -> None:
    """Every fault on a line of its own, then the count."""
    for fault in faults:
        print(f"{path.name}, {fault}")
    kinds = dict.fromkeys(fault.kind for fault in faults)
    told = ", ".join(f"{sum(f.kind == kind for f in faults)} {kind}" for kind in kinds)
    note(f"{sound} sound records, {len(faults)} faults{f' ({told})' if told else ''}")
