"""`overread build srr`, `longitudinal`, `clear` and `clear-review`: data to train on, and answers to rate."""

from collections.abc import Iterator
from contextlib import ExitStack
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.llm_options import LlmOptions, reading_by
from overread.cli.terminal.options import By, Columns, OutputFolder, option, verb
from overread.cli.terminal.output import json_lines
from overread.cli.terminal.voice import note, voice, warn, watched, wrote
from overread.errors import BadInput
from overread.llm import Client
from overread.reader import read
from overread.report import Report
from overread.runner.datasets.corpora import (
    CorpusParts,
    percentages,
    read_ids,
    read_splits,
    write_benchmark,
    write_srr,
)
from overread.runner.limits import unfailed
from overread.runner.settings import Settings
from overread.runner.views import Unread, lexicon_of, reader_of, unless_failed
from overread.sources import patients
from overread.systems.clear.by_llm import Chat, chats
from overread.systems.clear.by_rules import view
from overread.systems.longitudinal import by_llm, by_rules
from overread.systems.longitudinal.benchmark import Annotate, build, figures_table, statistics
from overread.systems.longitudinal.schema import SECTIONS, LongitudinalReport, ViewSection
from overread.systems.srrg.corpus import Statistics, per_upper, split_of
from overread.systems.srrg.labellers import check_labels, marked
from overread.systems.srrg.labels import NO_FINDING
from overread.systems.srrg.schema import HEADERS
from overread.validation.clear.files import load_experts, load_views
from overread.validation.clear.review import KEY, SHEET, as_csv, mixed
from overread.whole import make_folder, write_whole


@verb("build srr")
def build_srr(
    reports: Path,
    output: OutputFolder,
    columns: Columns,
    llm: LlmOptions,
    shares: str = "80,10,10",
    draw: int = 0,
    splits: Path | None = None,
    reviewed: Path | None = None,
    unique: bool = False,
    by: By = "network",
    lexicon: Path | None = None,
    definitions: str = "wide",
    labels: str = "rules",
) -> None:
    """Structure a corpus and label every line of it, ready for training.

    Writes reports.jsonl (the output of `overread read --as srrg`), srrg-findings.jsonl and srrg-
    impression.jsonl (one section in the template and its split: the paper's two data sets), utterances.jsonl
    (text, labels, split) and statistics.json (including the labeller), and prints the counts by header and by
    upper label. With --by llm the first --model fills the template, the linter requests one correction and
    rejects lines without a source, and diseases and statuses are decided by majority vote of the models;
    lines without a majority and failed reports are counted (failures.jsonl).

        overread build srr corpus.csv -o corpus/

        overread build srr corpus.csv -o corpus/ --by llm --model one --model two --model three
    """
    check_labels(labels, by, definitions)
    source = columns.load(reports)
    parts = CorpusParts(
        {str(split): share for split, share in percentages(shares).items()},
        draw,
        read_splits(splits) if splits else None,
        read_ids(reviewed) if reviewed else frozenset(),
    )
    with reading_by(by, llm, None if by == "network" else len(list(source))) as client:
        words = str(lexicon) if lexicon else None
        settings = Settings(lexicon=words, definitions=definitions, labels=labels)
        reader = reader_of("srrg", settings, client)
        who = (marked(labels) or labels) if client is None else ", ".join(client.settings.models)
        settled = client.check_waiting if client is not None else lambda: None
        told = write_srr(watched(source), output, parts, reader, who, unique, settled)
    if not voice.quiet:
        typer.echo(counts_shown(told), nl=False)
        wrote(output, then=[f"overread train srr {output / 'utterances.jsonl'} --help"])


