"""`overread mcp`: tools for assistants."""


def mcp() -> None:
    """Offer reading, scores, errors, explanations and timelines to an assistant (Model Context Protocol, stdio).

    Tools: read_report, score_pair, list_errors, explain, follow_patient. Resources: overread://lexicon,
    overread://formulas. An assistant starts it by itself; nothing leaves this machine.

        overread mcp
    """
    from overread.mcp.server import run

    run()
