"""What annotation tools are given comes back as it was: readings of ours, and marks nobody would make."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.made_up import REPORTS, annotated, readings

from overread.formats import bioc, brat, conll, label_studio, prodigy
from overread.formats.annotated import AnnotatedReport, Mark
from overread.formats.marking import from_reading, marks_of, view_of
from overread.formats.pieces import FACTS, RELATIONS
from overread.reader import read
from overread.report import parse
from overread.report.span import Span
from overread.systems.lunguage.by_rules import view
from overread.systems.lunguage.schema import Category, Relation

FORMATS = {
    "brat": (brat, "out"),
    "conll": (conll, "out.conll"),
    "prodigy": (prodigy, "out.jsonl"),
    "label-studio": (label_studio, "out.json"),
    "bioc-xml": (bioc, "out.xml"),
    "bioc-json": (bioc, "out.json"),
}


def there_and_back(name, reports):
    module, file = FORMATS[name]
    with TemporaryDirectory() as folder:
        module.write(iter(reports), Path(folder) / file)
        return list(module.read(Path(folder) / file))


def test_labels_are_those_of_the_view():
    assert get_args(Relation) == RELATIONS
    assert set(get_args(Category)) == set(FACTS["category"])


@pytest.mark.parametrize("name", FORMATS)
def test_readings_come_back_whole(name):
    wanted = [from_reading(reading) for reading in readings()]
    assert sum(len(report.marks) for report in wanted) > 10
    back = there_and_back(name, wanted)
    assert back == wanted
    assert [view_of(report) for report in back] == [view(reading) for reading in readings()]


@pytest.mark.parametrize("mark", ["XXXX", "___", "[**Name 7**]", "<NAME>"])
@pytest.mark.parametrize("name", FORMATS)
def test_marks_of_de_identification_travel(name, mark):
    """The text keeps the mark it came with; what a blank stands in is written with one, whoever left it."""
    reading = read(parse(f"FINDINGS: Left chest {mark} with its tip in the SVC. Old {mark} fracture.", "a"))
    wanted = from_reading(reading)
    (back,) = there_and_back(name, [wanted])
    assert back == wanted
    assert mark in back.text
    assert [finding.entity for finding in view_of(back).findings] == [f.entity for f in reading.findings]


@pytest.mark.parametrize("name", FORMATS)
@given(made=st.lists(annotated(), min_size=1, max_size=2, unique_by=lambda r: r.id))
def test_anything_comes_back_whole(name, made):
    assert there_and_back(name, made) == made


@pytest.mark.parametrize("name", FORMATS)
def test_marks_of_repeated_words_keep_their_places_and_their_order(name):
    """The second section's mark comes first, under a name with a blank: files that go by sections hold it last."""
    text = "FINDINGS: Effusion and effusion.\n\nIMPRESSION: Effusion and effusion."
    places = [Span(n, n + 8) for n in range(len(text)) if text[n : n + 8].lower() == "effusion"]
    found = tuple(Mark(f"m {n}", "effusion", (places[n],), sentence=places[n]) for n in (3, 0, 2, 1))
    made = [AnnotatedReport("1", text, marks=found)]
    assert there_and_back(name, made) == made


@given(made=annotated())
def test_marks_are_the_view_and_the_view_the_marks(made):
    seen = view_of(made)
    assert view_of_marks(seen, made.text) == seen


def view_of_marks(seen, text):
    return view_of(AnnotatedReport(seen.id, text, marks=marks_of(seen, text)))


def test_a_view_by_a_language_model_keeps_its_scattered_words():
    text = REPORTS[0]
    seen = view(readings()[0])
    apart = seen.findings[0].spans | {
        "location": [*seen.findings[0].spans["location"], *seen.findings[1].spans["entity"]]
    }
    seen.findings[0].spans.update(apart)
    assert view_of_marks(seen, text) == seen
