"""What a report generator is given beside its images: history, comparison, the report before (LUNGUAGE, appendix E)."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from string import Formatter

import msgspec
from msgspec import Struct

from overread.errors import BadInput, UnknownName
from overread.report import Patient, Report, SectionName, Study

FIELDS = {"history", "comparison", "prior"}
PRIOR_FIELDS = {"history", "comparison", "findings", "impression"}


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """The inputs of one generator."""

    images: tuple[str, ...]
    """Which images it sees; whoever holds them joins them by id."""

    fields: dict[str, str]
    compared: str = ""
    missing: str = ""
    none: str = ""
    prior: str = ""

    def __post_init__(self) -> None:
        for template, known in (
            (self.prior, PRIOR_FIELDS),
            *((text, FIELDS) for text in self.fields.values()),
        ):
            unknown = {name for _, name, _, _ in Formatter().parse(template) if name is not None} - known
            if unknown:
                raise ValueError(
                    f"{template!r} names {', '.join(sorted(unknown))}; known are {', '.join(sorted(known))}"
                )


class Inputs(Struct, frozen=True):
    """One study's."""

    id: str
    patient: str
    day: float
    prior: str | None
    """Id of the study before, whose image may be wanted."""

    images: tuple[str, ...]
    fields: dict[str, str]


def layout(name: str, own: Path | None = None) -> Layout:
    """The layout called `name`, from a file of the user's where there is one."""
    shipped = files("overread.runner").joinpath("generator_inputs.toml").read_text("utf-8")
    known = msgspec.convert(tomllib.loads(shipped), dict[str, Layout])
    if own is not None:
        try:
            known |= msgspec.convert(tomllib.loads(own.read_text("utf-8")), dict[str, Layout])
        except (OSError, ValueError) as error:
            raise BadInput(f"{own} is no file of generators' inputs: {error}") from None
    if name not in known:
        raise UnknownName("generator", name, known)
    return known[name]


def inputs(
    patients: Iterable[Patient], wanted: Layout, generated: Mapping[str, Report] | None = None
) -> Iterator[Inputs]:
    """Every study's inputs; with `generated` the findings before are the generator's own (the cascaded setting)."""
    for patient in patients:
        for before, study in zip((None, *patient.studies), patient.studies, strict=False):
            values = {
                "history": section_words(study.report, "indication") or wanted.missing,
                "comparison": wanted.compared if before else wanted.missing,
                "prior": prior_report(before, wanted, generated) or wanted.none,
            }
            yield Inputs(
                study.report.id,
                patient.id,
                study.day,
                before.report.id if before else None,
                tuple(name for name in wanted.images if before or not name.startswith("prior")),
                {name: text.format_map(values) for name, text in wanted.fields.items()},
            )


def prior_report(before: Study | None, wanted: Layout, generated: Mapping[str, Report] | None) -> str:
    """The report before as the generator takes it; empty where there is none, or none was generated."""
    if before is None or (generated is not None and before.report.id not in generated):
        return ""
    report = before.report
    findings = section_words(generated[report.id] if generated is not None else report, "findings")
    values = {
        "history": section_words(report, "indication") or wanted.missing,
        "comparison": wanted.compared if before.number > 1 else wanted.missing,
        "findings": findings or wanted.missing,
        "impression": (section_words(report, "impression") or wanted.missing) if generated is None else "",
    }
    return wanted.prior.format_map(values).strip()


def section_words(report: Report, name: SectionName) -> str:
    """The words of a section on one line."""
    return " ".join(" ".join(one.span.of(report.text) for one in report.section(name)).split())
