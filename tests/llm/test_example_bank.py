"""Examples are chosen by BM25, the same ones every time, and never give the answer away."""

import json

import pytest
from tests.llm.conftest import PROMPT, Loopback, Note, item

from overread.errors import BadInput
from overread.llm import Client, Item, ask_many
from overread.llm.prompt import Bank, Example, bank_for, load_examples

TEXTS = [
    "No pleural effusion.",
    "Small left pleural effusion.",
    "Cardiac silhouette is enlarged.",
    "Left lower lobe opacity, likely pneumonia.",
    "Small left pleural effusion.",
]
BANK = Bank(
    [Example(text, {"study": n, "status": "normal"}, patient=f"p{n}") for n, text in enumerate(TEXTS)]
)


def studies(examples: list[Example]) -> list[int]:
    return [example.answer["study"] for example in examples]


def test_the_nearest_come_first_and_equals_keep_their_order():
    assert studies(BANK.pick("A small pleural effusion on the left.", None, 3)) == [1, 4, 0]


def test_the_word_no_counts():
    assert studies(BANK.pick("No nodule.", None, 5)) == [0]


def test_the_same_patient_and_the_same_text_are_passed_over():
    assert studies(BANK.pick("A small pleural effusion on the left.", "p1", 2)) == [4, 0]
    assert studies(BANK.pick(TEXTS[1], None, 5)) == [0, 3]


@pytest.mark.parametrize("text", ["", "Zebra.", "!!!"])
def test_what_resembles_nothing_gets_no_example(text: str):
    assert BANK.pick(text, None, 3) == []


def test_an_empty_bank_has_no_examples():
    assert Bank([]).pick("Effusion.", None, 3) == []


def test_the_choice_does_not_change_between_runs():
    picks = [studies(Bank(BANK.examples).pick("left effusion or opacity", None, 4)) for _ in range(3)]
    assert picks[0] == picks[1] == picks[2]


def write(path, *rows):
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


def test_examples_are_shown_fenced_and_belong_to_the_question(server: Loopback, settings, tmp_path):
    bank = write(
        tmp_path / "bank.jsonl",
        {"text": "Study 50. Cardiomegaly.", "answer": {"study": 50, "status": "abnormal"}, "patient": "a"},
        {
            "text": "Study 51. Cardiomegaly again.",
            "answer": {"study": 51, "status": "abnormal"},
            "patient": "b",
        },
        {"text": "Cardiomegaly.", "answer": {"labels": []}, "stage": "other/labels"},
    )
    mine = Item("r1", {"report": "Study 1. Cardiomegaly."}, patient="a")
    with Client(settings(examples=str(bank))) as client:
        ask_many(client, PROMPT, [mine], Note)
    text = server.asks[0].body["messages"][1]["content"]
    assert "Study 51" in text
    assert 'Right reply: {"study": 51, "status": "abnormal"}' in text
    assert "Study 50" not in text
    assert "labels" not in text


def test_other_examples_are_another_question(server: Loopback, settings, tmp_path):
    row = {"text": "Lungs are clear.", "answer": {"study": 1, "status": "normal"}}
    for shots in (0, 1):
        bank = str(write(tmp_path / "bank.jsonl", row))
        with Client(settings(examples=bank, shots=shots)) as client:
            ask_many(client, PROMPT, [item(1)], Note)
    assert len(server.asks) == 2


@pytest.mark.parametrize("row", [{"text": "Private words.", "reply": {}}, {"text": "!", "answer": {}}])
def test_a_bad_line_is_named_without_its_words(tmp_path, row):
    path = write(tmp_path / "bank.jsonl", row)
    with pytest.raises(BadInput, match="line 1") as caught:
        load_examples(path)
    assert "Private" not in str(caught.value)


def test_a_missing_bank_is_an_error(tmp_path):
    with pytest.raises(BadInput, match="There is no file"):
        load_examples(tmp_path / "none.jsonl")


@pytest.mark.parametrize("stage", [None, "tests/note"])
def test_an_answer_of_the_wrong_shape_is_an_error(stage):
    with pytest.raises(BadInput, match="valid Note"):
        bank_for("tests/note", Note, [Example("x", {"study": "one"}, stage=stage)])
