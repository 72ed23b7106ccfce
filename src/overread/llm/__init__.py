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

HOMES = {  # name -> file that holds it, imported when the name is used: a command that asks nobody starts quickly
    "Answer": "outcome",
    "Client": "client",
    "Failure": "outcome",
    "Item": "outcome",
    "Prompt": "prompt",
    "Settings": "settings",
    "agreed": "asking",
    "answers": "outcome",
    "ask": "asking",
    "ask_many": "asking",
    "ask_panel": "asking",
    "failures": "outcome",
    "load_prompt": "prompt",
    "recorded_client": "client",
    "resolve": "settings",
}


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
