"""Text files: one report, or one a line as scorers of translations have them, joined by line number."""

from collections.abc import Sequence
from pathlib import Path

from overread.errors import BadInput
from overread.report import parse
from overread.sources.encoding import known, text_of
from overread.sources.source import Again, Source, Table


def are_text_files(paths: Sequence[Path]) -> bool:
    return all(path.suffix.lower() == ".txt" and path.is_file() for path in paths)


def side_by_side(
    paths: Sequence[Path], encoding: str | None = None, by_line: bool | None = None
) -> list[Source]:
    """Text files that belong together, the reference first: by line, or each as one report.

    Left to itself (`by_line` None) it takes files of equal length without a gap in the reference as files of
    lines, and asks where that is not clear.
    """
    stated = known(encoding) if encoding else None
    if by_line is None:
        check_lines(paths, [lines_of(path, stated) for path in paths])
    if by_line is False:
        return [whole(path, paths[0].stem, stated) for path in paths]
    return [by_lines(path, stated) for path in paths]


def check_lines(paths: Sequence[Path], found: Sequence[list[str]]) -> None:
    """Refuse what may be a file of lines or a single report."""
    counts = [len(lines) for lines in found]
    odd = next((n for n, count in enumerate(counts) if count != counts[0]), None)
    if odd is not None:
        raise BadInput(
            f"{paths[0]} has {counts[0]} lines and {paths[odd]} has {counts[odd]}. With one report a line they "
            "must have as many; where each file is one report, say --whole-files."
        )
    gap = next((n for n, line in enumerate(found[0], 1) if not line.strip()), None)
    if gap is not None:
        raise BadInput(
            f"Line {gap} of {paths[0]} is empty. Say --lines where each line is a report, or --whole-files where "
            "each file is one."
        )


def lines_of(path: Path, encoding: str | None) -> list[str]:
    """The lines of a file; the newline at its end begins no further one."""
    text = text_of(path, encoding)
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def by_lines(path: Path, encoding: str | None) -> Source:
    """Each line a report, its number the id."""
    again = Again(lambda: (parse(line, str(n)) for n, line in enumerate(lines_of(path, encoding), 1)))
    return Source(Table(str(path), "text file, one report a line"), again)


def whole(path: Path, id: str, encoding: str | None, layout: str = "text file, one report") -> Source:
    return Source(Table(str(path), layout), Again(lambda: iter([parse(text_of(path, encoding), id)])))
