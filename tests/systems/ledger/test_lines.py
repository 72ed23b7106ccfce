"""From words at fault in two reports to errors: what is put together, widened, left out, and how it is named."""

import pytest
from msgspec import structs

import overread
from overread.judge.network import Fault
from overread.report.span import Span
from overread.systems.ledger.found import Found
from overread.systems.ledger.lines import Lines
from overread.systems.ledger.schema import Account, Claim, Sentence
from overread.systems.ledger.significance import NOBODY
from overread.systems.ledger.support import Support
from overread.systems.ledger.weights import weights


def sentence(text: str, start: int = 0, **told) -> Sentence:
    return Sentence(Span(start, start + len(text)), text, **told)


def at(one: Sentence, words: str) -> Span:
    start = one.span.start + one.text.index(words)
    return Span(start, start + len(words))


def claim(one: Sentence, words: str, polarity: str = "present") -> Claim:
    return Claim(words, words, "finding", polarity, (at(one, words),), "", told=words)


def disputed(one: Sentence, *faults: Fault, **told) -> Support:
    return Support(one, told.pop("said", 0.05), 1.0, "significant", faults=faults, **told)


def errors(ours, theirs, claims=((), ())):
    accounts = [
        Account("one", tuple(own), tuple(s.sentence for s in some))
        for own, some in zip(claims, (ours, theirs), strict=True)
    ]
    lines = Lines(tuple(accounts), (tuple(ours), tuple(theirs)), NOBODY, weights())
    return lines.listed(lines.found())


SMALL = sentence("Small effusion on the left beside the heart.")
LARGE = sentence("Large effusion on the left beside the heart.")
MASS, CLEAR = sentence("A mass in the left lung."), sentence("The lungs are clear.", denies=True)


def test_words_at_fault_in_both_reports_are_one_error():
    ours = disputed(SMALL, Fault("severity", 0.9, at(SMALL, "Small"), (at(LARGE, "Large"),)))
    theirs = disputed(LARGE, Fault("severity", 0.9, at(LARGE, "Large"), (at(SMALL, "Small"),)))
    [error] = errors([ours], [theirs])
    assert (error.kind, error.reference_says, error.candidate_says) == ("wrong degree", "Small", "Large")
    assert error.correction == "write Small instead of Large"


def test_a_finding_that_the_other_report_denies_is_told_once_with_the_denial():
    found = Fault("denied", 0.9, at(MASS, "A mass"), (at(CLEAR, "clear"),))
    denial = Fault("denies", 0.9, at(CLEAR, "clear"), (at(MASS, "mass"),))
    [error] = errors(
        [disputed(MASS, found)], [disputed(CLEAR, denial, denies=True)], ((claim(MASS, "mass"),), ())
    )
    assert (error.kind, error.finding) == ("missed finding", "a mass")
    assert error.candidate_says == "denied: The lungs are clear"


def test_one_denial_of_two_findings_is_two_errors():
    two = sentence("Cyst in the liver and stone in the bile duct.")
    normal = sentence("Liver and bile ducts are normal.", denies=True)
    against = at(two, "Cyst in the liver"), at(two, "stone in the bile duct")
    denial = Fault("denies", 0.9, at(normal, "normal"), against)
    own = [Fault("denied", 0.9, span, (at(normal, "normal"),)) for span in against]
    found = errors([disputed(two, *own)], [disputed(normal, denial, denies=True)])
    assert {e.finding for e in found} == {"cyst in the liver", "stone in the bile duct"}


def test_a_sentence_of_which_most_is_mentioned_nowhere_is_told_as_a_whole():
    [error] = errors([disputed(MASS, Fault("alone", 0.9, at(MASS, "mass in the left")))], [])
    assert (error.finding, error.candidate_says) == ("a mass in the left lung", "not mentioned")


def test_a_normal_statement_that_the_other_report_lacks_is_no_error():
    normal = Fault("alone", 0.9, at(CLEAR, "clear"))
    assert not errors([disputed(CLEAR, normal, denies=True)], [], ((claim(CLEAR, "clear", "absent"),), ()))


def test_of_a_sentence_that_is_borne_out_only_sizes_are_at_fault():
    nodule, other = sentence("A 9 mm nodule."), sentence("A 19 mm nodule.")
    said = Support(nodule, 0.9, 0.0, faults=(Fault("size", 0.9, at(nodule, "9 mm"), (at(other, "19 mm"),)),))
    [error] = errors([said], [Support(other, 0.9, 0.0)])
    assert (error.kind, error.candidate_says) == ("wrong size", "19 mm")
    said = Support(
        SMALL, 0.9, 0.0, faults=(Fault("severity", 0.9, at(SMALL, "Small"), (at(LARGE, "Large"),)),)
    )
    assert not errors([said], [Support(LARGE, 0.9, 0.0)])


def test_sizes_that_two_readers_measure_alike_are_a_negligible_error():
    one, two = sentence("A mass of 52 mm."), sentence("A mass of 4.9 cm.")
    [error] = errors(
        [disputed(one, Fault("size", 0.9, at(one, "52 mm"), (at(two, "4.9 cm"),)))], [Support(two, 1.0, 0.0)]
    )
    assert (error.kind, error.significance) == ("wrong size", "none")


