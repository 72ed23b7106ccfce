"""The SRR labels: 55 leaves, their tree, and the four spaces a classifier or a score can work in.

All facts stand in `labels.toml`; this module derives the rest.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Literal, Self, cast, get_args

from msgspec import Struct, convert

from overread.errors import UnknownName
from overread.systems.tables import facts_in

Status = Literal["Present", "Uncertain", "Absent"]
NO_FINDING = "No Finding"
PARENTS = ("Consolidation", "Air space opacity")
"""Inner labels that may be given where no leaf fits: a plain opacity, a plain consolidation."""


class Label(Struct, frozen=True, forbid_unknown_fields=True):
    """A disease and whether it is there; No Finding has no status."""

    label: str
    status: Status | None = None

    def __str__(self) -> str:
        return f"{self.label} ({self.status})" if self.status else self.label

    @classmethod
    def named(cls, name: str) -> Self:
        """The label that a name of any of the spaces stands for.

        >>> Label.named("Edema (Uncertain)"), Label.named("No Finding")
        (Label(label='Edema', status='Uncertain'), Label(label='No Finding', status=None))
        """
        label, _, status = name.removesuffix(")").partition(" (")
        return cls(label, cast(Status, status) if status else None)


class Facts(Struct, frozen=True, forbid_unknown_fields=True):
    """The fact file, as it stands."""

    statuses: tuple[Status, ...]
    leaves: tuple[str, ...]
    uppers: tuple[str, ...]
    tree: dict[str, str]
    categories: dict[str, str]
    chexpert: dict[str, Any]
    covered: dict[str, frozenset[str]]
    """A general label → the special ones that say it better."""


@cache
def facts() -> Facts:
    """What `labels.toml` says, checked once."""
    return convert(facts_in("srrg", "labels.toml"), Facts)


def above(label: str) -> Iterator[str]:
    """The label and the branches it stands on, nearest first.

    >>> list(above("Pneumonia"))[:3]
    ['Pneumonia', 'Consolidation', 'Focal air space opacity']
    """
    while label:
        yield label
        label = facts().tree.get(label, "")


def upper(label: str) -> str:
    """The upper label of a leaf: its parent in the tree. An upper label is its own.

    >>> upper("Edema"), upper("Consolidation"), upper("No Finding")
    ('Diffuse air space opacity', 'Consolidation', 'No Finding')
    """
    return label if label in facts().uppers else facts().tree[label]


def category(label: str) -> str | None:
    """The heading of the template under which a label is counted; None for No Finding.

    >>> category("Cardiomegaly"), category("Tortuous Aorta")
    ('Cardiovascular', 'Hila and Mediastinum')
    """
    return next((facts().categories[b] for b in above(label) if b in facts().categories), None)


def chexpert(label: str) -> tuple[str, ...]:
    """CheXpert's classes for a label: its own row, or that of the nearest branch above.

    >>> chexpert("Acute rib fracture"), chexpert("Bronchiectasis")
    (('Fracture',), ())
    """
    rows = facts().chexpert["of"]
    return next((tuple(rows[branch]["classes"]) for branch in above(label) if branch in rows), ())


SpaceName = Literal["leaves", "upper", "leaves-statuses", "upper-statuses"]
SPACES: tuple[SpaceName, ...] = get_args(SpaceName)


class Space(Struct, frozen=True):
    """One of the four label spaces: which labels there are, and how a Label falls into it."""

    name: SpaceName
    names: tuple[str, ...]
    """Every label of the space in the classifiers' order."""

    known: frozenset[str]

    def of(self, labels: Iterable[Label]) -> frozenset[str]:
        """What the labels of one utterance are in this space.

        A parent label exists only in the upper spaces; in the leaf spaces it says nothing.

        >>> one = [Label("Edema", "Present"), Label("Consolidation", "Absent")]
        >>> sorted(space("leaves").of(one)), sorted(space("upper-statuses").of(one))
        (['Edema'], ['Consolidation (Absent)', 'Diffuse air space opacity (Present)'])
        """
        leaves, statuses = self.name.startswith("leaves"), self.name.endswith("-statuses")
        kept = (Label(one.label if leaves else upper(one.label), one.status) for one in labels)
        told = (str(one) if statuses else one.label for one in kept)
        return frozenset(name for name in told if name in self.known)


@cache
def space(name: str) -> Space:
    """The space called `name`.

    Without statuses the order is that of the fact file; with them each label stands once per status and
    No Finding comes last.

    >>> [len(space(name).names) for name in SPACES]
    [55, 25, 163, 73]
    """
    if name not in SPACES:
        raise UnknownName("label space", name, SPACES)
    names = facts().leaves if name.startswith("leaves") else facts().uppers
    if name.endswith("-statuses"):
        diseases = [label for label in names if label != NO_FINDING]
        names = (*(str(Label(d, s)) for d in diseases for s in facts().statuses), NO_FINDING)
    return Space(name, names, frozenset(names))
