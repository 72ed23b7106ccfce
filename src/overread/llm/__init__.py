"""Asking a language model.

A reader loads a prompt, makes items and asks:

    prompt = load_prompt("overread.systems.radsem", "atoms")
    items = [Item(report.id, {"report": report.text}, patient=report.patient) for report in reports]
    outcomes = ask_many(client, prompt, items, Atoms, check=problems)

Each outcome is an `Answer` or a `Failure`, in the order of the items.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from overread.llm.asking import agreed, ask_many, ask_panel
    from overread.llm.client import Client, recorded_client
    from overread.llm.outcome import Answer, Failure, Item, answers, failures
    from overread.llm.prompt import Prompt, load_prompt
    from overread.llm.settings import Settings, resolve

__all__ = [
    "Answer", "Client", "Failure", "Item", "Prompt", "Settings", "agreed", "answers", "ask_many", "ask_panel",
    "failures", "load_prompt", "recorded_client", "resolve",
]  # fmt: skip

HOMES = ("outcome", "settings", "prompt", "client", "asking")
"""Files with these names, quickest first; imported when a name is used, so that who asks nobody starts quickly."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    homes = (import_module(f"{__name__}.{home}") for home in HOMES)
    return next(getattr(home, name) for home in homes if hasattr(home, name))
