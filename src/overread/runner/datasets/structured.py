"""Structured reports beside what they were made from: found, checked, and how alike they are."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean, pstdev

from msgspec import Struct

from overread.baselines.registry import lookup
from overread.encoders import Encoder
from overread.errors import BadInput
from overread.formats import load
from overread.runner.limits import unfailed, warned
from overread.runner.view_files import load_view_file, views_kind
from overread.systems.srrg.lint import TemplateFault, fidelity, lint
from overread.systems.srrg.template import show


class Checked(Struct, frozen=True):
    """A structured report and what it was made from."""

    id: str
    structured: str
    original: str | None


def structured_pairs(
    reports: Path, original: Path | None, columns: Mapping[str, str] | None, encoding: str | None
) -> Iterator[Checked]:
    """The structured reports, each with its original where there is one."""
    if views_kind(reports) == "srrg":
        texts = {id: show(view.structured) for id, view in load_view_file(str(reports)).views.items()}
    else:
        texts = {report.id: report.text for report in load(reports, columns, encoding=encoding)}
    if original is None:
        yield from (Checked(id, text, None) for id, text in texts.items())
        return
    sources = {report.id: report.text for report in load(original, encoding=encoding)}
    if len(texts) == len(sources) == 1:
        (id, text), (source,) = next(iter(texts.items())), sources.values()
        yield Checked(id, text, source)
        return
    missing = sorted(texts.keys() - sources.keys())
    if missing:
        raise BadInput(
            f"{original} has no report with the id {missing[0]!r}"
            + (f" and {len(missing) - 1} others" if len(missing) > 1 else "")
            + f"; the ids of {reports} and {original} must be the same."
        )
    yield from (Checked(id, text, sources[id]) for id, text in texts.items())


def check_structured(found: Sequence[Checked]) -> list[tuple[Checked, TemplateFault]]:
    def faults(one: Checked) -> list[tuple[Checked, TemplateFault]]:
        return [(one, fault) for fault in lint(one.structured, one.original)]

    return [fault for some in unfailed(found, faults, lambda one: one.id, warned) for fault in some]


def fidelity_figures(texts: Sequence[tuple[str, str]], encoder: Encoder) -> dict[str, str]:
    """One column: originals and structured texts of one section."""
    if not texts:
        return {}
    rouge, bleu = lookup("rouge-l"), lookup("bleu-4")
    metrics = {"ROUGE-L": lambda a, b: rouge.score(a, b).value, "BLEU-4": lambda a, b: bleu.score(a, b).value}
    told = [fidelity(*pair, encoder, metrics) for pair in texts]
    changed = sum(one["similarity ratio"] < 1 for one in told)
    rows = {name: [one[name] for one in told] for name in told[0]}
    means = {name: f"{mean(values):.2f} ± {pstdev(values):.2f}" for name, values in rows.items()}
    return {"reports": str(len(told)), "changed": f"{changed} ({changed / len(told):.0%})"} | means
