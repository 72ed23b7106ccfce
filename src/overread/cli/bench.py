"""`overread bench`: which metric can be trusted, and how well a reader reads."""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from overread.bench.items import Pair
from overread.bench.page import page as page_of
from overread.bench.readers import run_reader
from overread.bench.run import Bench, run_metrics
from overread.bench.sets import SETS, WHERE, Sets, freeze, load_sets, pairs_of
from overread.bench.sources import (
    DEFAULT,
    BuiltIn,
    Command,
    Function,
    LlmJudge,
    Source,
    installed,
    judge_estimate,
    load_judge,
)
from overread.bench.tables import latex, markdown, terminal, write_submissions
from overread.cli.terminal.llm_options import LlmOptions
from overread.cli.terminal.options import AtLeastOne, OutputFolder, Share, option, verb
from overread.cli.terminal.voice import meter_for, note, stoppable
from overread.errors import BadInput, UnknownName
from overread.llm.settings import resolve
from overread.runner.measures import choose
from overread.whole import make_folder, write_whole


@verb("bench")
def bench(
    llm: LlmOptions,
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
    place = corpus or Path("corpus")
    if not place.is_dir():
        raise BadInput(f"There is no folder {place}. {WHERE}")
    own = len(function or ()) + (command is not None) + (judge is not None)
    if own != 1 and (name or lower):
        raise BadInput("--name and --lower speak of one metric of your own: --python, --command or --judge.")
    with meter_for() as meter, stoppable():
        if write_sets is not None:
            sets = load_sets(place)
            freeze(sets.items, write_sets)
            note(f"Wrote {len(sets.items):,} items to {write_sets}: sets {sets.asked.hash}.")
            return
        if estimate:
            if judge is None:
                raise BadInput("--estimate is for a judge: name its prompt file with --judge.")
            prompt, (_, _, pairs) = load_judge(judge), the_sets(place, wanted or (), sample)
            told = judge_estimate(prompt, pairs, resolve(llm.given).settings)
            typer.echo(f"The judge would be asked {told}.")
            return
        make_folder(output)
        found = None
        if metric or own or not reader:
            meter.stage("making the sets")
            sets, private, pairs = the_sets(place, wanted or (), sample)
            for missing in sets.asked.absent:
                meter.tell(f"Nothing in the corpus for the set {missing!r}; left out.")
            sources: list[Source] = [Function(path, name, lower) for path in function or ()]
            if command is not None:
                sources.append(Command(command, name, lower))
            if metric or not own:
                names = installed(choose(metric or DEFAULT, patients=False), bool(metric), meter.tell)
                sources.insert(0, BuiltIn(names, pairs, jobs))
            with ExitStack() as stack:
                if judge is not None:
                    client = stack.enter_context(llm.client(len(pairs), "pair"))
                    sources.append(LlmJudge(client, judge, name, lower))
                found = run_metrics(sources, sets, output, private=private, restart=restart, meter=meter)
        readers = [run_reader(one, place, sample=sample, jobs=jobs, meter=meter) for one in reader or ()]
    result = Bench(metrics=found, readers=tuple(readers))
    text = msgspec.json.format(msgspec.json.encode(result), indent=1)
    write_whole(output / "bench.json", text + b"\n")
    write_whole(output / "bench.md", markdown(result).encode())
    write_whole(output / "bench.tex", latex(result).encode())
    if found:
        write_submissions(found, output / "submissions", release, url)
    if page:
        write_whole(output / "bench.html", page_of(result).encode())
    typer.echo(text.decode() if json else terminal(result), nl=json)
    note(f"Wrote {output}/.")


def the_sets(corpus: Path, wanted: Sequence[str], sample: int | None) -> tuple[Sets, Sets | None, list[Pair]]:
    """The public sets, those of the private folder where one is named, and the pairs of both."""
    for one in wanted:
        if one not in SETS:
            raise UnknownName("set", one, SETS)
    hidden = os.environ.get("OVERREAD_BENCH_PRIVATE")
    if hidden and not Path(hidden).is_dir():
        raise BadInput(f"OVERREAD_BENCH_PRIVATE names {hidden}, which is no folder.")
    private = load_sets(Path(hidden), wanted, sample, whole=False) if hidden else None
    sets = load_sets(corpus, wanted, sample)
    return sets, private, pairs_of([*sets.items, *(private.items if private else ())])
