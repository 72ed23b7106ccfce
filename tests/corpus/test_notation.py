"""The notation: what each line means, and every complaint about a line."""

import pytest
from tests.corpus.written import guide_example, mentions, problems, report

from overread.corpus.notation import parse_file, parse_notation
from overread.corpus.records import Complaint
from overread.corpus.writing import write_notation
from overread.report.span import Span


def test_the_example_of_the_guide_is_sound():
    [found], complaints = parse_notation(guide_example(), "guide")
    assert complaints == []
    assert found.about == {
        "modality": "XR chest", "setting": "intensive care", "style": "prose", "writer": "w07",
    }  # fmt: skip
    assert [one.kind for one in found.sentences if one.kind] == ["technique", "comparison", "advice"]
    [pointing] = [one for one in found.sentences if one.additions]
    assert pointing.additions[0].to == "m5"


HEAD = "# a\n"
SOUND = HEAD + "F Small effusion.\n- effusion + ; sev=small\n"
WRONG = {
    "stands before the first report": "F No effusion.\n",
    "missing its colon": "% modality XR\n" + SOUND,
    "'modalty' is not one of modality": "% modalty: XR\n" + SOUND,
    "behind the id is not key=value": "# a CT\nF Clear.\n~ summary\n",
    "'side' is not one of": "# a side=left\nF Clear.\n~ summary\n",
    "the day is a number": "# a day=Monday\nF Clear.\n~ summary\n",
    "used twice": SOUND + SOUND,
    "a report without a sentence": "# a\n",
    "without a sentence above it": HEAD + "- effusion +\n",
    "not understood": HEAD + "F Small effusion.\n- effusion ; sev=small\n",
    "no mention, and no '~ kind'": HEAD + "F Small effusion.\n",
    "beside mentions": SOUND + "~ advice\n",
    "~ advise is not one of": HEAD + "F Repeat in a week.\n~ advise\n",
    "does not stand in the sentence": HEAD + "F Small effusion.\n- effusions +\n",
    "occurs 1 times, not 2": HEAD + "F Small effusion.\n- effusion~2 +\n",
    "does not stand behind": HEAD + "F Left and right base.\n- right .. left +\n",
    "quotes a blank": HEAD + "F XXXX effusion.\n- XXXX effusion +\n",
    "@Z is not one of": HEAD + "F Small effusion.\n- effusion + @Z\n",
    "one category, one tag": HEAD + "F Small effusion.\n- effusion + #a #b\n",
    "siz= is not one of": HEAD + "F Small effusion.\n- effusion + ; siz=small\n",
    "is not letters=words": HEAD + "F Small effusion.\n- effusion + ; small\n",
    "the tag #e is used twice": HEAD + "F Two effusions, effusion.\n- effusions + #e\n- effusion + #e\n",
    "has the tag #x": HEAD + "F Small effusion.\n- effusion + ; sa=x\n",
    "linked to itself": HEAD + "F Small effusion.\n- effusion + #e ; as=e\n",
    "quote it with no=": HEAD + "F Effusion resolved.\n- effusion -\n",
    "quote it with may=": HEAD + "F Small effusion.\n- effusion +?\n",
    "an alternative without a mention": HEAD + "F Small effusion.\n/- effusion +\n",
    "an alternative has no tag": HEAD + "F Large heart.\n- heart + ; mea=large\n/- Large heart + #h\n",
    "'^tag ; …' needs attributes": SOUND.replace("+ ;", "+ #e ;") + "F Unchanged.\n^e\n",
}


@pytest.mark.parametrize("complaint", WRONG)
def test_every_kind_of_complaint(complaint):
    assert any(complaint in one for one in problems(WRONG[complaint]))


def test_a_complaint_names_file_and_line():
    complaints = parse_notation(HEAD + "F Small effusion.\n- effusions +\n", "mine.txt")[1]
    assert str(complaints[0]) == "mine.txt:3: 'effusions' does not stand in the sentence"


def test_a_file_in_another_encoding_is_a_complaint(tmp_path):
    path = tmp_path / "latin.txt"
    path.write_bytes("# a\nF Kerley lines é.\n".encode("latin-1"))
    assert parse_file(path) == (
        [],
        [Complaint("latin.txt", 2, "not UTF-8 from here on: save the file as UTF-8")],
    )


