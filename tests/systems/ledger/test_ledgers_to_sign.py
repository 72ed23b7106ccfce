"""Ledgers that a radiologist would sign: nothing doubled, nothing that is no error, in words that are spoken."""

import pytest

import overread
from overread import examples
from overread.sources import load_source

LEDGERS = {
    "the signs of one edema are one miss": (
        "Septal lines and pulmonary vascular congestion, in keeping with mild pulmonary edema.",
        "The lungs are clear.",
        [
            ("missed finding", "septal lines and pulmonary vascular congestion"),
        ],
    ),
    "signs that only the candidate tells": (
        "Mild pulmonary edema.",
        "Mild pulmonary edema with Kerley B lines and vascular congestion.",
        [("wrong description", "mild pulmonary edema")],
    ),
    "a disease and its sign on the wrong side are one error": (
        "Consolidation in the left lower lobe. IMPRESSION: Left lower lobe pneumonia.",
        "Consolidation in the right lower lobe. IMPRESSION: Right lower lobe pneumonia.",
        [("wrong place", "consolidation in the left lower lobe")],
    ),
    "a thought about a lesion is more than the lesion": (
        "8 mm nodule in the lingula.",
        "8 mm nodule in the lingula, consistent with metastasis.",
        [("false finding", "consistent with metastasis")],
    ),
    "new where the reference compares nothing": (
        "Small right pneumothorax.",
        "New small right pneumothorax.",
        [("wrong description", "Small right pneumothorax")],
    ),
    "new is left out": (
        "New right jugular line ending in the superior vena cava.",
        "Right jugular line ending in the superior vena cava.",
        [("wrong description", "New right jugular line ending in the superior vena cava")],
    ),
    "the remainder of the lungs leaves the rest open": (
        "Nodule in the right apex. The remainder of the lungs is clear.",
        "Nodule in the right apex. Consolidation in the left lower lobe.",
        [("false finding", "consolidation in the left lower lobe")],
    ),
    "lungs that are not clear": (
        "The lungs are clear.",
        "The lungs are not clear.",
        [("wrong description", "The lungs are clear")],
    ),
    "an aorta that is not calcified": (
        "The aortic arch is calcified.",
        "The aortic arch is not calcified.",
        [("missed finding", "aortic arch is calcified")],
    ),
    "a new opacity beside an old consolidation": (
        "Right lower lobe consolidation is unchanged.",
        "Right lower lobe consolidation is unchanged. New opacity.",
        [("false finding", "new opacity")],
    ),
    "a tube beyond the carina": (
        "Endotracheal tube tip 5 cm above the carina.",
        "Endotracheal tube tip below the carina.",
        [("device position", "endotracheal tube tip 5 cm above the carina")],
    ),
    "a lead that is not dislodged is there": (
        "Dislodged ventricular lead.",
        "No dislodged ventricular lead.",
        [("device position", "dislodged ventricular lead")],
    ),
    "two drains of one list": (
        "Mediastinal drain and left chest tube are in place.",
        "Left chest tube is in place.",
        [("missed finding", "Mediastinal drain")],
    ),
    "one vague word for three devices is no error": (
        "Endotracheal tube, enteric tube and chest tube are unchanged.",
        "Support devices are unchanged.",
        [],
    ),
    "where a shift goes is not where atelectasis is": (
        "Large left effusion with atelectasis and mediastinal shift to the right.",
        "Large left effusion with atelectasis of the left lung and mediastinal shift to the right.",
        [("more specific", "mediastinal shift to the right")],
    ),
    "small for large is as grave as the large one": (
        "Small left pneumothorax.",
        "Large left pneumothorax.",
        [("wrong degree", "small left pneumothorax")],
    ),
    "what has decreased and remains has decreased": (
        "Left effusion has decreased. Small residual left effusion.",
        "Left effusion has increased. Small residual left effusion.",
        [("wrong direction", "left effusion")],
    ),
    "a nodule on the other side is no mere thought of cancer": (
        "Growing nodule in the left upper lobe, concerning for malignancy.",
        "Stable nodule in the right upper lobe.",
        [
            ("wrong direction", "growing nodule in the left upper lobe"),
            ("wrong place", "growing nodule in the left upper lobe"),
            ("missed finding", "concerning for malignancy"),
        ],
    ),
    "a word that tells the kind is missed": (
        "Acute necrotizing pancreatitis.",
        "Acute pancreatitis.",
        [("wrong description", "Acute necrotizing pancreatitis")],
    ),
    "a description that tells the kind is missed": (
        "Bucket-handle tear of the medial meniscus.",
        "Tear of the medial meniscus.",
        [("wrong description", "Bucket-handle tear of the medial meniscus")],
    ),
    "how an opacity looks is left out": (
        "Patchy opacity in the lingula.",
        "Opacity in the lingula.",
        [("wrong description", "patchy opacity in the lingula")],
    ),
    "the side of the examination is the side of what it shows": (
        "MRI left shoulder: Tear of the supraspinatus tendon.",
        "MRI right shoulder: Tear of the supraspinatus tendon.",
        [("wrong place", "left shoulder: tear of the supraspinatus tendon")],
    ),
    "a title that is left out costs nothing": (
        "MRI shoulder: Tear of the supraspinatus tendon.",
        "Tear of the supraspinatus tendon.",
        [],
    ),
    "air that no table of the reader names": (
        "Air under the right hemidiaphragm.",
        "The lungs are clear.",
        [("missed finding", "air under the right hemidiaphragm")],
    ),
    "the side inside a name": (
        "High right hemidiaphragm.",
        "High left hemidiaphragm.",
        [("wrong place", "high right hemidiaphragm")],
    ),
    "two wrong ends of a line are two": (
        "Right PICC with its tip in the axillary vein.",
        "Right PICC with its tip in the right ventricle.",
        [("device position", "right PICC with its tip in the axillary vein")],
    ),
    "that a tube was pulled back is left out": (
        "Endotracheal tube withdrawn from the right main bronchus, now 4 cm above the carina.",
        "Endotracheal tube 4 cm above the carina.",
        [("missed finding", "withdrawn from the right main bronchus")],
    ),
    "one spelling for both sides of the ocean": (
        "Small subchorionic hematoma.",
        "Small subchorionic haematoma.",
        [],
    ),
    "another chamber is another lead": (
        "The right ventricular lead has moved.",
        "The left ventricular lead has moved.",
        [("wrong place", "right ventricular lead has moved")],
    ),
    "what the next sentence says of a tube is not said of an effusion": (
        "Trace right pleural effusion. Mild atelectasis. Right chest tube is unchanged.",
        "Right chest tube is unchanged. Mild atelectasis. Trace right pleural effusion.",
        [],
    ),
    "no residual pneumothorax denies one": (
        "Small residual left pneumothorax.",
        "No residual pneumothorax.",
        [("missed finding", "small residual left pneumothorax")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", LEDGERS)
def test_a_ledger_holds_what_is_wrong_and_no_more(case):
    reference, candidate, expected = LEDGERS[case]
    found = overread.errors(reference, candidate)
    assert sorted((e.kind, e.finding.lower()) for e in found) == sorted(
        (k, words.lower()) for k, words in expected
    )


def test_a_name_is_told_from_a_wider_one_in_words():
    found = overread.errors(
        "Large right pneumothorax. The left lung is clear. IMPRESSION: Large right pneumothorax with signs of tension.",
        "Large right pneumothorax.",
    )
    assert [e.correction for e in found] == ["write 'tension pneumothorax' instead of 'pneumothorax'"]


def test_a_small_pneumothorax_called_large_is_critical():
    assert (
        overread.errors("Small left pneumothorax.", "Large left pneumothorax.").errors[0].significance
        == "critical"
    )


def bundled():
    with examples.folder() as folder:
        references = {r.id: r for r in load_source(folder / examples.REFERENCES)}
        for name in examples.SYSTEMS:
            for candidate in load_source(folder / f"{name}.jsonl"):
                if candidate.id in references:
                    yield references[candidate.id], candidate


@pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_no_line_of_a_bundled_ledger_is_doubled_or_says_nothing(step):
    for reference, candidate in list(bundled())[::step]:
        lines = [
            (e.kind, e.finding, e.reference_says, e.candidate_says)
            for e in overread.errors(reference.text, candidate.text)
        ]
        assert len(lines) == len(set(lines)), (reference.id, lines)
        same = [line for line in lines if line[2].lower() == line[3].lower()]
        assert not same, (reference.id, same)
