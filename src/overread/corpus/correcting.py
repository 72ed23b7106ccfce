"""Reports of a notation file with other annotation lines: what is wrong with them, and how they are written back."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from overread.corpus.notation import SENTENCE, parse

What = Literal["sentence", "annotation", "other"]


class Trouble(Struct, frozen=True):
    """A complaint of the checker, by the sentence it is about."""

    sentence: int
    """From 0."""

    line: int
    """Of its annotation, from 1; 0 where the sentence as a whole is meant."""

    problem: str


def pieces(text: str) -> list[str]:
    """A notation file cut before every report but the first; put together they are the file.

    >>> pieces("% style: prose\\n# a\\nF Clear.\\n# b\\nF Dull.\\n")
    ['% style: prose\\n# a\\nF Clear.\\n', '# b\\nF Dull.\\n']
    """
    lines = text.splitlines(keepends=True)
    begins = [n for n, line in enumerate(lines) if line.startswith("# ")]
    ends = [*begins[1:], len(lines)]
    return (
        ["".join(lines[start:end]) for start, end in zip([0, *begins[1:]], ends, strict=True)]
        if begins
        else []
    )


def annotated(notation: str) -> list[tuple[str, str]]:
    """The lines of a report's sentences, each with the lines that annotate it.

    >>> annotated("# a\\nF No mass or nodule.\\n- mass -\\n- nodule -\\n")
    [('F No mass or nodule.', '- mass -\\n- nodule -')]
    """
    heads: list[str] = []
    found: list[list[str]] = []
    for number, what, line in scanned(notation):
        if what == "sentence":
            heads.append(line.rstrip())
            found.append([])
        elif what == "annotation" and found:
            found[number].append(line.rstrip())
    return [(head, "\n".join(lines)) for head, lines in zip(heads, found, strict=True)]


def scanned(notation: str) -> Iterator[tuple[int, What, str]]:
    """Every line with the number of the sentence it stands at or below, and what it is."""
    number = -1
    for line in notation.splitlines(keepends=True):
        bare = line.rstrip()
        if SENTENCE.fullmatch(bare):
            number += 1
            yield number, "sentence", line
        else:
            yield number, "annotation" if bare and not begins_more(bare) else "other", line


def begins_more(line: str) -> bool:
    """Is this a line of the report itself, not of an annotation?"""
    return line.startswith(("%", "=", "# ")) or SENTENCE.fullmatch(line) is not None


def tidy(lines: str) -> str:
    """Annotation lines as they are compared and written.

    >>> tidy("- mass - \\n\\n- nodule -\\n")
    '- mass -\\n- nodule -'
    """
    return "\n".join(line.strip() for line in lines.splitlines() if line.strip())


def rewritten(notation: str, given: Sequence[str]) -> str:
    """The report with the given annotation of each sentence; a sentence annotated as before keeps its bytes.

    >>> rewritten("# a\\nF No mass.\\n- mass +\\nF Clear.  \\n~ summary\\n", ["- mass -", "~ summary"])
    '# a\\nF No mass.\\n- mass -\\nF Clear.  \\n~ summary\\n'
    """
    end = "\r\n" if "\r\n" in notation else "\n"
    whole = notation if notation.endswith("\n") else notation + end
    text = "".join(line for _, _, line in replaced(whole, given, end))
    return text if whole == notation else text.removesuffix(end)


def replaced(notation: str, given: Sequence[str], end: str = "\n") -> Iterator[tuple[int, What, str]]:
    """As `scanned`, after the exchange of annotations."""
    new = [tidy(one) for one in given]
    changed = {n for n, (_, was) in enumerate(annotated(notation)) if tidy(was) != new[n]}
    as_written = {(n, line.rstrip()): line for n, _, line in scanned(notation)}
    for number, what, line in scanned(notation):
        if number not in changed or what != "annotation":
            yield number, what, line
        if number in changed and what == "sentence":
            for one in new[number].splitlines():
                yield number, "annotation", as_written.get((number, one), one + end)


def troubles(notation: str, given: Sequence[str]) -> list[Trouble]:
    """What the checker says of the report with the given annotation; of a sentence as a whole last.

    >>> troubles("# a\\nF No mass.\\n- mass -\\n", ["- masses -"])[0].line
    1
    """
    misplaced = [
        Trouble(n, k, f"{line.split()[0]} begins another line of the report: annotate with -, /-, ^ or ~")
        for n, lines in enumerate(given)
        for k, line in enumerate(tidy(lines).splitlines(), 1)
        if begins_more(line)
    ]
    if misplaced:
        return misplaced
    lines = list(replaced(notation, given))
    seen: Counter[int] = Counter()
    places = []
    for number, what, _ in lines:
        seen[number] += what == "annotation"
        places.append((max(number, 0), seen[number] if what == "annotation" else 0))
    _, complaints = parse("".join(line for _, _, line in lines), "")
    found = [Trouble(*places[one.line - 1], one.problem) for one in complaints]
    return sorted(found, key=lambda one: (one.sentence, one.line == 0, one.line))
