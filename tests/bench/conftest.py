"""A corpus small enough to be benched in seconds, a stand-in judge, and metrics of a user's own."""

import gzip
import json
import sys
from zlib import crc32

import pytest
from tests.cli.as_typed import app
from tests.llm.conftest import Loopback
from typer.testing import CliRunner

from overread.bench import run as the_run
from overread.bench import sets as the_sets

RANKINGS = """# s-001 modality=XR_chest kind=laterality
R Small left pleural effusion. No pneumothorax.
1 There is a little fluid in the left pleural space and no pneumothorax.
2 Small right pleural effusion. No pneumothorax.
! side | right pleural effusion | significant | left
3 No pleural effusion. Large right pneumothorax.
! denied | No pleural effusion | significant
! false | Large right pneumothorax | critical
# s-002 modality=CT_abdomen kind=omission
R The liver is enlarged. There is a gallstone. The spleen is normal.
1 Hepatomegaly. A stone lies in the gallbladder. Normal spleen.
2 The liver is enlarged. The spleen is normal.
! missed | gallstone | minor
=3 There is a gallstone. The spleen is normal.
! missed | liver is enlarged | minor
"""
REPORTS = """% modality: XR chest
% setting: ward
% style: prose
% writer: s
# s-101
F There is a small right pleural effusion.
- pleural effusion + ; loc=right ; sev=small
F The heart is mildly enlarged.
- heart + ; mor=enlarged ; sev=mildly
F A 2 cm nodule lies in the left upper lobe.
- nodule + ; loc=left upper lobe ; mea=2 cm
F No pneumothorax is seen.
- pneumothorax -
# s-102
F There is mild pulmonary edema.
- pulmonary edema + ; sev=mild
F There is atelectasis at the left base.
- atelectasis + ; loc=left base
F No rib fracture is seen.
- rib fracture -
"""
GROUPS = (
    (
        "presence", "There is ascites.",
        ("Free fluid lies in the abdomen.", "Ascites."), ("No ascites.", "The abdomen is dry."),
    ),
    (
        "side", "Left rib fracture.",
        ("A rib is broken on the left.", "Rib fracture, left."), ("Right rib fracture.", "No rib is broken."),
    ),
    (
        "negation", "No pneumothorax.",
        ("The pleura holds no air.", "There is no pneumothorax."), ("Pneumothorax.", "A lung has collapsed."),
    ),
)  # fmt: skip


def held_out() -> str:
    """A concept that is kept from training."""
    return next(name for n in range(100) if crc32((name := f"concept {n}").encode()) % the_sets.HELD_OUT == 0)


@pytest.fixture
def corpus(tmp_path):
    """Two rankings, two annotated reports, three groups, and the statements of one report."""
    place = tmp_path / "corpus"
    for name in ("rankings", "test", "meaning"):
        (place / name).mkdir(parents=True)
    (place / "rankings" / "s.rank").write_text(RANKINGS)
    (place / "test" / "s.txt").write_text(REPORTS)
    rows = [
        {
            "id": f"g{n}{report}", "kind": kind, "concept": held_out(), "original": original, "same": same,
            "opposite": other, "other": [], **({"report": "r1"} if report else {}),
        }
        for report in ("", "r")
        for n, (kind, original, same, other) in enumerate(GROUPS)
    ]  # fmt: skip
    with gzip.open(place / "meaning" / "groups.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return place


@pytest.fixture(autouse=True)
def _small_sets(monkeypatch):
    """Sets of the usual shape with few items, and no memory of another test's corpus."""
    for name in ("MEANING", "REWRITES"):
        monkeypatch.setattr(the_sets, name, 2)
    monkeypatch.delenv("OVERREAD_BENCH_PRIVATE", raising=False)
    for one in (the_sets.held_out_groups, the_sets.annotated, the_sets.reports, the_sets.changed):
        one.cache_clear()


@pytest.fixture
def timed_alone():
    """For a test that asks for the time of metrics as a user gets it: in a process of its own for each."""


@pytest.fixture(autouse=True)
def _timed_here(request, monkeypatch):
    if "timed_alone" not in request.fixturenames:
        monkeypatch.setattr(the_run, "seconds_alone", the_run.seconds)


@pytest.fixture
def bench(corpus, tmp_path):
    """`overread bench` on the small corpus, into a folder of its own."""

    def run(*arguments, into="out"):
        words = ["bench", "--corpus", corpus, "-o", tmp_path / into, *arguments]
        return CliRunner().invoke(app, [str(word) for word in words])

    return run


@pytest.fixture
def result(tmp_path):
    return lambda into="out": json.loads((tmp_path / into / "bench.json").read_text())


@pytest.fixture
def own_metrics(tmp_path, monkeypatch):
    """A module `own_metrics` that can be imported, with a count of the pairs it was asked."""
    (tmp_path / "own_metrics.py").write_text(
        "asked = []\n"
        "fail_after = [None]\n"
        "def words(references, candidates):\n"
        "    if fail_after[0] is not None and len(asked) >= fail_after[0]:\n"
        "        raise KeyboardInterrupt\n"
        "    asked.extend(zip(references, candidates))\n"
        "    return [share(r, c) for r, c in zip(references, candidates)]\n"
        "def share(r, c):\n"
        "    one, two = set(r.lower().split()), set(c.lower().split())\n"
        "    return len(one & two) / max(1, len(one | two))\n"
        "def distance(references, candidates):\n"
        "    return [1 - share(r, c) for r, c in zip(references, candidates)]\n"
        "def silent(references, candidates):\n"
        "    return [None] * len(references)\n"
        "def texts(references, candidates):\n"
        "    return ['much'] * len(references)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("own_metrics", None)
    import own_metrics

    yield own_metrics
    sys.modules.pop("own_metrics", None)


@pytest.fixture
def server():
    loopback = Loopback()
    yield loopback
    loopback.close()
