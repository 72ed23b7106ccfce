"""Write the table of figures and their commands into docs/how-good-is-it.md, from docs/figures.toml."""

import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE / "how-good-is-it.md"
START, END = "<!-- made by docs/make_figures.py -->", "<!-- end -->"


def figures() -> dict[str, dict[str, Any]]:
    return tomllib.loads((HERE / "figures.toml").read_text("utf-8"))


def table() -> str:
    by_command: dict[str, list[str]] = {}
    for name, figure in figures().items():
        by_command.setdefault(f"`{figure['command']}`", []).append(name)
    rows = [f"| {'; '.join(names)} | {command} |" for command, names in by_command.items()]
    return "\n".join(["| figure | command |", "|---|---|", *rows])


def page() -> str:
    """The page with its table as it should be."""
    before, rest = PAGE.read_text("utf-8").split(START)
    return f"{before}{START}\n{table()}\n{END}{rest.split(END, 1)[1]}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
