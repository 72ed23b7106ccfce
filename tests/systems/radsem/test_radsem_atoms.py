"""Atomic sentences from invented reports: split, sided, polarised, on any part of the body."""

import pytest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "No focal consolidation, pleural effusion or pneumothorax.",
            [
                "There is no focal consolidation.",
                "There is no pleural effusion.",
                "There is no pneumothorax.",
            ],
        ),
        ("The heart is normal in size and contour.", ["Heart size is normal.", "Heart contour is normal."]),
        (
            "Patchy and linear opacities are seen in both lungs.",
            [
                "! Left lung has patchy opacities.",
                "! Right lung has patchy opacities.",
                "! Left lung has linear opacities.",
                "! Right lung has linear opacities.",
            ],
        ),
        ("The left kidney contains a 2 cm cyst.", ["! Left kidney has a 2 cm cyst."]),
        ("Kidneys are unremarkable.", ["Left kidney is unremarkable.", "Right kidney is unremarkable."]),
        ("The liver is enlarged without focal lesion.", ["! Liver is enlarged.", "Liver has no focal lesion."]),
        ("The trachea is not patent.", ["! Trachea is not patent."]),
        ("Pulmonary nodules are absent in the left lung.", ["Left lung has no nodules."]),
        (
            "The anterior and posterior cruciate ligaments are intact.",
            ["Anterior cruciate ligaments are intact.", "Posterior cruciate ligaments are intact."],
        ),
        (
            "At L4/5 the disc protrudes; the thecal sac is compressed.",
            ["! L4/5 thecal sac is compressed."],
        ),
    ],
)  # fmt: skip
def test_one_place_and_one_finding_each(said, text, expected):
    assert [line for line in said(text) if "protru" not in line] == expected


def test_a_finding_no_table_knows_keeps_its_own_words(atoms):
    one, two = atoms(
        "A zorbic plaquette is seen in the left frontal lobe. No zorbic plaquette on the right."
    ).atoms
    assert (one.normality, one.side, one.finding) == ("abnormal", "left", ("~plaquette", "~zorbic"))
    assert (two.normality, two.side) == ("normal", "right")


def test_signal_belongs_to_its_sequence(atoms):
    found = atoms("A liver lesion is hypointense on T1WI and hyperintense on T2WI and FLAIR.").atoms
    bound = {f for a in found for f in a.finding if "@" in f}
    assert bound == {"signal-@t1", "signal+@t2", "signal+@flair"}


def test_devices_are_abnormal(said):
    assert said("A feeding tube ends in the stomach.")[0].startswith("! ")


def test_only_the_findings_section_is_rewritten(said):
    text = "INDICATION: Cough.\n\nFINDINGS: Small left effusion.\n\nIMPRESSION: Large right mass."
    assert said(text) == ["! A small left effusion is present."]


def test_a_report_without_headings_counts_as_findings(said):
    assert said("Cardiomegaly.") == ["! Cardiomegaly is present."]


def test_advice_goes_and_the_finding_before_it_stays(said):
    text = "The right upper lobe holds a nodule of 6 mm, for which CT is recommended. Follow-up is advised."
    assert said(text) == ["! Right upper lobe has a nodule of 6 mm."]


def test_comparison_with_an_earlier_study_is_dropped(said, atoms):
    assert said("The left effusion has decreased compared with the prior study.") == [
        "! A left effusion is present."
    ]
    assert atoms("The heart is unchanged from the previous film.").atoms == ()


def test_identical_sentences_once_the_first_kept(atoms):
    found = atoms("No effusion. Cardiomegaly. No effusion.").atoms
    assert [a.text for a in found] == ["There is no effusion.", "Cardiomegaly is present."]
    assert found[0].start == 0


def test_spans_point_at_the_sentence(atoms):
    text = "The liver is enlarged. The spleen is normal."
    found = atoms(text).atoms
    assert [text[a.start : a.end] for a in found] == ["The liver is enlarged.", "The spleen is normal."]


def test_a_topic_lends_its_place_until_the_block_ends(atoms):
    text = "Left knee:\n- No effusion.\n- Sclerosis of the patella.\n\nThe right hip is normal."
    found = atoms(text).atoms
    assert [(a.side, a.sites[-1].split("/")[-1]) for a in found] == [
        ("left", "knee"),
        ("left", "patella"),
        ("right", "hip"),
    ]


def test_what_is_denied_is_denied_with_its_description(atoms):
    found = atoms(
        "No lesions that enhance are seen in the spleen. No nodules with ill-defined margins in the left lung."
    ).atoms
    assert {a.normality for a in found} == {"normal"}


def test_a_side_goes_on_within_its_sentence(atoms):
    found = atoms("The right kidney is small, and the ureter is dilated.").atoms
    assert [a.side for a in found] == ["right", "right"]


def test_a_pronoun_stands_for_the_lesion_named_last(atoms):
    found = atoms("A nodule is seen in the pancreatic tail. On T2WI it is hyperintense.").atoms
    assert found[1].sites == found[0].sites
    assert set(found[1].finding) == {"nodule", "signal+@t2"}


def test_area_and_type_are_told(atoms):
    whole = atoms("EXAM: CT abdomen\n\nFINDINGS: The liver is enlarged.")
    assert (whole.area, whole.type) == (("abdomen",), "CT")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Enlarged heart and mediastinum.", ["Heart is enlarged.", "Mediastinum is enlarged."]),
        ("Widened sulci and ventricles.", ["Sulci are widened.", "Ventricles are widened."]),
        ("Mildly enlarged heart and aorta.", ["Heart is mildly enlarged.", "Aorta is mildly enlarged."]),
        ("Enlarged heart and dilated aorta.", ["Heart is enlarged.", "Aorta is dilated."]),
    ],
)
def test_what_stands_before_a_list_of_places_is_said_of_all(atoms, text, told):
    assert [a.text for a in atoms(text).atoms] == told


def test_the_examination_compared_with_is_not_the_one_reported(atoms):
    told = atoms("TECHNIQUE: Two views.\nFINDINGS: Compared to the prior CT, the heart is enlarged.")
    assert told.type == "film"
    assert atoms("FINDINGS: Compared to the prior CT, the heart is enlarged.").type == "-"
    assert atoms("CT of the chest. The heart is enlarged.").type == "CT"


def test_a_sentence_of_long_lists_stays_small(atoms):
    lists = ", ".join(f"{a} lobe" for a in ("upper", "middle", "lower") * 6)
    text = f"Nodules, cysts, masses, stones and plaques are seen in the {lists} and in the {lists} of the {lists}."
    assert len(atoms(text).atoms) < 1000


@pytest.mark.parametrize("text", ["", "...", "None.", "CT 3 mm (IM 5).", "xxxx XXXX", "-\n-\n-"])
def test_texts_without_a_finding_have_no_atoms(atoms, text):
    assert atoms(text).atoms == ()


def test_an_endless_sentence_makes_a_bounded_number_of_atoms(atoms):
    text = "stent or bronchogenic cyst or outflow tract or gestational sac and/or " * 60
    assert len(atoms(text).atoms) <= 400
