"""`overread bench`: which metric can be trusted, and how well a reader reads."""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from msgspec import Struct

from overread.cli.terminal.llm_options import LlmOptions
from overread.cli.terminal.options import AtLeastOne, OutputFolder, Share, option
from overread.cli.terminal.stopping import stoppable
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note
from overread.errors import BadInput, UnknownName
from overread.llm.settings import resolve
from overread.whole import make_folder, write_whole

if TYPE_CHECKING:
    from overread.bench.judge import Estimate
    from overread.bench.run import Bench, Metrics
    from overread.bench.sets import Sets
    from overread.bench.sources import Source
    from overread.runner.meter import Meter


@verb("bench")
def bench(
    metric: list[str] | None = None,
    function: list[str] | None = None,
    command: str | None = None,
    judge: Path | None = None,
    reader: list[str] | None = None,
    name: str = "",
    lower: bool = False,
    corpus: Path | None = None,
    wanted: list[str] | None = None,
    sample: Annotated[int | None, option(min=1)] = None,
    output: OutputFolder = Path("overread-bench"),
    restart: bool = False,
    page: bool = True,
    release: str = "",
    url: str = "",
    estimate: bool = False,
    write_sets: Path | None = None,
    jobs: AtLeastOne = 1,
    share: Share = False,
    json: bool = False,
    *,
    llm: LlmOptions,
) -> None:
    """Benchmark metrics on an open test bench: rankings, paraphrases, degraded reports, injected errors,
    laws, gaming.

    Each item is a question with a known answer, such as which of two candidates is worse. The bench counts
    correct answers per set, with confidence intervals, by category and modality, and times 1,000 pairs. The
    sets are built from the open corpus. Re-run the same command to resume an interrupted bench.

    A private test set in the folder named by OVERREAD_BENCH_PRIVATE, laid out like the corpus, is reported
    separately: it shows whether a metric was trained on the public answers.

        overread bench -j 2

        overread bench --metric overread,rouge-l --sample 50

        overread bench --python mypackage.metrics:my_metric --name "My metric"

        overread bench --command "python my_metric.py" --lower

        overread bench --reader overread --reader corpus/blind/first

        overread bench --judge judge.md --base-url http://127.0.0.1:8000/v1 --model judge --max-calls 5000
    """
    from overread.bench.readers import run_reader
    from overread.bench.run import Bench
    from overread.bench.sets import freeze, load_sets
    from overread.bench.tables import terminal
    from overread.cli.terminal.progress import meter_for

    place = corpus_folder(corpus)
    own = Own(tuple(function or ()), command, judge, name, lower)
    asked = Asked(place, tuple(wanted or ()), sample, restart, jobs)
    with meter_for() as meter, stoppable():
        if write_sets is not None:
            sets = load_sets(place)
            freeze(sets.items, write_sets)
            note(f"Wrote {len(sets.items):,} items to {write_sets}: sets {sets.asked.hash}.")
            return
        if estimate:
            typer.echo(f"The judge would be asked {estimated(own, asked, llm)}.")
            return
        make_folder(output)
        found = None
        if metric or own.count or not reader:
            found = the_metrics(metric, own, asked, output, llm, meter)
        readers = [run_reader(one, place, sample=sample, jobs=jobs, meter=meter) for one in reader or ()]
    result = Bench(metrics=found, readers=tuple(readers))
    text = msgspec.json.format(msgspec.json.encode(result), indent=1)
    write_whole(output / "bench.json", text + b"\n")
    write_files(result, output, page, release, url)
    typer.echo(text.decode() if json else terminal(result), nl=json)
    note(f"Wrote {output}/.")


class Own(Struct, frozen=True):
    """A user's own metrics, as asked for."""

    functions: tuple[str, ...]
    command: str | None
    judge: Path | None
    name: str
    lower: bool

    @property
    def count(self) -> int:
        return len(self.functions) + (self.command is not None) + (self.judge is not None)


class Asked(Struct, frozen=True):
    """Which sets, how much of them, and how."""

    corpus: Path
    sets: tuple[str, ...]
    sample: int | None
    restart: bool = False
    jobs: int = 1


def corpus_folder(given: Path | None) -> Path:
    from overread.bench.sets import WHERE

    place = given or Path("corpus")
    if not place.is_dir():
        raise BadInput(f"There is no folder {place}. {WHERE}")
    return place


def estimated(own: Own, asked: Asked, llm: LlmOptions) -> "Estimate":
    from overread.bench.judge import estimate, load_judge
    from overread.bench.sets import pairs_of

    if own.judge is None:
        raise BadInput("--estimate is for a judge: name its prompt file with --judge.")
    prompt = load_judge(own.judge)
    sets, private = the_sets(asked)
    pairs = pairs_of([*sets.items, *(private.items if private else ())])
    return estimate(prompt, pairs, resolve(llm.given).settings)


def the_metrics(
    metric: list[str] | None, own: Own, asked: Asked, output: Path, llm: LlmOptions, meter: "Meter"
) -> "Metrics":
    """The metrics track, from the sets to the figures; without a word, of all metrics that are built in."""
    from overread.bench.run import run_metrics
    from overread.bench.sets import pairs_of
    from overread.bench.sources import DEFAULT, BuiltIn, Command, Function, installed
    from overread.runner.measures import choose

    meter.stage("making the sets")
    sets, private = the_sets(asked)
    for missing in sets.asked.absent:
        meter.tell(f"Nothing in the corpus for the set {missing!r}; left out.")
    pairs = pairs_of([*sets.items, *(private.items if private else ())])
    if own.count != 1 and (own.name or own.lower):
        raise BadInput("--name and --lower speak of one metric of your own: --python, --command or --judge.")
    sources: list[Source] = [Function(path, own.name, own.lower) for path in own.functions]
    if own.command is not None:
        sources.append(Command(own.command, own.name, own.lower))
    if metric or not own.count:
        names = installed(choose(metric or DEFAULT, patients=False), bool(metric), meter.tell)
        sources.insert(0, BuiltIn(names, pairs, asked.jobs))
    with ExitStack() as stack:
        if own.judge is not None:
            from overread.bench.judge import Judge

            client = stack.enter_context(llm.client(len(pairs), "pair"))
            sources.append(Judge(client, own.judge, own.name, own.lower))
        return run_metrics(sources, sets, output, private=private, restart=asked.restart, meter=meter)


def write_files(found: "Bench", output: Path, page: bool, release: str, url: str) -> None:
    """Tables, submission files and page."""
    from overread.bench.submission import write_submissions
    from overread.bench.tables import latex, markdown

    write_whole(output / "bench.md", markdown(found).encode())
    write_whole(output / "bench.tex", latex(found).encode())
    if found.metrics:
        write_submissions(found.metrics, output / "submissions", release, url)
    if page:
        from overread.bench.page import page as page_of

        write_whole(output / "bench.html", page_of(found).encode())


def the_sets(asked: Asked) -> "tuple[Sets, Sets | None]":
    """The public sets, and those of the private folder where one is named."""
    from overread.bench.sets import SETS, load_sets

    for one in asked.sets:
        if one not in SETS:
            raise UnknownName("set", one, SETS)
    hidden = os.environ.get("OVERREAD_BENCH_PRIVATE")
    if hidden and not Path(hidden).is_dir():
        raise BadInput(f"OVERREAD_BENCH_PRIVATE names {hidden}, which is no folder.")
    private = load_sets(Path(hidden), asked.sets, asked.sample, whole=False) if hidden else None
    return load_sets(asked.corpus, asked.sets, asked.sample), private
