"""One line that says how all numbers of a table were made, to stand under it and in a paper."""

from collections.abc import Sequence

from overread.runner.summary import Draws, Ranking


def citation(metrics: Sequence[Ranking], draws: Draws | None = None) -> str:
    """The settings of all metrics; one that not all share names the metrics it is for.

    >>> citation_of({"a": "a|by:rules|version:1", "b": "b|by:rules|words:plain|version:1"})
    'metrics:a,b|by:rules|words:plain(b)|version:1'
    """
    drawn = f"draws:{draws.resamples}/{draws.shuffles}/{draws.seed}" if draws else ""
    return citation_of({m.name: m.signature for m in metrics}, drawn)


def citation_of(signatures: dict[str, str], drawn: str = "") -> str:
    settings: dict[str, dict[str, list[str]]] = {}
    for metric, signature in signatures.items():
        for part in signature.split("|")[1:]:
            name, _, value = part.partition(":")
            settings.setdefault(name, {}).setdefault(value, []).append(metric)
    version = settings.pop("version", {})
    parts = [merged(name, values, len(signatures)) for name, values in settings.items()]
    last = [merged("version", version, len(signatures))] if version else []
    return "|".join([f"metrics:{','.join(signatures)}", *parts, *([drawn] if drawn else []), *last])


def merged(name: str, values: dict[str, list[str]], all_of_them: int) -> str:
    """A setting, with the metrics it is for where others have none or another."""
    told = [
        value if len(metrics) == all_of_them else f"{value}({'+'.join(metrics)})"
        for value, metrics in values.items()
    ]
    return f"{name}:{','.join(told)}"
