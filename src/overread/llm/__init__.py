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
    from overread.llm.asking import agreed as agreed
    from overread.llm.asking import ask as ask
    from overread.llm.asking import ask_many as ask_many
    from overread.llm.asking import ask_panel as ask_panel
    from overread.llm.client import Client as Client
    from overread.llm.client import recorded_client as recorded_client
    from overread.llm.outcome import Answer as Answer
    from overread.llm.outcome import Failure as Failure
    from overread.llm.outcome import Item as Item
    from overread.llm.outcome import answers as answers
    from overread.llm.outcome import failures as failures
    from overread.llm.prompt import Prompt as Prompt
    from overread.llm.prompt import load_prompt as load_prompt
    from overread.llm.settings import Settings as Settings
    from overread.llm.settings import resolve as resolve

HOMES = {
    **dict.fromkeys(("agreed", "ask", "ask_many", "ask_panel"), "asking"),
    **dict.fromkeys(("Client", "recorded_client"), "client"),
    **dict.fromkeys(("Answer", "Failure", "Item", "answers", "failures"), "outcome"),
    **dict.fromkeys(("Prompt", "load_prompt"), "prompt"),
    **dict.fromkeys(("Settings", "resolve"), "settings"),
}
"""Name → the file that holds it, imported when the name is used: a command that asks nobody starts quickly."""


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
