"""F1-SRR by hand: averages, alignment, headers and lines that one side lacks."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.systems.srrg.cells import LabelScoring, averaged, cells, text_score
from overread.systems.srrg.labels import NO_FINDING, Label, facts
from overread.systems.srrg.schema import HEADERS, LabelRead, SrrgView, StructuredReport, Utterance
from overread.systems.srrg.score import (
    METRICS,
    corpus_f1,
    header_scores,
    headers,
    per_header,
    score,
    variants,
)

LUNGS, PLEURA, HEART = HEADERS[:3]


def lines(section, header, *labelled):
    return [
        Utterance(
            section, 0, 1, f"line {n}", [LabelRead(*told(one)) for one in labels.split("; ") if one], header
        )
        for n, labels in enumerate(labelled)
    ]


def told(text):
    label = Label.named(text)
    return label.label, label.status


def a_view(impression=(), **by_header):
    names = {"lungs": LUNGS, "pleura": PLEURA, "heart": HEART}
    said = [u for name, labelled in by_header.items() for u in lines("findings", names[name], *labelled)]
    said += lines("impression", None, *impression)
    return SrrgView("x", StructuredReport(), said)


def value(reference, candidate, **changes):
    return score(reference, candidate, LabelScoring(**changes)).value


def added(*counts):
    """Counts of several pairs, summed."""
    return {name: sum(one.get(name, 0) for one in counts) for name in {k for one in counts for k in one}}


FOUR = ("Pneumonia", "Hernia", "Aspiration", "Emphysema")
EDEMA, COLLAPSE = "Edema (Present)", "Lung collapse (Present)"


class TestAverages:
    """One header, unaligned. Reference: edema, pneumonia. Candidate: edema, hernia, aspiration."""

    reference = a_view(lungs=["Edema (Present); Pneumonia (Absent)"])
    candidate = a_view(lungs=["Edema (Absent)", "Hernia (Present); Aspiration (Present)"])

    def test_one_pair_is_micro_so_that_inventing_costs(self):
        """1 hit, 2 invented, 1 missed; by support the invented ones would weigh nothing."""
        assert value(self.reference, self.candidate) == pytest.approx(2 / 5)

    def test_the_corpus_weighs_each_label_by_its_support(self):
        """Edema 1, pneumonia 0, both with support 1."""
        counts = score(self.reference, self.candidate, LabelScoring()).counts
        assert corpus_f1(counts, LabelScoring()) == pytest.approx(1 / 2)

    def test_micro_pools_the_labels(self):
        """1 hit, 2 invented, 1 missed."""
        assert value(self.reference, self.candidate, average="micro") == pytest.approx(2 / 5)

    def test_macro_is_the_mean_over_the_labels_of_either_side(self):
        """Edema 1, pneumonia, hernia and aspiration 0."""
        settings = LabelScoring(average="macro")
        counts = score(self.reference, self.candidate, settings).counts
        assert corpus_f1(counts, settings) == pytest.approx(1 / 4)

    def test_samples_is_the_mean_over_rows(self):
        """A single row: F1 of two sets of sizes 2 and 3 that share 1."""
        assert value(self.reference, self.candidate, average="samples") == pytest.approx(2 / 5)

    def test_precision_and_recall_come_along(self):
        found = score(self.reference, self.candidate, LabelScoring(average="micro"))
        assert (found.precision, found.recall) == (pytest.approx(1 / 3), pytest.approx(1 / 2))

    def test_a_status_that_differs_is_another_label_where_statuses_count(self):
        assert value(self.reference, self.candidate, space="leaves-statuses", average="micro") == 0

    def test_uppers_bring_leaves_together(self):
        """Reference: diffuse opacity, consolidation; the candidate's aspiration is a consolidation too."""
        assert value(self.reference, self.candidate, space="upper", average="micro") == pytest.approx(4 / 5)


class TestAlignment:
    reference = a_view(lungs=[EDEMA, COLLAPSE])
    swapped = a_view(lungs=[COLLAPSE, EDEMA])

    def test_order_does_not_matter_when_pooled(self):
        assert value(self.reference, self.swapped) == 1

    def test_order_matters_when_aligned(self):
        assert value(self.reference, self.swapped, lines="aligned") == 0

    def test_a_missing_line_is_missed(self):
        found = score(self.reference, a_view(lungs=[EDEMA]), LabelScoring(lines="aligned", average="micro"))
        assert (found.precision, found.recall) == (1, pytest.approx(1 / 2))

    def test_an_extra_line_is_invented(self):
        longer = a_view(lungs=[EDEMA, COLLAPSE, "Hernia (Present)"])
        found = score(self.reference, longer, LabelScoring(lines="aligned", average="micro"))
        assert (found.precision, found.recall) == (pytest.approx(2 / 3), 1)

    def test_the_released_code_drops_extra_lines(self):
        longer = a_view(lungs=[EDEMA, COLLAPSE, "Hernia (Present)"])
        assert value(self.reference, longer, lines="aligned", average="samples", extra="dropped") == 1
        assert value(self.reference, longer, lines="aligned", average="samples") == pytest.approx(2 / 3)

    def test_samples_is_the_mean_over_lines(self):
        other = a_view(lungs=[EDEMA, "Lung collapse (Present); Hernia (Present)"])
        assert value(self.reference, other, lines="aligned", average="samples") == pytest.approx(
            (1 + 2 / 3) / 2
        )


