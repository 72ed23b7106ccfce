"""Who labels the lines of a structured report: rules, our network, both by vote, or a classifier of your own."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import structs

from overread.errors import BadInput, UnknownName
from overread.network import heads
from overread.network.encoder import encoder
from overread.reader import Reading
from overread.systems import definitions
from overread.systems.base import System, SystemSettings
from overread.systems.srrg.classifier import Classifier
from overread.systems.srrg.labels import NO_FINDING, PARENTS, SPACES, SpaceName, Status, facts, space
from overread.systems.srrg.schema import LabelRead, SrrgView, Utterance
from overread.systems.tables import text_in
from overread.weights.folder import weights_hash

# ---- the network's ear
LINES_REMEMBERED = 50_000
"""Lines whose answers are kept: reports repeat each other's."""

VOTE = "vote.json"
CHANCE_DIGITS = 2
"""Probabilities are rounded, so that the last bits of a machine's arithmetic decide nothing."""

VoteTable = Mapping[str, Mapping[str, float]]
"""What the reading says → what the ear says → how likely that must be for the ear to be followed."""


class HeardLabel(NamedTuple):
    """How likely a label is spoken of, with which status, and how likely that status is if so."""

    spoken: float
    status: Status
    sure: float

    @property
    def told(self) -> Status | None:
        """The status the network gives, None where it does not hear the label."""
        return self.status if self.spoken > 0.5 else None


@cache
def outputs() -> tuple[str, ...]:
    """The labels that the network was trained for, in their order."""
    return (*(name for name in facts().leaves if name != NO_FINDING), *PARENTS)


@cache
def vote() -> VoteTable:
    return msgspec.json.decode(text_in("srrg", VOTE), type=dict[str, dict[str, float]])


@lru_cache(LINES_REMEMBERED)
def likely_labels(text: str) -> Mapping[str, HeardLabel]:
    """The labels with more than a trace of likelihood, in the order of the outputs."""
    spoken, statuses = heads.label_chances(encoder().weights, encoder().run(encoder().coded(text)).tokens)
    found = {}
    for name, chance, row in zip(outputs(), spoken.tolist(), statuses.tolist(), strict=True):
        if round(chance, CHANCE_DIGITS) > 0:
            best = max(range(len(row)), key=row.__getitem__)
            found[name] = HeardLabel(
                round(chance, CHANCE_DIGITS), facts().statuses[best], round(row[best], CHANCE_DIGITS)
            )
    return found


# ---- the rules' opinion and the network's, made one
UNSPOKEN = "-"
"""A label that is not spoken of."""


def by_model(heard: Mapping[str, HeardLabel]) -> list[LabelRead]:
    """The network's labels; No Finding where it hears none.

    >>> by_model({"Edema": HeardLabel(0.9, "Absent", 0.8), "Hernia": HeardLabel(0.2, "Present", 0.9)})
    [LabelRead(label='Edema', status='Absent', spans=[])]
    """
    return [LabelRead(name, one.status) for name, one in heard.items() if one.told] or [LabelRead(NO_FINDING)]


def by_vote(rules: Sequence[LabelRead], heard: Mapping[str, HeardLabel], table: VoteTable) -> list[LabelRead]:
    """The rules' labels with their words, mended where the network is the one to follow.

    >>> by_vote([LabelRead("No Finding")], {"Edema": HeardLabel(0.9, "Absent", 0.8)}, {"-": {"Absent": 0.7}})
    [LabelRead(label='Edema', status='Absent', spans=[])]
    """
    read = {one.label: one for one in rules if one.label != NO_FINDING}
    found = []
    for name in dict.fromkeys([*read, *heard]):
        one, other = read.get(name), heard.get(name)
        ours, theirs = one.status if one else None, other.told if other else None
        least = table.get(ours or UNSPOKEN, {}).get(theirs or UNSPOKEN, 2.0)
        follow = ours != theirs and likelihood(other, ours, theirs) >= least
        if status := theirs if follow else ours:
            found.append(LabelRead(name, status, one.spans if one else []))
    return found or [LabelRead(NO_FINDING)]


