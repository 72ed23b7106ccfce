"""What counts as a condition: the shipped sets, and sets of a user's own."""

import pytest

from overread.errors import BadInput, UnknownName
from overread.reader import read
from overread.report import parse
from overread.systems import registry
from overread.systems.clear.by_rules import view as clear
from overread.systems.definitions import WIDE, Definitions, chosen, defined, shipped_sets, signature_mark
from overread.systems.srrg.by_rules import view as srrg


def table(text, definitions):
    return clear(read(parse(f"FINDINGS: {text}", "1")), definitions).conditions


def labels(text, definitions):
    view = srrg(read(parse(f"FINDINGS: {text}", "1")), definitions)
    return {(one.label, one.status) for u in view.utterances for one in u.labels}


@pytest.fixture
def own(tmp_path):
    """A user's file with the text given."""

    def write(text):
        path = tmp_path / "own.toml"
        path.write_text(text, "utf-8")
        return str(path)

    return write


@pytest.mark.parametrize(
    "text",
    [
        "Clips lie over the left axilla.",
        "Two sternal wires are broken.",
        "There is a plate along the left clavicle.",
        "Fusion of the lower cervical spine.",
    ],
)
def test_what_surgery_left_behind_is_no_coded_device(text):
    assert table(text, WIDE)["Support Devices"].presence == "positive"
    assert table(text, chosen("coded"))["Support Devices"].presence == "unclear"


@pytest.mark.parametrize(
    "text",
    [
        "A right chest port ends in the SVC.",
        "Dual lead pacemaker.",
        "A coronary stent is seen.",
        "Left chest tube.",
        "Clips in the right breast. A feeding tube is in place.",
    ],
)
def test_lines_tubes_and_implants_are_coded_devices(text):
    assert table(text, chosen("coded"))["Support Devices"].presence == "positive"


def test_left_out_devices_are_left_out_of_the_locations():
    cell = table("Clips in the right breast. Right internal jugular catheter.", chosen("coded"))[
        "Support Devices"
    ]
    assert len(cell.location) == 1
    assert "catheter" in cell.location[0]


@pytest.mark.parametrize(
    ("text", "presence"),
    [
        ("There is pneumonia at the left base.", "positive"),
        ("Left base opacity, probably pneumonia.", "positive"),
        ("Left base opacity, possibly pneumonia.", "unclear"),
        ("Left base opacity may represent pneumonia.", "unclear"),
        ("No pneumonia.", "negative"),
        ("Left base opacity, likely infection.", "unclear"),
    ],
)
def test_the_words_must_be_sure_enough_to_be_coded(text, presence):
    assert table(text, chosen("coded"))["Pneumonia"].presence == presence


def test_alternatives_without_a_hedge_are_stated():
    """One of the two is there; a hedge over both makes each a guess."""
    coded = chosen("coded")
    assert table("Scarring or atelectasis at the left base.", coded)["Atelectasis"].presence == "positive"
    assert table("Scarring versus atelectasis at the left base.", coded)["Atelectasis"].presence == "positive"
    assert table("This may be scarring or atelectasis.", coded)["Atelectasis"].presence == "unclear"
    assert table("The heart is borderline enlarged.", coded)["Cardiomegaly"].presence == "positive"


def test_a_hedged_finding_is_still_mentioned():
    cell = table("Possible small pneumothorax.", chosen("coded"))["Pneumothorax"]
    assert (cell.level, cell.mentioned) == ("neutral", True)


def test_a_nodular_opacity_is_no_coded_nodule():
    text = "Nodular opacity in the left upper lobe."
    assert table(text, WIDE)["Lung Lesion"].presence == "positive"
    assert table(text, chosen("coded"))["Lung Lesion"].presence == "unclear"
    assert table("Nodule in the left upper lobe.", chosen("coded"))["Lung Lesion"].presence == "positive"


def test_hyperinflation_is_no_coded_emphysema():
    text = "The lungs are hyperinflated."
    assert labels(text, WIDE) == {("Emphysema", "Uncertain")}
    assert labels(text, chosen("coded")) == {("No Finding", None)}
    assert labels("Hyperinflated lungs suggest emphysema.", chosen("coded")) == {("No Finding", None)}
    assert labels("Emphysematous lungs.", chosen("coded")) == {("Emphysema", "Present")}


def test_denied_labels_stay_denied():
    assert labels("No possible hernia. No emphysema.", chosen("coded")) >= {("Emphysema", "Absent")}


def test_the_structured_report_is_the_same_under_any_set():
    reading = read(parse("FINDINGS: Hyperinflated lungs. Possible left effusion. Clips in the neck.", "1"))
    assert srrg(reading, chosen("coded")).structured == srrg(reading).structured


def test_wide_is_what_the_tables_say():
    assert chosen("wide") == Definitions() == WIDE
    assert shipped_sets() == ("coded", "wide")


def test_a_set_binds_the_systems_that_know_conditions():
    coded = chosen("coded")
    reading = read(parse("FINDINGS: Clips in the neck.", "1"))
    for name in registry.SYSTEMS:
        system = registry.system(name)
        assert defined(system, WIDE) is system
        view = defined(system, coded).by_rules(reading)
        assert (view != system.by_rules(reading)) == (name == "clear")


def test_a_set_of_ones_own(own):
    mine = chosen(
        own(
            'least = "definite"\n[clear.Edema]\nleast = "possible"\n[srrg.Hernia]\nwithout = ["hiatal-hernia"]'
        )
    )
    found = table("Probable edema. Probable left effusion.", mine)
    assert (found["Edema"].presence, found["Pleural Effusion"].presence) == ("positive", "unclear")
    assert labels("Hiatal hernia.", mine) == {("No Finding", None)}


def test_an_unknown_name_lists_the_names():
    with pytest.raises(UnknownName, match=r"'codes'.*Did you mean 'coded'.*coded.*wide"):
        chosen("codes")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("least = ", "not a TOML file"),
        ('least = "sure"', "Invalid enum value 'sure'"),
        ('most = "possible"', "unknown field `most`"),
        ('[clear."Support Device"]\nsigns = false', "Did you mean 'Support Devices'"),
        ("[srrg.Emphysemas]\nsigns = false", "Did you mean 'Emphysema'"),
        ('[clear.Edema]\nwithout = ["clip-of-surgeon"]', "'clip-of-surgeon', which is no concept"),
        ('[clear.Edema]\nwithout = ["nodule knobbly"]', "'nodule knobbly', which is no concept"),
        ("[clear.Edema]\nsigns = 3", "Expected `bool`"),
    ],
)
def test_a_bad_file_is_refused_with_its_reason(own, text, told):
    with pytest.raises((BadInput, UnknownName), match=told):
        chosen(own(text))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BadInput, match="No such file"):
        chosen(str(tmp_path / "nowhere.toml"))


def test_a_file_that_changes_is_marked_anew(own):
    assert signature_mark("wide") == ""
    first = signature_mark(own('least = "definite"'))
    assert first.startswith("own-")
    assert signature_mark(own('least = "probable"')) != first