class TestHeaders:
    reference = a_view(lungs=[EDEMA], pleura=["Simple pleural effusion (Present)"])

    def test_a_header_only_the_reference_has_is_missed(self):
        assert value(self.reference, a_view(lungs=[EDEMA])) == pytest.approx(2 / 3)

    def test_a_header_only_the_candidate_has_is_invented(self):
        more = a_view(
            lungs=[EDEMA], pleura=["Simple pleural effusion (Present)"], heart=["Cardiomegaly (Absent)"]
        )
        assert value(self.reference, more) == pytest.approx(4 / 5)

    def test_the_released_code_scores_headers_one_by_one(self):
        released = {"lines": "aligned", "average": "samples", "extra": "dropped"}
        assert value(self.reference, a_view(lungs=[EDEMA]), **released) == pytest.approx(1 / 2)

    def test_by_sections_a_section_of_one_side_is_0(self):
        one_missing = value(self.reference, a_view(lungs=[EDEMA]), over="sections")
        one_extra = value(a_view(lungs=[EDEMA]), self.reference, over="sections")
        assert (one_missing, one_extra) == (1 / 2, 1 / 2)

    def test_the_right_label_under_the_wrong_header_does_not_count(self):
        assert value(a_view(lungs=[EDEMA]), a_view(heart=[EDEMA])) == 0

    def test_presence_of_headers(self):
        found = headers(self.reference, a_view(lungs=[EDEMA], heart=["No Finding"]))
        assert (found.value, found.precision, found.recall) == (1 / 2, 1 / 2, 1 / 2)
        assert headers(a_view(), a_view()).value is None
        counts = {"hit:Pleura": 2.0, "invented:Pleura": 2.0, "missed:Cardiovascular": 1.0}
        assert header_scores(counts, "weighted").f1 == pytest.approx((2 * 2 / 3 + 0) / 3)
        assert header_scores(counts, "micro").f1 == pytest.approx(4 / 7)
        assert header_scores({}, "weighted") is None


class TestUndefined:
    def test_two_reports_without_lines(self):
        found = score(a_view(), a_view(), LabelScoring())
        assert (found.value, found.why) == (None, "neither report has a line in its findings")

    def test_two_headers_without_a_label_of_the_space_are_counted_not_scored(self):
        one = a_view(lungs=["Consolidation (Present)"])
        found = score(one, one, LabelScoring())
        assert found.value is None
        assert found.counts["undefined"] == 1
        assert value(one, one, space="upper") == 1

    def test_an_undefined_header_leaves_the_others_alone(self):
        one = a_view(lungs=["Consolidation (Present)"], heart=["Cardiomegaly (Present)"])
        found = score(one, one, LabelScoring())
        assert (found.value, found.counts["cells"], found.counts["undefined"]) == (1, 1, 1)

    def test_four_invented_diseases_cost_a_pair_and_its_corpus(self):
        """The reference has edema; the candidate has it too, and four diseases that others have."""
        others = [a_view(lungs=[f"{name} (Present)"]) for name in FOUR]
        invents = a_view(lungs=[EDEMA, *(f"{name} (Present)" for name in FOUR)])
        assert value(a_view(lungs=[EDEMA]), invents) == pytest.approx(2 * 1 / (2 * 1 + 4))
        right = [score(one, one, LabelScoring()).counts for one in others]
        wrong = score(a_view(lungs=[EDEMA]), invents, LabelScoring()).counts
        assert corpus_f1(added(*right, wrong), LabelScoring()) == pytest.approx((1 + 4 * 2 / 3) / 5)

    def test_nothing_to_find_and_something_invented_is_0(self):
        assert value(a_view(lungs=["Consolidation (Present)"]), a_view(lungs=[EDEMA])) == 0

    def test_no_finding_is_a_label_like_any_other(self):
        assert value(a_view(lungs=["No Finding"]), a_view(lungs=["No Finding"])) == 1


def test_the_impression_is_one_block():
    one = a_view(impression=[EDEMA, "No Finding"])
    other = a_view(impression=["No Finding", EDEMA], lungs=["Hernia (Present)"])
    assert value(one, other, section="impression") == 1
    assert value(one, other, section="impression", lines="aligned") == 0
    assert value(one, a_view(), section="impression") == 0


