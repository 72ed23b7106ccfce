"""Print the CLI reference: every command's own help, in the order of `overread --help`."""

from typing import Any

import typer

from overread.baselines import optional

optional.Extra.installed = property(lambda extra: False)  # type: ignore[method-assign,assignment]
"""The reference is the same on every machine, whatever metrics of others are installed there."""

from overread.cli.main import command  # noqa: E402


def sections(verb: Any, path: str) -> list[str]:
    context = typer.Context(verb, info_name=path)
    context.max_content_width = context.terminal_width = 100
    found = [f"## `{path}`\n\n```text\n{verb.get_help(context).rstrip()}\n```\n"]
    for name, child in getattr(verb, "commands", {}).items():
        found += sections(child, f"{path} {name}")
    return found


def main() -> None:
    print("# Commands\n\nMade by `make docs` from the commands' own help.\n")
    print("\n".join(sections(command(), "overread")), end="")


if __name__ == "__main__":
    main()
