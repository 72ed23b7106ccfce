"""What the systems see in one report, each made once however many metrics ask."""

from collections.abc import Callable, Container, Iterable, Sequence
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace

from overread.errors import AskFailed, BadInput, OverreadError
from overread.formats import load
from overread.lexicon.lexicon import Lexicon, adopt, lexicon, with_user_rows
from overread.llm.outcome import Failure
from overread.reader import Reading, read
from overread.reader.check import Doubt, check
from overread.reader.reading import NOTHING_RECOGNISED
from overread.report import Report
from overread.report.passed_over import language
from overread.runner.limits import Limits, Tell, attempted, describe, shortened, timed, unfailed, warned
from overread.runner.settings import Settings
from overread.runner.view_files import ViewFile, load_view_file, views_kind
from overread.sources.columns import Side
from overread.systems.base import Metric, Score, System
from overread.systems.definitions import WIDE, Definitions, chosen, defined
from overread.systems.ledger.schema import Account
from overread.systems.lunguage.schema import StructuredReport
from overread.systems.registry import system as named
from overread.systems.srrg.labellers import labelled_by

if TYPE_CHECKING:
    from overread.llm import Client


Attempt = TypeVar("Attempt")


class Views(Struct, dict=True):
    """A report read on first demand, by the network or by asking a language model, and the systems' views of it.

    What a file holds already is taken from there. What a model fails to give fails its scores, and is never made up.
    """

    report: Report
    words: Lexicon | None = None
    definitions: Definitions = WIDE
    labels: str = "rules"
    check: bool = False
    client: "Client | None" = None
    file: ViewFile | None = None
    made: dict[str, Any] = {}
    """System → its view, once it has been asked for."""

    @cached_property
    def reading(self) -> Reading:
        return read(self.report, self.words)

    def of(self, system: System) -> Any:
        """The system's view; the reading behind it is shared by all of them."""
        if system.name not in self.made:
            self.made[system.name] = self.make(system)
        return self.made[system.name]

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """What is doubtful in the reading; nothing where it is not to be checked."""
        return check(self.reading) if self.check else ()

    def make(self, system: System) -> Any:
        if self.file is not None and system.name == self.file.system and self.report.id in self.file.views:
            return self.file.views[self.report.id]
        if self.client is None or not self.report.text.strip():  # an empty report reads the same either way
            return labelled_by(defined(system, self.definitions), self.labels).by_rules(self.reading)
        (found,) = views_by_llm(system)(self.client, [self.report])
        return answered(found)

    def score(self, system: System, metric: Metric, candidate: "Views") -> Score:
        """The candidate's view held against this one; some systems let a model that reads compare them as well."""
        views = self.of(system), candidate.of(system)
        by_model = (
            getattr(import_module(system.by_llm), "score", None) if self.client and system.by_llm else None
        )
        found: Score = by_model(self.client, metric.name, *views) if by_model else metric.score(*views)
        return found


def answered(found: Any) -> Any:
    """What a model has answered; that it has not is an error."""
    if isinstance(found, Failure):
        raise AskFailed(f"{found.stage}: {found.reason}")
    return found


def views_by_llm(system: System) -> Callable[..., Any]:
    """The function that asks a language model for a system's views of many reports."""
    if system.by_llm is None:
        raise BadInput(f"{system.name} cannot be read by a language model; use --by network.")
    found: Callable[..., Any] = import_module(system.by_llm).views
    return found


def asked_views(
    client: "Client", system: System, reports: Sequence[Report], limits: Limits | None
) -> "list[Any | Failure | Unread]":
    """A language model's views of the reports, or why there is none, in order; one that is too large is not asked."""
    large = {one.id: limits.too_large("report", one.text) if limits else None for one in reports}
    answers = iter(views_by_llm(system)(client, [one for one in reports if large[one.id] is None]))
    return [Unread(one.id, "llm", why) if (why := large[one.id]) else next(answers) for one in reports]


def encode_view(view: Any) -> bytes:
    """A view as JSON; sets, which only the ledger's has, sorted: the same report gives the same bytes."""
    return encode(view, order="deterministic" if isinstance(view, Account) else None)


def lexicon_of(path: str | Path | None) -> Lexicon:
    """The shipped lexicon, with a user's rows on top where a file is named."""
    adopt(with_user_rows(Path(path)) if path else None)
    return lexicon()


class Unread(Struct, frozen=True):
    """A report without a view."""

    item: str
    stage: str
    reason: str
    """In words, without report text."""


def unless_failed(id: str, work: Callable[[], Attempt]) -> Attempt | Unread:
    """What it gives, or in words why there is nothing: one report does not end a run.

    >>> unless_failed("7", lambda: int("x")).item
    '7'
    """
    try:
        return work()
    except OverreadError:
        raise
    except Exception as error:
        return Unread(id, "network", describe(error))


