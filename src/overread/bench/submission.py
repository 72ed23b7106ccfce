"""One metric's figures as a file for bench/results/, and the leaderboard of all that were sent."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from overread.bench.figures import Count, Standing
from overread.bench.run import Metrics
from overread.bench.sets import CANARY, SETS, VERSION
from overread.bench.tables import grid, head, row, shares, within
from overread.errors import BadInput
from overread.pages.render import template
from overread.stats.bootstrap import Interval
from overread.whole import write_whole

UNFIT = re.compile(r"[^a-z0-9]+")


class Submission(Struct, frozen=True, forbid_unknown_fields=True):
    """What the leaderboard must know."""

    name: str
    version: str
    url: str
    settings: str
    """The signature: everything that decides the numbers."""

    family: str
    bench: str
    sets: dict[str, str]
    """Set → hash of its items."""

    asked: dict[str, int]
    overall: Interval
    figures: dict[str, Interval]
    pairs: Count | None
    """Pairs of candidates of the rankings that stand in the right order."""

    kinds: dict[str, Count]
    """The same by kind of ranking."""

    modalities: dict[str, Count]
    laws_broken: int
    laws: int
    seconds: float | None
    money: float | None
    unscored: int
    sample: int | None = None
    canary: str = CANARY

    @property
    def whole(self) -> bool:
        """Were all items of every set asked?"""
        return self.sample is None


OF_THE_STANDING = (
    "overall", "figures", "pairs", "kinds", "modalities", "laws_broken", "laws", "seconds", "money", "unscored",
)  # fmt: skip
"""Fields that are those of a standing."""


def submission(one: Standing, found: Metrics, version: str, url: str) -> Submission:
    return Submission(
        name=one.metric.title,
        version=version,
        url=url,
        settings=one.metric.signature,
        family=one.metric.family,
        bench=VERSION,
        sets=found.asked.hashes,
        asked=found.asked.sets,
        sample=found.asked.sample,
        **{name: getattr(one, name) for name in OF_THE_STANDING},
    )


def write_submissions(found: Metrics, folder: Path, version: str, url: str) -> list[Path]:
    """A file for each metric, named after it."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for one in found.standings:
        path = folder / f"{UNFIT.sub('-', one.metric.name.lower()).strip('-')}.json"
        text = msgspec.json.format(msgspec.json.encode(submission(one, found, version, url)), indent=1)
        write_whole(path, text + b"\n")
        written.append(path)
    return written


def submissions(folder: Path) -> Iterator[Submission]:
    """Those of this version of the bench; a file that is none is an error."""
    for path in sorted(folder.glob("*.json")):
        try:
            one = msgspec.json.decode(path.read_bytes(), type=Submission)
        except msgspec.DecodeError as error:
            raise BadInput(f"{path} is no submission: {error}.") from None
        if one.bench == VERSION:
            yield one


def order(found: Sequence[Submission]) -> list[Submission]:
    return sorted(found, key=lambda one: (-one.overall.value, one.name))


def comparable(found: Sequence[Submission]) -> list[Submission]:
    """Those of the sets that most were asked, asked in full."""
    whole = [one for one in found if one.whole]
    marks = Counter(tuple(sorted(one.sets.items())) for one in whole)
    if not marks:
        return []
    [(asked, _)] = marks.most_common(1)
    return order([one for one in whole if tuple(sorted(one.sets.items())) == asked])


def ranking(found: Sequence[Submission]) -> str:
    """A row for each, best first."""
    sets = [name for name in SETS if any(name in one.figures for one in found)]
    told = [f"{one.name} {one.version}".strip() for one in found]
    titles = [f"[{name}]({one.url})" if one.url else name for name, one in zip(told, found, strict=True)]
    return grid(head(sets), (row(one, title, sets) for one, title in zip(found, titles, strict=True)))


def leaderboard(folder: Path) -> str:
    """The page."""
    every = list(submissions(folder))
    found = comparable(every)
    asked = found[0].asked.items() if found else ()
    page: str = template("leaderboard.md.j2", "overread.bench").render(
        ranking=ranking(found) if found else "",
        questions=", ".join(f"{name} {count}" for name, count in asked),
        modalities=shares({one.name: one.modalities for one in found}),
        others=[f"{one.name} ({within(one.overall)})" for one in order([o for o in every if o not in found])],
        version=VERSION,
        canary=CANARY,
    )
    return page + "\n"
