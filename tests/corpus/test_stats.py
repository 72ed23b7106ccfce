"""Counts for each split, and pictures of them."""

from xml.etree import ElementTree

from tests.corpus.written import guide_example, report

from overread.corpus.build import line_of
from overread.corpus.notation import parse_notation
from overread.corpus.stats import count, pictures, rows_as_shown, text_of


def counts():
    [found], _ = parse_notation(guide_example(), "guide")
    return count([line_of("train", found), line_of("test", report("F No effusion.\n- effusion -"))])


def test_counts_by_split():
    found = counts()
    assert found["size"]["reports"] == {"train": 1, "test": 1}
    assert found["noun"]["effusion"] == {"train": 3, "test": 1}
    assert found["without a mention"]["advice"] == {"train": 1}
    assert found["modality"] == {"XR chest": {"train": 1}, "not given": {"test": 1}}
    assert [name for name, _ in rows_as_shown(found, "denial")] == ["no"]


def test_the_table_has_a_column_for_each_split():
    lines = [line.split() for line in text_of(counts()).splitlines()]
    assert ["noun", "(7", "different)", "train", "test", "all"] in lines
    assert ["effusion", "3", "1", "4"] in lines


def test_pictures_are_drawings_of_the_counts():
    found = pictures(counts())
    assert {"modality.svg", "noun.svg", "sentences-in-a-report.svg"} <= set(found)
    for picture in found.values():
        ElementTree.fromstring(picture)
    assert "train</text>" in found["noun.svg"]
    assert "effusion: 3</title>" in found["noun.svg"]
