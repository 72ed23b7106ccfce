"""Our stems are NLTK's."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overread.baselines.tokenise import PORTER, stem


@cache
def nltk():
    return pytest.importorskip("nltk.stem.porter").PorterStemmer().stem


def nltk_stem(word):
    return nltk()(word)


ROOTS = [
    *("opac", "enlarg", "dilat", "calcif", "effus", "consolid", "press", "drain", "stop", "fil", "siz"),
    *("agre", "happ", "enjo", "geo", "archaeo", "t", "s", "by"),
]
ENDINGS = [
    *(suffix for step, table in PORTER.items() if step != "irregular" for suffix in table),
    *("y", "ed", "ing", "eed", "ied", "logy", "logi", "e", "ll", "lly", "fully", "ally", "ically", "pping"),
]


@pytest.mark.parametrize("root", ROOTS)
def test_every_root_with_every_ending(root):
    for ending in ENDINGS:
        assert stem(root + ending) == nltk_stem(root + ending), root + ending


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from([*"aeiouybcdfglmnprstvwxz", "at", "bl", "iz", "ss", "ll", *ENDINGS]), max_size=6
    ).map("".join)
)
def test_made_up_words(word):
    assert stem(word) == nltk_stem(word)


@pytest.mark.parametrize("word", PORTER["irregular"])
def test_irregular_words(word):
    assert stem(word) == nltk_stem(word)
