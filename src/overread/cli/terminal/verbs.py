"""The verbs of a group: each stands in a file of its name."""

from importlib import import_module

import typer


def add(app: typer.Typer, *verbs: str) -> None:
    """`validate/clear_attributes.py` has `validate_clear_attributes`, `tags/check.py` has `check`."""
    group = app.info.name
    for verb in verbs:
        name = verb.replace("-", "_")
        module = import_module(f"overread.cli.{group}.{name}")
        app.command(verb)(getattr(module, f"{group}_{name}", None) or getattr(module, name))