def counts_shown(found: Statistics) -> str:
    """The statistics as a table for the terminal."""
    rows = [("reports", sum(found.reports.values())), ("  of them without a statement", found.empty)]
    rows += [(f"  {name}", count) for name, count in found.reports.items()]
    for name, counts in found.examples.items():
        rows += [(f"SRRG-{name.capitalize()}", sum(counts.values()))]
        rows += [(f"  {split}", count) for split, count in counts.items()]
    rows += [
        ("utterances", sum(found.utterances.values())),
        ("  each counted once", len(found.unique)),
        ("  that discuss a disease", found.discussed),
        *((f"  {name}", count) for name, count in found.utterances.items()),
        ("labels", sum(found.labels.values())),
    ]
    lost = {
        "reports that failed": found.failed,
        "lines without a source, refused": found.refused,
        "lines without agreed labels, left out": found.dropped,
    }
    rows += [(name, count) for name, count in lost.items() if count]
    lines = [f"{name:<44}{count:>9,}" for name, count in rows]
    lines += ["", f"{'header':<44}{'bullets':>9}{'reports':>9}"]
    lines += [f"{name:<44}{found.headers[name]:>9,}{found.reports_with[name]:>9,}" for name in HEADERS]
    lines += ["", f"{'upper label':<44}{'labels':>9}"]
    for header, labels in per_upper(found).items():
        indent = "" if header == NO_FINDING else "  "
        lines += [header] if indent else []
        lines += [f"{indent}{name:<42}{count:>9,}" for name, count in labels.items()]
    return "\n".join(lines) + "\n"


@verb("build longitudinal")
def build_longitudinal(
    reports: Path,
    output: OutputFolder,
    columns: Columns,
    llm: LlmOptions,
    by: By = "network",
    splits: Path | None = None,
    shares: str = "80,10,10",
    draw: int = 0,
    with_impression: bool = False,
    keep_all: bool = False,
    lexicon: Path | None = None,
) -> None:
    """Follow-up reports annotated with comparisons, diseases and progressions, split by patient.

    Writes train.jsonl, validate.jsonl and test.jsonl, and statistics.tsv and statistics.svg about them.

        overread build longitudinal corpus.csv -o benchmark/
    """
    people = patients(columns.load(reports))
    given = read_splits(splits) if splits else None
    sections = SECTIONS if with_impression else SECTIONS[:1]
    with reading_by(by, llm) as client:
        entries = build(
            people, annotator(client, lexicon, sections), given, percentages(shares), draw, sections
        )
    write_benchmark(output, entries, keep_all)
    if not voice.quiet:
        typer.echo(figures_table(statistics(entries)), nl=False)
        wrote(output, then=[f"overread validate longitudinal {output / 'test.jsonl'} --views YOUR-VIEWS"])


def annotator(client: Client | None, lexicon: Path | None, sections: tuple[ViewSection, ...]) -> Annotate:
    """The function that reads many reports; one without a view is left out of the benchmark, and that is said."""
    words = lexicon_of(lexicon)

    def viewed(one: Report) -> object:
        return unless_failed(one.id, lambda: by_rules.view(read(one, words), sections))

    def annotate(reports: list[Report]) -> list[LongitudinalReport | None]:
        asked = by_llm.views(client, reports, sections) if client else map(viewed, reports)
        found: list[object] = list(asked)
        for one in found:
            if isinstance(one, Unread):
                warn(f"{one.item}: {one.reason}; left out.")
        made = [one if isinstance(one, LongitudinalReport) else None for one in found]
        if lost := made.count(None):
            warn(f"{lost} of {len(made)} reports could not be read and are left out.")
        return made

    return annotate


SEARCH = files("overread.cli.build") / "search.tsv"
"""The options of the CLEAR paper's search and what it found (Table 7, Appendix D)."""

RATES = tuple(f"{n}e-6" for n in range(3, 31, 2))
EPOCHS = (2, 3, 4, 5)
ACCUMULATION = (1, 2, 4)


