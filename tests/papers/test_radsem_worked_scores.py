"""RadSEM paper, section 3.4 and Table 3: the score of given tags, in the paper's digits.

The table's case has 4 abnormal and 15 normal pairs of full weight, two denied abnormal findings of the reference
and the two normal sentences that deny them. The other cases are the formulas of section 3.4 worked by hand.
"""

import pytest

from overread.systems.radsem.score import score_tags, score_tags_alt
from overread.systems.radsem.tags import Findings, SentencePair, Tags, Unmatched, problems


def abnormal(ref, gen, anatomy="equivalent", finding="equivalent", details="equivalent", negated=None):
    return SentencePair(f"ref {ref}", f"gen {gen}", "abnormal", anatomy, finding, negated, details)


def normal(ref, gen, anatomy="equivalent"):
    return SentencePair(f"ref {ref}", f"gen {gen}", "normal", anatomy, None, None, None)


def loose(side, number, normality="abnormal"):
    return Unmatched(f"{side.lower()} {number}", side, normality)


def tags(pairs=(), unmatched=()):
    refs = [p.ref_sentence for p in pairs] + [u.sentence for u in unmatched if u.sentence_is_from == "Ref"]
    gens = [p.gen_sentence for p in pairs] + [u.sentence for u in unmatched if u.sentence_is_from == "Gen"]
    whole = Tags(
        "case",
        Findings(tuple(pairs), tuple(unmatched)),
        tuple(dict.fromkeys(refs)),
        tuple(dict.fromkeys(gens)),
    )
    assert list(problems(whole)) == []
    return whole


TABLE_3 = tags(
    [*(abnormal(n, n) for n in range(4)), *(normal(n, n) for n in range(4, 19))],
    [loose("Ref", 20), loose("Ref", 21), loose("Gen", 22, "normal"), loose("Gen", 23, "normal")],
)


def test_the_case_of_table_3():
    found = score_tags(TABLE_3)
    assert found.value == pytest.approx(0.81375)
    assert found.counts == {
        "abnormal_matched": 4, "abnormal_missed": 2, "abnormal_invented": 0,
        "normal_matched": 15, "normal_missed": 0, "normal_invented": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("pair", "value"),
    [
        (abnormal(1, 1, details="partial"), 0.9375),
        (abnormal(1, 1, details="none"), 0.875),
        (abnormal(1, 1, anatomy="part-whole"), 0.8333333),
        (abnormal(1, 1, "part-whole", "part-whole", "none", "part-whole"), 0.7546296),
    ],
)
def test_one_pair_that_fits_in_part_is_discounted_mildly(pair, value):
    found = score_tags(tags([pair]))
    assert found.value == pytest.approx(value, abs=1e-6)
    assert found.detail["classes"]["abnormal"]["rule"] == "partial-adjustment"


def test_the_discount_grows_milder_with_the_number_of_pairs():
    pairs = [*(abnormal(n, n) for n in range(3)), abnormal(3, 3, details="partial")]
    assert score_tags(tags(pairs)).value == pytest.approx(0.992188, abs=1e-6)


def test_a_part_of_a_finding_beside_a_missed_one():
    found = score_tags(tags([abnormal(1, 1, anatomy="part-whole")], [loose("Ref", 2)]))
    assert found.value == pytest.approx(0.4)


def test_one_sentence_for_two_gives_one_unit_of_credit():
    found = score_tags(tags([abnormal(1, 1), abnormal(2, 1)], [loose("Ref", 3)]))
    assert found.value == pytest.approx(2 / 3)
    assert sorted(p["credit"] for p in found.detail["pairs"]) == [0, 1]


def test_two_parts_of_one_sentence_add_up():
    pairs = [abnormal(1, n, anatomy="part-whole") for n in (1, 2)]
    assert score_tags(tags(pairs, [loose("Gen", 3)])).value == pytest.approx(0.571429, abs=1e-6)


def test_four_parts_of_one_sentence_fill_it_and_no_more():
    pairs = [abnormal(1, n, anatomy="part-whole") for n in (1, 2, 3, 4)]
    assert score_tags(tags(pairs, [loose("Gen", 5)])).value == pytest.approx(2 / 3)


def test_a_missed_abnormal_finding_leaves_the_normal_tenth():
    assert score_tags(tags([normal(1, 1)], [loose("Ref", 2)])).value == pytest.approx(0.1)


def test_a_class_that_nobody_mentions_weighs_nothing():
    assert score_tags(tags([normal(1, 1)])).value == 1
    assert score_tags(tags([abnormal(1, 1)])).value == 1


def test_nothing_on_either_side_is_undefined_and_the_published_guard_is_a_setting():
    assert score_tags(tags()).value is None
    assert "neither report" in score_tags(tags()).why
    assert score_tags(tags(), empty=0.0).value == 0


def test_a_pair_tagged_twice_counts_once_with_its_higher_weight():
    twice = tags([abnormal(1, 1, details="none"), abnormal(1, 1)], [loose("Ref", 2)])
    assert score_tags(twice).value == pytest.approx(2 / 3)


def test_the_alternative_gives_every_candidate_sentence_one_reference():
    """One candidate sentence fits two of the reference: RadSEM keeps both links, the alternative misses one."""
    pairs = [abnormal(1, 1), abnormal(2, 1, details="partial")]
    assert score_tags(tags(pairs)).value == pytest.approx(1 - 0.25 / 2**0.5 * 0.125)
    alternative = score_tags_alt(tags(pairs))
    assert alternative.value == pytest.approx(2 / 3)
    assert alternative.counts["abnormal_missed"] == 1


def test_the_alternative_fills_a_reference_up_to_one():
    pairs = [abnormal(1, n, anatomy="part-whole") for n in (1, 2, 3, 4)]
    found = score_tags_alt(tags(pairs))
    assert found.counts["abnormal_matched"] == pytest.approx(1)
    assert found.counts["abnormal_invented"] == 1
    assert found.value == pytest.approx(2 / 3)
