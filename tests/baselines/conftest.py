"""Invented pairs of reports, from alike to unlike."""

import pytest

PAIRS = [
    (
        "The heart is mildly enlarged. There is a small left pleural effusion. No pneumothorax.",
        "Heart size is mildly enlarged. A small left effusion is present. There is no pneumothorax.",
    ),
    (
        "1. New right upper lobe consolidation, 3.5 cm.\n2. Stable cardiomegaly.\n3. ET tube above carina.",
        "Right upper lobe consolidations are new. Cardiomegaly is stable. Endotracheal tube is well placed.",
    ),
    ("Lungs clear. No effusion.", "Lungs clear. No effusion."),
    ("Lungs clear.", "Multiple displaced rib fractures with a large hemothorax and mediastinal shift."),
    (
        "Ground-glass opacities in both lower lobes have decreased since yesterday.",
        "Decreasing bibasilar ground-glass opacity; no opacity in the upper lobes, none in the apices.",
    ),
    ("Old granuloma.", "Calcified granuloma in the left apex, unchanged."),
    (
        "PICC tip projects over the cavoatrial junction. Mild edema. Mild edema is unchanged. Mild edema!",
        "Mild edema. PICC in the SVC.",
    ),
    ("No fracture", "no fracture is seen no fracture is seen no fracture is seen"),
]


@pytest.fixture
def pairs():
    return PAIRS
