"""What de-identification leaves behind is read alike, whoever left it, and stays in the text as it is."""

import re
from functools import cache

import msgspec
import pytest

from overread.reader import read
from overread.report import from_sections, parse
from overread.report.marks import alike, hidden, origin
from overread.systems.registry import system

MARKS = (
    "___", "____", "[**Name**]", "[**2118-1-2**]", "[**Hospital 1 (ED)**]", "<NAME>", "<DATE_TIME_2>", "[REDACTED]",
    "[Date 3]", "XX/XX/XXXX",
)  # fmt: skip
SENTENCES = (
    "Unchanged since {}. Nodule larger than on prior {} study.",
    "Left chest {} with its tip in the SVC.",
    "Right pacemaker {} tip is in the right atrium. Additional pacing {} over the left atrium.",
    "Opacity {} atelectasis. The appearance {} scarring.",
    "{} represents scarring or atelectasis in the left base.",
    "Compared to {}, the effusion has decreased.",
    "The heart, pulmonary {} and mediastinum are normal.",
    "Pulmonary {} are normal. Left costophrenic {} is blunted.",
    "Dr. {} was notified of the pneumothorax.",
    "Small left effusion, {}. This {} unchanged.",
    "Sternotomy {} are intact. Calcified mediastinal lymph {}.",
    "Old {} fracture. Minimal left basilar {} opacity.",
    "Most {} represents pneumonia. Small areas of {} scarring in the left base.",
    "Mr. {} has a right nodule. {} No effusion.",
    "Superior segment {} the left lower lobe has a nodule {} or granuloma.",
    "Two nodules which were not present in the {} CT. Recent {} on the left.",
    "Normal chest x-{}. Dual-{} pacemaker.",
    "No XXXX of edema, but {} and lateral views show a mass {} findings of infection.",
    "Recommend follow-up CT, {} months, for the nodule at the {} level.",
)
VIEWS = ("lunguage", "radsem", "clear", "srrg", "longitudinal")


def report_of(mark: str) -> str:
    """All the sentences, a few of them as the impression; also said of whom and compared with what."""
    told = [sentence.replace("{}", mark) for sentence in SENTENCES]
    return (
        f"INDICATION: {mark}-year-old with {mark} loss.\nCOMPARISON: {mark}, {mark}.\n"
        f"FINDINGS: {' '.join(told)}\nIMPRESSION:\n1. {told[3]}\n2. {told[5]}\n3. {told[-1]}"
    )


def without_offsets(value: object) -> object:
    """A view with every blank written alike and no offsets, which depend on how long the mark is."""
    match value:
        case dict():
            return {key: without_offsets(part) for key, part in value.items()}
        case list():
            return [without_offsets(part) for part in value]
        case str():
            return alike(value)
        case int() if not isinstance(value, bool):
            return None
    return value


def plain(view: object) -> object:
    return msgspec.json.decode(msgspec.json.encode(view))


@cache
def views(mark: str) -> dict[str, object]:
    reading = read(parse(report_of(mark), "a"))
    return {name: without_offsets(plain(system(name).by_rules(reading))) for name in VIEWS}


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("mark", MARKS)
def test_every_view_is_the_same_whichever_mark_stands_there(mark: str, name: str) -> None:
    assert views(mark)[name] == views("XXXX")[name]


@pytest.mark.parametrize("mark", MARKS)
def test_every_finding_points_at_its_own_words(mark: str) -> None:
    reading = read(parse(report_of(mark), "a"))
    plain = read(parse(report_of("XXXX"), "a"))
    quoted = [alike(reading.quote(f.span)) for f in reading.findings]
    assert quoted == [plain.quote(f.span) for f in plain.findings]
    sentences = [alike(reading.quote(s.span)) for s in reading.sentences]
    assert sentences == [plain.quote(s.span) for s in plain.sentences]


def test_the_text_stays_as_it_is() -> None:
    report = parse("Mr. [**Name 7**] has a nodule.", "a")
    reading = read(report)
    assert reading.report.text == "Mr. [**Name 7**] has a nodule."
    (finding,) = system("lunguage").by_rules(reading).findings
    assert finding.sentence.text == "Mr. [**Name 7**] has a nodule."


def test_sections_that_come_apart_are_read_alike() -> None:
    columns = {"findings": "Seen by Dr. {}. Left chest {} in place.", "impression": "{} 1. Nodule."}

    def spans(mark: str) -> list[str]:
        report = from_sections({name: body.replace("{}", mark) for name, body in columns.items()})
        return [alike(s.span.of(report.text)) for part in report.sections for s in part.sentences]

    assert spans("[**First Name. 3**]") == spans("XXXX")


def test_less_than_a_page_and_a_template_are_no_marks() -> None:
    (finding,) = read(parse("Nodule <5 mm in the left lobe.", "a")).findings
    assert finding.concept == "nodule"
    assert any("5 mm" in a.text for a in finding.values("measurement"))
    for text in (
        "Lungs<BR>clear",
        "[normal] heart",
        "[ ] effusion",
        "snake__case",
        "_" * 12,
        "<h1>Chest</h1>",
    ):
        assert hidden(text) == text


@pytest.mark.parametrize("mark", MARKS)
def test_offsets_come_back(mark: str) -> None:
    text = hidden(f"{mark} on {mark}, then {mark} nodule")
    said = alike(text)
    for word in re.finditer(r"on|then|nodule", said):
        start = origin(text, word.start())
        assert text[start : origin(text, word.end())] == word[0]
