"""A label stands when k of n models give it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace
from tests.llm.conftest import item

from overread.errors import AskFailed
from overread.llm import Answer, Failure, agreed, ask_many, ask_panel, recorded_client
from overread.llm.prompt import parse_prompt


class Labels(Struct, frozen=True, forbid_unknown_fields=True):
    labels: tuple[str, ...]


PROMPT = parse_prompt("---\ninputs: [report]\noutput: Labels\n---\nLabel this: {{report}}\n", "tests/labels")
VOTES = {"a": ["edema", "effusion"], "b": ["effusion"], "c": ["nodule", "edema"]}


def panel(replies, *, agree=None):
    def reply(request):
        return json.dumps({"labels": replies[request.model]}) if replies[request.model] is not None else "no"

    client = recorded_client(reply, *replies)
    with client:
        client.settings = replace(client.settings, agree=agree)
        return ask_panel(client, PROMPT, [item(1)], Labels, lambda v: v.labels), client


def test_two_of_three_is_the_rule_for_three():
    outcomes, _ = panel(VOTES)
    assert outcomes == [Answer("r1", ["edema", "effusion"], cached=False)]


def test_the_number_that_must_agree_can_be_set():
    assert panel(VOTES, agree=1)[0][0].value == ["edema", "effusion", "nodule"]
    assert panel(VOTES, agree=3)[0][0].value == []


def test_one_failed_model_of_three_leaves_two_to_agree():
    outcomes, client = panel({**VOTES, "b": None})
    assert outcomes[0].value == ["edema"]
    assert [(f.model, f.kind) for f in client.failures] == [("b", "unusable")]


def test_too_few_answers_are_a_failure_not_an_empty_answer():
    outcomes, client = panel({**VOTES, "b": None, "c": None})
    assert outcomes == [
        Failure("r1", "tests/labels", "disagreement", "1 of 3 models answered; 2 must agree.")
    ]
    assert outcomes[0] in client.failures


def test_more_agreement_than_models_is_an_error():
    with pytest.raises(AskFailed, match="only 3 are named"):
        panel(VOTES, agree=4)


def test_a_reader_that_asks_one_model_refuses_several():
    client = recorded_client(lambda r: "{}", "a", "b")
    with client, pytest.raises(AskFailed, match="asks only one"):
        ask_many(client, PROMPT, [item(1)], Labels)


votes = st.lists(st.lists(st.sampled_from("abcde")), max_size=5)


@given(votes, st.integers(1, 5))
def test_kept_are_exactly_the_labels_with_enough_voters(ballots, needed):
    kept = agreed(ballots, needed)
    assert len(kept) == len(set(kept))
    assert set(kept) == {x for x in "abcde" if sum(x in b for b in ballots) >= needed}
