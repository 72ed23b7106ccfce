"""Commands of other packages, found by their entry points and loaded when the command line has none of that name.

One is expected: `overread review`, which without its package says how to install it.
"""

import typer

from overread.errors import BrokenPlugin, MissingExtra, OverreadError
from overread.plugins import Plugin, plugins

REVIEW = "Let people correct readings, rate candidates and compare systems blindly (a package of its own)."


def add_commands_of_others(app: typer.Typer) -> None:
    """Every command that another package brings under a name of its own; one that does not load says so when run."""
    own = {one.name for one in app.registered_commands} | {one.name for one in app.registered_groups}
    found = plugins("overread.commands")
    for name, plugin in found.items():
        if name not in own:
            add(app, plugin)
    if "review" not in found:
        refuse(
            app, "review", REVIEW, MissingExtra("overread-review", "review", ". ./packages/overread-review")
        )


def add(app: typer.Typer, plugin: Plugin) -> None:
    try:
        app.add_typer(plugin.load(checked_app), name=plugin.name)
    except BrokenPlugin as error:
        refuse(app, plugin.name, f"Brought by the package {plugin.package}, which is broken.", error)


def checked_app(plugin: Plugin, found: object) -> typer.Typer:
    if not isinstance(found, typer.Typer):
        raise plugin.broken(f"{plugin.entry.value} is no typer.Typer")
    return found


def refuse(app: typer.Typer, name: str, about: str, error: OverreadError) -> None:
    """A command that takes whatever it is given and only says why it cannot run."""

    def refused() -> None:
        raise error

    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    app.command(name, help=f"{about}\n\n{error}", context_settings=anything)(refused)
