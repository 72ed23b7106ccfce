"""Two opinions on the labels of an utterance, the rules' and the network's, made one."""

from collections.abc import Mapping, Sequence

from overread.systems.srrg.hearing import Heard, Table
from overread.systems.srrg.labels import NO_FINDING, Status
from overread.systems.srrg.schema import LabelRead

SILENT = "-"
"""A label that is not spoken of."""


def by_model(heard: Mapping[str, Heard]) -> list[LabelRead]:
    """The network's labels; No Finding where it hears none.

    >>> by_model({"Edema": Heard(0.9, "Absent", 0.8), "Hernia": Heard(0.2, "Present", 0.9)})
    [LabelRead(label='Edema', status='Absent', spans=[])]
    """
    return [LabelRead(name, one.status) for name, one in heard.items() if one.told] or [LabelRead(NO_FINDING)]


def by_vote(rules: Sequence[LabelRead], heard: Mapping[str, Heard], table: Table) -> list[LabelRead]:
    """The rules' labels with their words, mended where the network is the one to follow.

    >>> by_vote([LabelRead("No Finding")], {"Edema": Heard(0.9, "Absent", 0.8)}, {"-": {"Absent": 0.7}})
    [LabelRead(label='Edema', status='Absent', spans=[])]
    """
    read = {one.label: one for one in rules if one.label != NO_FINDING}
    found = []
    for name in dict.fromkeys([*read, *heard]):
        status = decided(read.get(name), heard.get(name), table)
        if status is not None:
            spans = read[name].spans if name in read else []
            found.append(LabelRead(name, status, spans))
    return found or [LabelRead(NO_FINDING)]


def decided(rules: LabelRead | None, heard: Heard | None, table: Table) -> Status | None:
    """The status of one label, None where it is not given."""
    ours = rules.status if rules else None
    theirs = heard.told if heard else None
    if ours == theirs:
        return ours
    least = table.get(ours or SILENT, {}).get(theirs or SILENT, 2.0)
    return theirs if likelihood(heard, ours, theirs) >= least else ours


def likelihood(heard: Heard | None, ours: Status | None, theirs: Status | None) -> float:
    """How likely the network holds what it says, of what the two differ about."""
    if heard is None:
        return 1.0
    if theirs is None:
        return 1 - heard.spoken
    return heard.spoken if ours is None else heard.sure
