"""Closed classes of words, from the lexicon's `grammar.toml`."""

import tomllib
from importlib.resources import files

LISTS = {
    name: frozenset(words.split())
    for name, words in tomllib.loads(
        files("overread.lexicon").joinpath("tables", "grammar.toml").read_text("utf-8")
    ).items()
}
VERBS = LISTS["verbs"]
PARTICIPLES = LISTS["participles"]
PERCEIVED = LISTS["perceived"]
PREPOSITIONS = LISTS["prepositions"]
RELATIONAL = LISTS["relational"]
CONJUNCTIONS = LISTS["conjunctions"]
DETERMINERS = LISTS["determiners"]
RELATIVES = LISTS["relatives"]
IN_PHRASE_HEDGES = LISTS["in_phrase_hedges"]
POINTING = LISTS["pointing"]
EMPTY_NOUNS = LISTS["empty_nouns"]
EARLIER = LISTS["earlier"]
STUDY_WORDS = LISTS["study_words"]
NEVER_FINDINGS = LISTS["never_findings"]
NO_NAMES = LISTS["no_names"]
BE = frozenset({"is", "are", "was", "were"})
