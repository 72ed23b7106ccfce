"""What counts as a condition: named sets of choices, shipped or a user's own.

CLEAR and SRRG read the same findings widely: a surgical clip is a device, a hedged finding is likely there. People
who code a dataset often count less. A set says what is left out, and the tables stay as they are.
"""

import re
import tomllib
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, cast

import msgspec
from msgspec import Struct, structs

from overread.errors import BadInput, UnknownName
from overread.lexicon.lexicon import knows_words, lexicon
from overread.reader import Finding, Reading
from overread.report.span import Span
from overread.systems.base import System
from overread.systems.tables import text_of_user

Least = Literal["definite", "probable", "possible"]
"""How sure the words must be for a finding to count; `possible`: any hedge will do."""

SURE: dict[str, int] = {"definite": 3, "probable": 2, "possible": 1, "doubtful": 0}
KNOWING = ("clear", "srrg")
"""Systems that know conditions: what reads for them takes definitions."""


class Choice(Struct, frozen=True, forbid_unknown_fields=True):
    """What counts for one condition."""

    least: Least | None = None
    """How sure the words must be; None: as the set says."""

    signs: bool = True
    """Does a sign count that only suggests the condition? Hyperinflated lungs suggest emphysema."""

    without: frozenset[str] = frozenset()
    """Lexicon concepts that say nothing of the condition, nor do their children.

    `nodule nodular`: only where that attribute is read beside it, as in `nodular opacity`.
    """


class Definitions(Struct, frozen=True, forbid_unknown_fields=True):
    """A named set, as its file says it.

    >>> chosen("coded").counted("clear", "Support Devices").without >= {"surgical-clip"}
    True
    """

    about: str = ""
    least: Least = "possible"
    """How sure the words must be where a condition does not say otherwise."""

    clear: dict[str, Choice] = {}
    srrg: dict[str, Choice] = {}

    def counted(self, system: Literal["clear", "srrg"], condition: str) -> Choice:
        """The choice for a condition, complete."""
        found = (self.clear if system == "clear" else self.srrg).get(condition, Choice())
        return structs.replace(found, least=found.least or self.least)


WIDE = Definitions()
"""Everything counts, as the tables have it."""


def speaks(choice: Choice, finding: Finding, sign: bool) -> bool:
    """May the finding say anything of the condition? `sign`: the table only lets it suggest one."""
    if sign and not choice.signs:
        return False
    for concept, *attributes in map(str.split, choice.without):
        described = {a.concept for a in finding.attributes}
        if described.issuperset(attributes) and concept in lexicon().ancestors(finding.concept or ""):
            return False
    return True


def sure(choice: Choice, finding: Finding) -> bool:
    """Are the words sure enough?

    Alternatives named without a hedge (`scar or atelectasis`, `scar versus atelectasis`) and borderline sizes are
    stated, not guessed: they are as good as probable.
    """
    level = "probable" if finding.level == "possible" and stated(finding) else finding.level
    return SURE[level] >= SURE[choice.least or "possible"]


def stated(finding: Finding) -> bool:
    """Does no hedge touch the finding, but at most another candidate beside it?"""
    return not any(cue.note == "hedged" and cue.rule not in alternatives() for cue in finding.trace)


@knows_words
@cache
def alternatives() -> frozenset[str]:
    """Cues that stand between two candidates and say no more than that it is one of them: `versus`, `and/or`."""
    between = (cue for cue in lexicon().cues if cue.kind == "hedge" and cue.reach == "both")
    return frozenset(cue.id for cue in between if "possibly" not in cue.form)


OVERLAP = re.compile(
    r"\W*(?:\w+\W+){0,2}?(?:overlap\w*|overlay\w*|superimpos\w*|summation|confluence|artifact\w*|"
    r"overlying (?:soft|breast|bony|osseous|shadow))",
    re.IGNORECASE,
)
"""What follows `due to` or `represents` where nothing is there: `density due to overlapping soft tissues`."""

