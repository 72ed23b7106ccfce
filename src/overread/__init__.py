"""overread: a second reader for radiology reports.

    >>> import overread
    >>> overread.score(["Clear lungs."], ["The lungs are clear."], metrics=["rouge-l"])["rouge-l"]
    0.3333333333333333

Names are imported when they are first used.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from overread import errors as errors
from overread.version import __version__

if TYPE_CHECKING:
    from overread.errors import OverreadError as OverreadError
    from overread.formats import load as load
    from overread.judge import judge as judge
    from overread.pages.build import write_page as write_page
    from overread.reader import Reading as Reading
    from overread.report import Report as Report
    from overread.report import parse as parse
    from overread.runner.readings import find_errors as find_errors
    from overread.runner.readings import read as read
    from overread.runner.results.compare import compare as compare
    from overread.runner.results.compare import history as history
    from overread.runner.scores import Metric as Metric
    from overread.runner.scores import Scores as Scores
    from overread.runner.scores import metrics as metrics
    from overread.runner.scores import score as score
    from overread.systems.base import Score as Score
    from overread.systems.registry import system as system
    from overread.trainers.reward import rewards as rewards

PLACES = {  # public name -> module that holds it
    "Metric": "overread.runner.scores",
    "OverreadError": "overread.errors",
    "Reading": "overread.reader",
    "Report": "overread.report",
    "Score": "overread.systems.base",
    "Scores": "overread.runner.scores",
    "compare": "overread.runner.results.compare",
    "find_errors": "overread.runner.readings",
    "history": "overread.runner.results.compare",
    "judge": "overread.judge",
    "load": "overread.formats",
    "metrics": "overread.runner.scores",
    "parse": "overread.report",
    "read": "overread.runner.readings",
    "rewards": "overread.trainers.reward",
    "score": "overread.runner.scores",
    "system": "overread.systems.registry",
    "write_page": "overread.pages.build",
}
__all__ = [*PLACES, "__version__"]


class Errors(ModuleType):
    """The module of exceptions, which is also `find_errors` by a shorter name."""

    def __call__(self, reference: str, candidate: str, **settings: Any) -> Any:
        return import_module("overread.runner.readings").find_errors(reference, candidate, **settings)


errors.__class__ = Errors
errors.__doc__ = f"""overread.errors(reference, candidate): every error of a candidate report, most serious first.

The same as overread.find_errors, which has the settings. The exceptions of overread live in this module as well.

{errors.__doc__}"""


def __getattr__(name: str) -> Any:
    if name not in PLACES:
        raise AttributeError(f"module 'overread' has no attribute {name!r}")
    module = import_module(PLACES[name])
    found = globals()[name] = module if PLACES[name] == f"{__name__}.{name}" else getattr(module, name)
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "errors"])
