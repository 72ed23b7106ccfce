"""Where one clause ends and the next begins, and which nouns only say where something is."""

import pytest

from overread.reader import Finding, read
from overread.report import from_sections


def findings(text: str) -> list[Finding]:
    return list(read(from_sections({"findings": text})).findings)


def told(text: str) -> dict[str, tuple[str, list[str]]]:
    """Finding → its status, and its places as written."""
    return {f.entity.lower(): (f.status, [a.text for a in f.values("location")]) for f in findings(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The spleen is enlarged, and there is no perihepatic or bilateral subphrenic fluid.",
            {"spleen": ("positive", []), "fluid": ("negative", ["perihepatic", "bilateral subphrenic"])},
        ),
        (
            "There is steatosis of the liver, and the portal branches are not clearly visualized.",
            {"steatosis": ("positive", ["liver"])},
        ),
        (
            "A calculus is present in the left ureter, and the right kidney is free of cysts.",
            {"calculus": ("positive", ["left ureter"]), "cysts": ("negative", ["right kidney"])},
        ),
        (
            "The left ovary shows a simple cyst, the right ovary no mass.",
            {"cyst": ("positive", ["left ovary"]), "mass": ("negative", ["right ovary"])},
        ),
        (
            "The edges of the cysts are not smooth, with calcification of the larger one.",
            {"calcification": ("positive", ["larger one"])},
        ),
        (
            "Hematoma is absent, as is abscess.",
            {"hematoma": ("negative", []), "abscess": ("negative", [])},
        ),
    ],
)
def test_each_clause_speaks_for_itself(text, expected):
    found = told(text)
    assert {name: found.get(name) for name in expected} == expected


def test_what_follows_and_there_is_no_part_of_the_finding_before():
    (worn,) = findings("Spondylosis of the neck and there has been previous fusion on the left.")[:1]
    assert [a.text for a in worn.values("location")] == ["neck"]


def test_a_semicolon_and_it_go_on_about_the_same():
    found = {f.entity: f for f in findings("A cyst in the liver; it has grown, and the wall edema is mild.")}
    assert found["cyst"].values("worsened")
    assert not found["edema"].values("worsened")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No ascites in the abdominal and pelvic cavities.", {"ascites": "negative"}),
        ("Irregularity of the growth plates.", {"irregularity": "positive"}),
        ("Thrombus is not seen in the main stem or its tributaries.", {"thrombus": "negative"}),
        ("Screws at the fracture site.", {"screws": "positive"}),
        ("Edema about the ulnar collateral ligament.", {"edema": "positive"}),
        ("CT NECK AND ORBITS with contrast.", {}),
    ],
)
def test_a_noun_that_only_says_where_is_no_finding(text, expected):
    assert {name: status for name, (status, _) in told(text).items()} == expected


@pytest.mark.parametrize("noun", ["mass", "plate", "bulla"])
def test_what_a_lesion_looks_like_is_no_finding(noun):
    (found,) = findings(f"A {noun}-like lesion in the liver.")
    assert found.entity == "lesion"
    assert [a.text for a in found.values("morphology")] == [f"{noun}-like"]


def test_ribs_are_counted_from_one_to_another():
    assert told("Fractures of the right fifth to eighth ribs.") == {
        "fractures": ("positive", ["right fifth to eighth ribs"])
    }


@pytest.mark.parametrize(
    "text", ["No loosening of the screws.", "No obvious signs of loosening of the screws."]
)
def test_what_did_not_befall_a_device_leaves_it_there(text):
    assert {name: status for name, (status, _) in told(text).items()} == {
        "loosening": "negative",
        "screws": "positive",
    }


def test_a_size_before_in_which_is_of_what_was_named():
    found = {f.entity: f for f in findings("Collection, decreased from 4 to 3 cm, in which a drain lies.")}
    assert found["Collection"].values("measurement")
    assert not found["drain"].values("measurement")


