"""Every error a user can cause, in one tree.

    OverreadError
    ├── BadInput          a file, column or row that cannot be used
    ├── BadLexicon        a lexicon row that cannot be used, by file and line
    ├── UnknownName       a system, metric, verb or concept that does not exist
    ├── MissingExtra      an optional package that is not installed
    ├── BrokenPlugin      a system, metric or command of another package that cannot be used
    └── AskFailed         a language model that could not be asked or understood

A message says what is wrong, the likely cause and what to do, and never quotes report text.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class OverreadError(Exception):
    """Something the user can fix; the command line prints it in one line and exits with 2."""


class BadInput(OverreadError):
    """A file, column or row that cannot be used."""


def kind_of(given: object) -> str:
    """What somebody gave where something else was expected, in words.

    >>> kind_of(None), kind_of([]), kind_of(3)
    ('None', 'a list', 'an int')
    """
    name = type(given).__name__
    return "None" if given is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


class BadLexicon(OverreadError):
    """A lexicon row that cannot be used."""

    def __init__(self, file: str, line: int | None, problem: str) -> None:
        super().__init__(f"{file}{'' if line is None else f', line {line}'}: {problem}")


MANY = 20
"""So many names or more are not listed where one of them is near."""


class UnknownName(OverreadError):
    """A name that nothing answers to."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        close = get_close_matches(name, names, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        listed = "" if not names or (close and len(names) > MANY) else f" Known: {', '.join(names)}."
        super().__init__(f"No {kind} is called {name!r}.{hint}{listed}")


class MissingExtra(OverreadError):
    """An optional package that is not installed."""

    def __init__(self, package: str, extra: str, here: str = "") -> None:
        super().__init__(
            f"This needs the package {package!r}: pip install 'overread[{extra}]' "
            f"(in a copy of the repository: pip install {here or repr(f'.[{extra}]')})"
        )


class BrokenPlugin(OverreadError):
    """A system, metric or command of another package that cannot be used."""

    def __init__(self, package: str, version: str, group: str, name: str, problem: str) -> None:
        super().__init__(
            f"The package {package} {version} registers {name!r} under {group}, but {problem}. "
            f"Update it, or uninstall it: pip uninstall {package}"
        )


class AskFailed(OverreadError):
    """A language model that could not be asked, or whose answer could not be used."""
