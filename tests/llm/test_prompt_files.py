"""A prompt file says what goes in and what must come out; anything else is an error before any call."""

import pytest
from msgspec import Struct
from tests.llm.conftest import PROMPT, Client, Loopback, Note, item

from overread.errors import AskFailed
from overread.llm import Item, ask_many, load_prompt, recorded_client
from overread.llm.prompt import parse_prompt

GOOD = "---\ninputs: [report]\nplain: [labels]\noutput: Note\n---\nUse {{labels}} for {{ report }}.\n"


def test_inputs_are_fenced_and_plain_words_are_not():
    text = parse_prompt(GOOD, "s/x").render({"report": "Clear lungs.", "labels": "a, b"})
    assert text.startswith("Use a, b for <<<report-")
    assert "\nClear lungs.\n" in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Just words.", "must begin with a header"),
        ("---\ninputs: [report]\n---\n{{report}}", "must have inputs and output"),
        ("---\ninputs: [report]\noutput: Note\ncolour: red\n---\n{{report}}", "and no more"),
        ("---\ninputs [report]\noutput: Note\n---\n{{report}}", "without a colon"),
        ("---\ninputs: [report, extra]\noutput: Note\n---\n{{report}}", r"unused in the text: \['extra'\]"),
        ("---\ninputs: [report]\noutput: Note\n---\n{{report}} {{more}}", r"not in the header: \['more'\]"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(text: str, said: str):
    with pytest.raises(AskFailed, match=said):
        parse_prompt(text, "s/x")


@pytest.mark.parametrize(
    ("inputs", "said"),
    [({}, "needs report"), ({"report": "x", "more": "y"}, "has no variable more")],
)
def test_wrong_variables_are_an_error_before_any_call(server: Loopback, client: Client, inputs, said):
    with pytest.raises(AskFailed, match=said):
        ask_many(client, PROMPT, [item(1), Item("r2", inputs)], Note)
    assert server.asks == []


def test_another_output_type_is_an_error_before_any_call(server: Loopback, client: Client):
    class Other(Struct, forbid_unknown_fields=True):
        study: int

    with pytest.raises(AskFailed, match="answers with Note, not with Other"):
        ask_many(client, PROMPT, [item(1)], Other)
    assert server.asks == []


def test_a_missing_file_is_named():
    with pytest.raises(AskFailed, match=r"prompts/nothing\.md"):
        load_prompt("overread.llm", "nothing")


@pytest.mark.parametrize("name", ["standing", "schema", "examples", "repair"])
def test_the_shared_words_load(name: str):
    assert load_prompt("overread.llm", name).body


def test_the_hash_follows_every_character():
    assert parse_prompt(GOOD, "s/x").hash != parse_prompt(GOOD.replace("Use", "use"), "s/x").hash


def test_recorded_replies_stand_in_for_a_server():
    replies = {("tests/note", "r1"): '{"study": 1, "status": "normal"}'}
    with recorded_client(lambda request: replies[request.prompt, request.item]) as client:
        (outcome,) = ask_many(client, PROMPT, [item(1)], Note)
    assert outcome.value == Note(1, "normal")
