"""The SRR labels: 55 leaves, their tree, and the four spaces a classifier or a score can work in.

All facts stand in `labels.toml`; this module derives the rest.
"""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import Any, Literal, get_args

from msgspec import Struct, convert

from overread.errors import UnknownName
from overread.systems.tables import text_in

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


class Facts(Struct, frozen=True, forbid_unknown_fields=True):
    """The fact file, as it stands."""

    statuses: tuple[Status, ...]
    leaves: tuple[str, ...]
    uppers: tuple[str, ...]
    tree: dict[str, str]
    categories: dict[str, str]
    chexpert: dict[str, Any]


@cache
def facts() -> Facts:
    """What `labels.toml` says, checked once."""
    return convert(tomllib.loads(text_in("srrg", "labels.toml")), Facts)


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


class Space(Struct, frozen=True, dict=True):
    """One of the four label spaces: which labels there are, in which order, and how a Label falls into it."""

    name: SpaceName

    @property
    def with_statuses(self) -> bool:
        return self.name.endswith("-statuses")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every label of the space in the classifiers' order.

        Without statuses that is the order of the fact file; with them each label stands once per status and
        No Finding comes last.

        >>> [len(space(name).names) for name in SPACES]
        [55, 25, 163, 73]
        """
        plain = facts().leaves if self.name.startswith("leaves") else facts().uppers
        if not self.with_statuses:
            return plain
        diseases = [label for label in plain if label != NO_FINDING]
        return (*(str(Label(d, s)) for d in diseases for s in facts().statuses), NO_FINDING)

    def of(self, labels: Iterable[Label]) -> frozenset[str]:
        """What the labels of one utterance are in this space.

        A parent label exists only in the upper spaces; in the leaf spaces it says nothing.

        >>> one = [Label("Edema", "Present"), Label("Consolidation", "Absent")]
        >>> sorted(space("leaves").of(one)), sorted(space("upper-statuses").of(one))
        (['Edema'], ['Consolidation (Absent)', 'Diffuse air space opacity (Present)'])
        """
        return frozenset(name for name in map(self._name, labels) if name in self._known)

    def _name(self, label: Label) -> str:
        plain = label.label if self.name.startswith("leaves") else upper(label.label)
        return str(Label(plain, label.status)) if self.with_statuses else plain

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.names)


SPACES: tuple[SpaceName, ...] = get_args(SpaceName)


@cache
def space(name: str) -> Space:
    """The space called `name`."""
    if name not in SPACES:
        raise UnknownName("label space", name, SPACES)
    return Space(name)


def parse_label(text: str) -> Label:
    """A name of any of the spaces as a Label; spelling is forgiven in case and dash.

    >>> parse_label("edema (uncertain)"), parse_label("No finding")
    (Label(label='Edema', status='Uncertain'), Label(label='No Finding', status=None))
    """
    name, _, rest = text.strip().partition(" (")
    known = _by_key().get(_key(name))
    if known is None:
        raise UnknownName("SRR label", name, (*facts().leaves, *PARENTS))
    status = rest.rstrip(")").strip().capitalize()
    if known == NO_FINDING or not status:
        return Label(known)
    if status not in facts().statuses:
        raise UnknownName("status", status, facts().statuses)
    return Label(known, status)


@cache
def _by_key() -> dict[str, str]:
    return {_key(label): label for label in (*facts().uppers, *PARENTS, *facts().leaves)}


def _key(name: str) -> str:
    return name.casefold().replace("–", "-").replace(" ", "")
