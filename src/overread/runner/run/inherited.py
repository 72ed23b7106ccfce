"""What every worker needs and may inherit: tables read, modules imported. Imported by the server that forks workers.

A network must not be inherited: its session would hang in a forked process. So nothing is read here.
"""

import gc
import sys
from signal import SIGKILL
from types import TracebackType

from overread.runner.run.process import search_seldom, sent_at_death_of_parent


def quietly(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A worker whose parent is killed before it has said what to do leaves without a traceback."""
    if not issubclass(kind, EOFError | ConnectionError):
        sys.__excepthook__(kind, error, trace)


sys.excepthook = quietly
sent_at_death_of_parent(SIGKILL)  # only while it reads: later the server sees for itself that nobody needs it
gc.disable()  # nearly all that is imported and read here will stay
try:  # the lexicon, and what the default metrics import
    from overread.lexicon.lexicon import lexicon
    from overread.runner.measures import DEFAULT
    from overread.runner.run.scorer import Scorer
    from overread.runner.settings import Settings

    lexicon().described("locations", "left")
    lexicon().matcher.find(["effusion"])
    Scorer(Settings(DEFAULT))
finally:
    search_seldom()
    sent_at_death_of_parent(0)
