"""Files named on a command line → sources, and the run over them."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from overread.errors import BadInput, UnknownName
from overread.report import SECTION_NAMES, SectionName
from overread.runner.given import sources_of
from overread.sources import Source

OF_A_PATIENT = ("patient", "study", "day", "date")


class Wanted(Struct, frozen=True):
    """The files as named on the command line."""

    reference: Path
    candidates: Sequence[Path] = ()
    names: Sequence[str] = ()
    columns: dict[str, str] | None = None
    candidate_id: str | None = None
    candidate_text: str | None = None
    encoding: str | None = None
    by_line: bool | None = None
    """Of text files: is each line a report? None: found out."""

    @property
    def candidate_columns(self) -> dict[str, str]:
        """Candidates have the references' columns but for the patient's, and for those named for them."""
        shared = {role: name for role, name in (self.columns or {}).items() if role not in OF_A_PATIENT}
        own = {"id": self.candidate_id, "text": self.candidate_text}
        return shared | {role: name for role, name in own.items() if name is not None}


def sections_of(written: str) -> tuple[SectionName, ...]:
    """
    >>> sections_of("findings, impression"), sections_of("all")
    (('findings', 'impression'), ())
    """
    if written.strip() == "all":
        return ()
    named = [part.strip() for part in written.split(",") if part.strip()]
    for part in named:
        if part not in SECTION_NAMES:
            raise UnknownName("section", part, (*SECTION_NAMES, "all"))
    return tuple(name for name in SECTION_NAMES if name in named)


def sources_named(wanted: Wanted) -> tuple[Source, dict[str, Source]]:
    """References and systems; one file alone is a table with the reference in one column, candidates in the others."""
    if wanted.candidates:
        named = dict(zip(system_names(wanted), wanted.candidates, strict=True))
        return sources_of(
            wanted.reference, named, wanted.columns, wanted.candidate_columns, wanted.encoding, wanted.by_line
        )
    first, found = sources_of(wanted.reference, None, wanted.columns, encoding=wanted.encoding)
    names = wanted.names or list(found)
    if len(names) != len(found):
        raise BadInput(
            f"{wanted.reference} has {len(found)} columns of candidates but {len(names)} names are given."
        )
    return first, dict(zip(names, found.values(), strict=True))


def system_names(wanted: Wanted) -> Sequence[str]:
    """What the systems are called: as the user says, else as their files."""
    names = wanted.names or [path.stem for path in wanted.candidates]
    if len(names) != len(wanted.candidates):
        raise BadInput(
            f"{len(wanted.candidates)} candidates but {len(names)} names; give --name once for each."
        )
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"Two candidates are called {twice!r}; tell them apart with --name, once for each.")
    return names
