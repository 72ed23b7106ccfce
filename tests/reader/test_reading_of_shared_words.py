"""Words that stand once and belong to several findings, or to a finding named elsewhere."""

import pytest

from overread.reader import Finding, read
from overread.report import from_sections


def findings(text: str) -> tuple[Finding, ...]:
    return read(from_sections({"findings": text})).findings


def values(finding: Finding, relation: str) -> list[str]:
    return [a.text for a in finding.values(relation)]


@pytest.mark.parametrize(
    ("text", "relation", "shared"),
    [
        ("There is aortic ectasia/tortuosity.", "location", "aortic"),
        ("Chronic fibrosis/scar in the right lung.", "onset", "Chronic"),
        ("Basilar fibrosis and scarring.", "location", "Basilar"),
        ("No suspicious pulmonary mass or nodule.", "morphology", "suspicious"),
        ("Streaky basal opacities, likely atelectasis, unchanged.", "no_change", "unchanged"),
        ("Scarring from cystic fibrosis, unchanged.", "no_change", "unchanged"),
        ("A left apical nodule with a scar is again seen but unchanged.", "no_change", "unchanged"),
    ],
)
def test_both_findings_have_the_word(text, relation, shared):
    found = findings(text)
    assert len(found) == 2
    assert all(shared in values(f, relation) for f in found)


def test_a_hedge_before_a_list_is_said_of_the_whole_list():
    assert [f.level for f in findings("Probable basilar fibrosis and scarring.")] == ["probable", "probable"]


def test_nothing_is_handed_on_over_a_denial():
    granulomas, *processes = findings(
        "Calcified granulomas are seen without active granulomatous/tuberculous process."
    )
    assert values(granulomas, "morphology") == ["Calcified"]
    assert [(p.status, values(p, "morphology")) for p in processes] == [("negative", [])] * 2


@pytest.mark.parametrize(
    ("text", "placement"),
    [
        ("Endotracheal tube with tip 4 cm above the carina.", "tip 4 cm above the carina"),
        ("Port catheter with tip approximating the high SVC.", "tip approximating the high SVC"),
        ("Pacing leads in stable position.", "in stable position"),
        ("The cardiac device overlying the left chest wall is unchanged.", "overlying the left chest wall"),
    ],
)  # fmt: skip
def test_tip_distance_and_site_are_one_position(text, placement):
    (device,) = findings(text)
    assert values(device, "placement") == [placement]


def test_a_position_that_has_not_changed_says_so_in_one_word():
    (device,) = findings("Pacing leads in stable position.")
    assert values(device, "no_change") == ["stable"]


def test_a_size_told_in_the_next_sentence_belongs_to_the_finding_before():
    (density,) = findings(
        "There is a focal density in the right apex. This is approximately 1.2 cm in diameter."
    )
    assert values(density, "measurement") == ["approximately 1.2 cm in diameter"]


def test_a_lesion_left_open_in_the_next_sentence_is_drawn_from_the_density():
    density, lesion = findings(
        "There is a density in the left base. This could be a vessel, but a lesion cannot be excluded."
    )[::2]
    assert lesion.evidence == (density.id,)


def test_changes_of_a_disease_are_the_disease():
    (disease,) = findings("Chronic changes of emphysema are seen.")
    assert (disease.entity, disease.concept, values(disease, "onset")) == (
        "emphysema",
        "emphysema",
        ["Chronic"],
    )


def test_some_is_a_degree_only_of_what_is_not_counted():
    (granulomas,), (scarring,) = findings("Some granulomas are seen."), findings("Some scarring is seen.")
    assert (values(granulomas, "severity"), values(scarring, "severity")) == ([], ["Some"])


@pytest.mark.parametrize(
    ("text", "relation", "word"),
    [
        ("There are lower lung volumes.", "measurement", "lower"),
        ("Lung volumes have decreased since the prior study.", "worsened", "decreased"),
        ("Lung volumes are increased compared to prior.", "improved", "increased"),
        ("The effusion has decreased since the prior study.", "improved", "decreased"),
    ],
)
def test_less_air_is_worse_less_fluid_is_better(text, relation, word):
    (finding,) = findings(text)
    assert values(finding, relation) == [word]


