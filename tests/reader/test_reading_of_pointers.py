"""What a sentence says of the one before it, of other studies, and of the parts of devices."""

import pytest

from overread.reader import Finding, read
from overread.report import from_sections


def findings(text: str) -> tuple[Finding, ...]:
    return read(from_sections({"findings": text})).findings


def told(text: str) -> list[tuple[str, dict[str, list[str]]]]:
    found = findings(text)
    return [
        (
            f.entity,
            {r: [a.text for a in f.values(r)] for r in dict.fromkeys(a.relation for a in f.attributes)},
        )
        for f in found
    ]


@pytest.mark.parametrize(
    "second",
    [
        "These findings are concerning for pneumonia.",
        "Findings are concerning for pneumonia.",
        "The differential diagnosis includes pneumonia.",
        "The appearance suggests pneumonia.",
    ],
)
def test_a_general_word_points_at_the_sentence_before(second):
    opacity, pneumonia = findings(f"There is a patchy left base opacity. {second}")
    assert (pneumonia.entity, pneumonia.evidence) == ("pneumonia", (opacity.id,))


def test_what_was_denied_before_is_no_evidence():
    *_, disease = findings(
        "The lungs are clear without effusion. Findings compatible with prior sarcoidosis."
    )
    assert disease.evidence == ()


def test_a_combination_names_the_parts_of_an_opacity():
    opacity, *parts = findings("Right base opacity, a combination of atelectasis and effusion.")
    assert [p.evidence for p in parts] == [(opacity.id,)] * 2


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("A dense opacity is seen on the lateral.", []),
        ("Opacity in the right base, denser compared to the left.", ["right base"]),
        ("A nodule is stable as seen on the abdomen and pelvis CT.", []),
    ],
)
def test_views_other_studies_and_what_is_compared_with_are_no_places(text, places):
    assert told(text)[0][1].get("location", []) == places


def test_parts_of_a_device_are_one_entity():
    assert [entity for entity, _ in told("Cardiac pacemaker leads are stable.")] == ["pacemaker leads"]


def test_a_position_reaches_every_place_it_names():
    ((_, said),) = told("Wires terminating in the coronary sinus and right ventricle in stable position.")
    assert said["placement"][0] == "terminating in the coronary sinus and right ventricle"


def test_the_next_device_has_a_position_of_its_own():
    (_, first), (_, second) = told(
        "PICC with tip overlying the mid SVC and feeding tube courses below the diaphragm."
    )
    assert (first["placement"], second["placement"]) == (
        ["tip overlying the mid SVC"],
        ["courses below the diaphragm"],
    )


def test_a_broken_wire_is_no_broken_bone():
    assert told("Fracture of the superior sternotomy wire is noted.") == [
        ("sternotomy wire", {"location": ["superior"], "placement": ["Fracture"]})
    ]
    assert told("Fracture of the left clavicle with a plate.")[0][0] == "Fracture"


def test_words_before_the_noun_after_with_belong_to_it():
    _, (aorta, said) = told("Heart size is normal, with redemonstration of tortuous and calcified aorta.")
    assert (aorta, said["morphology"], said["no_change"]) == (
        "aorta",
        ["tortuous", "calcified"],
        ["redemonstration"],
    )


@pytest.mark.parametrize(
    ("seen", "concluded", "signs"),
    [
        (
            "There is patchy right upper lobe airspace disease.",
            "Right upper lobe pneumonia.",
            ["airspace disease"],
        ),
        ("There is patchy left upper lobe airspace disease.", "Right upper lobe pneumonia.", []),
        ("Reticular opacity is seen at both bases.", "Worsening interstitial lung disease.", ["opacity"]),
        (
            "The heart is enlarged. Interstitial edema.",
            "Congestive heart failure.",
            ["heart", "Interstitial edema"],
        ),
        ("The lungs are hyperexpanded.", "Chronic changes consistent with emphysema.", ["changes"]),
        ("Airspace disease concerning for pneumonia.", "Pneumonia.", ["Airspace disease"]),
        ("Airspace disease concerning for pneumonia.", "Suspected pneumonia.", ["Airspace disease"]),
        ("Airspace disease. A nodule suspicious for cancer.", "Suspected pneumonia.", ["Airspace disease"]),
        (
            "Coarse interstitial markings from lung disease.",
            "Interstitial lung disease.",
            ["interstitial markings"],
        ),
        ("Coarse markings suggesting emphysema.", "Stable chest suggesting emphysema.", ["markings"]),
        ("Blunting is atelectasis. Hazy opacity.", "Left pneumonia.", ["opacity"]),
        ("A hazy opacity, likely a scar. Patchy opacity.", "Pneumonia.", ["opacity"]),
        (
            "Nodular densities. Bronchial wall thickening. Scoliosis.",
            "Findings consistent with extensive changes from cystic fibrosis.",
            ["densities", "Bronchial wall thickening"],
        ),
        ("Spurs of the spine. Calcified nodule.", "Old granulomatous disease.", ["nodule"]),
        ("No airspace disease.", "Pneumonia.", []),
    ],
)
def test_a_bare_conclusion_points_at_its_signs(seen, concluded, signs):
    reading = read(from_sections({"findings": seen, "impression": concluded}))
    conclusion = reading.findings[-1]
    assert [reading.finding(id).entity for id in conclusion.evidence] == signs


