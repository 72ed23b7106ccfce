"""A built corpus as files: JSON lines, the formats of annotation tools, a folder for Hugging Face `datasets`."""

import gzip
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from msgspec.json import encode
from msgspec.structs import asdict, replace

from overread.corpus.build import AS_LUNGUAGE, Line, LineMention
from overread.corpus.files import SPLITS
from overread.errors import UnknownName
from overread.formats.annotated import AnnotatedReport, Detail
from overread.formats.marking import mark_of
from overread.formats.registry import module_of
from overread.formats.writing import whole_folder

Write = Callable[[list[Line], Path, str], None]
"""(lines of a split, folder, name of the split) → files of that split."""


def write_corpus(
    lines: Iterable[Line],
    output: Path,
    name: str,
    beside: Mapping[str, Sequence[object]] = MappingProxyType({}),
) -> dict[str, int]:
    """Write a folder in one format, and JSON lines of what stands beside the reports; how many of each there are."""
    write, kept = known_format(name), list(lines)
    parts = {split: [line for line in kept if line.split == split] for split in SPLITS}
    with whole_folder(output) as folder:
        for split, own in parts.items():
            if own:
                write(own, folder, split)
        for more, rows in beside.items():
            (folder / f"{more}.jsonl").write_bytes(b"".join(encode(row) + b"\n" for row in rows))
        if name == "datasets":
            (folder / "README.md").write_text(card(parts), "utf-8")
    return {name: len(rows) for name, rows in {**parts, **beside}.items()}


def write_lines(lines: list[Line], folder: Path, split: str) -> None:
    (folder / f"{split}.jsonl").write_bytes(b"".join(encode(line) + b"\n" for line in lines))


def write_datasets(lines: list[Line], folder: Path, split: str) -> None:
    """`datasets` wants the same keys and types in every line: no LUNGUAGE layer, which leaves out empty keys."""
    plain = [{**asdict(line), "day": "" if line.day is None else f"{line.day:g}"} for line in lines]
    for one in plain:
        del one["findings"]
    packed = gzip.compress(b"".join(encode(line) + b"\n" for line in plain), mtime=0)
    (folder / f"{split}.jsonl.gz").write_bytes(packed)


def exported(name: str, ending: str) -> Write:
    """A format that the project writes for its own findings."""

    def write(lines: list[Line], folder: Path, split: str) -> None:
        module_of(name).write([annotated(line) for line in lines], folder / f"{split}{ending}")

    return write


FORMATS: dict[str, Write] = {
    "jsonl": write_lines,
    "conll": exported("conll", ".conll"),
    "brat": exported("brat", ""),
    "label-studio": exported("label-studio", ".json"),
    "datasets": write_datasets,
}


def known_format(name: str) -> Write:
    if name not in FORMATS:
        raise UnknownName("format of the corpus", name, FORMATS)
    return FORMATS[name]


def annotated(line: Line) -> AnnotatedReport:
    """The LUNGUAGE layer as marks in the text."""
    by_id = {mention.id: mention for mention in line.mentions}
    marks = tuple(
        replace(mark, spans=by_id[mark.id].spans, details=details_of(by_id[mark.id]))
        for mark in (mark_of(finding, line.text) for finding in line.findings)
    )
    return AnnotatedReport(line.id, line.text, line.patient or None, day=line.day, marks=marks)


def details_of(mention: LineMention) -> tuple[Detail, ...]:
    return tuple(
        Detail(AS_LUNGUAGE.get(one.kind, one.kind), one.text, one.spans) for one in mention.attributes
    )


def card(parts: dict[str, list[Line]]) -> str:
    """The `README.md` of a `datasets` folder, with the header that the hub reads."""
    from jinja2 import Environment

    template = (files("overread.corpus") / "card.md").read_text("utf-8")
    rows = [
        (split, len(own), sum(len(line.sentences) for line in own)) for split, own in parts.items() if own
    ]
    rendered: str = (
        Environment(trim_blocks=True, keep_trailing_newline=True).from_string(template).render(rows=rows)
    )
    return rendered
