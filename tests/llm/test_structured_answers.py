"""Lenient about what stands around the JSON, strict about the JSON."""

import json
from typing import Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from overread.errors import AskFailed
from overread.llm.outcome import UnusableError, objects_in, read_answer, schema_of, without_quotes


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    side: Literal["left", "right"] | None = None


class Finding(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    places: tuple[Place, ...]
    parts: tuple["Finding", ...] = ()


places = st.lists(st.builds(Place, st.sampled_from(["left", "right", None])), max_size=3).map(tuple)
findings = st.builds(Finding, name=st.text(), places=places)
prose = st.text(st.characters(exclude_characters="{}", exclude_categories=["Cs"]))


@given(findings, prose, prose)
def test_any_answer_is_found_in_any_prose(finding: Finding, before: str, after: str):
    text = msgspec.json.encode(finding).decode()
    assert read_answer(f"{before}{text}{after}", Finding) == finding
    assert read_answer(f"{before}\n```json\n{text}\n```\n{after}", Finding) == finding


@given(findings, st.data())
def test_no_part_of_a_cut_answer_is_taken_for_the_whole(finding: Finding, data):
    text = msgspec.json.encode(Finding("outer", (), (finding,))).decode()
    cut = data.draw(st.integers(1, len(text) - 1))
    with pytest.raises(UnusableError):
        read_answer(text[:cut], Finding)


def test_braces_inside_a_cut_string_are_no_answer():
    with pytest.raises(UnusableError):
        read_answer('{"side": "see {} for', Place)


@given(st.text(max_size=300))
def test_no_reply_breaks_the_reading(text: str):
    list(objects_in(text))
    list(objects_in("{" + text))


def test_many_braces_are_read_in_good_time():
    assert list(objects_in('{"a": ' * 20_000)) == []
    assert list(objects_in('{"a" ' * 20_000)) == []


def test_the_same_answer_twice_is_one_answer():
    text = json.dumps({"name": "edema", "places": []})
    assert read_answer(f"Draft: {text}\nFinal: {text}", Finding).name == "edema"


def test_numbers_are_not_text_and_text_is_not_numbers():
    with pytest.raises(UnusableError, match="Expected `str`, got `int`"):
        read_answer('{"name": 7, "places": []}', Finding)


def test_the_schema_is_closed_all_the_way_down():
    schema = schema_of(Finding)
    assert schema["type"] == "object"
    assert schema["required"] == ["name", "places", "parts"]
    place = schema["$defs"]["Place"]
    assert place["required"] == ["side"]
    assert place["additionalProperties"] is False
    assert '"default"' not in json.dumps(schema)
    assert schema["properties"]["parts"]["items"] == {"$ref": "#/$defs/Finding"}
    assert "Finding" in schema["$defs"]


def test_enumerations_say_that_they_are_text():
    class Vote(Struct, forbid_unknown_fields=True):
        status: Literal["present", "absent"]
        default: str

    assert schema_of(Vote)["properties"] == {
        "status": {"enum": ["absent", "present"], "type": "string"},
        "default": {"type": "string"},
    }


class Open(Struct):
    name: str


class Holder(Struct, forbid_unknown_fields=True):
    inner: Open


@pytest.mark.parametrize("output", [Open, Holder])
def test_a_type_that_takes_any_field_cannot_be_asked_for(output):
    with pytest.raises(AskFailed, match="Open accepts any field"):
        schema_of(output)


@pytest.mark.parametrize("output", [int, list[Finding], dict[str, int]])
def test_only_structs_can_be_asked_for(output):
    with pytest.raises(AskFailed, match="Struct with named fields"):
        schema_of(output)


@pytest.mark.parametrize(
    ("problem", "kept"),
    [
        ("the patient's side isn't there", "the patient's side isn't there"),
        ("no 'small left apical' here", "no … here"),
        ('no "small left" here', "no … here"),
        ("no “small left” here", "no … here"),
        ("Object contains unknown field `left lung`", "Object contains unknown field …"),
        ("Expected `int`, got `str` - at `$.study`", "Expected `int`, got `str` - at `$.study`"),
    ],
)
def test_quotes_are_left_out_of_failure_rows(problem: str, kept: str):
    assert without_quotes(problem) == kept
