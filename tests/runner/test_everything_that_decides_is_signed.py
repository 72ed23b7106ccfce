"""Change any shipped table, grammar, prompt or definition, and signature and fingerprint move."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

import overread
from overread.llm import Client
from overread.llm.settings import Settings as Asking
from overread.runner.run.job import Job, signatures_of
from overread.runner.settings import Settings
from overread.signature import decides, hash_of, shipped_files
from overread.sources import load_source

ROOT = Path(overread.__file__).parent
DATA = sorted(path for path, _ in shipped_files(ROOT))
HEAD = "table\tid\tconcept\tform\tpath\tunless\tsource\n"
LARGE = [path for path in DATA if path.endswith(".onnx")]
ASK = """
from overread.runner.run.folder import code_hash
from overread.runner.run.job import signatures_of
from overread.runner.settings import Settings
print(code_hash(), *signatures_of(Settings(("radsem", "bleu-4"))).values())
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    place = tmp_path_factory.mktemp("copy") / "overread"
    shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns("__pycache__", "*.onnx"))
    for path in LARGE:
        with (ROOT / path).open("rb") as network:  # its first words are enough: nobody asks it here
            (place / path).write_bytes(network.read(1_000))
    return place


def of(copy):
    return hash_of((path, file) for path, file in shipped_files(copy) if decides(path))


def test_the_walk_finds_every_file_that_is_not_code():
    found = {p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*") if p.is_file()}
    assert set(DATA) == {p for p in found if not p.endswith((".py", ".pyc"))}
    assert len(DATA) > 80


@pytest.fixture(scope="module")
def whole(copy):
    """The hash of the copy as it is; every test leaves it so."""
    return of(copy)


@pytest.mark.parametrize("path", [path for path in DATA if decides(path)])
def test_each_data_file_moves_the_hash(copy, whole, path):
    kept = (copy / path).read_bytes()
    (copy / path).write_bytes(kept + b"\n")
    after = of(copy)
    (copy / path).write_bytes(kept)
    assert after != whole


def test_the_same_bytes_have_the_same_hash(copy, whole):
    assert of(copy) == whole


def test_what_is_left_out_decides_nothing():
    """Words about a folder, pictures, the looks of the page, the help of commands, and the bundled example."""
    left_out = {Path(path).suffix or path for path in DATA if not decides(path)}
    looks = {".svg", ".css", ".js", ".j2"}
    assert left_out == {".md", ".jsonl", ".txt", ".typed", ".toml", ".tsv", *looks}
    assert [p for p in DATA if not decides(p) and p.endswith(".toml")] == [
        "pages/cards.toml",
        "serve/openapi.toml",
        "weights/published.toml",
    ]
    tables = {p for p in DATA if not decides(p) and p.endswith(".tsv")}
    assert tables == {"cli/options.tsv", "cli/build/search.tsv", "pages/faults/kinds.tsv"}
    assert all(Path(p).name == "README.md" for p in DATA if not decides(p) and p.endswith(".md"))


def told(copy):
    """Fingerprint and signatures in another process, started from the copy."""
    place = {**os.environ, "PYTHONPATH": str(copy.parent)}
    done = subprocess.run(
        [sys.executable, "-c", ASK], env=place, capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout.split()


@pytest.fixture(scope="module")
def before(copy):
    return told(copy)


@pytest.mark.parametrize(
    "path", ["lexicon/tables/cues.tsv", "report/headings.tsv", "llm/prompts/standing.md", *LARGE]
)
def test_a_changed_package_signs_otherwise(copy, before, path):
    """The real thing: what a run of the changed package writes beside its scores."""
    kept = (copy / path).read_bytes()
    (copy / path).write_bytes(kept + b"\n\n")
    fingerprint, radsem, bleu = told(copy)
    (copy / path).write_bytes(kept)
    assert fingerprint != before[0]
    assert radsem != before[1]
    assert (bleu != before[2]) == path.startswith("report/")
    assert (judge_in(radsem) != judge_in(before[1])) == path.startswith("network/")


def judge_in(signature):
    return next(part for part in signature.split("|") if part.startswith("network:"))


def test_what_a_user_adds_moves_it(tmp_path):
    own = tmp_path / "own.tsv"
    own.write_text(f"{HEAD}findings\tU1\tzorgle\tzorgle\t-\t-\town\n")
    usual = Settings(("clear",))
    first = signatures_of(replace(usual, lexicon=str(own)))["clear"]
    own.write_text(f"{HEAD}findings\tU1\tzorgle\tzorgles\t-\t-\town\n")
    assert (
        len({signatures_of(usual)["clear"], first, signatures_of(replace(usual, lexicon=str(own)))["clear"]})
        == 3
    )
    assert signatures_of(replace(usual, definitions="coded")) != signatures_of(usual)


@pytest.mark.parametrize(
    "change",
    [
        {"model": ("other",)},
        {"base_url": "http://127.0.0.1:2/v1"},
        {"temperature": 0.5},
        {"seed": 7},
        {"reply_tokens": 9},
        {"shots": 2},
        {"cues": False},
    ],
    ids=str,
)
def test_model_endpoint_and_sampling_stand_in_the_signature(tmp_path, change):
    usual = Asking(
        model=("m",), base_url="http://127.0.0.1:1/v1", cache_file=str(tmp_path / "answers.sqlite")
    )
    reports = load_source(ROOT / "examples" / "references.jsonl")
    told = []
    for settings in (usual, replace(usual, **change)):
        job = Job(reports, {"one": reports}, Settings(by="llm"))
        with Client(settings) as client:
            asked = job.settings.asking(client)
        told.append(signatures_of(Settings(("radsem",), "llm", asked.model, dict(asked.asked)))["radsem"])
    assert told[0] != told[1]


def test_how_a_model_is_asked_moves_it(tmp_path):
    bank = tmp_path / "bank.jsonl"
    bank.write_text("{}\n")
    usual = Asking(model=("m",))
    changes = (
        {"temperature": 0.5},
        {"seed": 7},
        {"reply_tokens": 9},
        {"agree": 2},
        {"examples": str(bank)},
        {"examples": str(bank), "shots": 9},
    )
    told = [str(replace(usual, **change).decisive()) for change in ({}, *changes)]
    assert len(set(told)) == len(told)