@verb("build clear")
def build_clear(
    reports: Path,
    output: OutputFolder,
    columns: Columns,
    gold: Path | None = None,
    shares: str = "80,10,10",
    draw: int = 0,
    folds: Annotated[int, option(min=0)] = 0,
) -> None:
    """Write prompts and correct answers as chats for fine-tuning, split by patient, and the paper's search
    grid.

    A line is {"messages": [system, user, assistant], "stage", "id"}, with exactly the prompts that `--by llm`
    sends, so that a model trained on them can be used with `--by llm` directly.

    With --folds 5 there are also fold-1/train.jsonl, fold-1/validate.jsonl and so on, and search.jsonl: a line of
    arguments, as TRL's and Hugging Face's trainers call them, for every setting and fold of the paper's search.

        overread build clear reports.csv --gold experts.jsonl -o tuning/
    """
    tables = load_views(gold) if gold else None

    def asked(report: Report) -> tuple[Report, list[Chat]]:
        table = view(read(report)) if tables is None else tables.get(report.id)
        return report, list(chats(report, table)) if table is not None else []

    parts = {str(split): share for split, share in percentages(shares).items()}
    output.mkdir(parents=True, exist_ok=True)
    counts = dict.fromkeys(parts, 0)
    in_folds = (f"fold-{n}/{part}" for n in range(1, folds + 1) for part in ("train", "validate"))
    held_out: dict[str, int] = {}
    """Of whom the fold, from 1, that holds them out: a new one goes where fewest are, so that no fold stays empty."""
    with ExitStack() as stack:
        lines_of = {}
        for name in (*parts, *in_folds):
            path = output / f"{name}.jsonl"
            path.parent.mkdir(exist_ok=True)
            lines_of[name] = stack.enter_context(path.open("wb"))
        for report, lines in unfailed(columns.load(reports), asked, lambda r: r.id, warn):
            key = report.patient or report.id
            split = split_of(key, parts, draw)
            places = [split]
            if folds and split != "test":
                own = held_out.setdefault(key, (len(held_out) + draw) % folds + 1)
                places += [f"fold-{n}/{'validate' if n == own else 'train'}" for n in range(1, folds + 1)]
            for place in places:
                lines_of[place].write(json_lines(lines))
            counts[split] += len(lines)
    (output / "search.tsv").write_bytes(SEARCH.read_bytes())
    if folds:
        (output / "search.jsonl").write_bytes(json_lines(search(folds)))
    empty = [name for name, count in counts.items() if not count and parts[name]]
    if empty and any(counts.values()):
        note(
            f"{', '.join(empty)} got no patient: there are few. Try another --draw, other --shares, or --folds."
        )
    note("  ".join(f"{name} {count}" for name, count in counts.items()) + f" → {output}")


def search(folds: int) -> Iterator[dict[str, object]]:
    """Every setting of the paper's search on every fold, under the names that trainers know.

    >>> len(list(search(5)))
    840
    """
    for rate, epochs, steps, fold in product(RATES, EPOCHS, ACCUMULATION, range(1, folds + 1)):
        yield {
            "setting": f"{rate}-{epochs}-{steps}",
            "fold": fold,
            "train_file": f"fold-{fold}/train.jsonl",
            "eval_file": f"fold-{fold}/validate.jsonl",
            "learning_rate": float(rate),
            "num_train_epochs": epochs,
            "gradient_accumulation_steps": steps,
            "output_dir": f"runs/{rate}-{epochs}-{steps}/fold-{fold}",
        }


@verb("build clear-review")
def build_clear_review(
    labels: Path,
    one: Path,
    two: Path,
    output: OutputFolder,
    draw: int = 0,
) -> None:
    """Build sheets for rating attributes as in the CLEAR paper: every study in both sets, one model in each.

    Writes set-1.csv and set-2.csv, one for each expert, with empty columns rating (correct, partially correct,
    incorrect) and revision, and key.csv, which says whose answers they are. When they are filled in:
    `overread validate clear-attributes FOLDER`.

        overread build clear-review voted.csv gpt.jsonl llama.jsonl -o review/
    """
    if one.stem == two.stem:
        raise BadInput(f"{one} and {two} have one name; call the files as the models are called.")
    models = {path.stem: load_views(path) for path in (one, two)}
    first, second, key = mixed(load_experts(labels), models, draw)
    make_folder(output)
    for name, columns, rows in (("set-1", SHEET, first), ("set-2", SHEET, second), ("key", KEY, key)):
        write_whole(output / f"{name}.csv", as_csv(columns, rows))
    note(f"set-1 {len(first)} answers, set-2 {len(second)} answers")
    wrote(output, then=[f"overread validate clear-attributes {output}"])
