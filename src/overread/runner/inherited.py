"""What every worker needs and may inherit: tables read, patterns compiled. Imported by the server that forks workers.

A network must not be inherited: its session would hang in a forked process. So a pair is scored by rules alone.
"""

import os

from overread.runner.memory import search_nothing, search_seldom

REFERENCE = "FINDINGS: Small left pleural effusion, possibly larger than before. No pneumothorax. Heart size is normal."
CANDIDATE = "FINDINGS: The tip of the catheter is in the SVC. Right lower lobe opacity of 2 cm. Lungs otherwise clear."


def read_tables() -> None:
    """By one pair under every default metric, as tables are read when first asked for."""
    from overread.judge.asking import OFF
    from overread.report import parse
    from overread.runner.measures import DEFAULT
    from overread.runner.pairs import Pair
    from overread.runner.recipe import Recipe
    from overread.runner.scorer import Scorer

    judged = os.environ.get(OFF)
    os.environ[OFF] = "1"
    Scorer(Recipe(DEFAULT))(Pair(0, parse(REFERENCE), {"": parse(CANDIDATE)}))
    if judged is None:
        del os.environ[OFF]


search_nothing()
try:
    read_tables()
finally:
    search_seldom()
