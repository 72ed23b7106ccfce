"""Who labels the lines of a structured report: rules, our network, both by vote, or a classifier of your own."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import msgspec
from msgspec import structs

from overread.errors import BadInput, UnknownName
from overread.reader import Reading
from overread.systems.base import System
from overread.systems.srrg.classifier import Classifier, relabelled
from overread.systems.srrg.hearing import shipped
from overread.systems.srrg.labels import SPACES, SpaceName, space
from overread.systems.srrg.schema import SrrgView, Utterance
from overread.systems.srrg.voting import by_model, by_vote
from overread.weights import weights_hash

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
    if labels == "model":
        return heard
    if labels == "vote":
        return voted
    if not labels.startswith(OWN):
        raise UnknownName("labeller", labels, KNOWN)
    folder = Path(labels.removeprefix(OWN))
    return classified(Classifier(folder, space_of(folder)))


def heard(utterances: Sequence[Utterance]) -> list[Utterance]:
    told = shipped().hear([one.text for one in utterances])
    return [structs.replace(u, labels=by_model(h)) for u, h in zip(utterances, told, strict=True)]


def voted(utterances: Sequence[Utterance]) -> list[Utterance]:
    ear = shipped()
    told = ear.hear([one.text for one in utterances])
    return [
        structs.replace(u, labels=by_vote(u.labels, h, ear.vote))
        for u, h in zip(utterances, told, strict=True)
    ]


def classified(classifier: Classifier) -> Relabel:
    def relabel(utterances: Sequence[Utterance]) -> list[Utterance]:
        told = classifier.predict([one.text for one in utterances])
        return [relabelled(u, names) for u, names in zip(utterances, told, strict=True)]

    return relabel


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
    if labels not in KNOWN and not labels.startswith(OWN):
        raise UnknownName("labeller", labels, KNOWN)
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
    if not labels.startswith(OWN):
        return f"{labels}-{shipped().hash}"
    folder = Path(labels.removeprefix(OWN))
    space_of(folder)
    return f"model-{weights_hash(folder)}"