def test_a_pronoun_past_a_denial_speaks_of_what_was_seen_last():
    granuloma, *_ = findings("There is a granuloma in the lingula. No pneumothorax. It is unchanged.")
    assert [a.text for a in granuloma.values("no_change")] == ["unchanged"]


@pytest.mark.parametrize(
    ("text", "conclusion", "signs"),
    [
        ("Normal heart size, stable hila, dense nodes suggest old infection.", "infection", ["nodes"]),
        ("Hazy opacity, likely edema; differential diagnosis includes infection.", "infection", ["opacity"]),
        ("Hazy opacity represents edema or is related to infection.", "infection", ["opacity"]),
        (
            "Hyperinflated lungs with basal opacities which may be compatible with scars.",
            "scars",
            ["opacities"],
        ),
        ("Low lung volumes causing atelectasis.", "atelectasis", []),
        ("Limited view of the heart size due to rotation, stable hila.", "hila", []),
        ("Dense nodes indicate old infection.", "infection", ["nodes"]),
        ("Crowded markings related to low lung volumes.", "lung volumes", []),
        ("Irregularity of the rib looks old and suggests an injury.", "injury", ["Irregularity"]),
        ("A hazy opacity is seen. The appearance XXXX atelectasis.", "atelectasis", ["opacity"]),
        ("Hazy opacities; this may be edema.", "edema", ["opacities"]),
        ("A hazy opacity is seen. Likely due to edema, fibrosis or infection.", "infection", ["opacity"]),
        ("Opacity in the lingula. A nodule is not entirely excluded.", "nodule", ["Opacity"]),
        ("A left port is seen. A nodule is not entirely excluded.", "nodule", []),
        ("Opacity, likely a scar. This may also be cancer.", "cancer", ["Opacity"]),
        ("Opacity in the apex. Other considerations include cancer.", "cancer", ["Opacity"]),
        ("Osteophytes of the spine. This may represent edema.", "edema", []),
        ("Dense clips at the liver consistent with cholecystectomy.", "cholecystectomy", ["clips"]),
        ("Clips at the liver due to cholecystectomy.", "cholecystectomy", []),
        ("Free air is seen. This is due to abdominal surgery.", "abdominal surgery", []),
        ("A round mass. Diagnostic considerations would include cancer.", "cancer", ["mass"]),
        (
            "Hazy opacities may be a cyst filled with fluid, or possibly pneumonia.",
            "pneumonia",
            ["opacities"],
        ),
        ("Hazy opacity with adjacent atelectasis may represent a tumor.", "tumor", ["opacity"]),
        ("Scar with atelectasis may represent a tumor.", "tumor", ["Scar", "atelectasis"]),
        ("Large heart, aortic stent, calcified hilar nodes suggest old infection.", "infection", ["nodes"]),
        (
            "Calcified nodule and calcified hilar nodes suggest old infection.",
            "infection",
            ["nodule", "nodes"],
        ),
        (
            "Coarse opacities may be due to low lung volumes with crowding, differential considerations include edema.",
            "edema",
            ["opacities"],
        ),
        ("The left apex is poorly seen due to the overlying jaw.", "apex", []),
        (
            "The left heart border is obscured and may be secondary to atelectasis.",
            "atelectasis",
            ["heart border"],
        ),
    ],
)
def test_a_conclusion_rests_on_what_was_seen_and_on_nothing_else(text, conclusion, signs):
    reading = read(from_sections({"findings": text}))
    drawn = next(f for f in reversed(reading.findings) if f.entity == conclusion)
    assert [reading.finding(id).entity for id in drawn.evidence] == signs


@pytest.mark.parametrize("where", ["within", "involving"])
def test_where_something_may_lie_is_a_place_and_no_finding(where):
    (nodule,) = findings(f"A nodule, probably {where} the right lower lobe.")
    assert [a.text for a in nodule.values("location")] == ["right lower lobe"]


def test_a_part_of_the_lung_that_is_guessed_is_a_place_and_a_vessel_is_what_is_seen():
    (nodule,) = findings("A nodule in the left midlung zone, probably the left upper lobe.")
    assert [a.text for a in nodule.values("location")] == ["left midlung zone", "left upper lobe"]
    density, vessel = findings("A round density, possibly the azygos vein.")
    assert vessel.evidence == (density.id,)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (
            "Nodule in the left midlung partly overlying the left 7th rib.",
            ["left midlung", "overlying the left 7th rib"],
        ),
        ("Opacity at the right base behind the heart.", ["right base behind the heart"]),
        ("Nodule overlying the 7th and 8th ribs.", ["overlying the 7th and 8th ribs"]),
        ("Dense nodule/mass in the left lower lung.", ["left lower lung"]),
        ("Dense nodules at the left greater than right hilum.", ["hilum"]),
    ],
)
def test_each_place_is_told_by_itself(text, places):
    assert [a.text for a in findings(text)[0].values("location")] == places


def test_the_chest_with_a_device_is_where_the_device_is():
    (catheter,) = findings("There is a left chest XXXX with catheter tip in the SVC.")
    assert [a.text for a in catheter.values("location")] == ["left chest"]
