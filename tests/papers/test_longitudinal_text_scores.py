"""Longitudinal paper, table B4: BLEU-1..4, ROUGE-L and METEOR of whole reports and of longitudinal sentences.

Invented pairs, against the COCO caption code to nine digits; METEOR 1.5 where Java is found.
"""

from shutil import which

import pytest

from overread.baselines.tokenise import r2gen
from overread.reader import read
from overread.report import parse
from overread.systems.longitudinal.by_rules import view
from overread.systems.longitudinal.schema import longitudinal_text, whole_text
from overread.validation.longitudinal.progression import TEXT, overlaps

PAIRS = [
    (
        "FINDINGS: The heart is large. The left effusion has decreased since the prior exam. No pneumothorax.",
        "FINDINGS: Heart is enlarged. The left effusion has decreased. There is no pneumothorax.",
    ),
    (
        "FINDINGS: New right lower lobe opacity, suspicious for pneumonia. Unchanged scoliosis.",
        "FINDINGS: Right lower lobe opacity. Scoliosis is unchanged. The PICC has been removed.",
    ),
    ("FINDINGS: Clear lungs. Stable cardiomegaly.", "FINDINGS: Clear lungs. Mild cardiomegaly."),
    ("FINDINGS: Clear lungs.", "FINDINGS: The lungs are clear."),
]
WORDS = (*TEXT[:4], "rouge-l-coco")


@pytest.fixture(scope="module")
def views():
    return [tuple(view(read(parse(text, "r"))) for text in pair) for pair in PAIRS]


def test_the_longitudinal_text_of_a_view(views):
    assert [tuple(longitudinal_text(one) for one in pair) for pair in views] == [
        ("The left effusion has decreased since the prior exam.", "The left effusion has decreased."),
        (
            "New right lower lobe opacity, suspicious for pneumonia. Unchanged scoliosis.",
            "Scoliosis is unchanged. The PICC has been removed.",
        ),
        ("Stable cardiomegaly.", ""),
        ("", ""),
    ]


def coco(texts):
    """The COCO code's corpus scores of cleaned texts."""
    bleu = pytest.importorskip("pycocoevalcap.bleu.bleu", reason="pycocoevalcap is not installed")
    rouge = pytest.importorskip("pycocoevalcap.rouge.rouge")
    references = {n: [" ".join(r2gen(one))] for n, (one, _) in enumerate(texts)}
    candidates = {n: [" ".join(r2gen(two))] for n, (_, two) in enumerate(texts)}
    scores, _ = bleu.Bleu(4).compute_score(references, candidates, verbose=0)
    return [*scores, float(rouge.Rouge().compute_score(references, candidates)[0])]


def test_whole_reports_as_the_coco_code_scores_them(views):
    expected = coco([tuple(whole_text(one) for one in pair) for pair in views])
    assert [o.whole for o in overlaps(views, WORDS)] == pytest.approx(expected, abs=1e-9)


def test_longitudinal_sentences_as_the_coco_code_scores_them(views):
    """The last two pairs have a side without a word, which the COCO code cannot take."""
    told = views[:2]
    expected = coco([tuple(longitudinal_text(one) for one in pair) for pair in told])
    assert [o.longitudinal for o in overlaps(told, WORDS)] == pytest.approx(expected, abs=1e-9)


def test_one_silent_side_is_zero_and_two_are_undefined(views):
    (rouge,) = overlaps(views, ["rouge-l-coco"])
    (told,) = overlaps(views[:2], ["rouge-l-coco"])
    assert (rouge.one_sided, rouge.undefined) == (1, 1)
    assert rouge.longitudinal == pytest.approx(told.longitudinal * 2 / 3)
    assert overlaps(views[3:], ["bleu-4"])[0].longitudinal is None


@pytest.mark.slow  # Java reads its tables for minutes
@pytest.mark.skipif(which("java") is None, reason="METEOR 1.5 needs Java")
def test_meteor_1_5(views):
    meteor = pytest.importorskip("pycocoevalcap.meteor.meteor", reason="pycocoevalcap is not installed")
    texts = [tuple(whole_text(one) for one in pair) for pair in views]
    theirs = meteor.Meteor()
    references = {n: [" ".join(r2gen(one))] for n, (one, _) in enumerate(texts)}
    candidates = {n: [" ".join(r2gen(two))] for n, (_, two) in enumerate(texts)}
    expected, _ = theirs.compute_score(references, candidates)
    assert overlaps(views, ["meteor-coco"])[0].whole == pytest.approx(expected, abs=1e-9)