@pytest.mark.parametrize(
    ("text", "entity", "looks"),
    [
        ("High-density shadows in the pancreas.", "shadows", ["High-density"]),
        ("A round soft tissue density nodule in the breast.", "nodule", ["round", "soft tissue density"]),
        ("Patchy calcific density lesions in the muscle.", "lesions", ["Patchy", "calcific"]),
        ("A curvilinear low signal, high signal lesion in the femur.", "lesion", None),
    ],
)
def test_how_dense_a_lesion_is_is_no_finding(text, entity, looks):
    (found,) = findings(text)
    assert found.entity == entity
    assert looks is None or [a.text for a in found.values("morphology")] == looks


def test_a_signal_is_a_finding_where_nothing_else_is_named():
    assert told("A faint high signal is seen in the tibia.") == {"high signal": ("positive", ["tibia"])}
    assert told("No high signal on diffusion imaging.") == {"high signal": ("negative", [])}
    assert told("The cyst has high signal.") == {"cyst": ("positive", [])}


def test_what_casts_a_shadow_is_what_is_seen():
    assert list(told("A stone shadow in the left ureter.")) == ["stone"]


@pytest.mark.parametrize(
    "text", ["Both psoas margins are smooth.", "The cortex is uniform.", "The lungs have normal lucency."]
)
def test_what_is_as_it_should_be_is_no_abnormality(text):
    assert {f.status for f in findings(text)} == {"negative"}


def test_the_largest_is_one_of_those_named():
    (found,) = findings("Nodes are seen in the groin, the largest in the left pelvis, measuring 12 mm.")
    assert [a.text for a in found.values("location")] == ["groin", "left pelvis"]
    assert [a.text for a in found.values("measurement")] == ["12 mm"]


def test_a_place_named_first_keeps_its_side_and_level():
    assert told("The left transverse process of L3 shows a fracture.")["fracture"] == (
        "positive",
        ["left transverse process of L3"],
    )


@pytest.mark.parametrize(
    ("text", "name", "size"),
    [
        ("Cysts are found in the spleen and ovary, with the largest measuring 4 cm.", "cysts", "4 cm"),
        ("Nodes are present in the neck and axilla, measuring 8 mm.", "nodes", "8 mm"),
    ],
)
def test_a_size_after_two_places_is_of_what_lies_there(text, name, size):
    (found,) = findings(text)
    assert found.entity.lower() == name
    assert [a.text for a in found.values("measurement")] == [size]


def test_a_finding_with_another_has_its_place_too():
    found = told("A mass with calcification is seen in the pancreas.")
    assert found == {"mass": ("positive", ["pancreas"]), "calcification": ("positive", ["pancreas"])}


def test_what_an_organ_shows_is_described_by_all_its_words():
    (found,) = findings("The liver shows patchy and linear calcifications.")
    assert [a.text for a in found.values("morphology")] == ["patchy", "linear"]


def test_a_region_named_after_a_valve_is_no_valve():
    assert list(told("Calcification in the mitral valve area.")) == ["calcification"]


def test_nor_goes_on_denying():
    assert told("No stones are seen, nor are there signs of obstruction.")["obstruction"][0] == "negative"


def test_what_is_not_as_it_should_be_is_abnormal():
    assert told("The lateral meniscus is not intact.") == {"lateral meniscus": ("positive", [])}
    found = told("The diaphragmatic surface is not smooth, and the spleen is enlarged.")
    assert [status for status, _ in found.values()] == ["positive", "positive"]
    assert told("The ventricles are not dilated.") == {"ventricles": ("negative", [])}


def test_what_one_side_is_said_to_be_is_not_said_of_the_next_clause():
    found = told("The liver contains a cyst while the spleen is normal, and there is free fluid.")
    assert found["free fluid"] == ("positive", [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No post-contrast enhancement of the uvula.", {"enhancement": ("negative", ["uvula"])}),
        (
            "The popliteal artery shows focal luminal narrowing.",
            {"narrowing": ("positive", ["popliteal artery", "luminal"])},
        ),
        (
            "The pons shows no punctate or patchy foci of increased signal.",
            {"increased signal": ("negative", ["pons"])},
        ),
    ],
)
def test_what_an_organ_shows_is_there_or_denied_in_it(text, expected):
    assert told(text) == expected