def test_words_that_occur_twice():
    """The noun: the first, or the one asked for. A value: the one nearest to its noun."""
    first, second = mentions(
        "F Small effusion left, small effusion right.\n- effusion + ; sev=small\n- effusion~2 + ; sev=small\n"
    )
    assert first.words.spans == (Span(6, 14),)
    assert second.words.spans == (Span(27, 35),)
    assert second.attributes["severity"][0].spans == (Span(21, 26),)


def test_a_quotation_with_a_hole():
    [one] = mentions(
        "F Opacity in the right upper and middle lobe.\n- opacity + ; loc=right .. middle lobe\n"
    )
    [place] = one.attributes["location"]
    assert (place.text, len(place.spans)) == ("right middle lobe", 2)


def test_links_by_commas_or_bars_and_in_several_goes():
    found = mentions(
        "F Edema with effusion, cuffing and haze.\n- effusion + #a\n- cuffing + #b\n- haze + #c\n"
        "- Edema + ; ev=a,b ; ev=c ; as=a|b\n"
    )
    assert found[-1].links == {"evidence": ("m1", "m2", "m3"), "associate": ("m1", "m2")}


def test_an_alternative_is_read_like_its_mention():
    [one] = mentions(
        "F The heart is not definitely enlarged.\n- heart -? ; mea=not definitely enlarged\n"
        "/- heart - ; mea=not definitely enlarged\n"
    )
    assert one.alternatives[0].id == one.id
    assert not one.alternatives[0].tentative


CUES = [
    ("F No effusion.\n- effusion -", "denied_by", "No"),
    ("F No calcified nodule.\n- nodule - ; mor=calcified", "denied_by", "No"),
    ("F No effusion, lungs clear.\n- lungs - ; mor=clear", "denied_by", None),
    ("F The heart is not enlarged.\n- heart - ; mea=not enlarged", "denied_by", None),
    ("F Effusion ruled out.\n- effusion -", "denied_by", "ruled out"),
    ("F No mass, and the stripe is thin.\n- stripe - ; mor=thin", "denied_by", None),
    ("F No haze, but the effusion has not come back.\n- effusion -", "denied_by", "not"),
    ("F Possible large effusion.\n- effusion +? ; sev=large", "hedged_by", "Possible"),
    ("F No large effusion.\n- effusion -? ; sev=large", "hedged_by", "large"),
    ("F Likely edema or pneumonia.\n- pneumonia +? @C", "hedged_by", "Likely"),
    ("F Edema or pneumonia.\n- pneumonia +? @C", "hedged_by", "or"),
    (
        "F The effusion is a thing of the past.\n- effusion - ; no=a thing of the past",
        "denied_by",
        "a thing of the past",
    ),
]


@pytest.mark.parametrize(("text", "name", "words"), CUES)
def test_plain_cues_are_found(text, name, words):
    found = mentions(text)[0].attributes.get(name, ())
    assert [one.text for one in found] == ([words] if words else [])


def test_what_an_indication_asks_needs_no_word_that_hedges():
    assert mentions("I Pneumonia.\n- pneumonia +?")[0].category == "PATIENT INFO"


def test_layout_lines_keep_their_indentation():
    found = report("= Lungs:\n=   and pleura\n=\nF Clear.\n~ summary\n")
    assert [one.text for one in found.sentences] == ["Lungs:", "  and pleura", "", "Clear."]


WHOLE = """\
# a modality=CT_chest writer=w1
= FINDINGS
F/ Effusion left, effusion right, the latter no longer tense; either is perhaps old.
- Effusion + #l &g1.1 ; loc=left
- effusion~2 +? @C ; loc=right ; may=either ; as=l
/- effusion~2 + ; loc=right ; sa=l
- latter - ; mor=tense
F This is unchanged.
^l ; noc=unchanged
P Repeat.
~ advice
"""


def test_a_report_is_written_as_it_was_read():
    [found], complaints = parse_notation(WHOLE, "x")
    assert complaints == []
    assert write_notation(found) == WHOLE


def test_reading_what_was_written_gives_the_same_reports():
    found, _ = parse_notation(
        guide_example() + "# w07-002 style=list\nF Clear lungs.\n- lungs - ; mor=clear\n", "x"
    )
    again, complaints = parse_notation("".join(map(write_notation, found)), "x")
    assert complaints == []
    assert [plain(one) for one in again] == [plain(one) for one in found]


def plain(found):
    """A report without the numbers of its lines."""
    import msgspec

    def cleaned(value):
        if isinstance(value, dict):
            return {key: cleaned(one) for key, one in value.items() if key != "line"}
        return [cleaned(one) for one in value] if isinstance(value, list | tuple) else value

    return cleaned(msgspec.to_builtins(found))
