"""Radiologists' counts in every layout, and the figures made of them, held against sums by hand. All invented."""

import csv
import json

import pytest
from tests.cli.as_typed import overread

from overread.errors import BadInput, UnknownName
from overread.validation import measured
from overread.validation.experts.agreement import PUBLISHED_REXVAL, ceiling, experts, render, scatter
from overread.validation.experts.files import Flags, load_judgements, mean_of, targets
from overread.validation.measured import Asking

REFERENCES = ["Small left effusion.", "Clear lungs.", "Right lower lobe pneumonia."]
CANDIDATES = {
    "bleu": ["Small effusion.", "Lungs clear.", "Edema."],
    "s_emb": ["No effusion.", "Fracture.", "Pneumonia."],
}


def table(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.fixture
def rexval(tmp_path):
    """Three studies, two candidates each, two raters; rater 1 adds one insignificant error of category 2 to all."""
    texts = [
        {
            "study_id": f"s{n}",
            "gt_report": ref,
            "radgraph": "x",
            "bertscore": "x",
            **{k: v[n] for k, v in CANDIDATES.items()},
        }
        for n, ref in enumerate(REFERENCES)
    ]
    grave = {
        ("bleu", 0): 1,
        ("bleu", 1): 0,
        ("bleu", 2): 3,
        ("s_emb", 0): 2,
        ("s_emb", 1): 1,
        ("s_emb", 2): 0,
    }
    rows = []
    for (kind, study), count in grave.items():
        for rater in (0, 1):
            own = {"study_number": study, "candidate_type": kind, "rater_index": rater}
            rows.append({**own, "error_category": 1, "clinically_significant": True, "num_errors": count})
            rows.append({**own, "error_category": 2, "clinically_significant": False, "num_errors": rater})
    return [
        table(tmp_path / "50_samples_gt_and_candidates.csv", texts),
        table(tmp_path / "6_valid_raters_per_rater_error_categories.csv", rows),
    ]


def test_rexval_sums_per_rater_and_averages_over_raters(rexval):
    layout, found = load_judgements(rexval)
    assert layout == "ReXVal"
    assert len(found) == 6
    assert targets(found) == ("errors", "significant errors", "category 1", "category 2")
    first = found[0]
    assert (first.reference, first.candidate, first.source) == (REFERENCES[0], "Small effusion.", "bleu")
    assert [mean_of(first, t) for t in targets(found)] == [-1.5, -1.0, -1.0, -0.5]


def test_figures_by_hand(rexval, monkeypatch):
    """Scores .9 .8 .1 and .4 .6 1.0 against significant errors 1 0 3 and 2 1 0: two ties, the rest by counting."""
    scores = {
        "Small effusion.": 0.9,
        "Lungs clear.": 0.8,
        "Edema.": 0.1,
        "No effusion.": 0.4,
        "Fracture.": 0.6,
        "Pneumonia.": 1.0,
    }

    def known(names, texts, _):
        rows = [tuple(scores[c] for c in candidates) for _, *candidates in texts]
        return dict.fromkeys(names, rows)

    monkeypatch.setattr(measured, "values_by_metric", known)
    found = load_judgements(rexval)[1]
    figures, points = experts("ReXVal", found, ["overread"], Asking(resamples=200))
    pooled = {a.target: a.found for a in figures.agreements if a.source == "all"}
    # x: .9 .8 .1 .4 .6 1.0, y = −errors: −1 0 −3 −2 −1 0 (half an error more for all changes no correlation).
    # pairs 15; tied in y: (.9, .6) and (.8, 1.0); against: (.9, .8) alone -> C = 12, D = 1
    assert pooled["significant errors"].kendall.value == pytest.approx(11 / (15 * 13) ** 0.5)
    assert pooled["errors"].kendall.value == pytest.approx(pooled["significant errors"].kendall.value)
    # ranks x: 5 4 1 2 3 6; y: 3.5 5.5 1 2 3.5 5.5; Σdxdy = 14.5, Σdx² = 17.5, Σdy² = 16.5
    assert pooled["errors"].spearman.value == pytest.approx(14.5 / (17.5 * 16.5) ** 0.5)
    assert pooled["category 2"].kendall is None
    assert {a.source for a in figures.agreements} == {"all", "bleu", "s_emb"}
    assert (figures.studies, figures.candidates, figures.raters) == (3, 6, 2)
    assert sorted(points["overread"])[0] == (0.1, 3.5)
    told = render(figures)
    assert "published, not run here" in told
    assert "GREEN" in told
    assert "0.63" in told
    assert scatter("overread", "errors", points["overread"]).startswith("<svg")


def test_the_human_ceiling_is_each_rater_against_the_others(rexval):
    found = load_judgements(rexval)[1]
    top = ceiling("errors", found)
    assert top.mean == pytest.approx((1.0, 1.0, 1.0))  # the two raters differ by a constant
    assert set(top.raters) == {"0", "1"}
    assert ceiling("rating", found) is None


def test_published_anchors_are_those_of_the_papers():
    assert PUBLISHED_REXVAL["GREEN"] == (0.63, 0.73)
    assert PUBLISHED_REXVAL["1/FineRadScore"] == (0.69, 0.75)
    assert len(PUBLISHED_REXVAL) == 7


def test_the_radeval_reader_study(tmp_path):
    rows = [
        {"annotator": who, "type": "findings", "ground_truth": REFERENCES[0], "images_path": "i1",
         "prediction1": "Effusion.", "prediction2": "No effusion.", "prediction3": "Edema.",
         "annotation1": "false finding (significant): 0; omission (insignificant): 1",
         "annotation2": '{"false finding (significant)": 2, "omission (insignificant)": 0}',
         "annotation3": ""}
        for who in ("A", "B")
    ]  # fmt: skip
    layout, found = load_judgements([table(tmp_path / "readers.csv", rows)])
    assert layout == "RadEval reader study"
    assert [i.source for i in found] == ["prediction1", "prediction2"]
    assert [mean_of(i, "errors") for i in found] == [-1, -2]
    assert [mean_of(i, "significant errors") for i in found] == [0, -2]


def test_a_malformed_cell_is_named(tmp_path):
    row = {"annotator": "A", "type": "findings", "ground_truth": "x", "images_path": "i", "prediction1": "y",
           "prediction2": "", "prediction3": "", "annotation1": "see above", "annotation2": "",
           "annotation3": ""}  # fmt: skip
    with pytest.raises(BadInput, match=r"line 2, annotation1.*see above"):
        load_judgements([table(tmp_path / "readers.csv", [row])])


def test_chest_ct_error_pairs(tmp_path):
    rows = [
        {
            "id": n,
            "reference": ref,
            "candidate": "Edema.",
            **{f"rad_cat_count_{k}": k * (n == 0) for k in range(1, 7)},
        }
        for n, ref in enumerate(REFERENCES)
    ]
    layout, found = load_judgements([table(tmp_path / "ct.csv", rows)])
    assert layout == "chest-CT error pairs"
    assert [mean_of(i, "errors") for i in found] == [-21, 0, 0]
    assert mean_of(found[0], "category 4") == -4


def test_per_rater_json(tmp_path):
    rows = [
        {"id": "1", "reference": REFERENCES[0], "candidate": "Effusion.", "raters": [
            {"rater": "A", "rating": 4, "errors": [{"category": "location", "significant": False}]},
            {"rater": "B", "rating": 2, "errors": [{"category": "location", "significant": True},
                                                   {"category": "omission", "significant": True}]}]},
        {"id": "2", "reference": REFERENCES[1], "candidate": "Clear.",
         "raters": [{"rater": "A", "rating": 5, "errors": []}]},
    ]  # fmt: skip
    path = tmp_path / "raters.json"
    path.write_text(json.dumps(rows))
    layout, found = load_judgements([path])
    assert layout == "per-rater JSON"
    assert mean_of(found[0], "errors") == -1.5
    assert mean_of(found[0], "significant errors") == -1
    assert mean_of(found[0], "rating") == 3
    assert mean_of(found[1], "errors") == 0


def test_rate_eval_folders(tmp_path):
    for task in ("sentences", "paragraphs"):
        folder = tmp_path / "RaTE-Eval" / task
        folder.mkdir(parents=True)
        rows = [{"id": n, "gt": ref, "pred": "Edema.", "rating": n} for n, ref in enumerate(REFERENCES)]
        (folder / "test.json").write_text(json.dumps(rows))
    layout, found = load_judgements([tmp_path / "RaTE-Eval"])
    assert layout == "RaTE-Eval"
    assert {i.source for i in found} == {"sentences", "paragraphs"}
    assert [mean_of(i, "rating") for i in found if i.source == "sentences"] == [0, 1, 2]


def test_any_table_by_flags(tmp_path):
    rows = [{"a": REFERENCES[0], "b": "Edema.", "wrong": 2, "bad": 1, "who": w, "case": 7} for w in "XY"]
    path = table(tmp_path / "own.csv", rows)
    flags = Flags("a", "b", ("wrong",), ("bad",), None, "case", None, "who")
    layout, (found,) = load_judgements([path], flags)
    assert layout == "by flags"
    assert (mean_of(found, "errors"), mean_of(found, "significant errors")) == (-2, -1)
    with pytest.raises(UnknownName):
        load_judgements([path], Flags("a", "b", ("wrnog",)))


@pytest.mark.parametrize(
    ("name", "text", "match"),
    [
        ("a.csv", "x,y\n1,2\n", "no layout knows"),
        ("a.csv", "x,y\n1\n", "line 2"),
        ("a.json", "{", "neither a list of rows nor"),
        ("a.json", "3", "list of JSON objects"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path, name, text, match):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(BadInput, match=match):
        load_judgements([path])


def test_one_rater_judging_twice_is_an_error(tmp_path):
    rows = [{"id": 1, "reference": "a", "candidate": "b", "rating": 1, "rater": "A"}] * 2
    with pytest.raises(BadInput, match="twice"):
        load_judgements([table(tmp_path / "t.csv", rows)])[1]


def test_as_typed(rexval, tmp_path):
    options = ("-m", "overread,rouge-l", "--resamples", 20, "-q", "--pictures", tmp_path / "p")
    done = overread("validate", "experts", *rexval, *options)
    assert done.returncode == 0, done.stderr
    assert "6 candidates of 3 studies, 2 raters" in done.stdout
    assert "human ceiling" in done.stdout
    assert "Overread − ROUGE-L" in done.stdout
    assert sorted(p.name for p in (tmp_path / "p").iterdir()) == ["overread.svg", "rouge-l.svg"]
