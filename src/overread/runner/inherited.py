"""What every worker needs and may inherit: tables read, modules imported. Imported by the server that forks workers.

A network must not be inherited: its session would hang in a forked process. So nothing is read here.
"""

from overread.runner.memory import search_nothing, search_seldom


def read_tables() -> None:
    """The lexicon, and what the default metrics import."""
    from overread.lexicon.lexicon import lexicon
    from overread.runner.measures import DEFAULT
    from overread.runner.recipe import Recipe
    from overread.runner.scorer import Scorer

    words = lexicon()
    words.described("locations", "left")
    words.matcher.find(["effusion"])
    Scorer(Recipe(DEFAULT))


search_nothing()
try:
    read_tables()
finally:
    search_seldom()
