"""Figures of `validate experts` for each layout but ReXVal's, against sums done by hand. Everything is invented.

Every test has its arithmetic beside it. Errors are counted as −errors, so that more is better, as a score is:
tau-b = (C − D) / √((P − ties in x)(P − ties in y)) with P pairs, C of them in one order and D against it;
Spearman is Pearson of the ranks; Pearson is Σdxdy / √(Σdx² Σdy²).
"""

import csv
import json
from math import sqrt

import pytest

from overread.validation import measured
from overread.validation.experts.agreement import experts
from overread.validation.experts.files import Flags, load_judgements, targets
from overread.validation.measured import Asking

SCORES = {"One.": 0.2, "Two.": 0.4, "Three.": 0.6, "Four.": 0.8, "Five.": 1.0}


@pytest.fixture
def figures(monkeypatch):
    """The figures of files, where a candidate's score is the one that stands above."""

    def known(names, texts, _):
        rows = [tuple(SCORES[c] for c in candidates) for _, *candidates in texts]
        return dict.fromkeys(names, rows)

    monkeypatch.setattr(measured, "values_by_metric", known)

    def make(layout, paths, flags=None):
        found, judgements = load_judgements(paths, flags)
        assert found == layout
        return experts(found, judgements, ["overread"], Asking(resamples=50))[0]

    return make


def of(figures, target, source="all"):
    """Kendall, Spearman, Pearson of one target."""
    (one,) = [a.found for a in figures.agreements if (a.target, a.source) == (target, source)]
    return tuple(None if v is None else v.value for v in (one.kendall, one.spearman, one.pearson))


def ceiling_of(figures, target):
    return next(c for c in figures.ceilings if c.target == target)


