"""A user's own lexicon row is known to every system."""

import pytest

import overread
from overread.lexicon.lexicon import adopt
from overread.runner.views import lexicon_of

HEADER = "table\tid\tconcept\tform\tpath\tunless\tsource\n"
ROW = HEADER + "findings\tU1\tpleural-effusion\tzorgle\tfinding\t-\tour word for it\n"
PAIR = ("There is a left zorgle.", "There is a left pleural effusion.")


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "own.tsv"
    path.write_text(ROW, "utf-8")
    yield lexicon_of(str(path))
    adopt(None)


@pytest.mark.parametrize("name", ["lunguage", "radsem", "clear", "srrg", "ledger"])
def test_the_word_means_what_the_row_says(own, name):
    system = overread.system(name)
    one, two = (system.by_rules(overread.read(overread.parse(text), own)) for text in PAIR)
    found = system.metrics[0].score(one, two)
    assert found.value > 0.8


def test_the_word_is_compared_over_time(own):
    system = overread.system("longitudinal")
    view = system.by_rules(overread.read(overread.parse("The left zorgle has increased."), own))
    assert [i.disease for s in view.sentences for i in s.items]


def test_it_is_unknown_again_afterwards(tmp_path):
    path = tmp_path / "own.tsv"
    path.write_text(ROW, "utf-8")
    system = overread.system("clear")

    def effusion(*words):
        cell = system.by_rules(overread.read(overread.parse(PAIR[0]), *words)).conditions["Pleural Effusion"]
        return cell.presence, cell.mentioned

    assert effusion(lexicon_of(str(path))) == ("positive", True)
    adopt(None)
    assert effusion() == ("unclear", False)
