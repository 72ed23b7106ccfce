"""`overread build clear` and `clear-review`: chats to train on, and answers to rate."""

from collections.abc import Iterator
from contextlib import ExitStack
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Annotated

from overread.cli.terminal.options import Columns, OutputFolder, option, verb
from overread.cli.terminal.output import json_lines
from overread.cli.terminal.voice import note, warn, wrote
from overread.errors import BadInput
from overread.reader import read
from overread.report import Report
from overread.runner.datasets.corpora import (
    percentages,
)
from overread.runner.limits import unfailed
from overread.systems.clear.by_llm import Chat, chats
from overread.systems.clear.by_rules import view
from overread.systems.srrg.corpus import split_of
from overread.validation.clear.files import load_experts, load_views
from overread.validation.clear.review import KEY, SHEET, as_csv, mixed
from overread.whole import make_folder, write_whole

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
