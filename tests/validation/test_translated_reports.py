"""Reports in another language as English ones without identifiers: by a model, or from the user's own file."""

import json

import pytest
from tests.cli.as_typed import app
from tests.llm.conftest import Act, Loopback
from tests.llm.stand_in import good
from typer.testing import CliRunner

from overread.report import parse
from overread.validation.translation import translated

GERMAN = "BEFUND: Kleiner Pleuraerguss links. Rundherd von 2,5 cm im rechten Oberlappen. Kein Pneumothorax."
ENGLISH = "FINDINGS: Small left pleural effusion. Nodule of 2.5 cm in the right upper lobe. No pneumothorax."


@pytest.fixture
def desk(tmp_path):
    row = {"id": "r1", "text": GERMAN, "patient": "p", "study": "1"}
    (tmp_path / "berichte.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "english.jsonl").write_text(json.dumps({"id": "r1", "text": ENGLISH}) + "\n")
    return tmp_path


def build(desk, *options):
    words = ["build", "english", str(desk / "berichte.jsonl"), "-o", str(desk / "out.jsonl"), *options]
    done = CliRunner().invoke(app, words)
    lines = (desk / "out.jsonl").read_text().splitlines()
    return done, [json.loads(line) for line in lines]


def test_translations_of_a_file_stand_for_the_reports(desk):
    done, lines = build(desk, "--translations", str(desk / "english.jsonl"))
    assert done.exit_code == 0, done.output
    assert lines == [{"id": "r1", "text": ENGLISH, "patient": "p", "study": "1"}]


def by_model(desk, behave):
    server = Loopback()
    server.behave = behave
    try:
        return build(desk, "--base-url", server.url, "--model", "m", "--no-cache")
    finally:
        server.close()


def test_a_model_translates_and_the_line_is_read_as_english(desk):
    done, (line,) = by_model(desk, good)
    assert done.exit_code == 0, done.output
    assert line["text"] == ENGLISH


def test_a_model_that_lost_a_measurement_is_told_once(desk):
    def behave(ask):
        return good(ask) if ask.is_repair else Act(json.dumps({"text": ENGLISH.replace("2.5 cm", "25 mm")}))

    done, (line,) = by_model(desk, behave)
    assert done.exit_code == 0
    assert "2.5 cm" in line["text"]


STILL_GERMAN = (
    "Es zeigt sich ein kleiner Erguss links und ein Rundherd von 2,5 cm. Kein Nachweis eines Pneumothorax."
)


@pytest.mark.parametrize("text", ["", STILL_GERMAN, ENGLISH.replace("2.5 cm", "2.4 cm")])
def test_what_stays_wrong_is_refused_in_words_that_quote_nothing(desk, text):
    done, lines = by_model(desk, lambda ask: Act(json.dumps({"text": text})))
    assert done.exit_code == 1
    assert not lines
    assert "r1" in done.output
    assert "Pleuraerguss" not in done.output


def test_who_and_when_is_cut_out_and_counted():
    text = "FINDINGS: Small effusion, discussed with Dr. Brook on 3/4/2019.\nIMPRESSION: Effusion."
    found = translated([parse("Kleiner Erguss.", "r1")], {"r1": text})
    assert found.cut == 2
    assert "Brook" not in found.reports[0].text
    assert "2019" not in found.reports[0].text
    assert found.reports[0].text.endswith("\nIMPRESSION: Effusion.")


def test_a_report_without_a_translation_is_named():
    found = translated([parse("Kein Erguss.", "r1")], {})
    assert found.refused == {"r1": "There is no translation."}
