"""Print docs/llms.txt: every page of the site with its first sentence, for programs that read documentation."""

import re
from pathlib import Path

DOCS = Path(__file__).parent
ENTRY = re.compile(r"^ *- \"?([^\"\n]+?)\"?: (\S+\.md)$", re.MULTILINE)
NAME_OF_FILE = re.compile(r"`[^`]+`( holds)?:")


def pages() -> list[tuple[str, str]]:
    """Title and file in the order of the menu."""
    return ENTRY.findall((DOCS.parent / "mkdocs.yml").read_text("utf-8"))


def first_sentence(path: Path) -> str:
    text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
    for block in text.split("\n\n"):
        line = " ".join(block.split())
        if line and not line.startswith(("#", "|", "<", "!", "-")) and not NAME_OF_FILE.fullmatch(line):
            return re.split(r"(?<=[.:])\s", line)[0]
    return ""


def main() -> None:
    print("# overread\n")
    print(
        "> A second reader for radiology reports: read, follow and score them finding by finding, offline.\n"
    )
    print("## Pages\n")
    for title, file in pages():
        print(f"- [{title}]({file}): {first_sentence(DOCS / file)}")


if __name__ == "__main__":
    main()
