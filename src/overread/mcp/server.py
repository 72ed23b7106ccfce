"""The protocol server and its tools: texts in, plain values out; and what an assistant may look up besides."""

from collections.abc import Callable
from functools import partial, wraps
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import to_builtins

from overread.errors import BadInput, OverreadError
from overread.extras import require
from overread.lexicon.lexicon import lexicon, look_up
from overread.reader import read
from overread.report import parse
from overread.runner.explained import explained
from overread.runner.limits import describe
from overread.runner.measures import check_metric, choose, measure, names
from overread.runner.readings import find_errors
from overread.runner.scores import score
from overread.runner.views import Views
from overread.sources import from_records, patients
from overread.systems.lunguage.by_rules import view
from overread.systems.lunguage.follow import follow
from overread.systems.lunguage.schema import StudyView
from overread.systems.registry import SYSTEMS
from overread.systems.registry import system as named
from overread.systems.srrg.labellers import check_labels
from overread.version import __version__

LONGEST_TEXT = 200_000


System = Literal["lunguage", "radsem", "clear", "srrg", "longitudinal", "ledger"]
LabelSource = Literal["rules", "model", "vote"]
"""Who labels the lines of SRRG; a folder of the user's is not for an assistant to name."""


def read_report(text: str, system: System = "lunguage", labels: LabelSource = "rules") -> dict[str, Any]:
    """What a radiology report says, finding by finding, with the words that say it.

    system: lunguage (findings with attributes), radsem (plain sentences), clear (13 conditions), srrg (template and
    labels) or longitudinal (comparisons with earlier studies).
    labels: who labels the lines of srrg: rules, model (a small network) or vote (both).
    """
    check_labels(labels, system=system)
    return plain_values(Views(parse(not_too_long(text)), labels=labels).of(named(system)))


def plain_values(found: Any) -> dict[str, Any]:
    return dict(to_builtins(found))


def score_pair(
    reference: str, candidate: str, metrics: list[str] | None = None, labels: LabelSource = "rules"
) -> dict[str, Any]:
    """How clinically right a candidate report is, held against a reference; metric → value, or why there is none.

    Each with the signature that says how it was made. labels: who labels the lines for the metrics of srrg: rules,
    model (a small network) or vote (both).
    """
    wanted = choose(metrics or ["overread", "radsem", "clear"], patients=False)
    for name in wanted:
        check_metric(name)
    texts = [not_too_long(reference)], [not_too_long(candidate)]
    found = score(*texts, metrics=wanted, labels=labels, resamples=1, shuffles=1)
    return {
        row.metric: {
            "value": row.value,
            "why": row.why or row.failed,
            "signature": found.ranking(row.metric).signature,
        }
        for row in found.rows
    }


def list_errors(reference: str, candidate: str) -> dict[str, Any]:
    """Every error of a candidate report, most serious first: kind, words, significance, suggested correction."""
    return plain_values(find_errors(not_too_long(reference), not_too_long(candidate)))


def explain(text: str) -> dict[str, Any]:
    """How a sentence is read: words, findings, atoms, scopes, and the lexicon rows and rules behind each."""
    return explained(read(parse(not_too_long(text))), lexicon())


def follow_patient(studies: list[dict[str, Any]]) -> dict[str, Any]:
    """One patient's findings through time: which are the same, and in which episode.

    studies: one object per study with `text` and `day` (days from any start) or `date`, in any order.
    """
    if not studies:
        raise BadInput("Give at least one study: an object with text and day or date.")
    for n, study in enumerate(studies, 1):
        if not isinstance(study.get("text"), str) or not {"day", "date"} & set(study):
            raise BadInput(f"Study {n} needs a `text`, and a `day` or a `date`.")
    rows = [{"patient": "patient", "study": str(n), **study} for n, study in enumerate(studies, 1)]
    (one,) = patients(from_records(rows, name="studies"))
    views = [StudyView(s.report.study or str(s.number), s.day, view(read(s.report))) for s in one.studies]
    return plain_values(follow(one.id, views))


def about_term(term: str) -> dict[str, Any]:
    """Everything the lexicon says about one term."""
    return plain_values(look_up(term, lexicon()))


def not_too_long(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"The text is longer than {LONGEST_TEXT:,} characters; give one report at a time.")
    return text


def concepts() -> str:
    """Every concept the lexicon knows, with its kind and what it is a kind of."""
    words = lexicon()
    lines = (
        f"{one.name}\t{one.kind}\t{' < '.join(list(words.ancestors(one.name))[1:])}"
        for one in words.concepts.values()
    )
    return "concept\tkind\tis a\n" + "\n".join(lines) + "\n"


def metrics() -> str:
    """Every metric with one line about it."""
    told = []
    for name in names():
        try:
            told.append(f"{name}\t{measure(name).about}")
        except Exception as error:  # a metric of others whose package is not installed
            told.append(f"{name}\t{error}")
    return "\n".join(told) + "\n"


def formulas(system: str) -> str:
    """A system's own page: view, formula, worked examples, where it differs from its paper."""
    if system not in SYSTEMS:
        return f"{named(system).about}\n"
    return (files(f"overread.systems.{system}") / "README.md").read_text("utf-8")


TELLS = """Reads radiology reports offline: what a report says, how correct a candidate is, which errors it makes, and
why a sentence is read as it is. It compares reports with reports and makes no statement about a patient."""

TOOLS = (read_report, score_pair, list_errors, explain, follow_patient)


def build_server() -> Any:
    made, missing = [offered(tool) for tool in TOOLS], partial(failing_as, "ResourceNotFoundError")
    server = require("mcp.server", "mcp").MCPServer(
        "overread",
        instructions=TELLS,
        version=__version__,
        tools=made,
        log_level="CRITICAL",  # whoever asked is told what went wrong; the SDK would log tracebacks besides
    )
    server.resource("overread://lexicon", mime_type="text/tab-separated-values")(concepts)
    server.resource("overread://lexicon/{term}", mime_type="application/json")(missing(about_term))
    server.resource("overread://formulas", mime_type="text/tab-separated-values")(metrics)
    server.resource("overread://formulas/{system}", mime_type="text/markdown")(missing(formulas))
    return server


def offered(tool: Callable[..., dict[str, Any]]) -> Any:
    """The tool as the protocol has it: it only looks, and complaints about its arguments do not quote them."""
    types = require("mcp_types", "mcp")
    looks = types.ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )

    @wraps(tool)
    def answered(*args: Any, **given: Any) -> Any:
        said = tool(*args, **given)
        text = msgspec.json.encode(said).decode()  # without indentation: an assistant pays for every blank
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], structured_content=said
        )

    made = require("mcp.server.mcpserver.tools", "mcp").Tool.from_function(
        failing_as("ToolError", answered), annotations=looks
    )
    made.fn_metadata.arg_model.model_config["hide_input_in_errors"] = True
    made.fn_metadata.arg_model.model_rebuild(force=True)
    return made


def failing_as(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
    """The tool or resource, failing with this error of the protocol in words that never quote a report."""
    failure = getattr(require("mcp.server.mcpserver.exceptions", "mcp"), name)

    @wraps(work)
    def asked(*args: Any, **given: Any) -> Any:
        try:
            return work(*args, **given)
        except OverreadError as error:
            raise failure(str(error)) from None
        except Exception as error:
            raise failure(f"Something went wrong: {describe(error)}") from None

    return asked


def run() -> None:
    build_server().run()