@pytest.mark.parametrize(("kind", "expected"), [("place", "vaguer"), ("change", "missed comparison")])
def test_a_detail_left_open_is_told_where_nothing_else_of_the_sentence_is_wrong(kind, expected):
    left = Fault(kind, 0.9, at(MASS, "left"))
    assert [e.kind for e in errors([disputed(MASS, left)], [])] == [expected]
    found = errors(
        [disputed(MASS, left, Fault("alone", 0.9, at(MASS, "mass")))], [], ((claim(MASS, "mass"),), ())
    )
    assert [e.kind for e in found] == ["missed finding"]


def test_findings_and_impression_tell_one_error():
    again = sentence("Impression: effusion.", 40)
    told = Claim(
        "effusion", "effusion", "finding", "present", (at(SMALL, "effusion"), at(again, "effusion")), ""
    )
    ours = [
        disputed(s, Fault("alone", 0.9, at(s, words)))
        for s, words in ((SMALL, "effusion"), (again, "effusion"))
    ]
    [error] = errors(ours, [], ((told,), ()))
    assert len(error.reference) == 2


def test_two_findings_that_exclude_each_other_are_told_against_each_other():
    found = overread.errors(
        "Low lung volumes. The heart is normal.", "The lungs are hyperinflated. The heart is normal."
    )
    assert found
    assert all(e.reference and e.candidate for e in found)


def test_what_is_said_in_far_words_beside_a_real_error_is_not_missed():
    found = overread.errors(
        "Solid 23 mm nodule in the right thyroid lobe, and a cyst of the left lobe.",
        "The right lobe of the thyroid holds a solid nodule of 2.3 cm. The left lobe is normal.",
    )
    assert not [e for e in found if "nodule" in e.finding and e.kind in ("missed finding", "false finding")]


def test_two_findings_on_the_other_side_are_two_errors():
    one, two = sentence("Right pleural effusion."), sentence("Opacity at the right base.", 40)
    other, more = sentence("Left pleural effusion."), sentence("Opacity at the left base.", 40)
    ours = [disputed(s, Fault("side", 0.9, at(s, word), (at(t, side),)))
            for s, word, t, side in ((one, "Right", other, "Left"), (two, "right", more, "left"))]  # fmt: skip
    found = errors(
        ours, [disputed(other), disputed(more)], ((claim(one, "effusion"), claim(two, "Opacity")), ())
    )
    assert {e.finding for e in found if e.kind == "wrong place"} == {"effusion", "Opacity"}


def test_a_normal_statement_that_changes_sides_with_a_finding_is_no_second_error():
    lesion, clear = sentence("Right effusion."), sentence("The left lung is clear.", 40, denies=True)
    other, mirrored = sentence("Left effusion."), sentence("The right lung is clear.", 40, denies=True)
    moved = disputed(lesion, Fault("side", 0.9, at(lesion, "Right"), (at(other, "Left"),)))
    normal = disputed(clear, Fault("side", 0.9, at(clear, "left"), (at(mirrored, "right"),)), denies=True)
    theirs = [disputed(other), disputed(mirrored, denies=True)]
    with_lesion = errors([moved, normal], theirs, ((claim(lesion, "effusion"),), ()))
    assert [e.finding for e in with_lesion if e.kind == "wrong place"] == ["effusion"]
    alone = errors([normal], [theirs[1]])
    assert [e.reference_says for e in alone] == ["left"]


def test_words_in_which_nothing_was_read_are_quoted_with_their_clause():
    one = sentence("Cavitating disease of the left apex, infection must be ruled out, with effusion.")
    [error] = errors([disputed(one, Fault("alone", 0.9, at(one, "must be ruled")))], [])
    assert error.reference_says == "infection must be ruled out"


def test_the_name_of_one_finding_is_at_fault_in_one_way():
    one, other = sentence("Congestive heart failure."), sentence("Lymphangitic carcinomatosis.")
    against = (at(other, "Lymphangitic carcinomatosis"),)
    faults = [Fault("other", 0.7, at(one, "Congestive"), against), Fault("denied", 0.6, at(one, "heart")),
              Fault("other", 0.9, at(one, "failure"), against)]  # fmt: skip
    found = errors(
        [disputed(one, *faults)], [disputed(other)], ((claim(one, "Congestive heart failure"),), ())
    )
    assert [(e.kind, e.reference_says) for e in found] == [("wrong description", "Congestive heart failure")]


def test_how_clearly_words_are_marked_and_what_is_left_open_say_how_sure_a_line_is():
    lines = Lines((Account("", ()), Account("", ())), ((), ()), NOBODY, weights())
    found = Found("side", 0, 0.97, (Span(0, 4), Span(0, 5)), (None, None), sentences=2)
    faint = structs.replace(found, sure=0.5, sentences=1)
    sure = [
        lines.sure(one, kind)
        for one, kind in ((found, "wrong place"), (faint, "wrong place"), (found, "vaguer"))
    ]
    assert sure == [0.92, 0.61, 0.68]


def test_an_uncertain_line_says_so():
    found = overread.errors(
        "No effusion. Heart is mildly enlarged.", "Small right effusion. Heart is enlarged."
    )
    assert [(error.sure < 0.8, error.uncertain) for error in found] == [(False, False), (True, True)]
