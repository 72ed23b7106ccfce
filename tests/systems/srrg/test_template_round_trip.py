"""parse(show(report)) gives the report back, whatever its lines hold."""

from hypothesis import given
from hypothesis import strategies as st

from overread.systems.srrg.schema import HEADERS, StructuredReport
from overread.systems.srrg.template import (
    HEADER_KEYS,
    MARKER,
    SECTION_KEYS,
    key,
    looks_structured,
    parse,
    show,
)

AWKWARD = [
    "Findings: none", "Impression:", "Pleura:", "- a dash", "1. a number", "2) two", "x Pleura: y", "• dot",
    "Exam Type: x", "**bold**", "a - b - c", "normal. 2. more", "History: Findings: Pleura: - x", "lower case",
    "# heading", "Lungs and Airways", "Impression",
]  # fmt: skip


def tidy(text: str) -> str:
    return " ".join(text.split())


lines = st.one_of(st.sampled_from(AWKWARD), st.text(min_size=1, max_size=40).map(tidy)).filter(bool)
reports = st.builds(
    StructuredReport,
    exam_type=st.one_of(st.just(""), lines),
    history=st.one_of(st.just(""), lines),
    technique=st.one_of(st.just(""), lines),
    comparison=st.one_of(st.just(""), lines),
    findings=st.dictionaries(st.sampled_from(HEADERS), st.lists(lines, max_size=3), max_size=4),
    impression=st.lists(lines, max_size=4),
)


@given(reports)
def test_what_is_printed_is_read_back(report):
    found = parse(show(report))
    assert found.report == report


@given(reports)
def test_a_printed_report_has_nothing_to_remark_on(report):
    assert parse(show(report)).remarks == ()


@given(st.text(max_size=200))
def test_no_text_breaks_the_parser_and_every_line_is_kept(text):
    """Whatever is written, a line is a heading or its words are kept, where they stand."""
    found = parse(text)
    kept = " ".join(line.text for line in found.lines)
    for line in found.lines:
        assert line.text == tidy(text[line.span.start : line.span.end])
    for line in text.splitlines():
        if ":" not in line and not MARKER.match(line) and key(line) not in SECTION_KEYS | HEADER_KEYS:
            assert tidy(line) in kept


def test_unknown_headers_survive_the_round_trip():
    report = StructuredReport(findings={"Pleura": ["No effusion"], "Heart": ["Normal"]})
    found = parse(show(report))
    assert found.report == report
    assert [remark.problem for remark in found.remarks] == ["the template has no such header"]


def test_only_a_header_of_the_findings_makes_a_text_look_structured():
    assert looks_structured("Lungs and Airways:\n- Clear")
    assert looks_structured("**Pleura:** - No effusion")
    assert not looks_structured("FINDINGS: The pleura: unremarkable.\nIMPRESSION: Normal.")
    assert not looks_structured("FINDINGS: Lungs are clear.\nOther:\nNo fracture.")