def test_a_place_named_first_holds_for_what_is_denied_there():
    assert told("Within the left orbit, no linear calcifications are found.") == {
        "calcifications": ("negative", ["left orbit"])
    }
    found = told("The orbits are normal, no sinus fluid is found.")
    assert found["fluid"] == ("negative", ["sinus"])


def test_all_words_of_a_list_wait_for_their_noun():
    (found,) = findings("The spleen shows several cystic, nonenhancing, round lesions.")
    assert [a.text for a in found.values("morphology")] == ["cystic", "nonenhancing", "round"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Heart: mildly enlarged.", {"heart": ("positive", [])}),
        (
            "Lungs: Clear.\nPleura: No effusion.",
            {"lungs": ("negative", []), "effusion": ("negative", ["Pleura"])},
        ),
        ("Heart: size normal; aorta: tortuous.", {"heart": ("negative", []), "aorta": ("positive", [])}),
        ("Trachea: midline.", {"trachea": ("negative", [])}),
        ("Spleen: not enlarged.", {"spleen": ("negative", [])}),
        ("Kidneys: both normal.", {"kidneys": ("negative", ["both"])}),
        ("Ovaries: even in outline.", {"ovaries": ("negative", [])}),
        (
            "Left kidney: normal in size, no stone, and there is no hydronephrosis.",
            {"kidney": ("negative", ["Left"]), "stone": ("negative", ["Left kidney"])},
        ),
        (
            "Left kidney: no stone, and there is no hydronephrosis.",
            {"stone": ("negative", ["Left kidney"]), "hydronephrosis": ("negative", ["Left kidney"])},
        ),
        ("Spleen: no round, dark lesion.", {"lesion": ("negative", ["Spleen"])}),
    ],
)
def test_what_follows_a_colon_is_said_of_the_organ_before_it(text, expected):
    found = told(text)
    assert {name: found.get(name) for name in expected} == expected


def test_a_second_heading_takes_the_place_of_the_first():
    assert told("Spleen: normal; ovaries: no cyst.")["cyst"] == ("negative", ["ovaries"])


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("The right lung shows subpleural cysts.", ["right lung", "subpleural"]),
        ("In the right kidney, a parapelvic cyst is seen.", ["right kidney", "parapelvic"]),
        ("Right lung: left hilar cysts.", ["left hilar"]),
        ("Right chest: hepatic cysts.", ["hepatic"]),
    ],
)
def test_a_side_named_in_front_holds_for_places_without_one(text, places):
    (cyst,) = [f for f in findings(text) if "cyst" in f.entity]
    assert [a.text for a in cyst.values("location")] == places


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cyst in the left kidney, ascites absent, stones nil.", {"cyst": "positive", "ascites": "negative"}),
        ("Cyst and ascites absent.", {"cyst": "negative", "ascites": "negative"}),
        ("Cyst, ascites absent.", {"cyst": "negative", "ascites": "negative"}),
    ],
)
def test_what_is_absent_without_a_verb_is_the_last_thing_named(text, expected):
    statuses = {name: status for name, (status, _) in told(text).items()}
    assert statuses | expected == statuses


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A cyst is seen in the left kidney, the right is normal.",
            {"cyst": ("positive", ["left kidney"]), "kidney": ("negative", ["right"])},
        ),
        (
            "Blunting of the left costophrenic angle, whereas the right is sharp.",
            {
                "blunting": ("positive", ["left costophrenic angle"]),
                "costophrenic angle": ("negative", ["right"]),
            },
        ),
        (
            "There is a cyst in the left ovary, and the right has a mass.",
            {"cyst": ("positive", ["left ovary"]), "mass": ("positive", ["right"])},
        ),
        (
            "A mass is seen in the liver, and the spleen shows a cyst.",
            {"mass": ("positive", ["liver"]), "cyst": ("positive", ["spleen"])},
        ),
    ],
)
def test_the_other_side_and_the_next_organ_have_what_is_said_of_them(text, expected):
    found = told(text)
    assert {name: found.get(name) for name in expected} == expected


def test_what_has_no_reason_is_there():
    assert told("There is no explanation for the left effusion.")["effusion"] == ("positive", ["left"])
