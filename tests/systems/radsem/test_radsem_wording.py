"""Atomic sentences as plain English: one subject, one verb, the report's own words, hedges kept."""

import pytest

from overread.systems.radsem.match import match


@pytest.fixture
def lines(atoms):
    """Text → its sentences; `!` before abnormal ones, `!?` before those that are only thought to be so."""

    def told(atom):
        doubt = "?" if "hedged" in atom.details else ""
        return f"!{doubt} {atom.text}" if atom.normality == "abnormal" else atom.text

    return lambda text: [told(a) for a in atoms(text).atoms]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # hedges are written
        ("Hazy right upper lobe opacity which may represent pneumonia.", "!? Right upper lobe may have pneumonia."),
        ("Faint scarring or atelectasis in the lingula.", "!? Left lingula may have faint atelectasis."),
        ("Possible stone in the left kidney.", "!? Left kidney may have a stone."),
        ("A dissection of the aorta cannot be excluded.", "!? Aorta may have dissection."),
        ("A small hiatal hernia is suspected.", "!? A small hiatal hernia may be present."),
        ("No definite pneumothorax.", "There is no definite pneumothorax."),
        ("Left basilar opacity consistent with scarring.", "! Left lung base has scarring."),
        # the place is said once, as a noun before a finding and as an adjective before an aspect
        ("Renal calculi on the left.", "! Left kidney has calculi."),
        ("No mediastinal widening.", "Mediastinum has no widening."),
        ("The mediastinal contour is normal.", "Mediastinal contour is normal."),
        ("Large hiatal hernia.", "! A large hiatal hernia is present."),
        ("Pulmonary nodules in the right lung.", "! Right lung has nodules."),
        ("Thoracolumbar dextroscoliosis.", "! Thoracolumbar spine has dextroscoliosis."),
        ("Subcarinal adenopathy.", "! Subcarinal adenopathy is present."),
        # adjectives are, nouns are had, one or many
        ("The abdominal aorta is ectatic and tortuous.", "! Abdominal aorta is tortuous."),
        ("There is mild degenerative change in the lumbar spine.", "! Lumbar spine has mild degenerative change."),
        ("No visible pleural fluid.", "There is no pleural fluid."),
        ("Both hila are prominent.", "! Left hilum is prominent."),
        ("Sulci are widened.", "! Sulci are widened."),
        ("A calcified granuloma lies in the left apex.", "! Left apex has a calcified granuloma."),
        ("Increased signal on T2WI in the left patella.", "! Left patella has increased signal on T2WI."),
        # normal at its limit
        ("Heart size is at the upper limits of normal.", "Heart size is at the upper limits of normal."),
        # a side alone is no subject
        ("Small left-sided effusion.", "! A small left-sided effusion is present."),
        # qualifiers stay
        ("Lungs are grossly clear.", "Left lung is grossly clear."),
        ("No significant pleural effusion.", "There is no significant pleural effusion."),
        ("No opacity to suggest pneumonia.", "There is no opacity to suggest pneumonia."),
        # parts and further places keep their words
        (
            "A 5 mm nodule in the anterior segment of the right upper lobe.",
            "! Anterior segment of the right upper lobe has a 5 mm nodule.",
        ),
        (
            "A cyst in the left hepatic lobe adjacent to the gallbladder.",
            "! Left hepatic lobe has a cyst adjacent to the gallbladder.",
        ),
        ("The liver has lesions. They are hypointense on T1WI.", "! Lesions in the liver are hypointense on T1WI."),
        ("Nodules with irregular margins in the liver.", "! Nodules in the liver have irregular margins."),
        # devices before their places
        ("A catheter tip ends at the cavoatrial junction.", "! Catheter tip ends at the cavoatrial junction."),
        ("Left pacemaker in the right ventricle.", "! Left pacemaker is in the right ventricle."),
        ("The enteric tube ends 3 cm above the pylorus.", "! Enteric tube ends 3 cm above the pylorus."),
        # what is said of a finding has it as its subject
        ("A cyst in the liver with blurred or sharp margins.", "!? Cyst in the liver may have sharp margins."),
        ("The number of nodules in the liver is increased.", "! Number of nodules in the liver is increased."),
        ("Many small lymph nodes are mildly enlarged.", "! Many small lymph nodes are mildly enlarged."),
        ("The left apex is poorly visualized.", "! Left apex is poorly visualized."),
        ("Dilated bronchi in the left lung.", "! Bronchi in the left lung are dilated."),
        ("Left midlung airspace opacity and atelectasis.", "! Left midlung has an airspace opacity."),
        # what belongs to the name of a finding stays in it
        ("Patchy left lower lobe airspace disease.", "! Left lower lobe has patchy airspace disease."),
        ("Prominent interstitial opacities.", "! Left lung has prominent interstitial opacities."),
        ("Bronchovascular crowding.", "! Right lung has bronchovascular crowding."),
        ("Right basilar subsegmental atelectasis.", "! Right lung base has subsegmental atelectasis."),
    ],
)  # fmt: skip
def test_a_plain_sentence(lines, text, expected):
    assert expected in lines(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The right and left hilar contours are smooth.",
         ["Right hilar contour is smooth.", "Left hilar contour is smooth."]),
        ("A reticular pattern is present.", ["! Reticular pattern is present."]),
        ("Heart and mediastinum normal.", ["Heart is normal.", "Mediastinum is normal."]),
        ("Low lung volumes.", ["! Left lung has low volume.", "! Right lung has low volume."]),
        ("Left basilar opacities XXXX atelectasis.",
         ["! Left lung base has opacities.", "! Left lung base has atelectasis."]),
        ("There is no cyst, stone or mass identified.",
         ["There is no cyst.", "There is no stone.", "There is no mass."]),
        ("The XXXX are intact.", []),
        ("Unremarkable XXXX.", []),
        ("The pulmonary XXXX and mediastinum are normal.", ["Mediastinum is normal."]),
        ("The lungs are clear of pneumothorax or pleural effusion.",
         ["There is no pneumothorax.", "There is no pleural effusion."]),
        ("Normal renal size and contour.", ["Left renal size is normal.", "Right renal size is normal.",
                                            "Left kidney contour is normal.", "Right kidney contour is normal."]),
        ("Lateral view shows spurring of the thoracic spine.", ["! Thoracic spine has spurring."]),
        ("Right greater than left basilar opacities.",
         ["! Left lung base has opacities.", "! Right lung base has opacities."]),
        ("Prior granulomatous disease.", ["! Granulomatous disease is present."]),
    ],
)  # fmt: skip
def test_split_and_dropped(lines, text, expected):
    assert lines(text) == expected


def test_a_denial_without_a_place_does_not_take_the_place_of_what_is_there(lines):
    found = lines("A consolidation is seen in the left lower lobe. No other focal consolidation.")
    assert not any("lower lobe" in line and " no " in line for line in found)


def test_hedged_and_plain_match_in_part_and_denied_not_at_all(atoms):
    plain, hedged, denied = (
        atoms(f"{t} in the left lower lobe.") for t in ("Pneumonia", "Possible pneumonia", "No pneumonia")
    )
    (pair,) = match(plain, hedged).findings.pairs
    assert pair.details_of_abnormality_relationship in ("partial", "none")
    assert match(plain, denied).findings.pairs == ()