def likelihood(heard: HeardLabel | None, ours: Status | None, theirs: Status | None) -> float:
    """How likely the network holds what it says, of what the two differ about."""
    if heard is None:
        return 1.0
    if theirs is None:
        return 1 - heard.spoken
    return heard.spoken if ours is None else heard.sure


# ---- labellers by name
RULES = "rules"
KNOWN = (RULES, "model", "vote", "model:FOLDER")
OWN = "model:"
Relabel = Callable[[Sequence[Utterance]], list[Utterance]]


def labelled_by(system: System, labels: str) -> System:
    """The system, its lines labelled by `labels`; one that has no such labels stays as it is."""
    if labels == RULES or system.name != "srrg":
        return system
    relabel, read = labeller(labels), system.by_rules

    def view(reading: Reading) -> SrrgView:
        made: SrrgView = read(reading)
        return structs.replace(made, utterances=relabel(made.utterances))

    return structs.replace(system, by_rules=view)


@cache
def labeller(labels: str) -> Relabel:
    """The one called `labels`, loaded once per process."""
    if folder := own_folder(labels):
        return Classifier(folder, space_of(folder)).relabelled

    def relabelled(utterances: Sequence[Utterance]) -> list[Utterance]:
        heard = [(u, likely_labels(u.text)) for u in utterances]
        if labels == "model":
            return [structs.replace(u, labels=by_model(told)) for u, told in heard]
        return [structs.replace(u, labels=by_vote(u.labels, told, vote())) for u, told in heard]

    return relabelled


def own_folder(labels: str) -> Path | None:
    """The classifier of one's own that is meant; an unknown name is an error."""
    if labels.startswith(OWN):
        return Path(labels.removeprefix(OWN))
    if labels not in KNOWN:
        raise UnknownName("labeller", labels, KNOWN)
    return None


def space_of(folder: Path) -> SpaceName:
    """The label space a classifier of `overread train srr` was trained for, from the number of its outputs."""
    try:
        config = msgspec.json.decode(folder.joinpath("config.json").read_bytes())
        outputs = len(config["id2label"])
    except (OSError, msgspec.DecodeError, KeyError, TypeError):
        raise BadInput(
            f"{folder} holds no classifier. --labels {OWN}FOLDER takes a folder that `overread train srr` wrote."
        ) from None
    for name in SPACES:
        if len(space(name).names) == outputs:
            return name
    raise BadInput(
        f"The classifier in {folder} has {outputs} outputs, which is none of the four label spaces."
    )


def check_labels(labels: str, by: str = "network", definitions: str = "wide", system: str = "srrg") -> None:
    """Say early what cannot work: a name nobody knows, a folder that is not there, two who both want to label."""
    if labels == RULES:
        return
    own_folder(labels)
    if system != "srrg":
        raise BadInput(f"{system} has no SRR labels; --labels is for srrg.")
    if by != "network":
        raise BadInput("A language model gives its own labels: leave out --labels, or use --by network.")
    if definitions != "wide":
        raise BadInput("Definitions choose among the labels that rules give; use them with --labels rules.")
    marked(labels)


def marked(labels: str) -> str:
    """The labeller with eight hex digits that change with its weights, for signatures; nothing for rules."""
    if labels == RULES:
        return ""
    if folder := own_folder(labels):
        space_of(folder)
        return f"model-{weights_hash(folder)}"
    told = f"{encoder().hash} {text_in('srrg', VOTE)}"
    return f"{labels}-{sha256(told.encode()).hexdigest()[:8]}"


# ---- signatures
def marks(settings: SystemSettings) -> dict[str, str]:
    found = {
        "definitions": definitions.signature_mark(settings.definitions),
        "labels": marked(settings.labels),
    }
    return {name: mark for name, mark in found.items() if mark}
