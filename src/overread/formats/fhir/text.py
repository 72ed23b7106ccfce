"""The words of a DiagnosticReport or DocumentReference: its presented form, its narrative, or its conclusion."""

import codecs
import re
from html.parser import HTMLParser

from overread.formats.fhir.parts import At

TEXT = ("text/plain",)
HTML = ("text/html", "application/xhtml+xml", "application/xhtml")
"""The last is what US Core's published example says."""


def text_of(report: At, binaries: dict[str, At]) -> str:
    """Plain text before HTML, a presented form before the narrative before the conclusion alone."""
    forms = forms_of(report)
    for wanted in (TEXT, HTML):
        for form in forms:
            if kind_of(form)[0] in wanted:
                return form_text(form, binaries)
    narrative = report.get("text").get("div").string()
    if narrative and (text := text_of_html(narrative)):
        return text
    if conclusion := report.get("conclusion").string():
        return f"IMPRESSION: {conclusion}"
    if forms:
        kinds = ", ".join(sorted({kind_of(form)[0] or "no contentType" for form in forms}))
        field = "presentedForm" if report.get("presentedForm") else "attachment"
        raise report.wrong(f"its {field} is {kinds}, which is not read; give text/plain or text/html.")
    raise report.wrong("it has no text: no presentedForm, no narrative, no conclusion.")


def forms_of(report: At) -> list[At]:
    """Where the text may lie: presented forms of a report, attachments of a document."""
    attached = [content.get("attachment") for content in report.get("content").items()]
    return report.get("presentedForm").items() + attached


def kind_of(form: At) -> tuple[str, str]:
    """Content type and charset.

    >>> from pathlib import Path
    >>> kind_of(At({"contentType": "text/HTML; charset=latin-1"}, Path("a.json"), ""))
    ('text/html', 'latin-1')
    """
    kind, *parameters = (form.get("contentType").string() or "").lower().split(";")
    charset = next((p.partition("=")[2] for p in parameters if p.strip().startswith("charset=")), "utf-8")
    return kind.strip()[:60], charset.strip(' "')


def form_text(form: At, binaries: dict[str, At]) -> str:
    kind, charset = kind_of(form)
    text = decoded(data_of(form, binaries), charset, form)
    return text_of_html(text) if kind in HTML else text


def data_of(form: At, binaries: dict[str, At]) -> bytes:
    """The bytes inside the form, or in a Binary of the same file; nothing is fetched."""
    data = form.get("data")
    if not data:
        url = form.get("url").string() or ""
        binary = binaries.get("/".join(url.rstrip("/").split("/")[-2:])) or binaries.get(url)
        if binary is None:
            raise form.wrong(
                "its text is not here but at a URL, and nothing is fetched; export it with its data."
            )
        data = binary.get("data")
    return data.decoded()


def decoded(data: bytes, charset: str, form: At) -> str:
    try:
        return codecs.decode(data, charset)
    except (LookupError, UnicodeError, TypeError, AttributeError, ValueError):
        raise form.wrong(
            f"its text is not {charset[:20]!r}; name the charset it has in contentType."
        ) from None


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
