"""Where quoted words stand: found quickly, and as a pattern would find them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from overread.corpus.quotes import occurrences

texts = st.text("aAb_ .1é", max_size=14)


@given(texts.map(lambda text: text[:3]), texts)
def test_words_are_found_as_by_a_pattern(words, sentence):
    pattern = rf"(?<![^\W_]){re.escape(words)}(?![^\W_])"
    expected = [one.span() for one in re.finditer(pattern, sentence, re.IGNORECASE)] if words else []
    assert [(span.start, span.end) for span in occurrences(words, sentence)] == expected
