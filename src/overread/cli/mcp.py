"""`overread mcp`: tools for assistants."""


def mcp() -> None:
    """Run an MCP server (stdio) that gives assistants readings, scores, errors, explanations and timelines.

    Tools: read_report, score_pair, list_errors, explain, follow_patient. Resources: overread://lexicon,
    overread://formulas. Assistants start it themselves; nothing leaves this machine.

        overread mcp
    """
    from overread.mcp.server import run

    run()