UNNAMED = frozenset({"open", "structure"})
"""Kinds of findings that are no disease by themselves."""


def overlaid(reading: Reading, finding: Finding) -> bool:
    """Is it said to be nothing but structures that overlap, or an artifact? Not where it only may be."""
    if any(a.text.lower() == "artifactual" for a in finding.values("assessment_limitations")):
        return True
    sentence = reading.sentences[finding.sentence]
    links = [c.span.end for c in sentence.cues if c.note == "link" and c.span.start >= finding.span.end]
    named = (f for f in reading.in_sentence(finding.sentence) if f.kind not in UNNAMED)
    if not links or any(f.span.start >= links[0] for f in named):
        return False
    return OVERLAP.match(reading.text(Span(links[0], sentence.span.end))) is not None


def defined(system: System, definitions: Definitions) -> System:
    """The system, reading by these definitions; one that knows no conditions stays as it is."""
    if definitions is WIDE or system.name not in KNOWING:
        return system
    return structs.replace(system, by_rules=partial(cast(Any, system.by_rules), definitions=definitions))


@cache
def chosen(name: str) -> Definitions:
    """The shipped set of that name, or the set in a user's file.

    >>> chosen("wide") is WIDE
    True
    """
    if name == "wide":
        return WIDE
    try:
        found = msgspec.convert(tomllib.loads(definitions_text(name)), Definitions)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{name} is not a TOML file: {error}.") from None
    except msgspec.ValidationError as error:
        raise BadInput(f"{name}: {error}. See docs/clear.md for what a set may say.") from None
    check_names(found)
    return found


def definitions_text(name: str) -> str:
    """The text of a set: a user's file where the name looks like one, else a shipped one."""
    if name in shipped_sets():
        return (files("overread.systems") / "sets" / f"{name}.toml").read_text("utf-8")
    if not name.endswith(".toml"):
        raise UnknownName("set of definitions", name, (*shipped_sets(), "or a file that ends in .toml"))
    return text_of_user(name, "definitions")


def shipped_sets() -> tuple[str, ...]:
    """The names to choose from.

    >>> shipped_sets()
    ('coded', 'wide')
    """
    folder = files("overread.systems") / "sets"
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml")))


def check_names(found: Definitions) -> None:
    """Every condition, label and concept must exist: a misspelt one would be ignored in silence."""
    from overread.systems.clear.schema import CONDITIONS
    from overread.systems.srrg.labels import PARENTS, facts

    known = {"CLEAR condition": CONDITIONS, "SRR label": (*facts().leaves, *PARENTS)}
    described = {row.concept for row in lexicon().rows}
    for kind, choices in zip(known, (found.clear, found.srrg), strict=True):
        for name, choice in choices.items():
            if name not in known[kind]:
                raise UnknownName(kind, name, known[kind])
            for what in choice.without:
                concept, *attributes = what.split() or [""]
                if concept not in lexicon().concepts or not described.issuperset(attributes):
                    raise BadInput(
                        f"{name} is to be without {what!r}, which is no concept of the lexicon; "
                        "`overread lexicon TERM` shows the concept of a term."
                    )


def check_use(found: Definitions, by: str, system: System | None = None) -> None:
    """A language model is asked in the words of its prompt, which no set changes; some systems know no conditions."""
    if found is WIDE:
        return
    if by != "network":
        raise BadInput(
            "--definitions has no effect on a language model: use --by network, or leave it at wide."
        )
    if system is not None and system.name not in KNOWING:
        raise BadInput(f"{system.name} knows no conditions; --definitions is for {' and '.join(KNOWING)}.")


def signature_mark(name: str) -> str:
    """The name with eight hex digits that change with the set, for signatures; nothing for `wide`."""
    if name == "wide":
        return ""
    return f"{Path(name).stem}-{sha256(definitions_text(name).encode()).hexdigest()[:8]}"
