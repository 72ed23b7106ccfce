"""Each kind of error is found, with its words, its significance and a correction."""

import tomllib

import pytest

import overread
from overread.errors import BadInput, UnknownName
from overread.lexicon.lexicon import lexicon
from overread.systems.ledger.significance import levels_of
from overread.systems.ledger.tables import ancestors, names_in_cell, rows
from overread.systems.ledger.weights import weights

PAIRS = [
    ("false finding", "The lungs are clear.", "Left lower lobe pneumonia."),
    ("missed finding", "Acute appendicitis.", "The liver is normal."),
    ("wrong place", "Fracture of the left hip.", "Fracture of the right hip."),
    ("wrong place", "Disc herniation at L4-L5.", "Disc herniation at L5-S1."),
    ("wrong degree", "Large pleural effusion.", "Small pleural effusion."),
    ("wrong size", "9 mm nodule in the right upper lobe.", "19 mm nodule in the right upper lobe."),
    ("wrong certainty", "Pneumonia in the left lower lobe.", "Possible pneumonia in the left lower lobe."),
    ("wrong description", "Acute necrotizing pancreatitis.", "Acute pancreatitis."),
    ("wrong direction", "The right effusion has increased.", "The right effusion has decreased."),
    (
        "device position",
        "Endotracheal tube 4 cm above the carina.",
        "Endotracheal tube in the right main bronchus.",
    ),
    ("vaguer", "Hepatocellular carcinoma.", "Malignant tumor."),
    ("more specific", "Opacity in the left lung.", "Consolidation in the left lung."),
    ("self-contradiction", "Small pneumothorax.", "Small pneumothorax. No pneumothorax."),
    ("repeated sentence", "Mild edema. No effusion.", "Mild edema. Mild edema. No effusion."),
    ("missed recommendation", "Nodule. Recommend CT in 6 weeks.", "Nodule."),
]


@pytest.mark.parametrize(("kind", "reference", "candidate"), PAIRS)
def test_each_kind_is_found_with_its_words(kind, reference, candidate):
    found = [e for e in overread.errors(reference, candidate) if e.kind == kind]
    assert found, overread.errors(reference, candidate).errors
    for e in found:
        assert e.reason
        assert e.correction
        assert e.reference_says
        assert e.candidate_says
        assert all(span.of(reference).strip() for span in e.reference)
        assert all(span.of(candidate).strip() for span in e.candidate)


def test_a_misplaced_tube_is_critical():
    found = overread.errors(
        "Endotracheal tube in the right main bronchus.", "Endotracheal tube in good position."
    )
    assert [(e.kind, e.significance) for e in found] == [("device position", "critical")]


def test_a_line_is_missed_once_for_both_sides():
    found = overread.errors("Moderate bilateral pleural effusions.", "No effusion.")
    assert [e.finding for e in found] == ["moderate bilateral pleural effusions"]


def test_one_side_of_two_is_half_right():
    half = overread.errors("Bilateral pleural effusions.", "Left pleural effusion.").value
    assert 0.4 < half < 0.7


def test_the_indication_moves_significance_and_can_be_left_out():
    reference = "INDICATION: Known lung cancer. FINDINGS: Nodule of the thyroid."
    assert overread.errors(reference, "Normal thyroid.").errors[0].significance == "significant"
    assert overread.errors(reference, "Normal thyroid.", context=False).errors[0].significance == "minor"


def test_age_moves_significance():
    young, old = (f"INDICATION: {age}-year-old. FINDINGS: Osteopenia." for age in (25, 80))
    assert overread.errors(young, "Clear lungs.").errors[0].significance == "minor"
    assert overread.errors(old, "Clear lungs.").errors[0].significance == "none"


def test_an_empty_candidate_scores_nothing_and_two_empty_ones_have_no_score():
    assert overread.rewards(["The lungs are clear."], [""], metric="overread") == [0.0]
    scores = overread.score([""], [""], metrics=["overread"])
    assert scores.rows[0].value is None


def test_a_judge_is_asked_about_disputed_sentences_and_the_nearest_ones():
    asked = []

    def judge(pairs):
        asked.extend(pairs)
        return [(0.95, 0.0, 0.05)] * len(pairs)

    texts = "Zorgle of the left kidney. No stone.", "Blimfex of the left kidney. No stone."
    assert overread.errors(*texts).errors
    helped = overread.errors(*texts, judge=judge)
    assert set(map(frozenset, asked)) == {frozenset(text.removesuffix(" No stone.") for text in texts)}
    assert not helped.errors
    assert helped.value > 0.9
    asked.clear()
    overread.errors(texts[0], texts[0], judge=judge)
    assert not asked


