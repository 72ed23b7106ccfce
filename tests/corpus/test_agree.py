"""Two annotations of the same sentences: how far they agree, and where they differ."""

import pytest
from tests.corpus.written import report

from overread.corpus.agree import agreement, compare_reports, counts_of, differences
from overread.errors import BadInput


def agreed(first, second):
    return agreement(compare_reports([report(first)], [report(second)]))


EDEMA = "F Haze at the left base, likely edema.\n- Haze + #h ; loc=left base\n- edema +? ; ev=h\n"


def test_an_annotation_agrees_with_itself():
    found = agreed(EDEMA, EDEMA)
    assert {name for name, tally in found.items() if tally.f1 == 1} == {
        "entity", "entity, same words", "status", "certainty", "category", "triplet", "attributes",
        "attributes, same words", "evidence",
    }  # fmt: skip
    assert found["same_as"].f1 is None


def test_other_words_other_places_other_links():
    second = "F Haze at the left base, likely edema.\n- Haze + ; loc=left\n- likely edema + @C\n"
    found = agreed(EDEMA, second)
    assert found["entity"] == counts_of(2, 2, 2)
    assert found["entity, same words"] == counts_of(1, 2, 2)
    assert found["certainty"] == counts_of(1, 2, 2)
    assert found["category"] == counts_of(1, 2, 2)
    assert found["triplet"] == counts_of(1, 2, 2)
    assert found["attributes"] == counts_of(1, 1, 1)
    assert found["attributes, same words"] == counts_of(0, 1, 1)
    assert found["evidence"] == counts_of(0, 1, 0)


def test_status_is_asked_of_mentions_that_both_have():
    text = "F No haze, no edema.\n"
    found = agreed(text + "- haze -\n- edema -\n", text + "- haze +\n")
    assert found["entity"] == counts_of(1, 2, 1)
    assert found["status"] == counts_of(0, 1, 1)


def test_one_noun_for_two_sides_is_matched_by_what_is_said_of_it():
    text = "F Effusion smaller on the right, larger on the left.\n"
    right = "- Effusion + ; loc=right ; imp=smaller\n"
    left = "- Effusion + ; loc=left ; wor=larger\n"
    assert agreed(text + right + left, text + left + right)["triplet"] == counts_of(2, 2, 2)


def test_an_accepted_alternative_counts():
    text = "F Enlarged heart on the left.\n"
    first = text + "- heart + ; mea=Enlarged ; loc=left\n/- Enlarged heart + ; loc=on the left\n"
    found = agreed(first, text + "- Enlarged heart + ; loc=left\n")
    assert found["entity, same words"] == counts_of(1, 1, 1)
    assert found["triplet"] == counts_of(1, 1, 1)
    assert found["attributes"] == counts_of(1, 1, 1)


def test_one_thing_named_three_times_however_it_is_chained():
    text = "F Mass. {}\nF Mass again.\n- Mass + #b ; sa=a\nP Mass.\n- Mass + ; sa={}\n"
    first, second = (text.format("\n- Mass + #a", end).replace(". \n", ".\n") for end in ("a", "b"))
    assert agreed(first, second)["same_as"] == counts_of(3, 3, 3)


def test_other_sentences_cannot_be_compared():
    with pytest.raises(BadInput, match="sentences of report a are not the same"):
        agreed("F Fine.\n~ summary", "F Good.\n~ summary")
    with pytest.raises(BadInput, match="no report id in common"):
        list(compare_reports([report("F Fine.\n~ summary", "a")], [report("F Fine.\n~ summary", "b")]))


def test_differences_show_both_versions_in_notation():
    second = EDEMA.replace("likely edema.\n", "likely edema.\n- left base -? ; no=likely\n").replace(
        "#h ; loc=left base", "#x ; loc=left"
    )
    second = second.replace("ev=h", "ev=x")
    assert list(differences([report(EDEMA)], [report(second)])) == [
        "# a, sentence 1\n"
        "F Haze at the left base, likely edema.\n"
        "- edema +? ; ev=h\n"
        "< - Haze + #h ; loc=left base\n"
        "> - left base -? ; no=likely\n"
        "> - Haze + #x ; loc=left\n"
    ]


def test_other_tags_and_another_order_are_no_difference():
    second = "F Haze at the left base, likely edema.\n- edema +? ; ev=one\n- haze + #one ; loc=left base\n"
    assert list(differences([report(EDEMA)], [report(second)])) == []
