"""What the rules make of invented sentences: does it compare, which disease, which way."""

import msgspec
import pytest

from overread.lexicon.lexicon import lexicon
from overread.reader import read
from overread.report import parse
from overread.systems.longitudinal.by_rules import view
from overread.systems.longitudinal.comparisons import keyword_rows
from overread.systems.longitudinal.schema import SUPPORT_DEVICES, TRENDS, LongitudinalReport, keywords, table


def seen(text, **settings):
    return view(read(parse(f"FINDINGS: {text}", "r1")), **settings)


def items(text):
    return [(i.disease, i.progression) for s in seen(text).sentences for i in s.items]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The right pleural effusion has decreased.", [("pleural effusion", "improved")]),
        ("New consolidation in the lingula.", [("consolidation", "worsened")]),
        ("The left apical pneumothorax has resolved.", [("pneumothorax", "improved")]),
        ("Unchanged scoliosis.", [("scoliosis", "no change")]),
        ("Heart size remains normal.", [("enlarged cardiac silhouette", "no change")]),
        ("No larger pleural effusions.", [("pleural effusion", "no change")]),
        ("No new consolidation.", [("consolidation", "no change")]),
        ("Worsening pulmonary edema.", [("pulmonary edema/hazy opacity", "worsened")]),
        ("Calcified granuloma is again seen at the left apex.", [("calcified nodule", "no change")]),
        ("Unchanged fracture of the left sixth rib.", [("rib fracture", "no change")]),
        ("Lung volumes have improved.", [("low lung volumes", "improved")]),
        ("Unchanged right paratracheal opacity.", [("superior mediastinal mass/enlargement", "no change")]),
        ("Stable scoliotic changes of the spine.", [("scoliosis", "no change")]),
        ("Stable hyperinflated chest.", [("copd/emphysema", "no change")]),
        ("Stable prominence of the cardiac apex.", [("enlarged cardiac silhouette", "no change")]),
        ("Stable posttraumatic changes of two left ribs.", [("rib fracture", "no change")]),
        ("Sclerotic change of the right humerus, unchanged.", [("bone lesion", "no change")]),
        (
            "Unchanged irregularity of the left third rib from an old fracture.",
            [("rib fracture", "no change")],
        ),
    ],
)
def test_one_disease(text, expected):
    assert items(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lung volumes have increased since the prior exam.", "improved"),
        ("Lung volumes have decreased since the prior exam.", "worsened"),
        ("Low lung volumes persist.", "no change"),
    ],
)
def test_more_air_is_better(text, expected):
    assert items(text) == [("low lung volumes", expected)]


@pytest.mark.parametrize(
    "text",
    [
        "Increased interstitial markings, unchanged.",
        "Again seen are increased interstitial markings.",
    ],
)
def test_a_word_that_describes_the_picture_gives_way(text):
    assert items(text) == [("increased reticular markings/ild pattern", "no change")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Small residual opacities remain.", "improved"),
        ("Stable residual opacities.", "no change"),
        ("Persistent but decreasing opacities.", "improved"),
    ],
)
def test_still_there_says_less_than_a_change(text, expected):
    assert items(text) == [("lung opacity", expected)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hazy nodule, also present on the previous exam.", "no change"),
        ("Nodule in the lingula as before.", "no change"),
        ("Compared to the prior film there is a nodule in the lingula.", "worsened"),
    ],
)
def test_a_pointer_alone_can_say_which_way(text, expected):
    assert items(text) == [("mass/nodule (not otherwise specified)", expected)]


def test_a_shift_against_the_earlier_study_is_new():
    assert items("Trachea is midline. Mediastinum is shifted to the right as compared to the prior.") == [
        ("mediastinal displacement", "worsened")
    ]


def test_loose_words_of_change_are_said_of_all_when_no_finding_has_any():
    text = "Stable findings consistent with moderate emphysema."
    assert items(text) == [("copd/emphysema", "no change")]


def test_a_diagnosis_changes_with_the_nearest_observation():
    text = "Improved lung volumes, streaky opacities at the left base most suggestive of a scar."
    assert items(text) == [("low lung volumes", "improved")]


def test_several_diseases_in_one_sentence_each_with_its_own_trend():
    text = "The right pleural effusion has decreased and pulmonary edema has worsened."
    assert items(text) == [
        ("pleural effusion", "improved"),
        ("pulmonary edema/hazy opacity", "worsened"),
    ]


def test_one_disease_on_two_sides_can_go_both_ways():
    text = "The right effusion has decreased, and the left effusion has increased."
    assert items(text) == [("pleural effusion", "improved"), ("pleural effusion", "worsened")]