def table(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_the_radeval_reader_study(tmp_path, figures):
    """Two studies with three predictions each, two annotators."""
    studies = {  # study: (prediction, annotator A, annotator B) of each; a cell counts significant and other errors
        "i1": [("One.", (2, 1), (2, 3)), ("Two.", (2, 0), (0, 0)), ("Three.", (0, 1), (0, 1))],
        "i2": [("Two.", (1, 0), (1, 2)), ("Four.", (0, 0), (0, 0)), ("Five.", (1, 0), (0, 1))],
    }
    rows = []
    for study, predictions in studies.items():
        for n, who in enumerate("AB", 1):
            row = {"annotator": who, "type": "findings", "ground_truth": study, "images_path": study}
            for k, prediction in enumerate(predictions, 1):
                grave, other = prediction[n]
                row[f"prediction{k}"] = prediction[0]
                row[f"annotation{k}"] = f"omission (significant): {grave}; omission (insignificant): {other}"
            rows.append(row)
    found = figures("RadEval reader study", [table(tmp_path / "r.csv", rows)])
    assert (found.studies, found.candidates, found.raters) == (2, 6, 2)
    # sums        A: 3 2 1 1 0 1   B: 5 0 1 3 0 1   means: 4 1 1 2 0 1
    # x = .2 .4 .6 .4 .8 1.0, y = −4 −1 −1 −2 0 −1
    # P = 15; tied in x: (2,4); tied in y: (2,3) (2,6) (3,6), so 15 − 1 − 3 = 11 pairs are in order or against it
    # 1 against all others: 5 in order; (2,5) (3,4) (3,5) (4,5) (4,6) in order: C = 10; (5,6) against: D = 1
    tau = (10 - 1) / sqrt((15 - 1) * (15 - 3))
    # ranks x: 1 2.5 4 2.5 5 6; y: 1 4 4 2 6 4; mean 3.5 of both
    # dx −2.5 −1 .5 −1 1.5 2.5; dy −2.5 .5 .5 −1.5 2.5 .5: Σdxdy = 6.25 −.5 +.25 +1.5 +3.75 +1.25 = 12.5
    # Σdx² = 6.25+1+.25+1+2.25+6.25 = 17; Σdy² = 6.25+.25+.25+2.25+6.25+.25 = 15.5
    rho = 12.5 / sqrt(17 * 15.5)
    # means 3.4/6 and −9/6; Σxy = −.8 −.4 −.6 −.8 +0 −1 = −3.6; Σdxdy = −3.6 + 3.4·9/6 = 1.5
    # Σx² = .04+.16+.36+.16+.64+1 = 2.36, Σdx² = 2.36 − 11.56/6; Σy² = 16+1+1+4+0+1 = 23, Σdy² = 23 − 81/6 = 9.5
    r = 1.5 / sqrt((2.36 - 11.56 / 6) * 9.5)
    assert of(found, "errors") == pytest.approx((tau, rho, r))
    # significant  A: 2 2 0 1 0 1   B: 2 0 0 1 0 0   means: 2 1 0 1 0 .5
    # y = −2 −1 0 −1 0 −.5: tied in y: (2,4) (3,5); tied in x: (2,4); so 15 − 2 = 13 pairs
    # against: (3,6) and (5,6); the other 11 in order
    assert of(found, "significant errors")[0] == pytest.approx((11 - 2) / sqrt(14 * 13))
    # by source: prediction1 has two candidates only, too few for a figure
    assert {a.source for a in found.agreements} == {"all"}
    # the ceiling, A against B: −3 −2 −1 −1 0 −1 and −5 0 −1 −3 0 −1
    # tied in A: (3,4) (3,6) (4,6); in B: (2,5) (3,6); in either: 4 pairs, 11 left
    # in order (1,2) (1,3) (1,4) (1,5) (1,6) (3,5) (4,5) (5,6): 8; against (2,3) (2,4) (2,6): 3
    assert ceiling_of(found, "errors").raters["A"][0] == pytest.approx((8 - 3) / sqrt((15 - 3) * (15 - 2)))
    assert ceiling_of(found, "errors").raters["A"] == pytest.approx(ceiling_of(found, "errors").raters["B"])


def test_chest_ct_error_pairs(tmp_path, figures):
    """Four pairs, one rater, six categories; two of them used."""
    counts = {"One.": (3, 0), "Two.": (0, 1), "Three.": (1, 1), "Four.": (0, 0)}  # categories 1 and 4
    rows = [
        {
            "id": n,
            "reference": f"Reference {n}.",
            "candidate": text,
            **{f"rad_cat_count_{k}": 0 for k in range(1, 7)},
        }
        | {"rad_cat_count_1": first, "rad_cat_count_4": fourth}
        for n, (text, (first, fourth)) in enumerate(counts.items())
    ]
    found = figures("chest-CT error pairs", [table(tmp_path / "ct.csv", rows)])
    # x = .2 .4 .6 .8, errors 3 1 2 0, y = −3 −1 −2 0: P = 6, against: (2,3) alone: C = 5, D = 1
    # ranks 1 2 3 4 and 1 3 2 4: Σd² = 2, ρ = 1 − 6·2 / (4·15) = .8; both in equal steps, so r = .8 as well
    assert of(found, "errors") == pytest.approx((4 / 6, 0.8, 0.8))
    # category 1: y = −3 0 −1 0: tied (2,4); against: (2,3); in order: (1,2) (1,3) (1,4) (3,4) -> (4 − 1) / √(6·5)
    assert of(found, "category 1")[0] == pytest.approx(3 / sqrt(30))
    # category 4: y = 0 −1 −1 0: tied (1,4) (2,3); in order (2,4) (3,4), against (1,2) (1,3): 0
    assert of(found, "category 4")[0] == pytest.approx(0.0)
    assert of(found, "category 2") == (None, None, None)  # nobody counted any: no order to agree with
    assert found.ceilings == ()  # one rater has nobody to agree with


def test_per_rater_json(tmp_path, figures):
    """Four items of two systems; A judges all, B all but the last; lists of errors and a rating."""
    wrong = {"c": "omission", "s": "location"}
    given = {  # candidate: (system, A's errors, A's rating, B's errors, B's rating); capitals are significant
        "One.": ("x", "CCs", 1, "C", 2),
        "Two.": ("y", "s", 3, "Cs", 3),
        "Three.": ("x", "C", 4, "", 4),
        "Four.": ("y", "", 5, None, None),
    }

    def judged(who, letters, rating):
        errors = [{"category": wrong[k.lower()], "significant": k.isupper()} for k in letters]
        return {"rater": who, "rating": rating, "errors": errors}

    rows = [
        {
            "id": text,
            "system": system,
            "reference": f"Reference of {text}",
            "candidate": text,
            "raters": [judged("A", a, ra), *([] if b is None else [judged("B", b, rb)])],
        }
        for text, (system, a, ra, b, rb) in given.items()
    ]
    path = tmp_path / "raters.json"
    path.write_text(json.dumps(rows))
    found = figures("per-rater JSON", [path])
    assert (found.studies, found.candidates, found.raters) == (4, 4, 2)
    assert targets(load_judgements([path])[1]) == (
        "errors", "significant errors", "category location", "category omission", "rating",
    )  # fmt: skip
    # errors   A: 3 1 1 0   B: 1 2 0 −   means: 2 1.5 .5 0: y rises with x = .2 .4 .6 .8 throughout
    # means .5 and −1: Σdxdy = (−.3)(−1) + (−.1)(−.5) + (.1)(.5) + (.3)(1) = .7; Σdx² = .2; Σdy² = 2.5
    assert of(found, "errors") == pytest.approx((1.0, 1.0, 0.7 / sqrt(0.2 * 2.5)))
    # significant   A: 2 0 1 0   B: 1 1 0 −   means: 1.5 .5 .5 0: tied (2,3), the other 5 in order
    assert of(found, "significant errors")[0] == pytest.approx(5 / sqrt(6 * 5))
    # location   A: 1 1 0 0   B: 0 1 0 −   means: .5 1 0 0: y = −.5 −1 0 0
    # tied (3,4); against (1,2); in order (1,3) (1,4) (2,3) (2,4)
    assert of(found, "category location")[0] == pytest.approx((4 - 1) / sqrt(6 * 5))
    # rating   means: 1.5 3 4 5, in order throughout; mean 3.375
    # Σdxdy = (−.3)(−1.875) + (−.1)(−.375) + (.1)(.625) + (.3)(1.625) = .5625+.0375+.0625+.4875 = 1.15
    # Σdy² = 3.515625 + .140625 + .390625 + 2.640625 = 6.6875
    assert of(found, "rating") == pytest.approx((1.0, 1.0, 1.15 / sqrt(0.2 * 6.6875)))
    # the ceiling over the three that both judged: −3 −1 −1 and −1 −2 0: tied in A (2,3); (1,2) against, (1,3) in order
    assert ceiling_of(found, "errors").raters["A"][0] == pytest.approx(0.0)
    # ratings 1 3 4 and 2 3 4: r = 3 / √(14/3 · 2), as means are 8/3 and 3
    assert ceiling_of(found, "rating").mean == pytest.approx((1.0, 1.0, 3 / sqrt(14 / 3 * 2)))


def test_rate_eval_folders(tmp_path, figures):
    """Two tasks of four pairs with a rating: pooled and each alone."""
    ratings = {
        "sentences": {"One.": 1, "Two.": 2, "Three.": 3, "Five.": 5},
        "paragraphs": {"One.": 4, "Two.": 2, "Three.": 2, "Four.": 1},
    }
    for task, own in ratings.items():
        folder = tmp_path / "RaTE-Eval" / task
        folder.mkdir(parents=True)
        rows = [{"id": f"{task} {k}", "gt": k, "pred": k, "rating": v} for k, v in own.items()]
        (folder / "test.json").write_text(json.dumps(rows))
    found = figures("RaTE-Eval", [tmp_path / "RaTE-Eval"])
    # sentences: x = .2 .4 .6 1.0 is a fifth of y = 1 2 3 5
    assert of(found, "rating", "sentences") == pytest.approx((1.0, 1.0, 1.0))
    # paragraphs: y = 4 2 2 1 falls, tied (2,3): −5 / √(6·5); ranks y 4 2.5 2.5 1: Σdxdy = −4.5, Σdx² = 5, Σdy² = 4.5
    # Σdxdy = (−.3)(1.75) + (−.1)(−.25) + (.1)(−.25) + (.3)(−1.25) = −.9; Σdx² = .2; Σdy² = 25 − 81/4 = 4.75
    expected = (-5 / sqrt(30), -4.5 / sqrt(5 * 4.5), -0.9 / sqrt(0.2 * 4.75))
    assert of(found, "rating", "paragraphs") == pytest.approx(expected)
    # pooled: 6 pairs in order, 5 against, and 16 across. x .2 .4 .6 1.0 (1 2 3 5) by .2 .4 .6 .8 (4 2 2 1):
    # .2 has partners above at .4 .6 .8 rated 2 2 1: + + tied in y; .2 tied in x once
    # .4 (2): .2 (4) against, .4 tied in x, .6 (2) tied in y, .8 (1) against
    # .6 (3): .2 (4) against, .4 (2) in order, .6 tied in x, .8 (1) against
    # 1.0 (5): all four in order
    # C = 6 + 2 + 1 + 4 = 13, D = 5 + 2 + 2 = 9; P = 28
    # ties in x: 3 across; ties in y: within paragraphs 1 (2,2); across 1–1, 2–2, 2–2: 3, so 4
    assert of(found, "rating")[0] == pytest.approx((13 - 9) / sqrt((28 - 3) * (28 - 4)))


def test_any_table_by_flags(tmp_path, figures):
    """Four candidates of two studies, two readers, columns with names of their own."""
    counts = {  # candidate: (study, reader X's omissions and additions, reader Y's)
        "One.": (1, (2, 1), (3, 0)),
        "Two.": (1, (0, 0), (0, 2)),
        "Three.": (2, (1, 1), (1, 1)),
        "Four.": (2, (0, 0), (0, 0)),
    }
    rows = [
        {
            "truth": f"Study {study}.",
            "output": text,
            "missed": own[0],
            "added": own[1],
            "who": who,
            "case": study,
        }
        for text, (study, *both) in counts.items()
        for who, own in zip("XY", both, strict=True)
    ]
    flags = Flags("truth", "output", ("missed", "added"), (), None, "case", None, "who")
    found = figures("by flags", [table(tmp_path / "own.csv", rows)], flags)
    assert (found.studies, found.candidates, found.raters) == (2, 4, 2)
    # sums   X: 3 0 2 0   Y: 3 2 2 0   means: 3 1 2 0: y = −3 −1 −2 0, one of six pairs against; ranks 1 3 2 4
    assert of(found, "errors") == pytest.approx((4 / 6, 0.8, 0.8))
    # missed   X: 2 0 1 0   Y: 3 0 1 0   means: 2.5 0 1 0: tied (2,4), against (2,3)
    assert of(found, "category missed")[0] == pytest.approx((4 - 1) / sqrt(6 * 5))
    # the ceiling: −3 0 −2 0 and −3 −2 −2 0: tied in X (2,4), in Y (2,3); the other four in order
    # means −1.25 and −1.75: Σdxdy = 13 − 4·1.25·1.75 = 4.25; Σdx² = 13 − 6.25 = 6.75; Σdy² = 17 − 12.25 = 4.75
    tau, _, r = ceiling_of(found, "errors").mean
    assert (tau, r) == pytest.approx((4 / sqrt(5 * 5), 4.25 / sqrt(6.75 * 4.75)))
