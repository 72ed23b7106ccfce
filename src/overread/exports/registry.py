"""Formats by name: who writes them, how a file name gives them away."""

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

from msgspec import Struct

from overread.errors import BadInput, UnknownName
from overread.sources.annotated import AnnotatedReport
from overread.sources.formats import NAMES

Writer = Callable[..., None]


class Target(Struct, frozen=True):
    """A format that can be written."""

    module: str
    endings: tuple[str, ...]
    """File names that mean it; empty where it must be named."""

    options: tuple[str, ...] = ()
    """What its writer takes besides reports and a path."""

    needs_marks: bool = True


TARGETS = {
    "fhir": Target(
        "fhir",
        (".fhir.json", ".fhir.ndjson", ".ndjson"),
        ("codes", "conditions", "code_system", "keep_resources"),
    ),
    "omop": Target("omop", (".omop", "note_nlp.csv", "note_nlp.parquet"), ("codes", "first_date")),
    "dicom-sr": Target("dicom_sr", (".dcm", ".sr"), ("codes",)),
    "brat": Target("brat", (".brat",)),
    "conll": Target("conll", (".conll", ".bio", ".iob2")),
    "bioc": Target("bioc", (".bioc.xml", ".bioc.json", ".xml")),
    "label-studio": Target("label_studio", (".labelstudio.json", ".label-studio.json")),
    "prodigy": Target("prodigy", (".prodigy.jsonl",)),
    "overread": Target("lines", (".jsonl",)),
    "table": Target("tables", (".csv", ".tsv", ".parquet"), needs_marks=False),
}
READABLE = (*NAMES, "omop", "overread", "table")


def target_of(output: Path, named: str | None) -> str:
    """The format asked for, or the one the file name means."""
    if named is not None:
        if named not in TARGETS:
            raise UnknownName("format to write", named, TARGETS)
        return named
    lowered = output.name.lower()
    fits = [
        (len(ending), name)
        for name, one in TARGETS.items()
        for ending in one.endings
        if lowered.endswith(ending)
    ]
    if not fits:
        raise BadInput(f"{output} does not say which format to write; add --to: {', '.join(TARGETS)}.")
    return max(fits)[1]


def writer(name: str) -> Writer:
    """The function that writes a format, imported when asked for."""
    found: Writer = import_module(f"overread.exports.{TARGETS[name].module}").write
    return found


def write(name: str, reports: Iterable[AnnotatedReport], output: Path, options: dict[str, object]) -> None:
    """Write, or say which option the format has no use for."""
    useless = [option for option, value in options.items() if value and option not in TARGETS[name].options]
    if useless:
        flag = useless[0].replace("_", "-")
        users = [one for one, target in TARGETS.items() if useless[0] in target.options]
        raise BadInput(f"--{flag} says nothing to {name}; it is for {' and '.join(users)}.")
    writer(name)(reports, output, **{option: value for option, value in options.items() if value})
