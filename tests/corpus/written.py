"""Small pieces of notation that the tests share."""

import re
from pathlib import Path

from overread.corpus.notation import parse_notation

ROOT = Path(__file__).parents[2]


def guide_example() -> str:
    """The report that the annotation guide begins with."""
    return re.search(r"```\n(%.*?)```", (ROOT / "corpus" / "guide.md").read_text("utf-8"), re.DOTALL)[1]


def report(text: str, id: str = "a"):
    """One report that nothing is wrong with."""
    [found], complaints = parse_notation(f"# {id}\n{text}", "example.txt")
    assert complaints == []
    return found


def mentions(text: str):
    return [mention for sentence in report(text).sentences for mention in sentence.mentions]


def problems(text: str) -> list[str]:
    """What is wrong with a file, without its name."""
    return [one.problem for one in parse_notation(text, "example.txt")[1]]
