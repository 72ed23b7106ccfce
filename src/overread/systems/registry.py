"""Systems by name, imported when asked for."""

from importlib import import_module

from overread.errors import UnknownName
from overread.systems.base import Metric, System

SYSTEMS = {  # name -> module that holds SYSTEM
    "lunguage": "overread.systems.lunguage",
    "radsem": "overread.systems.radsem",
    "clear": "overread.systems.clear",
    "srrg": "overread.systems.srrg",
    "longitudinal": "overread.systems.longitudinal",
    "ledger": "overread.systems.ledger",
}


def system(name: str) -> System:
    """The system called `name`."""
    if name not in SYSTEMS:
        raise UnknownName("system", name, SYSTEMS)
    found = import_module(SYSTEMS[name]).SYSTEM
    assert isinstance(found, System)
    return found


def metrics() -> dict[str, tuple[System, Metric]]:
    """Every metric of every system, by its own name."""
    return {m.name: (s, m) for s in map(system, SYSTEMS) for m in s.metrics}
