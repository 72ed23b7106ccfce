"""The protocol server: tools and resources by name, over standard input and output."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import msgspec

from overread.errors import OverreadError
from overread.extras import require
from overread.mcp import tools
from overread.runner.limits import describe
from overread.version import __version__

TELLS = """Reads radiology reports offline: what a report says, how correct a candidate is, which errors it makes, and
why a sentence is read as it is. It compares reports with reports and makes no statement about a patient."""

TOOLS = (tools.read_report, tools.score_pair, tools.list_errors, tools.explain, tools.follow_patient)


def build() -> Any:
    made = [offered(tool) for tool in TOOLS]
    server = require("mcp.server", "mcp").MCPServer(
        "overread",
        instructions=TELLS,
        version=__version__,
        tools=made,
        log_level="CRITICAL",  # whoever asked is told what went wrong; the SDK would log tracebacks besides
    )
    server.resource("overread://lexicon", mime_type="text/tab-separated-values")(tools.concepts)
    server.resource("overread://lexicon/{term}", mime_type="application/json")(or_not_found(tools.about_term))
    server.resource("overread://formulas", mime_type="text/tab-separated-values")(tools.metrics)
    server.resource("overread://formulas/{system}", mime_type="text/markdown")(or_not_found(tools.formulas))
    return server


def offered(tool: Callable[..., dict[str, Any]]) -> Any:
    """The tool as the protocol has it: it only looks, and complaints about its arguments do not quote them."""
    looks = require("mcp_types", "mcp").ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    made = require("mcp.server.mcpserver.tools", "mcp").Tool.from_function(
        without_report_text(tool), annotations=looks
    )
    made.fn_metadata.arg_model.model_config["hide_input_in_errors"] = True
    made.fn_metadata.arg_model.model_rebuild(force=True)
    return made


def or_not_found(resource: Callable[..., Any]) -> Callable[..., Any]:
    """The resource, or word that there is none of that name."""
    missing = require("mcp.server.mcpserver.exceptions", "mcp").ResourceNotFoundError

    @wraps(resource)
    def asked(*args: Any, **given: Any) -> Any:
        try:
            return resource(*args, **given)
        except OverreadError as error:
            raise missing(str(error)) from None

    return asked


def without_report_text(tool: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """The tool, failing in words that never quote a report."""
    failure = require("mcp.server.mcpserver.exceptions", "mcp").ToolError

    result = require("mcp_types", "mcp")

    @wraps(tool)
    def asked(*args: Any, **given: Any) -> Any:
        try:
            said = tool(*args, **given)
        except OverreadError as error:
            raise failure(str(error)) from None
        except Exception as error:
            raise failure(f"Something went wrong: {describe(error)}") from None
        text = msgspec.json.encode(said).decode()  # without indentation: an assistant pays for every blank
        return result.CallToolResult(
            content=[result.TextContent(type="text", text=text)], structured_content=said
        )

    return asked


def run() -> None:
    build().run()
