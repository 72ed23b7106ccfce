"""LUNGUAGE, appendix E: what a generator is given beside the images, with the true or its own report before."""

import json

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.errors import BadInput, UnknownName
from overread.report import parse
from overread.runner.datasets.generator_inputs import inputs, layout
from overread.sources import patients

TEXTS = (
    ("a1", 0, "INDICATION: Cough. FINDINGS: Small left effusion. IMPRESSION: Effusion."),
    ("a2", 3, "FINDINGS: Larger effusion."),
    ("a3", 9, "INDICATION: Fever. FINDINGS: No effusion."),
)


@pytest.fixture
def people():
    from msgspec.structs import replace

    return list(patients(replace(parse(text, id), patient="a", day=float(day)) for id, day, text in TEXTS))


def test_the_report_before_as_it_was_written(people):
    first, second, third = inputs(people, layout("maira-2"))
    compared = layout("maira-2").compared
    assert first.fields == {"indication": "Cough.", "comparison": "N/A", "prior_report": "None"}
    assert (first.prior, second.prior, third.prior) == (None, "a1", "a2")
    assert first.images == ("frontal", "lateral")
    assert second.images == ("frontal", "lateral", "prior frontal")
    assert second.fields["indication"] == "N/A"
    assert second.fields["prior_report"] == (
        "INDICATION: Cough. COMPARISON: N/A FINDINGS: Small left effusion. IMPRESSION: Effusion."
    )
    assert third.fields["prior_report"] == (
        f"INDICATION: N/A COMPARISON: {compared} FINDINGS: Larger effusion. IMPRESSION: N/A"
    )


def test_cascaded_it_is_what_the_generator_wrote(people):
    written = {"a1": parse("FINDINGS: Clear lungs.", "a1")}
    _, second, third = inputs(people, layout("maira-2"), written)
    assert second.fields["prior_report"] == (
        "INDICATION: Cough. COMPARISON: N/A FINDINGS: Clear lungs. IMPRESSION:"
    )
    assert third.fields["prior_report"] == "None"  # nothing was generated for a2


def test_what_is_being_written_is_never_given(people):
    for name in ("maira-2", "medversa", "libra", "medgemma", "lingshu", "image-alone"):
        last = list(inputs(people, layout(name)))[-1]
        assert "No effusion" not in json.dumps(last.fields)


def test_as_typed_with_a_layout_of_ones_own(tmp_path):
    rows = [{"id": id, "patient": "a", "day": day, "text": text} for id, day, text in TEXTS]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "own.toml").write_text(
        '[mine]\nimages = ["frontal"]\nfields = { prompt = "Why: {history}" }\n'
    )
    words = ["build", "inputs", str(tmp_path / "r.jsonl"), "-o", str(tmp_path / "i.jsonl"), "--for", "mine"]
    done = CliRunner().invoke(app, [*words, "--layouts", str(tmp_path / "own.toml")])
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in (tmp_path / "i.jsonl").read_text().splitlines()]
    assert [line["fields"]["prompt"] for line in lines] == ["Why: Cough.", "Why: ", "Why: Fever."]
    assert isinstance(CliRunner().invoke(app, words).exception, UnknownName)


def test_a_field_that_is_not_known_is_named(tmp_path):
    own = tmp_path / "own.toml"
    own.write_text('[mine]\nimages = []\nfields = { prompt = "{findings}" }\n')
    with pytest.raises(BadInput, match="findings"):
        layout("mine", own)
