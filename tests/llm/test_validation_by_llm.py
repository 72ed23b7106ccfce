"""`overread validate sentences`, `template` and `longitudinal` with a language model as the reader."""

import json

import pytest
from tests.cli.as_typed import app
from tests.llm.conftest import Act
from tests.llm.stand_in import good
from typer.testing import CliRunner

from overread.errors import AskFailed

TEXT = "FINDINGS: Small left pleural effusion. No pneumothorax."
GOLD = {
    "sentences": {"atoms": [{"text": "Spleen has cyst.", "normality": "abnormal"}]},
    "template": {"structured": {"findings": {"Abdominal": ["Cyst in the spleen"]}}},
    "longitudinal": {"sentences": [{"text": "No pneumothorax.", "longitudinal": False}]},
}


@pytest.fixture
def validate(server, tmp_path):
    def run(verb):
        path = tmp_path / "gold.jsonl"
        path.write_text(json.dumps({"id": "r1", "text": TEXT, **GOLD[verb]}) + "\n")
        options = [
            "--base-url",
            server.url,
            "--model",
            "small",
            "--yes-send",
            "--no-cache",
        ]
        return CliRunner().invoke(
            app, ["validate", verb, str(path), "--by", "llm", "--json", *options], catch_exceptions=False,
            standalone_mode=False,
        )  # fmt: skip

    return run


@pytest.mark.parametrize("verb", GOLD)
def test_what_the_model_read_is_held_against_people(validate, server, verb):
    server.behave = good
    told = json.loads(validate(verb).stdout)
    assert server.asks
    assert told["reports"] == 1
    if verb == "sentences":
        assert (told["sentences"]["precision"], told["sentences"]["support"]) == (0.0, 1)
    elif verb == "template":
        assert told["headers"]["Pleura"]["found"]["precision"] == 0.0
        assert told["all"]["rouge_l"] == 0.0
    else:
        assert told["sentences"] == 1


@pytest.mark.parametrize("verb", ["sentences", "template"])
def test_a_model_that_says_nothing_of_use_gives_no_figure(validate, server, verb):
    server.behave = lambda ask: Act("Lorem ipsum.")
    with pytest.raises(AskFailed, match="nothing that can be used"):
        validate(verb)
