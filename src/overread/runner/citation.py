"""One line that says how all numbers of a table were made, to stand under it and in a paper."""

from collections.abc import Sequence

from overread.runner.summary import Draws, Ranking

Groups = dict[str, list[str]]
GROUPS = ("clinical", "overlap")
"""Metrics of clinical content, and of word overlap: a setting of all of one group names the group."""


def citation(metrics: Sequence[Ranking], draws: Draws | None = None) -> str:
    """The settings of all metrics; one that not all share names the metrics it is for.

    >>> citation_of({"a": "a|by:network|version:1", "b": "b|by:network|words:plain|version:1"})
    'metrics:a,b|by:network|words:plain(b)|version:1'
    """
    groups = {
        name: [m.name for m in metrics if (m.family == "text") == (name == "overlap")] for name in GROUPS
    }
    drawn = f"draws:{draws.resamples}/{draws.shuffles}/{draws.seed}" if draws else ""
    return citation_of({m.name: m.signature for m in metrics}, drawn, groups)


def citation_of(signatures: dict[str, str], drawn: str = "", groups: Groups | None = None) -> str:
    settings: dict[str, dict[str, list[str]]] = {}
    for metric, signature in signatures.items():
        for part in signature.split("|")[1:]:
            name, _, value = part.partition(":")
            settings.setdefault(name, {}).setdefault(value, []).append(metric)
    version = settings.pop("version", {})
    whole = {"": list(signatures), **(groups or {})}
    parts = [merged(name, values, whole) for name, values in settings.items()]
    last = [merged("version", version, whole)] if version else []
    return "|".join([f"metrics:{','.join(signatures)}", *parts, *([drawn] if drawn else []), *last])


def merged(name: str, values: dict[str, list[str]], groups: Groups) -> str:
    """A setting, with the metrics it is for: all, a group with exceptions by name, or each by name.

    >>> merged("words", {"plain": ["a", "b"], "rouge": ["c"]}, {"": ["x", "a", "b", "c"], "overlap": ["a", "b", "c"]})
    'words:plain(overlap),rouge(c)'
    """
    told = [value + (f"({whom})" if (whom := whose(value, values, groups)) else "") for value in values]
    return f"{name}:{','.join(told)}"


def whose(value: str, values: dict[str, list[str]], groups: Groups) -> str:
    """The metrics of one value; the commonest of a group stands for the group, others are exceptions by name."""
    own = set(values[value])
    concerned = {metric for metrics in values.values() for metric in metrics}
    commonest = value == max(values, key=lambda one: len(values[one]))
    for group, members in groups.items():
        alone = len(members) == 1 and group != ""
        if not alone and (own == set(members) or (commonest and concerned == set(members))):
            return group
    return "+".join(values[value])
