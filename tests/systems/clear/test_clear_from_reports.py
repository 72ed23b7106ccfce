"""Reports of ours, read by rules: which conditions, how described."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.clear.by_rules import view
from overread.systems.clear.schema import CONDITIONS, Cell, Table


def table(text: str) -> Table:
    return view(read(parse(text, "r1")))


def cell(text: str, condition: str) -> Cell:
    return table(text).conditions[condition]


@pytest.mark.parametrize(
    ("text", "condition", "level"),
    [
        ("Large right pneumothorax.", "Pneumothorax", "confidently present"),
        ("Possible small left effusion.", "Pleural Effusion", "likely present"),
        ("Hazy density at the left base, perhaps pneumonia.", "Pneumonia", "likely present"),
        ("The heart is enlarged.", "Cardiomegaly", "confidently present"),
        ("Heart size is borderline.", "Cardiomegaly", "likely present"),
        ("Prominence of the cardiac silhouette.", "Cardiomegaly", "likely present"),
        ("Prominence of the cardiac apex.", "Cardiomegaly", "neutral"),
        ("Heart size is at the upper limits of normal.", "Cardiomegaly", "likely absent"),
        ("The mediastinum is widened.", "Enlarged Cardiomediastinum", "confidently present"),
        ("Two calcified granulomas in the right lung.", "Lung Lesion", "confidently present"),
        ("Old fracture of the left sixth rib.", "Fracture", "confidently present"),
        ("Biapical pleural thickening.", "Pleural Other", "confidently present"),
        ("Left chest wall pacemaker.", "Support Devices", "confidently present"),
        ("Pulmonary edema has developed.", "Edema", "confidently present"),
        ("No pneumothorax.", "Pneumothorax", "confidently absent"),
        ("No large pleural effusion.", "Pleural Effusion", "likely absent"),
        ("No acute fracture.", "Fracture", "likely absent"),
        ("Heart size is normal.", "Cardiomegaly", "confidently absent"),
        ("Both lungs are clear.", "Consolidation", "confidently absent"),
        ("Both lungs are clear.", "Atelectasis", "likely absent"),
        ("Both lungs are clear.", "Pleural Effusion", "neutral"),
        ("The heart is unchanged.", "Cardiomegaly", "neutral"),
        ("The heart has grown; interval increase in heart size.", "Cardiomegaly", "likely present"),
        ("Left knee: total knee arthroplasty is seen.", "Support Devices", "likely present"),
        ("Wedge deformity of T8.", "Fracture", "neutral"),
        ("Lucent lesion with a sharp rim.", "Lung Lesion", "neutral"),
        ("Remote granulomatous infection.", "Lung Lesion", "neutral"),
        ("Scattered old granulomatous changes.", "Lung Lesion", "likely present"),
        ("Granulomatous changes in the right hilum.", "Lung Lesion", "neutral"),
        ("Rounded nodule at the left base, most likely a granuloma.", "Lung Lesion", "confidently present"),
        ("Calcified pleural plaque from an old empyema.", "Pleural Effusion", "neutral"),
        ("Fracture of the uppermost sternal wire.", "Fracture", "neutral"),
        ("Fracture of the lowest sternotomy XXXX is noted.", "Fracture", "neutral"),
        ("Fracture of the left clavicle with a plate.", "Fracture", "confidently present"),
    ],
)
def test_level(text, condition, level):
    assert cell(text, condition).level == level


def test_silence_is_neutral_and_not_mentioned():
    found = table("The trachea is midline.")
    assert {found.conditions[c].presence for c in CONDITIONS} == {"unclear"}
    assert not any(found.conditions[c].mentioned for c in CONDITIONS)


def test_no_acute_disease_speaks_only_against_acute_conditions():
    found = table("IMPRESSION: No acute cardiopulmonary process.")
    negative = {c for c in CONDITIONS if found.conditions[c].presence == "negative"}
    acute = {"Edema", "Consolidation", "Pneumonia", "Lung Opacity", "Pneumothorax", "Pleural Effusion"}
    assert negative == acute
    assert not any(found.conditions[c].mentioned for c in negative)


def test_a_normal_silhouette_speaks_against_two_conditions():
    found = table("Cardiomediastinal contours are normal.")
    assert found.conditions["Cardiomegaly"].presence == "negative"
    assert found.conditions["Enlarged Cardiomediastinum"].presence == "negative"


def test_lungs_clear_of_one_disease_may_have_another():
    found = table("The lungs are clear of infiltrate and effusion.").conditions
    assert found["Lung Opacity"].level == "confidently absent"
    assert found["Atelectasis"].presence == found["Lung Lesion"].presence == "unclear"


def test_one_clear_lung_says_nothing_of_the_other():
    assert cell("The left lung is clear.", "Edema").presence == "unclear"
    assert cell("The left lung is clear. The right lung is clear too.", "Edema").presence == "negative"


def test_a_calcified_nodular_density_is_a_granuloma_and_no_opacity():
    found = table("Round calcified density in the left apex.").conditions
    assert found["Lung Lesion"].presence == "positive"
    assert found["Lung Opacity"].presence == "unclear"


def test_a_disease_of_the_past_stays_past_beside_its_unchanged_trace():
    found = table("Unchanged cavity at the left apex due to prior pneumonia.").conditions
    assert found["Lung Lesion"].change == "stable"
    assert found["Pneumonia"].presence == "unclear"


def test_what_is_seen_outweighs_what_is_denied():
    text = "Stable opacity in the right upper lobe. No new opacity is seen."
    assert cell(text, "Lung Opacity").presence == "positive"


def test_atelectasis_is_an_opacity_too_but_not_the_other_way():
    assert cell("Platelike atelectasis at the left base.", "Lung Opacity").presence == "positive"
    assert cell("Patchy opacity at the left base.", "Atelectasis").presence == "unclear"


def test_an_opacity_that_is_a_hernia_is_none_of_the_lung():
    text = "Rounded retrocardiac density consistent with a hiatal hernia."
    assert cell(text, "Lung Opacity").presence != "positive"


def test_a_nodule_outside_the_lung_is_no_lung_lesion():
    assert cell("Small nodule in the left breast.", "Lung Lesion").presence != "positive"
    assert cell("Small nodule over the left seventh rib.", "Lung Lesion").presence == "positive"


def test_a_removed_device_is_not_there():
    assert cell("The chest tube has been removed.", "Support Devices").level == "likely absent"
    text = "The chest tube has been removed. Right PICC remains in place."
    assert cell(text, "Support Devices").presence == "positive"


def test_what_has_resolved_is_absent():
    assert cell("The left effusion has resolved.", "Pleural Effusion").presence == "negative"


def test_the_indication_is_not_heard():
    text = "INDICATION: Pneumonia.\n\nFINDINGS: The trachea is midline."
    assert cell(text, "Pneumonia").presence == "unclear"


def test_course_and_degree():
    found = cell("Moderate right pleural effusion has decreased.", "Pleural Effusion")
    assert (found.first_occurrence, found.change, found.severity) == ("previous", "improving", "moderate")


def test_a_stage_of_a_suspected_disease_is_no_course():
    found = cell("Hazy opacity at the left base may be an evolving pneumonia.", "Pneumonia")
    assert (found.first_occurrence, found.change) == ("N/A", "N/A")
    assert "change" not in found.spans
    assert cell("Evolving pneumonia at the left base.", "Pneumonia").change == "worsening"


def test_a_stable_silhouette_tells_how_the_large_heart_is_going():
    found = cell("Heart is enlarged. Stable cardiomediastinal contours.", "Cardiomegaly")
    assert (found.first_occurrence, found.change) == ("previous", "stable")


def test_new_is_current_and_no_change():
    found = cell("New small left pneumothorax.", "Pneumothorax")
    assert (found.first_occurrence, found.change, found.severity) == ("current", "N/A", "mild")


def test_two_sides_that_differ_are_mixed():
    text = "The left effusion has increased. The right effusion has decreased."
    assert cell(text, "Pleural Effusion").change == "mixed"


def test_a_diagnosis_borrows_place_and_course_from_what_supports_it():
    found = cell("Unchanged streaky opacities at the right base, likely atelectasis.", "Atelectasis")
    assert found.location == ("right base atelectasis",)
    assert found.change == "stable"


def test_places_are_merged_per_site():
    text = "FINDINGS: Small left pleural effusion.\n\nIMPRESSION: Left pleural effusion."
    assert cell(text, "Pleural Effusion").location == ("small left pleural effusion",)


def test_support_devices_have_place_and_advice_only():
    found = cell("Right PICC with tip in the lower SVC.", "Support Devices")
    assert (found.first_occurrence, found.change, found.severity) == (None, None, None)
    assert "picc" in found.location[0]


def test_advice_goes_to_the_finding_before_it():
    text = "IMPRESSION: New nodule in the left upper lobe. Recommend chest CT for further evaluation."
    assert cell(text, "Lung Lesion").recommendation == ("chest CT for further evaluation",)


def test_advice_passes_over_normal_lungs_and_keeps_its_condition():
    text = "Nodule in the left apex. Lungs are otherwise clear. If fever persists, consider chest CT."
    assert cell(text, "Lung Lesion").recommendation == ("If fever persists, consider chest CT",)


def test_two_ways_to_go_on_are_two_requests():
    text = "IMPRESSION: Left nodule. Old films would help, alternatively a chest CT could be obtained."
    assert cell(text, "Lung Lesion").recommendation == (
        "Old films would help",
        "a chest CT could be obtained",
    )


def test_advice_keeps_its_condition():
    text = (
        "IMPRESSION: Left nodule. This may be old, however, if there is no prior film, consider a chest CT."
    )
    assert cell(text, "Lung Lesion").recommendation == ("if there is no prior film, consider a chest CT",)


def test_advice_for_a_diagnosis_is_advice_for_what_shows_it():
    text = "Hazy opacity at the left base. This represents pneumonia. Recommend repeat film in six weeks."
    assert cell(text, "Lung Opacity").recommendation == ("repeat film in six weeks",)


def test_advice_loses_the_words_that_join_it():
    text = "Coarse opacities at both bases, for which clinical correlation is recommended."
    assert cell(text, "Lung Opacity").recommendation == ("clinical correlation is recommended",)


@pytest.mark.parametrize("asked", ["Decubitus films may be of benefit", "Chest CT may be indicated"])
def test_what_may_be_of_benefit_is_asked_for(asked):
    assert cell(f"Hazy opacity at the left base. {asked}.", "Lung Opacity").recommendation == (asked,)


def test_air_and_fluid_are_two_conditions():
    found = table("Small right hydropneumothorax.").conditions
    assert found["Pneumothorax"].presence == found["Pleural Effusion"].presence == "positive"


def test_a_word_that_compares_within_the_picture_is_no_course():
    assert cell("A more focal opacity at the left base.", "Lung Opacity").change == "N/A"
    assert cell("The opacity at the left base is more focal than before.", "Lung Opacity").change != "N/A"


@pytest.mark.parametrize(
    ("text", "condition", "phrase"),
    [
        (
            "Nodule in the right midlung overlying the fifth rib.",
            "Lung Lesion",
            "right midlung nodule overlying the fifth rib",
        ),
        ("Hazy pulmonary opacities, likely pulmonary edema.", "Edema", "pulmonary edema"),
        ("Left PICC tip is in the SVC.", "Support Devices", "left picc tip is in the svc"),
        ("Left IJ catheter tip mid SVC.", "Support Devices", "left ij catheter tip mid svc"),
        ("Intact pacemaker in the left chest wall.", "Support Devices", "left chest wall pacemaker"),
        ("Left base scarring versus atelectasis.", "Lung Opacity", "left base scarring versus atelectasis"),
        ("Left base scarring versus atelectasis.", "Atelectasis", "left base atelectasis"),
        ("Clips in the mediastinum.", "Support Devices", "mediastinal clips"),
        ("Density in the posterior aspect of the left lung.", "Lung Opacity", "posterior left lung density"),
        ("Calcified left hilar granuloma.", "Lung Lesion", "left hilar calcified granuloma"),
        ("Healed fracture of the left sixth rib.", "Fracture", "left sixth rib fracture"),
        ("Perihilar opacities bilaterally, likely infection.", "Pneumonia", "bilateral perihilar infection"),
        ("Left pleural effusion with underlying atelectasis.", "Atelectasis", "left atelectasis"),
        ("Postsurgical clips in the left axilla.", "Support Devices", "left axillary postsurgical clips"),
    ],
)
def test_a_place_reads_like_a_phrase(text, condition, phrase):
    assert cell(text, condition).location == (phrase,)


def test_a_device_whose_name_is_blank_is_a_device():
    text = "Right chest XXXX with its tip in the lower SVC."
    assert cell(text, "Support Devices").location == ("right chest device with tip in the lower svc",)


def test_a_lead_lies_where_its_placement_says():
    text = "Leads over the right atrium and right ventricle."
    assert cell(text, "Support Devices").location == ("leads over the right atrium and right ventricle",)


def test_a_cell_that_is_not_positive_has_no_attributes():
    found = cell("No pneumothorax.", "Pneumothorax")
    assert (found.change, found.location, found.recommendation) == (None, (), ())


def test_every_answer_points_at_words_of_the_report():
    text = "FINDINGS: Unchanged small left pleural effusion. Lungs are clear.\n\nIMPRESSION: Stable effusion."
    found = table(text).conditions
    words = {name: [s.of(text) for s in spans] for name, spans in found["Pleural Effusion"].spans.items()}
    assert words["presence"] == ["pleural effusion", "effusion"]
    assert words["change"] == ["Unchanged", "Stable"]
    assert words["severity"] == ["small"]
    assert [s.of(text) for s in found["Consolidation"].spans["presence"]] == ["Lungs"]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Right chest XXXX tip is visualized at the lower SVC.", "right chest device with tip at the lower svc"),
        ("Left subclavian line terminates in the upper SVC.",
         "left subclavian line terminates in the upper svc"),
        ("Endotracheal tube tip is 3 cm above the carina.", "endotracheal tube tip is 3 cm above the carina"),
        ("XXXX sternotomy XXXX are intact.", "sternotomy"),
    ],
)  # fmt: skip
def test_a_device_comes_first_and_then_its_end(text, phrase):
    assert cell(text, "Support Devices").location == (phrase,)


def test_a_sternotomy_alone_is_no_device():
    assert cell("Status post sternotomy.", "Support Devices").presence == "unclear"


@pytest.mark.parametrize(
    ("text", "condition", "phrase"),
    [
        ("Mass in the superior segment XXXX the left lower lobe.", "Lung Lesion",
         "superior segment of the left lower lobe mass"),
        ("Hazy opacity in the right upper lobe, peripherally.", "Lung Opacity",
         "right upper lobe peripheral hazy opacity"),
        ("Scattered granulomas.", "Lung Lesion", "scattered granulomas"),
        ("The right interstitial markings are accentuated.", "Lung Opacity",
         "right accentuated interstitial markings"),
        ("Masslike opacity in the left apex.", "Lung Opacity", "left apex masslike opacity"),
        ("Mild interstitial thickening.", "Lung Opacity", "interstitial thickening"),
        ("Small bilateral effusions, left greater than right.", "Pleural Effusion",
         "small bilateral effusions, left greater than right"),
        ("Bilateral hazy opacities, most notably in the left base.", "Lung Opacity",
         "bilateral hazy opacities, most notably in the left base"),
        ("Mild blunting of the left costophrenic sulcus, possibly an effusion.", "Pleural Effusion",
         "left costophrenic sulcus effusion"),
    ],
)  # fmt: skip
def test_a_phrase_keeps_to_the_place(text, condition, phrase):
    assert cell(text, condition).location == (phrase,)


def test_a_shorter_phrase_for_the_same_is_left_out():
    text = "FINDINGS: Small right apical pneumothorax. IMPRESSION: Small right pneumothorax."
    assert cell(text, "Pneumothorax").location == ("small right apical pneumothorax",)


@pytest.mark.parametrize(
    ("text", "condition", "level"),
    [
        ("FINDINGS: Atelectasis at the left base.\n\nIMPRESSION: Probable left basilar atelectasis.",
         "Atelectasis", "likely present"),
        ("FINDINGS: Left base opacity.\n\nIMPRESSION: Left base infiltrate versus atelectasis.",
         "Lung Opacity", "confidently present"),
    ],
)  # fmt: skip
def test_the_impression_says_how_sure_it_is(text, condition, level):
    assert cell(text, condition).level == level


def test_a_neighbour_lends_its_course():
    found = cell("Unchanged left effusion with adjacent atelectasis.", "Atelectasis")
    assert (found.first_occurrence, found.change) == ("previous", "stable")


def test_nothing_wrong_with_the_bones_says_nothing_of_the_lungs():
    found = table("There is no acute abnormality of the bones.").conditions
    assert (found["Fracture"].level, found["Pneumonia"].level) == ("likely absent", "neutral")


@pytest.mark.parametrize(
    "text",
    [
        "Two nodular opacities in the left apex. These nodules are dense. Older films would be helpful.",
        "Nodular opacity in the left apex. If there is any concern, consider cross-sectional imaging.",
    ],
)
def test_what_is_asked_for_a_nodule_is_asked_for_its_opacity(text):
    found = table(text).conditions
    assert found["Lung Lesion"].recommendation == found["Lung Opacity"].recommendation != ()


def test_what_develops_is_new():
    found = cell("Developing right upper lobe consolidation.", "Consolidation")
    assert (found.first_occurrence, found.change) == ("current", "N/A")


def test_a_follow_up_that_is_suggested_is_asked_for():
    found = cell("Left base infiltrate. Followup evaluation is suggested in six weeks.", "Lung Opacity")
    assert found.recommendation == ("Followup evaluation is suggested in six weeks",)


def test_thickening_beside_an_effusion_is_pleural():
    text = "Blunt left costophrenic angle suggesting pleural effusion and/or thickening."
    assert cell(text, "Pleural Other").level == "likely present"


def test_an_opacity_that_is_bronchiectasis_is_one_of_the_lung():
    found = cell("Reticular opacities in the lingula compatible with bronchiectasis.", "Lung Opacity")
    assert found.location == ("lingula reticular opacities",)


@pytest.mark.parametrize(
    ("text", "condition", "level"),
    [
        ("Status post posterior spinal fusion.", "Support Devices", "likely present"),
        ("History of spinal fusion.", "Support Devices", "neutral"),
        ("Vertebroplasty of two lumbar levels.", "Support Devices", "neutral"),
        ("Below-knee amputation.", "Support Devices", "neutral"),
        ("Left ventricular enlargement.", "Cardiomegaly", "confidently present"),
        ("Left atrial enlargement.", "Cardiomegaly", "neutral"),
        ("Prominence of the right cardiac silhouette.", "Cardiomegaly", "neutral"),
        ("Mild prominence of the mediastinum.", "Enlarged Cardiomediastinum", "likely present"),
        ("Widening of the mediastinum.", "Enlarged Cardiomediastinum", "confidently present"),
        ("No acute infiltrate.", "Lung Opacity", "confidently absent"),
        ("No acute fracture.", "Fracture", "likely absent"),
        ("No typical findings of edema.", "Edema", "likely absent"),
        ("Low volumes without typical findings of edema.", "Edema", "likely absent"),
        ("No edema.", "Edema", "confidently absent"),
        ("Biapical pleural-parenchymal scarring.", "Pleural Other", "confidently present"),
        ("Biapical scarring.", "Pleural Other", "neutral"),
        ("The heart is upper limits of normal or mildly enlarged.", "Cardiomegaly", "likely present"),
    ],
)
def test_how_far_the_words_go(text, condition, level):
    assert cell(text, condition).level == level


def test_what_is_left_was_there_before_and_no_more_is_said():
    alone = cell("Residual opacity in the left base.", "Lung Opacity")
    assert (alone.first_occurrence, alone.change) == ("previous", "N/A")
    assert cell("Small residual opacities remain in the left base.", "Lung Opacity").change == "improving"


@pytest.mark.parametrize(
    ("text", "presence"),
    [
        ("Faint density at the left base is due to overlapping soft tissues.", "unclear"),
        ("Faint opacity at the left apex XXXX represents superimposed bony structures.", "unclear"),
        ("Opacities over the left apex are artifactual.", "unclear"),
        ("Faint opacity at the left apex may represent superimposed structures.", "positive"),
        ("Faint opacity at the left base secondary to atelectasis.", "positive"),
    ],
)
def test_what_is_only_overlap_is_no_opacity(text, presence):
    assert cell(text, "Lung Opacity").presence == presence


def test_a_request_belongs_to_the_finding_it_names():
    text = "Right pleural effusion. Nodule in the left lung. Chest CT is recommended for the nodule. "
    found = table(text + "Drainage is advised for the effusion.").conditions
    assert found["Lung Lesion"].recommendation == ("Chest CT is recommended for the nodule",)
    assert found["Pleural Effusion"].recommendation == ("Drainage is advised for the effusion",)


def test_a_request_may_describe_its_finding_anew_or_ask_for_nothing():
    asked = "Urgent thoracentesis is recommended for the left pleural effusion"
    assert cell(f"Left pleural effusion. {asked}.", "Pleural Effusion").recommendation == (asked,)
    assert (
        cell("4 mm nodule. No follow-up is recommended for the nodule.", "Lung Lesion").recommendation == ()
    )


def test_follow_up_after_a_time_is_a_recommendation():
    from overread.reader import read
    from overread.report import parse
    from overread.systems.clear.by_rules import view

    text = "FINDINGS: 6 mm nodule in the right upper lobe. IMPRESSION: Follow-up of the 6 mm nodule in 12 months."
    cell = view(read(parse(text, "r"))).conditions["Lung Lesion"]
    assert cell.recommendation == ("Follow-up of the 6 mm nodule in 12 months",)


def test_a_compression_deformity_is_a_fracture_and_a_wedge_is_open():
    from overread.reader import read
    from overread.report import parse
    from overread.systems.clear.by_rules import view

    said = {
        words: view(read(parse(f"FINDINGS: {words} of T8.", "r"))).conditions["Fracture"].presence
        for words in ("Compression deformity", "Wedge deformity")
    }
    assert said == {"Compression deformity": "positive", "Wedge deformity": "unclear"}


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("A nodule in the lingula measures about 9 mm.", "9 mm lingula nodule"),
        ("A few vague nodules in the lingula.", "lingula nodules"),
        ("Several nodules of varying sizes in the lingula.", "lingula nodules"),
    ],
)
def test_a_measured_size_stands_in_front_and_vague_words_nowhere(text, phrase):
    assert cell(f"FINDINGS: {text}", "Lung Lesion").location == (phrase,)


@pytest.mark.parametrize(
    ("addendum", "condition", "presence"),
    [
        ("There is also a nondisplaced fracture of the left sixth rib.", "Fracture", "positive"),
        ("On review a small right effusion is present.", "Pleural Effusion", "positive"),
        ("There is no pneumothorax.", "Pneumothorax", "negative"),
    ],
)
def test_an_addendum_belongs_to_the_report(addendum, condition, presence):
    text = f"FINDINGS: The heart is enlarged.\nADDENDUM: {addendum}"
    assert cell(text, condition).presence == presence


@pytest.mark.parametrize(
    ("text", "location", "recommendation"),
    [
        (
            "The feeding tube is coiled in the esophagus and should be repositioned.",
            "feeding tube is coiled in the esophagus",
            "should be repositioned",
        ),
        (
            "The endotracheal tube is in the right main bronchus, and should be pulled back 3 cm.",
            "endotracheal tube is in the right main bronchus",
            "should be pulled back 3 cm",
        ),
    ],
)
def test_what_is_asked_for_a_device(text, location, recommendation):
    found = cell(f"FINDINGS: {text}", "Support Devices")
    assert (found.location, found.recommendation) == ((location,), (recommendation,))


@pytest.mark.parametrize(
    ("text", "location"),
    [
        (
            "Left port, whose tip lies at the cavoatrial junction.",
            "left port, whose tip lies at the cavoatrial junction",
        ),
        ("PICC line with tip ending in the SVC.", "picc line with tip ending in the svc"),
    ],
)
def test_where_a_tip_lies(text, location):
    assert cell(f"FINDINGS: {text}", "Support Devices").location == (location,)


def test_of_two_sizes_only_today_is_told():
    text = "FINDINGS: Left apical pneumothorax of 8 mm, previously 15 mm."
    assert cell(text, "Pneumothorax").location == ("8 mm left apical pneumothorax",)


def test_swelling_around_something_is_no_edema_of_the_lung():
    assert cell("FINDINGS: Left frontal mass with surrounding edema.", "Edema").presence == "unclear"
    assert cell("FINDINGS: Interstitial edema.", "Edema").presence == "positive"
