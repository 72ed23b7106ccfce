"""The protocol server: tools and resources by name, over standard input and output."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from overread.errors import OverreadError
from overread.extras import require
from overread.mcp import resources, tools
from overread.runner.failure import describe

ABOUT = """Reads radiology reports by rules, on this machine: what a report says, how right a candidate is, which errors
it makes, and why a sentence is read as it is. It checks reports against reports and says nothing about a patient."""

TOOLS = (tools.read_report, tools.score_pair, tools.list_errors, tools.explain, tools.follow_patient)


def build() -> Any:
    server = require("mcp.server", "mcp").MCPServer("overread", instructions=ABOUT)
    for tool in TOOLS:
        server.tool()(spoken(tool))
    server.resource("overread://lexicon", mime_type="text/tab-separated-values")(resources.concepts)
    server.resource("overread://lexicon/{term}", mime_type="application/json")(tools.about_term)
    server.resource("overread://formulas", mime_type="text/tab-separated-values")(resources.metrics)
    server.resource("overread://formulas/{system}", mime_type="text/markdown")(resources.formulas)
    return server


def spoken(tool: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """The tool, failing in words that never quote a report."""
    failure = require("mcp.server.mcpserver.exceptions", "mcp").ToolError

    @wraps(tool)
    def asked(*args: Any, **given: Any) -> dict[str, Any]:
        try:
            return tool(*args, **given)
        except OverreadError as error:
            raise failure(str(error)) from None
        except Exception as error:
            raise failure(f"Something went wrong: {describe(error)}") from None

    return asked


def run() -> None:
    build().run()
