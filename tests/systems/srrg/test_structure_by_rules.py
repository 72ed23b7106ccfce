"""Invented reports through the template: every statement under its header, today's findings only."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.srrg.by_rules import view
from overread.systems.srrg.schema import HEADERS, SrrgView
from overread.systems.srrg.template import show

DEVICES = "Tubes, Catheters, and Support Devices"
BONES = "Musculoskeletal and Chest Wall"


def structured(text: str) -> SrrgView:
    return view(read(parse(text, "invented")))


def findings(text: str) -> dict[str, list[str]]:
    return structured(f"FINDINGS: {text}").structured.findings


@pytest.mark.parametrize(
    ("sentence", "header", "bullet"),
    [
        (
            "There is a hazy opacity in the right upper lobe.",
            "Lungs and Airways",
            "Hazy opacity in the right upper lobe",
        ),
        ("The trachea is midline.", "Lungs and Airways", "Midline trachea"),
        ("A moderate left pleural effusion is seen.", "Pleura", "Moderate left pleural effusion"),
        ("The left costophrenic angle is blunted.", "Pleura", "Blunted left costophrenic angle"),
        ("The heart is mildly enlarged.", "Cardiovascular", "Mildly enlarged heart"),
        ("The thoracic aorta is tortuous.", "Cardiovascular", "Tortuous thoracic aorta"),
        ("Pulmonary vascularity is normal.", "Cardiovascular", "Normal pulmonary vascularity"),
        (
            "Cardiomediastinal silhouette is unremarkable.",
            "Cardiovascular",
            "Unremarkable cardiomediastinal silhouette",
        ),
        (
            "The mediastinal outline is within normal limits.",
            "Hila and Mediastinum",
            "Mediastinal outline within normal limits",
        ),
        ("There is a large hiatal hernia.", "Hila and Mediastinum", "Large hiatal hernia"),
        ("A right PICC ends in the lower SVC.", DEVICES, "Right PICC ends in the lower SVC"),
        (
            "There is a kink in the tunneled catheter at the first rib.",
            DEVICES,
            "Kink in the tunneled catheter at the first rib",
        ),
        ("Old left clavicle fracture.", BONES, "Old left clavicle fracture"),
        ("There is dextroscoliosis of the thoracic spine.", BONES, "Dextroscoliosis of the thoracic spine"),
        ("No free air is seen beneath the diaphragm.", "Abdominal", "No free air beneath the diaphragm"),
        (
            "Surgical clips are present in the right upper quadrant.",
            "Abdominal",
            "Surgical clips in the right upper quadrant",
        ),
        ("There is elevation of the right hemidiaphragm.", "Other", "Elevation of the right hemidiaphragm"),
    ],
)
def test_a_statement_goes_under_the_header_of_its_site(sentence, header, bullet):
    assert findings(sentence) == {header: [bullet]}


def test_a_denied_list_becomes_one_bullet_each():
    assert findings("No lobar consolidation, pneumothorax, or effusion.") == {
        "Lungs and Airways": ["No lobar consolidation"],
        "Pleura": ["No pneumothorax", "No effusion"],
    }


def test_a_shared_predicate_is_given_to_each_subject():
    assert findings("The heart and mediastinum are unremarkable.") == {
        "Cardiovascular": ["Unremarkable heart"],
        "Hila and Mediastinum": ["Unremarkable mediastinum"],
    }


def test_two_contours_of_one_noun_are_one_statement():
    assert findings("Cardiac and mediastinal contours are normal.") == {
        "Cardiovascular": ["Normal cardiac and mediastinal contours"],
    }


def test_what_explains_a_finding_stays_with_it():
    assert findings("Patchy opacity at the left base, likely atelectasis.") == {
        "Lungs and Airways": ["Patchy opacity at the left base, likely atelectasis"]
    }


@pytest.mark.parametrize(
    ("sentence", "bullets"),
    [
        ("Unchanged cardiomegaly.", ["Cardiomegaly"]),
        ("Stable moderate cardiomegaly compared to the prior study.", ["Moderate cardiomegaly"]),
        ("The heart is again noted to be enlarged.", ["Enlarged heart"]),
        ("Cardiomegaly has worsened since the previous examination.", ["Cardiomegaly"]),
    ],
)
def test_comparison_is_taken_out(sentence, bullets):
    assert findings(sentence) == {"Cardiovascular": bullets}


def test_a_structure_that_is_only_stable_says_nothing_about_today():
    assert findings("The cardiomediastinal silhouette is stable.") == {}


def test_what_has_gone_is_told_as_absent():
    assert findings("The right pleural effusion has resolved.") == {"Pleura": ["No right pleural effusion"]}
    assert findings("Interval removal of the endotracheal tube.") == {DEVICES: ["No endotracheal tube"]}


def test_a_hedged_denial_keeps_its_hedge():
    assert findings("No definite pneumothorax is seen.") == {"Pleura": ["No definite pneumothorax"]}


def test_dates_names_and_blanks_are_taken_out():
    told = structured(
        "EXAM: CHEST RADIOGRAPH 03/04/2015\nINDICATION: 61-year-old man seen by Dr. Alder, cough.\n"
        "COMPARISON: Chest radiograph dated March 2, 2014.\n"
        "FINDINGS: Small left effusion, ____ since 2/1/2014.\nIMPRESSION: Small effusion."
    ).structured
    assert told.exam_type == "CHEST RADIOGRAPH"
    assert told.history == "61-year-old man seen, cough."
    assert told.comparison == "Chest radiograph."
    assert told.findings == {"Pleura": ["Small left effusion"]}


def test_advice_is_added_to_what_it_is_about():
    told = structured(
        "IMPRESSION: 1. Nodule in the left upper lobe. Recommend chest CT for further evaluation."
    )
    assert told.structured.impression == [
        "Nodule in the left upper lobe; recommend chest CT for further evaluation"
    ]


def test_a_sentence_that_goes_on_is_added_too():
    bullets = findings("There is a nodule in the right upper lobe. It measures roughly nine units across.")
    assert bullets == {
        "Lungs and Airways": ["Nodule in the right upper lobe, measuring roughly nine units across"]
    }


def test_what_could_not_be_read_is_kept_under_other():
    assert findings("The zorbic trefoil wanders oddly.") == {
        "Other": ["The zorbic trefoil wanders oddly"]
    } or findings("The zorbic trefoil wanders oddly.") == {"Other": ["Zorbic trefoil wanders oddly"]}


def test_the_impression_puts_the_most_urgent_first():
    told = structured(
        "IMPRESSION: 1. No acute bony abnormality. 2. Degenerative changes of the spine. 3. Cardiomegaly. "
        "4. Right pneumothorax. 5. Right lower lobe pneumonia."
    )
    assert told.structured.impression == [
        "Right pneumothorax",
        "Right lower lobe pneumonia",
        "Cardiomegaly",
        "Degenerative changes of the spine",
        "No acute bony abnormality",
    ]


def test_the_impression_keeps_a_denied_list_together():
    told = structured("IMPRESSION: Cardiomegaly. No edema, effusion or pneumothorax.")
    assert told.structured.impression == ["Cardiomegaly", "No edema, effusion or pneumothorax"]
    assert [(one.label, one.status) for one in told.utterances[1].labels] == [
        ("Edema", "Absent"),
        ("Simple pleural effusion", "Absent"),
        ("Simple pneumothorax", "Absent"),
    ]


def test_addenda_and_odd_sections_are_not_lost():
    told = structured("FINDINGS: Lungs are clear.\nADDENDUM: There is a small left apical pneumothorax.")
    assert told.structured.findings["Pleura"] == ["Small left apical pneumothorax"]


def test_a_repeated_statement_stands_once():
    assert findings("No pneumothorax. Lungs are clear. No pneumothorax.") == {
        "Lungs and Airways": ["Clear lungs"],
        "Pleura": ["No pneumothorax"],
    }


def test_headers_stand_in_the_order_of_the_template():
    told = findings("No rib fracture. No pneumothorax. Heart size is normal. Lungs are clear.")
    assert list(told) == [header for header in HEADERS if header in told]


def test_offsets_point_into_the_report():
    text = "FINDINGS: There is a small right pleural effusion. The heart is enlarged."
    for one in structured(text).utterances:
        assert 0 <= one.start < one.end <= len(text)
        for label in one.labels:
            assert all(one.start <= span.start and span.end <= one.end for span in label.spans)
    assert {
        text[s.start : s.end] for u in structured(text).utterances for label in u.labels for s in label.spans
    } >= {
        "pleural effusion",
        "enlarged",
    }


TEMPLATE = """\
Exam Type: Chest radiograph

