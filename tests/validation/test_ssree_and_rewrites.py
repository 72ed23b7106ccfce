"""The ladder test and the rewrite test, with metrics of ours and of others."""

import json

import pytest
from msgspec import structs

from overread.errors import BadInput, UnknownName
from overread.validation.measured import Asking
from overread.validation.ssree import (
    Chain,
    Triplet,
    heatmap,
    load_chains,
    load_triplets,
    render,
    render_rewrites,
    rewrites,
    save_chains,
    ssree,
)

GOOD = Chain(
    "a",
    "Nodule in the left lung. Cyst in the liver. Heart is enlarged. No effusion.",
    "The heart is enlarged. A cyst is seen in the liver. The left lung has a nodule. There is no effusion.",
    "The heart is not enlarged. A cyst is seen in the liver. The left lung has a nodule. There is no effusion.",
    "The heart is not enlarged. No cyst is seen in the liver. The left lung has a nodule. There is no effusion.",
    "The heart is not enlarged. No cyst is seen in the liver. The left lung has no nodule. There is no effusion.",
    "The heart is not enlarged. No cyst is seen in the liver. The left lung has no nodule. There is an effusion.",
)
EMPTY = Chain("b", "Thank you.", *["Thank you."] * 5)
TRIPLETS = [
    Triplet(
        "1", "No pleural effusion.", "Pleural effusion is absent.", "There is a pleural effusion.", "negation"
    ),
    Triplet(
        "2", "Heart size is normal.", "There is no cardiomegaly.", "Heart size is not normal.", "normality"
    ),
    Triplet("3", "Thank you.", "Thanks.", "No thanks.", "-"),
]


def test_a_metric_that_keeps_the_order_passes_the_chain():
    (found,) = ssree([GOOD], ["radsem"], Asking(resamples=10))
    assert found.ladder is not None
    assert found.ladder.perfect_chain.value == 1
    assert found.ladder.tau is not None
    assert found.ladder.tau.value == 1


def test_metrics_of_others_stand_beside():
    found = ssree([GOOD], ["radsem-alt", "bleu-1", "rouge-l", "cider"], Asking(resamples=10))
    assert [one.title for one in found] == ["RadSEM-Alt", "BLEU-1", "ROUGE-L", "CIDEr"]


def test_a_chain_without_a_score_is_counted_and_not_ranked():
    (found,) = ssree([GOOD, EMPTY], ["radsem"], Asking(resamples=10))
    assert found.undefined == ("b",)
    assert set(found.scores) == {"a"}
    assert "RadSEM: 1 chain left out, a level has no score" in render([found], 2)
    (nothing,) = ssree([EMPTY], ["radsem"], Asking(resamples=10))
    assert nothing.ladder is None
    assert "–" in render([nothing], 1)


def test_published_figures_stand_below_ours():
    lines = [line.split() for line in render(ssree([GOOD], ["radsem"], Asking(resamples=10)), 1).splitlines()]
    assert lines[0] == ["1", "chain", "of", "five", "levels"]
    own = next(n for n, line in enumerate(lines) if line[:1] == ["RadSEM"])
    assert lines[own + 1] == ["published", "0.957", "0.978", "0.950", "0.819"]
    steps = next(n for n, line in enumerate(lines) if n > own and line[:1] == ["RadSEM"])
    assert lines[steps] == ["RadSEM", "1.000", "1.000", "1.000", "1.000"]
    assert lines[steps + 1] == ["published", "0.951", "0.933", "0.989", "0.926"]
    assert ["BLEU-1", "0.555", "0.770", "0.634", "0.077"] in lines


def test_radsem_less_its_alternative_as_in_table_5():
    """RadSEM paper, Table 5, bottom row: +.022 tau-b, +14.7 points of whole chains, +8.5 from L4 to L5."""
    text = render(ssree([GOOD], ["radsem", "radsem-alt"], Asking(resamples=10)), 1)
    row = text[text.index("RadSEM − RadSEM-Alt") :].splitlines()[2].split()
    assert (row[1], row[4], row[-1]) == ("+0.022", "+0.147", "+0.085")
    assert "RadSEM − RadSEM-Alt" not in render(ssree([GOOD], ["radsem"], Asking(resamples=10)), 1)


def test_chains_tied_throughout_are_told():
    tied = Chain("t", "Nodule in the left lung.", *["Cyst in the liver."] * 5)
    (found,) = ssree([tied, GOOD], ["radsem"], Asking(resamples=10))
    assert "RadSEM: 1 chain without tau-b, all levels tied" in render([found], 2)


