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
    from overread.llm.asking import agreed, ask, ask_many, ask_panel
    from overread.llm.client import Client, recorded_client
    from overread.llm.outcome import Answer, Failure, Item, answers, failures
    from overread.llm.prompt import Prompt, load_prompt
    from overread.llm.settings import Settings, resolve

__all__ = [
    "Answer",
    "Client",
    "Failure",
    "Item",
    "Prompt",
    "Settings",
    "agreed",
    "answers",
    "ask",
    "ask_many",
    "ask_panel",
    "failures",
    "load_prompt",
    "recorded_client",
    "resolve",
]

HOMES = {
    "asking": ("agreed", "ask", "ask_many", "ask_panel"),
    "client": ("Client", "recorded_client"),
    "outcome": ("Answer", "Failure", "Item", "answers", "failures"),
    "prompt": ("Prompt", "load_prompt"),
    "settings": ("Settings", "resolve"),
}
"""File → what it holds, imported when the name is used: a command that asks nobody starts quickly."""


def __getattr__(name: str) -> Any:
    home = next((home for home, names in HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
