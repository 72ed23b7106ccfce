"""Print docs/api.md: every public name with its signature, what it says of itself, and where its example is."""

import inspect
import re
from pathlib import Path
from typing import Any

import overread

PYTHON = Path(__file__).with_name("python.md").read_text("utf-8")


def main() -> None:
    print("# API reference\n")
    print("Made by `make docs` from the code. The examples on [From Python](python.md) are run as tests.")
    for name in sorted(overread.PLACES, key=str.lower):
        print(f"\n## overread.{name}\n")
        print("\n\n".join(part for part in entry(name, public(name)) if part))


def public(name: str) -> Any:
    """What is called by the name; a package that can be called stands for its function."""
    found = getattr(overread, name)
    return getattr(found, "judge", found) if inspect.ismodule(found) else found


def entry(name: str, found: Any) -> list[str]:
    return [
        f"```python\n{signature(name, found)}\n```",
        prose(inspect.getdoc(found) or ""),
        members(found),
        f"Example: [{title(name)}](python.md#{anchor(title(name))}).",
    ]


def signature(name: str, found: Any) -> str:
    """The call, one argument a line where it is long."""
    try:
        given = inspect.signature(found)
    except (TypeError, ValueError):
        return f"overread.{name}"
    plain = [
        str(one.replace(annotation=one.empty)) for one in given.parameters.values() if one.name != "self"
    ]
    stars = iter(given.parameters.values())
    keyword = next((n for n, one in enumerate(stars) if one.kind is one.KEYWORD_ONLY), None)
    if keyword is not None and not any(one.kind is one.VAR_POSITIONAL for one in given.parameters.values()):
        plain.insert(keyword, "*")
    line = f"overread.{name}({', '.join(plain)})"
    return line if len(line) <= 96 else f"overread.{name}(\n    " + ",\n    ".join(plain) + ",\n)"


def prose(text: str) -> str:
    """A docstring as Markdown: its examples as code."""
    blocks = re.split(r"\n\s*\n", text)
    return "\n\n".join(
        f"```python\n{inspect.cleandoc(block)}\n```" if ">>>" in block or block.startswith("    ") else block
        for block in blocks
    )


def members(found: Any) -> str:
    """Public methods and properties of a class, a line each."""
    if not inspect.isclass(found) or issubclass(found, Exception):
        return ""
    named = {name: one for name, one in vars(found).items() if not name.startswith("_")}
    told = {
        name: inspect.getdoc(one) for name, one in named.items() if callable(one) or isinstance(one, property)
    }
    rows = [f"| `{name}` | {doc.splitlines()[0]} |" for name, doc in sorted(told.items()) if doc]
    return "\n".join(["| member | what |", "|---|---|", *rows]) if rows else ""


def title(name: str) -> str:
    """The section of the page whose code uses the name first."""
    for section in re.split(r"(?m)^## ", PYTHON)[1:]:
        code = "\n".join(re.findall(r"```python\n(.*?)```", section, re.DOTALL))
        if f"overread.{name}" in code:
            return section.splitlines()[0]
    raise SystemExit(f"docs/python.md has no example of overread.{name}.")


def anchor(heading: str) -> str:
    return re.sub(r"[^\w]+", "-", heading.lower()).strip("-")


if __name__ == "__main__":
    main()
