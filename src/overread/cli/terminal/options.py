"""Options that several verbs share, each described once."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from overread.runner.limits import ITEM_SECONDS as ITEM_SECONDS
from overread.runner.limits import MAX_CHARACTERS as MAX_CHARACTERS

READERS = ("network", "llm")
WRITERS = ("rules", "llm")


def known_reader(name: str | None) -> str | None:
    """A reader by name; a name that nobody has is said before any file is opened."""
    return one_of(READERS, "reader", name)


def known_writer(name: str | None) -> str | None:
    """Who changes reports on purpose: rules or a language model."""
    return one_of(WRITERS, "writer", name)


def one_of(known: Sequence[str], kind: str, name: str | None) -> str | None:
    from overread.errors import UnknownName

    if name is not None and name not in known:
        raise UnknownName(kind, name, known)
    return name


By = Annotated[
    str,
    typer.Option(
        "--by",
        callback=known_reader,
        help="Who reads: network (bundled, offline) or llm (a language model; needs an endpoint).",
    ),
]
GoldTexts = Annotated[
    Path | None,
    typer.Option(
        "--reports", help="The reports themselves, joined by id, where the gold file holds no texts."
    ),
]
Encoding = Annotated[
    str | None, typer.Option("--encoding", help="Text encoding when it is not UTF-8, e.g. latin-1.")
]
LexiconFile = Annotated[
    Path | None, typer.Option("--lexicon", help="Your own lexicon rows (TSV), used on top of ours.")
]
ErrorWeights = Annotated[
    Path | None,
    typer.Option("--weights", help="A hospital's own weights and significances of errors (TOML)."),
]
PatientContext = Annotated[
    bool,
    typer.Option("--context/--no-context", help="Let indication and age move the significance of a finding."),
]
DefinitionSet = Annotated[
    str,
    typer.Option(
        "--definitions",
        help="What counts as a condition in CLEAR and SRRG: wide, coded, or your own file (TOML).",
    ),
]
LabelSource = Annotated[
    str,
    typer.Option(
        "--labels",
        help="Who gives the lines of SRRG their labels: rules, model (our own small network), vote (both), or "
        "model:FOLDER for a classifier of yours.",
    ),
]
EncoderName = Annotated[
    str,
    typer.Option(
        "--encoder",
        help="How LUNGUAGESCORE compares phrases: embedded, judge, medcpt, biolord, or several joined by +.",
    ),
]
ModelFolder = Annotated[
    Path | None,
    typer.Option(
        "--models",
        help="Folder with trained models, one sub-folder each (`overread models get`); else OVERREAD_MODELS.",
    ),
]
CandidateId = Annotated[str | None, typer.Option("--candidate-id", help="As --id, for the candidates.")]
CandidateText = Annotated[str | None, typer.Option("--candidate-text", help="As --text, for the candidates.")]
ItemSeconds = Annotated[
    float,
    typer.Option("--item-seconds", min=0.001, help="Longest time for one item; past it the item fails."),
]
MaxCharacters = Annotated[
    int, typer.Option("--max-characters", min=1, help="Longest report; an item with a longer one fails.")
]
Share = Annotated[
    bool,
    typer.Option("--share", help="Let others on this machine read what is written (as the umask says)."),
]
Shards = Annotated[
    Path | None,
    typer.Option(
        "--shards",
        metavar="DIR",
        help="For any number of reports: work piece by piece and leave a part and a marker for each in DIR. The "
        "input is a table or a folder of them.",
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="With --shards: skip what is finished.")]
ShareOf = Annotated[
    str | None,
    typer.Option("--shard", metavar="I/N", help="With --shards: only share I of N, for job arrays."),
]
Engine = Annotated[
    str,
    typer.Option("--engine", help="With --shards: local, ray or spark does the work; parts are the same."),
]
Jobs = Annotated[int, typer.Option("-j", "--jobs", min=1, help="Processes to work in.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar, no notes on standard error.")]


Check = Annotated[
    bool,
    typer.Option(
        "--check",
        help="Ask the text again about everything that was read, and tell what is doubtful and why.",
    ),
]


def metrics_option(default: Sequence[str]) -> Any:
    """Metrics by name; the help says which are asked about otherwise."""
    return typer.Option(
        "--metric",
        "--metrics",
        "-m",
        help="Metric by name (`overread score --list`); several by comma or by repeating. "
        f"Default: {', '.join(default)}.",
    )


def check_shards(shards: Path | None, resume: bool, share: str | None, engine: str, jobs: int = 1) -> None:
    """Options that mean nothing alone are a mistake, not a wish to be ignored."""
    from overread.errors import BadInput

    if shards is None and (resume or share or engine != "local" or jobs > 1):
        raise BadInput("--resume, --shard, --engine and --jobs go with --shards DIR.")


def check_judge(check: bool, by: str) -> None:
    """A check is of what overread itself read."""
    from overread.errors import BadInput

    if check and by == "llm":
        raise BadInput(
            "--check holds overread's own reading against its second question; leave --by llm out."
        )
