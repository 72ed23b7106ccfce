"""--definitions, from the command line to the files of a run."""

import json

import pytest
from tests.cli.as_typed import overread

from overread.systems.clear.schema import CONDITIONS

REPORTS = [
    {"id": "a", "text": "FINDINGS: Clips in the right breast. Possible left pneumonia. Hyperinflated lungs."},
    {"id": "b", "text": "FINDINGS: Right chest port. Small left effusion."},
]


@pytest.fixture
def reports(tmp_path):
    path = tmp_path / "reports.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in REPORTS), "utf-8")
    return path


@pytest.mark.parametrize("system", ["clear", "srrg"])
def test_wide_is_the_default(reports, system):
    plain = overread("read", reports, "--as", system, "-q")
    assert plain.returncode == 0
    assert overread("read", reports, "--as", system, "-q", "--definitions", "wide").stdout == plain.stdout
    assert overread("read", reports, "--as", system, "-q", "--definitions", "coded").stdout != plain.stdout


def test_coded_tables(reports):
    lines = overread("read", reports, "--as", "clear", "-q", "--definitions", "coded").stdout.splitlines()
    first, second = (json.loads(line)["conditions"] for line in lines)
    assert first["Support Devices"]["presence"] == first["Pneumonia"]["presence"] == "unclear"
    assert second["Support Devices"]["presence"] == second["Pleural Effusion"]["presence"] == "positive"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--as", "clear", "--definitions", "narrow"), "Known: coded,"),
        (("--as", "radsem", "--definitions", "coded"), "radsem knows no conditions"),
        (("--as", "clear", "--definitions", "coded", "--by", "llm"), "use --by network"),
    ],
)
def test_what_cannot_be_is_said(reports, args, told):
    done = overread("read", reports, *args)
    assert done.returncode == 2
    assert told in " ".join(done.stderr.split())


def test_a_run_keeps_its_definitions_and_other_ones_do_not_compare(reports, tmp_path):
    wide, coded = tmp_path / "wide", tmp_path / "coded"
    common = ("-m", "clear,f1-srr,radsem", "--no-page", "-q", "--resamples", "20")
    assert overread("score", reports, reports, "-o", wide, *common).returncode == 0
    assert overread("score", reports, reports, "-o", coded, "--definitions", "coded", *common).returncode == 0
    one, two = (json.loads((place / "manifest.json").read_text("utf-8")) for place in (wide, coded))
    assert (one["recipe"]["definitions"], two["recipe"]["definitions"]) == ("wide", "coded")
    assert "definitions" not in one["signatures"]["clear"]
    assert "|definitions:coded-" in two["signatures"]["clear"]
    assert one["signatures"]["radsem"] == two["signatures"]["radsem"]
    assert one["fingerprint"] != two["fingerprint"]
    refused = overread("compare", wide, coded)
    assert refused.returncode == 2
    assert "different settings" in refused.stderr


def test_a_corpus_is_built_by_the_definitions(reports, tmp_path):
    done = overread("build", "srr", reports, "-o", tmp_path / "corpus", "-q", "--definitions", "coded")
    assert done.returncode == 0
    assert "Emphysema" not in (tmp_path / "corpus" / "utterances.jsonl").read_text("utf-8")


def test_experts_are_met_on_their_own_definitions(reports, tmp_path):
    experts = tmp_path / "experts.csv"
    rows = [["study_id", *CONDITIONS], ["a", *("0" for _ in CONDITIONS)], ["b", *("1" for _ in CONDITIONS)]]
    experts.write_text("".join(",".join(row) + "\n" for row in rows), "utf-8")
    done = overread("validate", "clear", experts, reports, "--definitions", "coded")
    assert done.returncode == 0, done.stderr
    tables = tmp_path / "clear.jsonl"
    overread("read", reports, "--as", "clear", "-o", tables, "-q")
    refused = overread("validate", "clear", experts, tables, "--definitions", "coded")
    assert refused.returncode == 2
    assert "read already" in " ".join(refused.stderr.split())