def reader_of(
    name: str, settings: Settings, client: "Client | None" = None, limits: Limits | None = None
) -> Callable[[Sequence[Report]], "Iterable[Any | Failure | Unread]"]:
    """How a batch of reports becomes a system's views: read here, or by asking a model about all of them at once."""
    asked = named(name)
    if client is not None:
        return partial(asked_views, client, asked, limits=limits)
    words, meant = lexicon_of(settings.lexicon), chosen(settings.definitions)

    def made(report: Report) -> Any:
        views = Views(report, words, meant, settings.labels, settings.check)
        return viewed(views, asked, limits) if limits else unless_failed(report.id, lambda: views.of(asked))

    return lambda reports: map(made, reports)


def views_in(
    path: Path,
    name: str,
    *,
    labels: str = "rules",
    definitions: Definitions = WIDE,
    side: Side = "either",
    only: Container[str] | None = None,
    tell: Tell = warned,
) -> tuple[dict[str, Any], Sequence[Report]]:
    """The views of one system by report, as they stand in a file or made of the reports in it, and the reports.

    Reports are those among `only`, where that is given; one that cannot be read is named, and left out of the views.
    """
    kind = views_kind(path)
    if kind is None or (kind == "table" and name != "lunguage"):
        reports = [one for one in load(path, side=side) if only is None or one.id in only]

        def made(report: Report) -> tuple[str, Any]:
            return report.id, Views(report, definitions=definitions, labels=labels).of(named(name))

        return dict(unfailed(reports, made, lambda one: one.id, tell)), reports
    found = load_view_file(str(path))
    if found.system != name:
        raise BadInput(f"{path} holds views of {kind}; give reports or views of `overread read --as {name}`.")
    return found.views, found.reports


class Silent(Struct):
    """How much of many reports was not read, and why; ids and counts, no text."""

    sentences: int = 0
    reports: list[str] = []
    languages: dict[str, list[str]] = {}

    def add(self, reading: Reading) -> None:
        name = language(reading.report.text)
        if name:
            self.languages.setdefault(name, []).append(reading.report.id)
        elif silent := [one for one in reading.not_read if one.reason == NOTHING_RECOGNISED]:
            self.sentences += len(silent)
            self.reports.append(reading.report.id)

    @property
    def told(self) -> list[str]:
        """One line each, for people."""
        lines = [
            f"{shortened(ids)} in {name}: not read; only English is supported."
            for name, ids in self.languages.items()
        ]
        if self.sentences:
            many = f"{self.sentences} sentence{'s' if self.sentences > 1 else ''}"
            lines.append(
                f"{many} of {shortened(tuple(self.reports))} yielded no findings: nothing was recognised."
            )
        return lines


def viewed(views: Views, system: System, limits: Limits, silent: Silent | None = None) -> Any:
    """The view of a report, with its doubts where they are wanted; or why there is none: too long, out of time."""

    def looked_at() -> Any:
        view = views.of(system)
        found = Doubted(view, views.doubts) if views.check else view
        if silent is not None:
            silent.add(views.reading)
        return found

    report = views.report
    with timed(limits.seconds) as clock:
        found = limits.too_large("report", report.text) or attempted(looked_at, clock)
    return Unread(report.id, "network", found) if isinstance(found, str) else found


class Doubted(Struct, frozen=True):
    """A view of a report, and what is doubtful behind it."""

    view: Any
    doubts: tuple[Doubt, ...]
    """In the order of the text."""


class DoubtCount(Struct, forbid_unknown_fields=True):
    """Doubts counted as reports go by."""

    doubtful: int = 0
    reports: int = 0
    """Reports with something doubtful."""

    def add(self, doubts: Sequence[Doubt]) -> None:
        """Those of one report."""
        self.doubtful += len(doubts)
        self.reports += bool(doubts)

    @property
    def told(self) -> str:
        """
        >>> DoubtCount(3, 2).told
        '3 doubtful in 2 reports'
        """
        return f"{self.doubtful} doubtful in {self.reports} {'report' if self.reports == 1 else 'reports'}"


def doubts_of(view: Any) -> tuple[Doubt, ...]:
    """The doubts a view carries."""
    return view.doubts if isinstance(view, Doubted) else ()


def with_doubts(view: StructuredReport, doubts: tuple[Doubt, ...]) -> StructuredReport:
    """LUNGUAGE's view whose findings have their doubts; the others stand beside them."""
    own = {f.id for f in view.findings}
    findings = [replace(f, doubts=[d for d in doubts if d.finding == f.id]) for f in view.findings]
    return replace(view, findings=findings, doubts=[d for d in doubts if d.finding not in own])


def as_json(view: Any) -> bytes:
    """A view as JSON, doubts and all; parts of other systems' views than LUNGUAGE's are no findings."""
    if not isinstance(view, Doubted):
        return encode_view(view)
    if isinstance(view.view, StructuredReport):
        return encode_view(with_doubts(view.view, view.doubts))
    plain: dict[str, Any] = msgspec.json.decode(encode_view(view.view))
    return msgspec.json.encode(plain | {"doubts": view.doubts})