def test_the_corpus_is_one_classification_report_over_all_rows():
    """Edema: once right, once missed under one header and invented under another."""
    first = score(a_view(lungs=[EDEMA]), a_view(lungs=[EDEMA]), LabelScoring())
    second = score(a_view(lungs=[EDEMA]), a_view(heart=[EDEMA]), LabelScoring())
    summed = added(first.counts, second.counts)
    assert corpus_f1(summed, LabelScoring()) == pytest.approx(2 / (2 + 1 + 1))
    assert corpus_f1({}, LabelScoring()) is None
    released = LabelScoring(lines="aligned", average="samples", extra="dropped")
    assert corpus_f1(summed, released) == pytest.approx(1 / 3)
    assert {name: one.mean for name, one in per_header(summed).items()} == {LUNGS: 1 / 2, HEART: 0}
    assert {name: one.f1 for name, one in per_header(summed).items()} == {LUNGS: 2 / 3, HEART: 0}


@pytest.mark.parametrize("average", ["weighted", "micro", "macro", "samples"])
def test_the_corpus_agrees_with_the_average_over_all_rows_at_once(average):
    pairs = [
        (a_view(lungs=[EDEMA, COLLAPSE], heart=["Cardiomegaly (Absent)"]), a_view(lungs=[EDEMA])),
        (a_view(lungs=["No Finding"]), a_view(lungs=["No Finding"], heart=["Hernia (Present)"])),
        (a_view(heart=["Cardiomegaly (Present)"]), a_view(heart=["Cardiomegaly (Present)", EDEMA])),
    ]
    chosen = LabelScoring(average=average)
    rows = [row for one, other in pairs for cell in cells(one, other, chosen) for row in cell.rows]
    summed = added(*(score(one, other, chosen).counts for one, other in pairs))
    assert corpus_f1(summed, chosen) == pytest.approx(averaged(rows, average).f1)


def test_spaces_without_statuses_say_that_they_do_not_hear_negation():
    """The same label, affirmed and denied: 1 without statuses, 0 with them."""
    edema, none = a_view(lungs=[EDEMA]), a_view(lungs=["Edema (Absent)"])
    for metric in METRICS:
        if metric.name in ("f1-srr", "f1-srr-statuses"):
            deaf = metric.score(edema, none).value == 1
            assert ("blind to negation" in metric.about) == deaf


def test_no_finding_on_both_sides_is_no_contradiction():
    one = a_view(heart=["No Finding"])
    assert score(one, one, LabelScoring()).detail["headers"][0]["contradicted"] == []


def test_the_detail_names_what_was_missed_invented_and_contradicted():
    one = a_view(lungs=["Edema (Present); Pneumonia (Present)"])
    other = a_view(lungs=["Edema (Absent); Hernia (Present)"])
    (cell,) = score(one, other, LabelScoring()).detail["headers"]
    assert (cell["matched"], cell["missed"], cell["invented"]) == (["Edema"], ["Pneumonia"], ["Hernia"])
    assert cell["contradicted"] == ["Edema"]
    assert cell["reference"][0]["labels"] == ["Edema (Present)", "Pneumonia (Present)"]


def test_text_metrics_go_the_same_way():
    def same(one, two):
        return float(one == two)

    one, other = a_view(lungs=[EDEMA, EDEMA], heart=[EDEMA]), a_view(lungs=[EDEMA])
    assert text_score(one, other, same).value == 0
    assert text_score(one, other, same, LabelScoring(lines="aligned")).value == pytest.approx(1 / 4)
    assert text_score(one, one, same).value == 1
    assert text_score(a_view(), a_view(), same).value is None


def test_every_setting_has_a_name_and_names_its_settings():
    assert variants()["f1-srr"] == LabelScoring()
    assert msgspec.to_builtins(LabelScoring()) == {
        "section": "findings",
        "space": "leaves",
        "lines": "unaligned",
        "average": "weighted",
        "extra": "errors",
        "over": "labels",
    }
    names = [metric.name for metric in METRICS]
    assert len(names) == len(set(names)) == 22
    assert {"f1-srr", "f1-srr-upper", "f1-srr-impression-aligned", "f1-srr-as-released", "srr-headers"} <= {
        *names
    }


labelled = st.lists(
    st.sampled_from(facts().leaves).map(lambda leaf: leaf if leaf == NO_FINDING else f"{leaf} (Present)"),
    max_size=3,
).map("; ".join)
views = st.builds(
    a_view,
    lungs=st.lists(labelled, max_size=3),
    pleura=st.lists(labelled, max_size=2),
    impression=st.lists(labelled, max_size=3),
)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
@given(one=views, other=views)
def test_the_declared_laws_hold(metric, one, other):
    found = metric.score(one, other).value
    assert found is None or 0 <= found <= 1
    assert metric.score(one, one).value in (None, pytest.approx(1))
    if "symmetric" in metric.laws:
        assert metric.score(other, one).value == pytest.approx(found)
