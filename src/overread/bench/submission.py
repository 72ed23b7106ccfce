"""One metric's figures as a file for bench/results/, and the leaderboard of all that were sent."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from overread.bench.figures import FEW, Count, Standing
from overread.bench.run import Metrics
from overread.bench.sets import CANARY, SETS, VERSION
from overread.bench.tables import PAIRS, cost, grid, percent, within
from overread.errors import BadInput
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


def submission(one: Standing, found: Metrics, version: str, url: str) -> Submission:
    ranked = one.sets.get("rankings")
    return Submission(
        name=one.metric.title,
        version=version,
        url=url,
        settings=one.metric.signature,
        family=one.metric.family,
        bench=VERSION,
        sets=found.asked.hashes,
        asked=found.asked.sets,
        overall=one.overall,
        figures={name: figure.share for name, figure in one.sets.items()},
        pairs=ranked.ordered if ranked else None,
        kinds=ranked.pairs if ranked else {},
        modalities=one.modalities,
        laws_broken=one.laws_broken,
        laws=one.laws,
        seconds=one.seconds,
        money=one.money,
        unscored=sum(figure.unscored for figure in one.sets.values()),
        sample=found.asked.sample,
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


ABOUT = f"""# Leaderboard

Which metric can be trusted? Correct answers in per cent on the [bench](bench.md), version {VERSION}. Overall is the
mean of the sets, with equal weights and a 95% confidence interval; if intervals overlap, neither metric should be
called better.
"""
PUBLIC = f"""## What these figures mean

- **The answers are public.** Figures of metrics tuned on the sets are meaningless. Every file with answers contains
  the canary `{CANARY}`.
- Language models wrote the texts; no radiologist has checked them. A figure is an upper bound until it is confirmed
  on real reports.
- We made the sets and some of the metrics. The sets ladders, injected and gaming are made by overread's own reader, and
  its network was trained on statements by the writers of meaning, inside reports and rewrites, on other concepts.
- A metric that gives everything the same score passes harmless rewrites and most laws: look at the columns.

## How to be listed
```sh
overread bench --python mypackage.metrics:my_metric --name "My metric" --release 1.0 --url https://example.org/my-metric
```
Put the file from `overread-bench/submissions/` into `bench/results/` and send it as a pull request. The complete
sets are required (no `--sample`), and others must be able to reproduce the result from the settings.
"""


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
    head = ["metric", "overall", *sets, PAIRS, "laws broken", "s / 1,000 pairs"]
    rows = [
        [
            f"[{told}]({one.url})" if one.url else told,
            within(one.overall),
            *(percent(one.figures[name].value) if name in one.figures else "–" for name in sets),
            percent(one.pairs.share) if one.pairs else "–",
            f"{one.laws_broken} of {one.laws}",
            cost(one.seconds),
        ]
        for one in found
        for told in [f"{one.name} {one.version}".strip()]
    ]
    return grid(head, rows)


def by_modality(found: Sequence[Submission]) -> str:
    names = list(
        dict.fromkeys(n for one in found for n, count in one.modalities.items() if count.asked >= FEW)
    )
    rows = [
        [one.name, *(percent(one.modalities[n].share) if n in one.modalities else "–" for n in names)]
        for one in found
    ]
    return grid(["metric", *names], rows)


def leaderboard(folder: Path) -> str:
    """The page."""
    every = list(submissions(folder))
    found = comparable(every)
    if not found:
        return f"{ABOUT}\nNothing has been sent yet.\n\n{PUBLIC}"
    others = order([one for one in every if one not in found])
    asked = ", ".join(f"{name} {count}" for name, count in found[0].asked.items())
    questions = f"Questions: {asked}. What each set asks stands on the page of the [bench](bench.md)."
    parts = [ABOUT, ranking(found), "", questions, "", "## By modality", "", by_modality(found), ""]
    if others:
        told = ", ".join(f"{one.name} ({within(one.overall)})" for one in others)
        parts += ["## Other sets or samples", "", f"Not comparable with the table above: {told}.", ""]
    return "\n".join([*parts, PUBLIC])
