"""Device tips where they should not be are the suboptimal labels; where they should be they are none."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.srrg.by_rules import view

SAID = [
    ("Endotracheal tube tip in the right main bronchus.", "Suboptimal endotracheal tube", "Present"),
    ("ETT tip at the carina.", "Suboptimal endotracheal tube", "Present"),
    ("Nasogastric tube tip in the distal esophagus.", "Suboptimal nasogastric tube", "Present"),
    ("Enteric tube ends in the distal oesophagus.", "Suboptimal nasogastric tube", "Present"),
    ("The central line tip is in the internal jugular vein.", "Suboptimal central line", "Present"),
    (
        "Swan-Ganz catheter tip in a right lower lobe pulmonary artery.",
        "Suboptimal pulmonary arterial catheter",
        "Present",
    ),
    ("Tube advanced and ends in the right mainstem.", "Suboptimal endotracheal tube", "Present"),
    ("The tube is in the left main bronchus.", "Suboptimal endotracheal tube", "Present"),
    ("Tube tip in the esophagus.", "Suboptimal nasogastric tube", "Present"),
    ("Swan-Ganz catheter in the right ventricle.", "Suboptimal pulmonary arterial catheter", "Present"),
    ("The tube ends above the carina.", "No Finding", None),
    ("Central line from a right subclavian approach.", "No Finding", None),
    ("Endotracheal tube tip is 4 cm above the carina.", "No Finding", None),
    ("Right internal jugular line tip in the SVC.", "No Finding", None),
    ("Nasogastric tube courses through the esophagus into the stomach.", "No Finding", None),
    ("Swan-Ganz catheter tip in the main pulmonary artery.", "No Finding", None),
    ("Kerley B lines are present.", "Edema", "Uncertain"),
    ("Complete white-out of the left hemithorax.", "Air space opacity", "Present"),
    ("The lungs are not clear.", "Air space opacity", "Uncertain"),
]


@pytest.mark.parametrize(("text", "label", "status"), SAID, ids=[s[0] for s in SAID])
def test_label(text, label, status):
    told = view(read(parse(f"FINDINGS: {text}", "r"))).utterances
    assert [(one.label, one.status) for u in told for one in u.labels] == [(label, status)]