def test_several_processes_give_the_same_figures():
    chains = [structs.replace(GOOD, id=str(n)) for n in range(3)]
    names = ["radsem", "cider"]
    assert ssree(chains, names, Asking(resamples=10)) == ssree(chains, names, Asking(resamples=10, jobs=2))


def test_an_id_that_comes_twice_is_refused(tmp_path):
    save_chains(tmp_path / "levels.jsonl", [GOOD, GOOD])
    with pytest.raises(BadInput, match="line 2: 'a' stands twice"):
        load_chains(tmp_path / "levels.jsonl")


def test_metrics_of_patients_cannot_be_asked():
    with pytest.raises(BadInput, match="follows patients"):
        ssree([GOOD], ["lunguage-sequential"], Asking())


def test_the_picture_shows_every_metric_and_the_same_figures_give_the_same_text():
    found = ssree([GOOD], ["radsem", "bleu-1"], Asking(resamples=10))
    drawn = heatmap(found)
    assert drawn == heatmap(found)
    assert drawn.startswith("<svg")
    assert "RadSEM: L1 above L2 in 100.0% of reports" in drawn
    assert "τb 1.000, whole chains 100.0%, n = 1" in drawn
    assert drawn.count("<rect") == 1 + 2 * 20


def test_levels_are_saved_and_read_again(tmp_path):
    path = tmp_path / "levels.jsonl"
    save_chains(path, [GOOD])
    assert load_chains(path) == [GOOD]


def test_fields_beside_the_levels_are_passed_over(tmp_path):
    path = tmp_path / "levels.jsonl"
    path.write_text(
        json.dumps({"type": "CT", "id": "a", "reference": "r", **{f"L{n}": "x" for n in range(1, 6)}})
    )
    assert load_chains(path)[0].id == "a"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"id": "a"}', "line 1: the line is not as it should be. A line needs id, reference"),
        ("nonsense", "line 1: "),
        ("", "holds no line"),
    ],
)
def test_a_bad_file_is_named_with_its_line(tmp_path, lines, message):
    path = tmp_path / "levels.jsonl"
    path.write_text(lines)
    with pytest.raises(BadInput, match=message):
        load_chains(path)


def test_an_unknown_metric_is_said_so():
    with pytest.raises(UnknownName):
        ssree([GOOD], ["radsen"], Asking())


def test_the_synonym_must_win_strictly():
    (found,) = rewrites(TRIPLETS, ["radsem"], Asking(resamples=10))
    assert found.wrong == ("3",)
    assert found.undefined == 1
    assert found.wrong_turned == ("3",)
    assert found.kinds == {"-": (0, 2), "negation": (2, 2), "normality": (2, 2)}
    assert found.right.value == pytest.approx(2 / 3)
    assert found.turned.value == pytest.approx(2 / 3)
    assert found.balanced.value == pytest.approx(2 / 3)


def test_preferring_far_words_wins_one_way_only():
    """A metric that likes words far from the original is right when it asks, and wrong when the synonym does."""
    (found,) = rewrites([TRIPLETS[1]], ["bleu-1"], Asking(resamples=10))
    assert found.right.value == 0
    assert found.balanced.value == (found.right.value + found.turned.value) / 2


def test_the_table_of_rewrites_is_by_kind():
    text = render_rewrites(rewrites(TRIPLETS, ["radsem", "bleu-1"], Asking(resamples=10)), 3)
    rows = [line.split() for line in text.splitlines()]
    assert rows[2] == ["n", "RadSEM", "BLEU-1"]
    assert rows[3][:3] == ["both", "ways", "6"]
    assert [row[:3] for row in rows if row[:1] == ["normality"]] == [["normality", "2", "2"]]
    assert ["published", "599", "0.997", "0.564"] in rows
    assert "RadSEM is wrong where the original asks on 3" in text
    assert "RadSEM: 1 triplet without a score, counted as wrong" in text


def test_triplets_come_from_json_lines(tmp_path):
    path = tmp_path / "triplets.jsonl"
    path.write_text('{"id": "1", "original": "a", "synonymous": "b", "antonymous": "c", "note": "x"}\n\n')
    assert load_triplets(path) == [Triplet("1", "a", "b", "c")]
    path.write_text('{"id": "1"}')
    with pytest.raises(BadInput, match=r"line 1: .* A line needs id, original"):
        load_triplets(path)