def test_two_things_said_of_one_structure_are_two_diseases():
    text = "The tortuous and calcified thoracic aorta is unchanged."
    assert items(text) == [("tortuous aorta", "no change"), ("vascular calcification", "no change")]


def test_a_suspected_cause_goes_the_way_of_its_observation():
    text = "Increasing right basilar opacity, suspicious for pneumonia."
    assert items(text) == [("lung opacity", "worsened"), ("pneumonia", "worsened")]


@pytest.mark.parametrize(
    "text",
    [
        "The endotracheal tube has been removed.",
        "The right PICC is unchanged.",
        "The enteric tube has been advanced.",
        "Interval removal of the left chest tube.",
    ],
)
def test_devices_are_compared_without_a_progression(text):
    (sentence,) = seen(text).sentences
    assert sentence.longitudinal
    assert [(i.disease, i.progression) for i in sentence.items] == [(SUPPORT_DEVICES, None)]


@pytest.mark.parametrize(
    "text",
    [
        "The lungs are clear.",
        "No acute cardiopulmonary abnormality.",
        "Increased interstitial markings.",
        "Hyperinflation with increased AP diameter of the chest.",
        "Evidence of prior granulomatous disease.",
        "Clips from previous cholecystectomy.",
        "Small residual pneumothorax.",
        "Chronic scarring at the left apex.",
        "No prior studies are available for comparison.",
        "Comparison with prior films is recommended.",
        "Bilateral effusions, right larger than left.",
        "The opacity may represent an evolving pneumonia.",
        "A PICC has its tip in the SVC.",
        "No evidence of recurrence.",
    ],
)
def test_cross_sectional_sentences(text):
    assert [s.longitudinal for s in seen(text).sentences] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "No significant interval change.",
        "Stable chest.",
        "Compared to the prior study, no significant change.",
    ],
)
def test_the_examination_as_a_whole_is_compared_without_a_disease(text):
    assert [(s.longitudinal, s.items) for s in seen(text).sentences] == [(True, ())]


def test_a_comparison_belongs_to_the_sentence_that_makes_it():
    first, second = seen("There is a small left pleural effusion. This is stable.").sentences
    assert (first.longitudinal, first.items) == (False, ())
    assert [(i.disease, i.progression) for i in second.items] == [("pleural effusion", "no change")]


def test_evidence_points_at_the_words():
    report = parse("FINDINGS: The left pleural effusion has increased.", "r1")
    (item,) = view(read(report)).sentences[0].items
    assert [s.of(report.text) for s in item.spans] == ["pleural effusion", "increased"]


def test_sections_findings_alone_or_with_impression():
    reading = read(
        parse("INDICATION: Worse cough. FINDINGS: Stable nodule. IMPRESSION: Stable nodule.", "r1")
    )
    assert [s.section for s in view(reading).sentences] == ["findings", "impression"]
    assert [s.section for s in view(reading, sections=["findings"]).sentences] == ["findings"]


def test_a_view_line_has_the_documented_fields_and_comes_back():
    line = msgspec.json.encode(seen("Stable nodule."))
    plain = msgspec.json.decode(line)
    sentence = plain["sentences"][0]
    assert {"section", "start", "end", "text", "longitudinal", "items"} <= sentence.keys()
    assert {"disease", "progression"} <= sentence["items"][0].keys()
    assert msgspec.json.decode(line, type=LongitudinalReport) == seen("Stable nodule.")


# ---- the tables
def test_fifty_keywords_each_once():
    assert len(keywords()) == len(set(keywords())) == 50


def test_every_row_names_known_concepts_and_keywords_and_says_why():
    known = lexicon().concepts
    for concept, when, keyword, reason in table("diseases"):
        assert concept.startswith("kind:") or concept in known, concept
        assert keyword == "-" or set(keyword.split(" + ")) <= set(keywords()), keyword
        assert when == "-" or "=" in when
        assert reason


def test_every_keyword_can_be_reached():
    reached = {k for lines in keyword_rows().values() for _, keywords in lines for k in keywords}
    assert reached == set(keywords())


def test_directions_and_descriptions_name_what_exists():
    assert {d for d, *_ in table("directions")} <= set(keywords())
    assert {p for _, _, p, _ in table("directions")} <= set(TRENDS)
    assert all(len(row) == 3 and row[2] for row in table("describing"))
    assert {says for _, _, says, _ in table("pointers")} <= {"seen", "new", "differs", "gone", "-"}
