"""Templates, style and script of the page, as they ship."""

from importlib.resources import files
from typing import Any

from overread.pages.words import p_value, score

SCRIPTS = (
    "base", "state", "export", "overview", "findings", "list", "marks", "case", "flags", "patients", "start",
)  # fmt: skip
"""Parts of the one script, in the order they stand in it."""


def script() -> str:
    parts = "\n".join(asset(f"script/{name}.js") for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


def style() -> str:
    return asset("page.css")


def asset(name: str) -> str:
    return (files("overread.pages") / "templates" / name).read_text(encoding="utf-8")


def template() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("overread.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["score"] = score
    environment.filters["p"] = p_value
    for part in environment.list_templates(["j2"]):
        environment.get_template(part)
    return environment.get_template("report.html.j2")
