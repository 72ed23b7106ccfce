"""Invented reports with marks, made up by hypothesis: what every annotation format must carry there and back."""

from hypothesis import strategies as st
from msgspec.structs import replace

from overread.formats.annotated import AnnotatedReport, Detail, Mark, Step
from overread.formats.pieces import FACTS, RELATIONS
from overread.reader import read
from overread.report import parse
from overread.report.span import Span

CHARACTERS = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), include_characters="\n\r\t")
WORDS = st.sampled_from(
    ["Small", "left", "effusion", ".", "No", "größere", "🫁", "R/O", "opacity|x", "XXXX", "<b>&amp;"]
)
TEXTS = st.lists(WORDS | st.text(CHARACTERS, min_size=1, max_size=6), min_size=1, max_size=14).map(
    lambda words: " ".join(words).strip() or "Clear."
)
NAMES = st.text(CHARACTERS, min_size=1, max_size=12).map(str.strip).filter(bool)

DAYS = st.floats(0, 1e6)

REPORTS = [
    "FINDINGS: Small left pleural effusion, decreased. No pneumothorax. Patchy right basilar opacity may represent "
    "atelectasis or pneumonia.\n\nIMPRESSION: Left effusion. Possible pneumonia.",
    "FINDINGS: The heart is mildly enlarged. Right IJ catheter with its tip in the SVC. 8 mm nodule in the left upper "
    "lobe, unchanged since 2021.\r\n\r\nIMPRESSION: Stable nodule.",
    "Clear lungs. Größe normal.",
]


@st.composite
def spans(draw, text):
    """A stretch of text that begins and ends with something to see."""
    seen = [n for n, c in enumerate(text) if not c.isspace()]
    start = draw(st.sampled_from(seen))
    end = draw(st.sampled_from([n for n in seen if start <= n < start + 20]))
    return Span(start, end + 1)


@st.composite
def marks(draw, text, ids, names):
    one = st.lists(spans(text), min_size=1, max_size=2, unique=True).map(tuple)
    count = draw(st.integers(0, 3))
    placed = [Detail(draw(st.sampled_from(RELATIONS)), draw(NAMES), draw(one)) for _ in range(count)]
    unplaced = draw(st.lists(st.builds(Detail, st.sampled_from(RELATIONS), NAMES), max_size=1))
    links = st.lists(st.sampled_from(ids), max_size=2, unique=True).map(tuple)
    return Mark(
        id="", entity=draw(NAMES), spans=draw(one),
        section=draw(st.sampled_from(["findings", "impression", "indication"])),
        sentence=draw(spans(text)), category=draw(st.sampled_from(FACTS["category"])),
        status=draw(st.sampled_from(FACTS["status"])), certainty=draw(st.sampled_from(FACTS["certainty"])),
        details=(*placed, *unplaced), associate=draw(links), evidence=draw(links),
        concept=draw(st.none() | st.just("effusion")), level=draw(st.none() | st.just("possible")),
        side=draw(st.sampled_from([None, "left", "both"])), gone=draw(st.booleans()),
        trace=tuple(draw(st.lists(st.builds(Step, spans(text), names, names), max_size=2))),
    )  # fmt: skip


@st.composite
def annotated(draw, texts=TEXTS, names=NAMES, day=DAYS):
    """A report nobody would write, with marks anywhere."""
    text = draw(texts.filter(lambda t: t.strip()))
    ids = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    found = tuple(replace(draw(marks(text, ids, names)), id=id) for id in ids)
    return AnnotatedReport(
        id=draw(names), text=text, patient=draw(st.none() | names), study=draw(st.none() | names),
        day=draw(st.none() | day), date=draw(st.none() | st.dates().map(str)),
        marks=draw(st.just(found) | st.just(())),
    )  # fmt: skip


def readings():
    """Readings of the invented reports."""
    return [
        read(parse(text, f"r{n}", patient="p1", study=f"s{n}", day=3.0 * n)) for n, text in enumerate(REPORTS)
    ]
