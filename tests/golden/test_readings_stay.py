"""What is read and scored today, report by report: nobody changes it without noticing.

A change that is meant is accepted with

    python tests/golden/test_readings_stay.py

and the commit shows how many reports it concerns. The network gives the same bits on every processor; what numpy makes
of them may differ in a last bit, and so a probability that lies on a threshold.
"""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from overread.corpus.files import load_annotated, notation_files
from overread.corpus.records import lay_out
from overread.examples import REFERENCES, SYSTEMS, folder
from overread.reader import read
from overread.report import parse
from overread.runner.measures import systems
from overread.sources import load_source as load_reports

HERE = Path(__file__).parent
FILE = HERE / "readings.json"
CORPUS = HERE.parents[1] / "corpus" / "dev"
FEW = 0.01
"""Share of the reports that may read otherwise on another machine."""

NEAR = 0.011
"""Scores are rounded to two digits; so far apart may be two that are the same."""

METRICS = ("overread", "radsem", "lunguage")


def digest(told):
    return sha256(json.dumps(told, ensure_ascii=False).encode()).hexdigest()[:10]


def findings(reading):
    return [
        [
            f.entity,
            f.span.start,
            f.concept,
            f.kind,
            f.status,
            f.level,
            f.category,
            len(f.associate),
            len(f.evidence),
        ]
        + [[a.relation, a.text, a.concept, a.side] for a in f.attributes]
        for f in reading.findings
    ]


def views(reading):
    atoms = systems.system("radsem").by_rules(reading).atoms
    claims = systems.system("ledger").by_rules(reading).claims
    return [
        [[a.text, a.normality] for a in atoms],
        [[c.name, c.polarity, c.degree, c.change, c.position] for c in claims],
    ]


def scores(reference, candidate):
    made = []
    for name in METRICS:
        system, metric = systems.metrics()[name]
        score = metric.score(*(system.by_rules(read(one)) for one in (reference, candidate)))
        made.append(None if score.value is None else round(score.value, 2))
    return made


def found(step=1):
    """Digests and scores by id; only of one pair and one annotated report in so many."""
    told = {}
    with folder() as place:
        references = {report.id: report for report in load_reports(place / REFERENCES)}
        candidates = {name: list(load_reports(place / f"{name}.jsonl")) for name in SYSTEMS}
    for id, report in references.items():
        told[id] = digest([findings(read(report)), views(read(report))])
    pairs = [(name, r) for name, reports in candidates.items() for r in reports if r.id in references]
    for name, report in pairs[::step]:
        told[f"{name} {report.id}"] = scores(references[report.id], report)
    for _, report in list(load_annotated(notation_files([CORPUS])))[:: 9 * step]:
        reading = read(parse(lay_out(report).text, report.id))
        told[report.id] = digest([findings(reading), views(reading)])
    return told


def same(known, now):
    """A reading by its digest, scores by how near they are."""
    if isinstance(known, str):
        return known == now
    pairs = zip(known, now, strict=True)
    return all(a == b if None in (a, b) else abs(a - b) <= NEAR for a, b in pairs)


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_readings_and_scores_are_as_they_were(step):
    known, now = json.loads(FILE.read_text("utf-8")), found(step)
    assert known.keys() >= now.keys()
    assert step > 1 or known.keys() == now.keys()
    other = [id for id, value in now.items() if not same(known[id], value)]
    assert len(other) <= FEW * len(now), f"{len(other)} of {len(now)} read or score otherwise: {other[:8]}"


if __name__ == "__main__":
    FILE.write_text(json.dumps(found(), indent=0) + "\n", "utf-8")