def test_unknown_names_never_match_by_place_alone():
    assert len(overread.errors("Pleural effusion.", "Zorgle in the pleural space.").errors) == 2


def test_a_hospitals_weights(tmp_path):
    own = tmp_path / "own.toml"
    own.write_text('[levels]\nminor = 0.2\n[significance]\nnodule = "critical"\n')
    found = overread.errors("Nodule in the left lung.", "The lungs are clear.", weights=str(own))
    assert found.errors[0].significance == "critical"
    assert found.errors[0].reason == "set in the weights file"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[levels]\nenormous = 3\n", UnknownName),
        ("[shares]\nrepeated = 1.5\n", BadInput),
        ("[levels]\nminor = 'x'\n", BadInput),
        ("[nothing]\na = 1\n", UnknownName),
        ('[significance]\nnodule = "huge"\n', UnknownName),
        ("levels = [", BadInput),
    ],
)
def test_a_bad_weights_file_is_an_error_that_says_so(tmp_path, text, error):
    own = tmp_path / "own.toml"
    own.write_text(text)
    with pytest.raises(error):
        overread.errors("Nodule.", "Nodule.", weights=str(own))


@pytest.mark.parametrize(
    "name",
    "significance moves names traits broader tips circumstances advice".split(),
)
def test_every_row_has_an_id_of_its_own_and_a_reason(name):
    found = list(rows(name))
    assert len({row["id"] for row in found}) == len(found)
    assert all(row["reason"].strip() for row in found)


def test_every_section_of_the_weights_has_a_reason():
    from importlib.resources import files

    shipped = tomllib.loads((files("overread.systems.ledger") / "weights.toml").read_text("utf-8"))
    assert all(section["reason"] for section in shipped.values())
    assert weights().levels["critical"] > weights().levels["significant"] > weights().levels["minor"] > 0


def test_every_finding_of_the_lexicon_has_a_significance():
    kinds = ("finding", "diagnosis", "device", "procedure")
    asked = [c.name for c in lexicon().concepts.values() if c.kind in kinds]
    renamed = {name for row in rows("names") for name in names_in_cell(row["concept"])}
    assert (
        sorted(name for name in asked if not any(map(levels_of, ancestors(name))) and name not in renamed)
        == []
    )


def test_the_worked_examples_of_the_readme():
    from importlib.resources import files

    text = (files("overread.systems.ledger") / "README.md").read_text("utf-8")
    part = text.split("## Worked examples")[1].split("##")[0]
    shown = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if "." in line
    ]
    assert len(shown) == 6
    for reference, candidate, _, value in shown:
        assert overread.errors(reference, candidate).value == pytest.approx(float(value), abs=0.0006), (
            reference
        )


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        (
            "There is a small right effusion and a 9 mm nodule in the lingula.",
            "There is a small right effusion and a 19 mm nodule in the lingula.",
        ),
        ("Mild edema and a 3 cm mass in the left lung.", "Mild edema and a 6 cm mass in the left lung."),
    ],
)
def test_the_size_of_the_next_finding_is_its_own(reference, candidate):
    [error] = overread.errors(reference, candidate)
    assert error.kind == "wrong size"
    assert error.concept in ("nodule", "mass")


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        ("Old fracture of the left fifth rib.", "Acute fracture of the left fifth rib."),
        ("Acute infarct in the left thalamus.", "Old infarct in the left thalamus."),
    ],
)
def test_old_for_acute_is_as_grave_as_the_acute_one(reference, candidate):
    [error] = overread.errors(reference, candidate)
    assert error.kind in ("wrong description", "wrong direction")
    assert error.significance in ("significant", "critical")


@pytest.mark.parametrize(("right", "wrong"), [("L1", "L3"), ("T8", "T11")])
def test_a_sign_without_a_place_does_not_answer_for_another_level(right, wrong):
    text = "FINDINGS: Compression fracture of {} with height loss. IMPRESSION: Acute {} compression fracture."
    found = overread.errors(text.format(right, right), text.format(wrong, right))
    assert [e.kind for e in found] == ["false finding"]


def test_a_size_is_told_of_the_finding_whose_it_is():
    found = overread.errors(
        "The gallbladder contains multiple mobile calculi, up to 14 mm. The common bile duct measures 4 mm.",
        "Several mobile gallstones, up to 14 mm. The common bile duct is dilated at 11 mm.",
    )
    assert [(e.kind, e.reference_says, e.candidate_says) for e in found] == [("wrong size", "4 mm", "11 mm")]