def test_a_tip_belongs_to_its_own_device():
    scoliosis, tube, line = findings("Severe scoliosis, tracheostomy tube, left PICC tip in the SVC.")
    assert [values(f, "placement") for f in (scoliosis, tube, line)] == [[], [], ["tip in the SVC"]]
    assert values(scoliosis, "location") == []


def test_a_device_whose_name_is_blanked_out_keeps_its_words():
    (device,) = findings("Note a right chest XXXX, with its distal tip in the coronary sinus.")
    assert (device.entity, device.category) == ("distal tip", "OTH")
    assert (values(device, "location"), values(device, "placement")) == (
        ["right chest"],
        ["in the coronary sinus"],
    )


def test_a_structure_described_before_a_hedged_finding_is_no_place_of_it():
    diaphragm, infiltrate = findings("Elevated right hemidiaphragm and possible basilar infiltrate.")
    assert (diaphragm.concept, values(infiltrate, "location")) == ("diaphragm", ["basilar"])


def test_a_hedge_reaches_the_noun_over_two_places():
    (atelectasis,) = findings("Probable left midlung and left basilar atelectasis.")
    assert atelectasis.level == "probable"


def test_thickening_beside_an_effusion_is_of_the_pleura():
    assert [f.concept for f in findings("Small pleural effusions and/or thickening.")][
        1
    ] == "pleural-thickening"


def test_normal_is_said_of_every_contour_of_the_list():
    found = findings("Normal heart size, mediastinal and aortic contours.")
    assert [(f.entity, f.status) for f in found] == [
        ("heart size", "negative"),
        ("mediastinal and aortic contours", "negative"),
    ]


def test_two_ribs_are_one_place():
    (density,) = findings("Density projecting over the right 5th and 6th ribs.")
    assert values(density, "location") == ["right 5th and 6th ribs"]


def test_what_is_said_of_a_blank_is_said_of_nothing_else():
    (aorta,) = findings("The aorta is tortuous, and the pulmonary XXXX appear engorged.")
    assert values(aorta, "morphology") == ["tortuous"]


def test_a_blank_in_a_denied_list_does_not_end_the_denial():
    assert {f.status for f in findings("There is no evidence of XXXX, focal opacity or effusion.")} == {
        "negative"
    }


def test_otherwise_begins_a_new_subject():
    crowding, lungs = findings("Basilar crowding otherwise the lungs are clear.")
    assert (values(crowding, "morphology"), lungs.status) == ([], "negative")


def test_a_place_after_one_noun_for_two_findings_is_of_both():
    found = findings("Unchanged emphysematous and fibrotic changes of the left apex.")
    assert [f.entity for f in found] == ["emphysematous changes", "fibrotic changes"]
    assert all(f.values("location") for f in found)


def test_and_before_a_zone_of_the_lungs_tells_where():
    (found,) = findings("Mild interstitial prominence and bilateral lung bases.")
    assert [a.text for a in found.values("location")] == ["bilateral lung bases"]


def test_a_second_verb_is_said_of_the_place():
    one, other = findings("There is elevation of the left lung appears clear.")
    assert [(f.entity, f.status) for f in (one, other)] == [("elevation", "positive"), ("lung", "negative")]


def test_a_blank_part_of_a_device_tells_its_position():
    (found,) = findings("Defibrillator over the left chest with one ____ projecting over the right atrium.")
    assert "projecting over the right atrium" in [a.text for a in found.values("placement")]


def test_an_open_question_names_no_finding():
    assert not findings("Unclear whether this is a hepatic finding or a renal finding.")


def test_a_focal_consolidation_says_nothing_of_a_mass():
    consolidation, mass = findings("Focal consolidation or mass.")
    assert values(consolidation, "distribution") == ["Focal"]
    assert not values(mass, "distribution")


def test_two_bones_before_one_noun_are_both_its_place():
    (found,) = findings("There are rib and clavicle fractures.")
    assert [a.text for a in found.values("location")] == ["rib", "clavicle"]


def test_an_operation_is_known_by_how_its_name_ends():
    (found,) = findings("Changes of valvuloplasty are noted.")
    assert (found.entity, found.kind) == ("valvuloplasty", "procedure")