Findings:

Pleura:
- Heart is large and stable
- No pneumothorax

Impression:
1. No pneumothorax
2. Edema
"""


def test_a_report_in_the_template_keeps_headers_lines_and_order():
    told = structured(TEMPLATE)
    assert show(told.structured) == TEMPLATE
    assert [(u.header, u.text) for u in told.utterances] == [
        ("Pleura", "Heart is large and stable"),
        ("Pleura", "No pneumothorax"),
        (None, "No pneumothorax"),
        (None, "Edema"),
    ]
    assert [u.labels[0].label for u in told.utterances] == [
        "Cardiomegaly",
        "Simple pneumothorax",
        "Simple pneumothorax",
        "Edema",
    ]
    assert all(TEMPLATE[u.start : u.end].strip() == u.text for u in told.utterances)


@pytest.mark.parametrize("text", ["", "   ", "FINDINGS:", "IMPRESSION: .", "FINDINGS: ____ ____."])
def test_a_report_without_words_gives_an_empty_view(text):
    told = structured(text)
    assert told.structured.findings == {}
    assert told.structured.impression == []
    assert told.utterances == []


@pytest.mark.parametrize(
    ("text", "header", "bullet"),
    [
        (
            "Hazy opacity at the right apex. This may represent scarring.",
            "Lungs and Airways",
            "Hazy opacity at the right apex, which may represent scarring",
        ),
        (
            "Nodular shadow over the left apex. Could be a scar.",
            "Lungs and Airways",
            "Nodular shadow over the left apex, which could be a scar",
        ),
        (
            "Streaky density in the lingula. It was present previously and is compatible with fibrosis.",
            "Lungs and Airways",
            "Streaky density in the lingula, compatible with fibrosis",
        ),
        (
            "Bandlike opacity in the left base. The appearance suggests atelectasis.",
            "Lungs and Airways",
            "Bandlike opacity in the left base, suggesting atelectasis",
        ),
        (
            "There is right apical airspace opacity XXXX atelectasis.",
            "Lungs and Airways",
            "Right apical airspace opacity, atelectasis",
        ),
        (
            "Mildly large heart; cardiomegaly versus pericardial effusion.",
            "Cardiovascular",
            "Mildly large heart; cardiomegaly versus pericardial effusion",
        ),
        (
            "Platelike atelectasis draped over the hernia.",
            "Lungs and Airways",
            "Platelike atelectasis draped over the hernia",
        ),
    ],
)
def test_an_explanation_stands_behind_what_it_explains(text, header, bullet):
    assert bullet in findings(text)[header]


def test_an_explanation_keeps_labels_of_its_own():
    made = structured("IMPRESSION: Patchy opacity in the lingula. This may represent pneumonia.")
    assert [(u.text, [x.label for x in u.labels]) for u in made.utterances] == [
        ("Patchy opacity in the lingula", ["Air space opacity"]),
        ("May represent pneumonia", ["Pneumonia"]),
    ]


@pytest.mark.parametrize(
    ("text", "bullet"),
    [
        ("The pulmonary XXXX and mediastinum are unremarkable.", "Unremarkable mediastinum"),
        ("Mild loss of XXXX of a lower thoracic vertebra.", "Mild loss of a lower thoracic vertebra"),
        ("Scattered XXXX of linear atelectasis.", "Scattered linear atelectasis"),
        ("Few opacities consistent with XXXX of scarring.", "Few opacities consistent with scarring"),
        ("Deformity of the right clavicle compatible with remote XXXX.", "Deformity of the right clavicle"),
        ("Opacity in the apical segment XXXX the right upper lobe.",
         "Opacity in the apical segment of the right upper lobe"),
        ("Hazy bibasilar opacities, XXXX edema.", "Hazy bibasilar opacities, edema"),
        ("Blunting of the left costophrenic XXXX.", "Blunting of the left costophrenic angle"),
        ("Costophrenic XXXX are clear.", "Clear costophrenic angles"),
        ("Left chest XXXX with its tip in the SVC.", "Left chest device with its tip in the SVC"),
    ],
)  # fmt: skip
def test_words_around_a_blank_are_closed_up(text, bullet):
    assert [b for group in findings(text).values() for b in group] == [bullet]


@pytest.mark.parametrize(
    ("text", "bullet"),
    [
        ("Lateral view reveals spondylosis of the thoracic spine.", "Spondylosis of the thoracic spine"),
        ("Nodule in the left apex on the frontal view.", "Nodule in the left apex"),
        ("The presence of a thymic mass cannot be excluded on this study.",
         "Thymic mass cannot be excluded"),
        ("Several round opacities, some of which are lucent.", "Several round opacities, some lucent"),
        ("The nodule suggests an old granuloma.", "Nodule suggesting an old granuloma"),
        ("No pneumothorax or significant interval change.", "No pneumothorax"),
        ("The patient is status post sternotomy.", "Status post sternotomy"),
        ("There may be a subtle opacity at the left base.", "Possible subtle opacity at the left base"),
        ("Otherwise, the lungs are clear.", "Lungs otherwise clear"),
        ("Density behind the sternum seen on the previous exam suggesting scarring.",
         "Density behind the sternum suggesting scarring"),
        ("The bones show no acute abnormality.", "No acute abnormality of the bones"),
        ("Postsurgical changes of prior lobectomy.", "Postsurgical changes of prior lobectomy"),
    ],
)  # fmt: skip
def test_a_bullet_leaves_the_film_and_the_sentence_behind(text, bullet):
    assert [b for group in findings(text).values() for b in group] == [bullet]


@pytest.mark.parametrize(
    "text",
    [
        "END OF REPORT.",
        "The XXXX was used to notify the ordering physician.",
        "Result notification was sent.",
    ],
)
def test_what_is_no_observation_is_no_bullet(text):
    assert structured(f"IMPRESSION: Left apical nodule. {text}").structured.impression == [
        "Left apical nodule"
    ]


def test_a_request_may_ask_for_a_comparison():
    text = "IMPRESSION: Left apical nodule. Comparison with older films would be helpful."
    assert structured(text).structured.impression == [
        "Left apical nodule; comparison with older films would be helpful"
    ]


def test_a_short_last_word_on_the_rest_is_kept():
    text = "IMPRESSION: Scar at the left apex. Otherwise, clear."
    assert "Otherwise clear" in structured(text).structured.impression


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("Calcified left hilar nodes consistent with old granulomatous disease.", "Hila and Mediastinum"),
        ("Opacities representing surgical clips.", DEVICES),
        ("XXXX sternotomy XXXX are intact.", DEVICES),
        ("Status post sternotomy.", BONES),
        ("Retrocardiac density consistent with a hiatal hernia.", "Hila and Mediastinum"),
        ("Vague density at the left apex representing a nipple shadow.", "Lungs and Airways"),
    ],
)
def test_what_is_seen_decides_unless_it_is_said_to_be_something_else(text, header):
    assert list(findings(text)) == [header]


def test_a_comma_goes_with_what_it_listed():
    bullets = findings("Heart size, hilar contour, and pulmonary vascularity are within normal limits.")
    assert bullets["Hila and Mediastinum"] == ["Hilar contour within normal limits"]


def test_a_short_predicate_comes_first_also_when_more_follows():
    bullets = findings("The lungs are overexpanded with flattening of both diaphragms.")
    assert bullets["Lungs and Airways"] == ["Overexpanded lungs with flattening of both diaphragms"]


@pytest.mark.parametrize(
    ("text", "header", "bullets"),
    [
        (
            "Cardiomegaly, partially accentuated by low lung volumes.",
            "Cardiovascular",
            ["Cardiomegaly, partially accentuated by low lung volumes"],
        ),
        (
            "Widened mediastinum XXXX at XXXX partly exaggerated by low lung volumes.",
            "Hila and Mediastinum",
            ["Widened mediastinum partly exaggerated by low lung volumes"],
        ),
        (
            "Lung volumes are low, which accentuates heart size and lung markings.",
            "Lungs and Airways",
            ["Low lung volumes, which accentuates heart size and lung markings"],
        ),
        (
            "Left lower lobe opacity most XXXX representing atelectasis.",
            "Lungs and Airways",
            ["Left lower lobe opacity representing atelectasis"],
        ),
        (
            "Streaky opacity in the lingula. The appearance XXXX scarring or atelectasis.",
            "Lungs and Airways",
            ["Streaky opacity in the lingula, scarring or atelectasis"],
        ),
        (
            "Left nodular density, probably within the lingula given the opacity on the lateral view.",
            "Lungs and Airways",
            ["Left nodular density, probably within the lingula given the opacity"],
        ),
        (
            "Irregularity of the left clavicle is chronic and suggests old injury.",
            BONES,
            ["Irregularity of the left clavicle chronic and suggesting old injury"],
        ),
        (
            "Left base opacity, combination of pleural effusion and atelectasis.",
            "Lungs and Airways",
            ["Left base opacity, combination of pleural effusion and atelectasis"],
        ),
        ("Mild chronic changes.", "Lungs and Airways", ["Mild chronic changes"]),
        (
            "Prominence of the left hilum, XXXX superimposed structures.",
            "Hila and Mediastinum",
            ["Prominence of the left hilum, superimposed structures"],
        ),
    ],
)
def test_what_is_said_of_one_thing_stays_in_one_bullet(text, header, bullets):
    assert findings(text) == {header: bullets}


@pytest.mark.parametrize(
    ("text", "bullets"),
    [
        ("No other nodules or masses.", ["No other nodules", "No other masses"]),
        ("No typical findings of pulmonary edema.", ["No typical findings of pulmonary edema"]),
        ("This does not look like an acute infiltrate.", ["No acute infiltrate"]),
        ("There is no evidence of consolidation.", ["No consolidation"]),
    ],
)
def test_a_denial_keeps_what_limits_it(text, bullets):
    assert findings(text) == {"Lungs and Airways": bullets}


@pytest.mark.parametrize(
    ("text", "bullet"),
    [
        ("No heart size is normal.", "Normal heart size"),
        (
            "No The pulmonary vasculature is within normal limits.",
            "Pulmonary vasculature within normal limits",
        ),
        ("The heart is not enlarged.", "Heart not enlarged"),
    ],
)
def test_a_no_left_over_before_something_normal_denies_nothing(text, bullet):
    assert findings(text) == {"Cardiovascular": [bullet]}


def test_a_device_beside_a_disease_has_a_bullet_of_its_own():
    assert findings("Cardiomegaly with left-sided implanted ICD.") == {
        "Cardiovascular": ["Cardiomegaly"],
        DEVICES: ["Left-sided implanted ICD"],
    }


def test_a_cause_in_the_history_stays_with_what_it_caused():
    told = structured("IMPRESSION: Left apical scarring, may be due to radiation treatment.")
    assert told.structured.impression == ["Left apical scarring, may be due to radiation treatment"]


def test_a_study_that_is_missing_is_not_told():
    text = "Left base opacity, incompletely seen, no recent XXXX for comparison."
    assert findings(text) == {"Lungs and Airways": ["Left base opacity"]}


def test_shadows_of_the_wall_come_last():
    told = structured("IMPRESSION: Nipple shadows over both bases. Fibrosis at the left apex.")
    assert told.structured.impression == ["Fibrosis at the left apex", "Nipple shadows over both bases"]


@pytest.mark.parametrize(
    ("text", "header", "bullet"),
    [
        (
            "Bandlike opacities are seen whose appearance XXXX scarring or atelectasis.",
            "Lungs and Airways",
            "Bandlike opacities, scarring or atelectasis",
        ),
        ("Degenerative changes in the XXXX bilaterally.", BONES, "Degenerative changes bilaterally"),
        ("Chest: The heart is enlarged.", "Cardiovascular", "Enlarged heart"),
    ],
)
def test_words_that_only_led_somewhere_are_gone(text, header, bullet):
    assert findings(text) == {header: [bullet]}


@pytest.mark.parametrize(
    ("text", "bullets"),
    [
        ("Trachea midline.", ["Midline trachea"]),
        ("The ascending aorta is dilated and calcified.", ["Dilated and calcified ascending aorta"]),
        ("Both lungs are clear.", ["Both lungs clear"]),
        ("The lungs are grossly clear.", ["Lungs grossly clear"]),
        ("The hila have a normal appearance.", ["Normal hila"]),
        ("Soft tissues are within normal limits for a portable film.", ["Soft tissues within normal limits"]),
        ("The cervical spine shows posterior spurs.", ["Posterior spurs of the cervical spine"]),
        ("In the lingula there is a faint nodule.", ["Faint nodule in the lingula"]),
        ("Metallic clips overlie the stomach.", ["Metallic clips overlie the stomach"]),
        ("Enlarged axillary lymph XXXX.", ["Enlarged axillary lymph nodes"]),
        ("A nodule in the lingula, not seen on the lateral view.", ["Nodule in the lingula"]),
        ("The lateral view is rotated.", []),
        ("Pulmonary XXXX are unremarkable.", []),
        ("The heart silhouette shows calcification of the aorta.", ["Calcification of the aorta"]),
        ("The aorta is dilated and calcified with unchanged appearance.", ["Dilated and calcified aorta"]),
        ("The hila are within normal limits in appearance.", ["Hila within normal limits"]),
        (
            "Otherwise, the lungs are clear without evidence of nodules.",
            ["Lungs otherwise clear without nodules"],
        ),
        ("There is a round nodule. This was not present on the prior study.", ["Round nodule"]),
        ("Lungs hyperinflated suggesting asthma.", ["Hyperinflated lungs suggesting asthma"]),
        ("The lungs are without nodules.", ["No nodules"]),
    ],
)
def test_what_is_said_of_a_noun_stands_before_it(text, bullets):
    assert [b for group in findings(text).values() for b in group] == bullets


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "The lungs are clear without nodule or pneumothorax.",
            {"Lungs and Airways": ["Lungs clear without nodule"], "Pleura": ["No pneumothorax"]},
        ),
        ("The lungs are free of nodules.", {"Lungs and Airways": ["Lungs free of nodules"]}),
        (
            "Streaky opacities with thickening of the left pleura.",
            {"Lungs and Airways": ["Streaky opacities"], "Pleura": ["Thickening of the left pleura"]},
        ),
        (
            "Nodules and a cavity in the apex, consistent with infection.",
            {"Lungs and Airways": ["Nodules and a cavity in the apex, consistent with infection"]},
        ),
        ("Status post sternotomy and CABG.", {BONES: ["Status post sternotomy and CABG"]}),
        ("A mass is present in the left hilum.", {"Hila and Mediastinum": ["Mass in the left hilum"]}),
        (
            "Prominence of the pulmonary vasculature.",
            {"Cardiovascular": ["Prominence of the pulmonary vasculature"]},
        ),
    ],
)
def test_what_belongs_together_and_what_does_not(text, told):
    assert findings(text) == told
