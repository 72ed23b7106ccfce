"""HTML → the text a person sees."""

import re
from html.parser import HTMLParser

BLOCKS = frozenset(
    "address article aside blockquote br dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol "
    "p pre section table td th tr ul".split()
)
UNSEEN = frozenset({"script", "style", "head", "title", "template"})


class Seen(HTMLParser):
    """Words as they come; a block begins a line."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in UNSEEN
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.hidden = max(0, self.hidden - (tag in UNSEEN))
        if tag in BLOCKS and tag != "br":
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(re.sub(r"\s+", " ", data))


def text_of_html(html: str) -> str:
    """
    >>> text_of_html("<div><h1>Findings</h1><p>No&nbsp;effusion.<br/>Clear lungs.</p></div>")
    'Findings\\nNo effusion.\\nClear lungs.'
    """
    seen = Seen()
    seen.feed(html)
    seen.close()
    lines = (" ".join(line.split()) for line in "".join(seen.parts).split("\n"))
    return "\n".join(line for line in lines if line)
