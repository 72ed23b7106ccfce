"""Options that several verbs share, each described once."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from overread.runner.limits import ITEM_SECONDS as ITEM_SECONDS
from overread.runner.limits import MAX_CHARACTERS as MAX_CHARACTERS
from overread.whole import a_folder

READERS = ("network", "llm")
WRITERS = ("rules", "llm")
MANY = "Many reports"


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


def existing(path: Path) -> Path:
    """A file or folder to read: that it is missing is said before any option that is missing too."""
    from overread.errors import BadInput

    if not path.exists():
        raise BadInput(f"There is no file or folder {path}.")
    return path


By = Annotated[
    str,
    typer.Option(
        "--by",
        callback=known_reader,
        help="Who reads: network (bundled, offline) or llm (a language model; needs an endpoint).",
    ),
]
OutputFolder = Annotated[
    Path, typer.Option("-o", "--output", callback=a_folder, help="Folder to write; created if missing.")
]
SplitShares = Annotated[
    str,
    typer.Option(
        help="Percentage of patients (or reports, if patients are unknown) in train, validate and test."
    ),
]
StructuredCorpus = Annotated[
    Path,
    typer.Argument(
        help="Reports, views of `read --as lunguage`, timelines of `follow`, or LUNGUAGE's annotation table."
    ),
]
JudgePhrases = Annotated[
    bool, typer.Option("--judge", help="Also score location and recommendation by an LLM judge.")
]
GoldTexts = Annotated[
    Path | None,
    typer.Option("--reports", help="The reports, matched by id, if the gold file contains no text."),
]
Encoding = Annotated[str | None, typer.Option("--encoding", help="Text encoding if not UTF-8, e.g. latin-1.")]
LexiconFile = Annotated[Path | None, typer.Option("--lexicon", help="Additional lexicon rows (TSV).")]
ErrorWeights = Annotated[
    Path | None,
    typer.Option("--weights", help="Your own error weights and significance levels (TOML)."),
]
PatientContext = Annotated[
    bool,
    typer.Option(
        "--context/--no-context",
        help="Let the indication and the patient's age affect the significance of a finding.",
    ),
]
DefinitionSet = Annotated[
    str,
    typer.Option(
        "--definitions",
        help="Which definitions of the conditions CLEAR and SRRG use: wide, coded, or your own file (TOML).",
    ),
]
LabelSource = Annotated[
    str,
    typer.Option(
        "--labels",
        help="How SRRG lines get their labels: rules (from the findings), model (the network's label "
        "head), vote (both), or model:FOLDER for a classifier of your own.",
    ),
]
EncoderName = Annotated[
    str,
    typer.Option(
        "--encoder",
        help="How phrases are compared: embedded, judge, medcpt, biolord, or several joined by +.",
    ),
]
ModelFolder = Annotated[
    Path | None,
    typer.Option(
        "--models",
        help="Folder with trained models, one subfolder each (`overread models get`; default: "
        "OVERREAD_MODELS).",
    ),
]
CandidateId = Annotated[str | None, typer.Option("--candidate-id", help="Like --id, for the candidates.")]
CandidateText = Annotated[
    str | None, typer.Option("--candidate-text", help="Like --text, for the candidates.")
]
ItemSeconds = Annotated[
    float,
    typer.Option(
        "--item-seconds", min=0.001, help="Time limit per item in seconds; an item that exceeds it fails."
    ),
]
MaxCharacters = Annotated[
    int,
    typer.Option(
        "--max-characters",
        min=1,
        help="Length limit per report in characters; an item that exceeds it fails.",
    ),
]
Share = Annotated[
    bool,
    typer.Option(
        "--share", help="Make the output readable by other users of this machine (according to the umask)."
    ),
]
Shards = Annotated[
    Path | None,
    typer.Option(
        "--shards",
        metavar="DIR",
        rich_help_panel=MANY,
        help="Process any number of reports shard by shard, writing one part file per shard to DIR. The "
        "input is a table or a folder of tables.",
    ),
]
Resume = Annotated[
    bool,
    typer.Option("--resume", rich_help_panel=MANY, help="With --shards: resume, skipping finished shards."),
]
ShareOf = Annotated[
    str | None,
    typer.Option(
        "--shard",
        metavar="I/N",
        rich_help_panel=MANY,
        help="With --shards: process only part I of N, for job arrays.",
    ),
]
Engine = Annotated[
    str,
    typer.Option(
        "--engine",
        rich_help_panel=MANY,
        help="With --shards: run on local, ray or spark; the output is identical.",
    ),
]
Jobs = Annotated[int, typer.Option("-j", "--jobs", min=1, help="Number of worker processes.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar and no notes on standard error.")]


Check = Annotated[
    bool,
    typer.Option(
        "--check",
        help="Check each finding against the text a second time and flag doubtful ones, with reasons.",
    ),
]


def metrics_option(default: Sequence[str]) -> Any:
    """Metrics by name; the help says which are asked about otherwise."""
    return typer.Option(
        "--metric",
        "--metrics",
        "-m",
        help="Metric by name (`overread score --list`); comma-separated or repeated. "
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
