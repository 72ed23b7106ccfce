"""The leaderboard: every submission under bench/results/, as a page of the documentation."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from overread.bench.figures import FEW
from overread.bench.sets import CANARY, SETS, VERSION
from overread.bench.submission import Submission, submissions
from overread.bench.tables import PAIRS, cost, grid, percent, within

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


def sets_of(found: Sequence[Submission]) -> list[str]:
    return [name for name in SETS if any(name in one.figures for one in found)]


def table(found: Sequence[Submission]) -> str:
    """A row for each, best first."""
    sets = sets_of(found)
    head = ["metric", "overall", *sets, PAIRS, "laws broken", "s / 1,000 pairs"]
    rows = [
        [
            named(one),
            within(one.overall),
            *(percent(one.figures[name].value) if name in one.figures else "–" for name in sets),
            percent(one.pairs.share) if one.pairs else "–",
            f"{one.laws_broken} of {one.laws}",
            cost(one.seconds),
        ]
        for one in found
    ]
    return grid(head, rows)


def named(one: Submission) -> str:
    told = f"{one.name} {one.version}".strip()
    return f"[{told}]({one.url})" if one.url else told


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
    parts = [ABOUT, table(found), "", asked(found[0]), "", "## By modality", "", by_modality(found), ""]
    if others:
        told = ", ".join(f"{one.name} ({within(one.overall)})" for one in others)
        parts += ["## Other sets or samples", "", f"Not comparable with the table above: {told}.", ""]
    return "\n".join([*parts, PUBLIC])


def asked(one: Submission) -> str:
    told = ", ".join(f"{name} {count}" for name, count in one.asked.items())
    return f"Questions: {told}. What each set asks stands on the page of the [bench](bench.md)."
