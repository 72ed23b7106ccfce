"""What a composed sentence says is what its plain parts say: nothing lost, nothing added, nothing moved."""

import json
from pathlib import Path
from statistics import fmean

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.radsem.by_rules import view
from overread.systems.radsem.matching.relate import features_alike
from overread.systems.radsem.score import score

CASES = [
    # a finding told by a verb is one of the place it acts on, and what follows is said of the subject again
    (
        "The thymus is bulky and indents the aortic arch.",
        ["Thymus is bulky.", "Aortic arch has indentation."],
    ),
    (
        "A mass in the left parotid gland displacing the masseter contains cysts.",
        [
            "Left parotid gland has a mass.",
            "Left masseter has displacement.",
            "Mass in the left parotid gland has cysts.",
        ],
    ),
    ("A colloid nodule narrows the trachea.", ["A colloid nodule is present.", "Trachea has narrowing."]),
    # what goes with a removed device is there, as is what an earlier study did not show or this one shows less well
    (
        "There has been removal of the chest tube with increased thickening of the pericardium.",
        ["There is no chest tube.", "Pericardium has increased thickening."],
    ),
    ("Round densities were not present on the prior study.", ["Round densities are present."]),
    ("The polyp is not as well seen.", ["A polyp is present."]),
    ("A faint cyst which is in the spleen.", ["A faint cyst is present.", "Spleen has a cyst."]),
    # causes and their consequences are both there
    (
        "A disc bulge at C3-C4 resulting in severe central canal stenosis.",
        ["C3-C4 has a disc bulge.", "C3-C4 has severe central canal stenosis."],
    ),
    ("The uterus is enlarged by a fibroid.", ["Uterus is enlarged.", "Uterus has a fibroid."]),
    # what is hidden, or only seems so, is not said to be anything
    ("A nipple shadow simulates a nodule in the right lung base.", []),
    (
        "Low lung volumes exaggerate the heart size.",
        ["Left lung has low volume.", "Right lung has low volume."],
    ),
    # where there is more of it, it is not only there
    (
        "Bilateral hydroceles, larger on the left.",
        ["Left hydroceles are present.", "Right hydroceles are present."],
    ),
    # another of the same
    (
        "A 9 mm cyst in the spleen and a smaller one in the liver.",
        ["Spleen has a 9 mm cyst.", "Liver has a smaller cyst."],
    ),
    # the verb is said once, and so is the organ
    (
        "Both ovaries are enlarged; the right has a septated cyst and the left a calcified mass.",
        [
            "Left ovary is enlarged.",
            "Right ovary is enlarged.",
            "Right ovary has a septated cyst.",
            "Left ovary has a calcified mass.",
        ],
    ),
    (
        "The stomach is distended but its wall is not thickened.",
        ["Stomach is distended.", "Stomach wall is not thickened."],
    ),
    (
        "The spleen is normal, as are the pancreas and the duodenum.",
        ["Spleen is normal.", "Pancreas is normal.", "Duodenum is normal."],
    ),
    # a phrase without a verb, and a clause
    (
        "Trace right pleural effusion with scarring at the right base, and the left lung is clear.",
        ["Right pleural space has a trace effusion.", "Right base has scarring.", "Left lung is clear."],
    ),
    # joined nouns that end like adjectives
    ("No free fluid or abscess.", ["There is no free fluid.", "There is no abscess."]),
    # one thing at two places, or on two sides, each with its own degree
    (
        "Adrenal and pancreatic cysts.",
        ["Left adrenal region has cysts.", "Right adrenal region has cysts.", "Pancreas has cysts."],
    ),
    ("Opacity in the left base from aspiration.", ["Left base has an opacity.", "Left base has aspiration."]),
    ("The mass is separate from the cyst.", ["A mass is present.", "A cyst is present."]),
    ("The effusion has decreased from moderate to small.", ["Effusion is small."]),
    ("An abscess is considered unlikely.", ["There is no abscess."]),
    ("The lungs have cleared.", ["Left lung is normal.", "Right lung is normal."]),
    ("Ascites: none in January, large today.", ["Ascites is large."]),
    ("Splenomegaly has regressed to normal.", ["There is no splenomegaly."]),
    ("No acute bony findings.", ["Bones have no acute findings."]),
    ("Neither the cyst nor the mass is larger.", ["A cyst is present.", "A mass is present."]),
    ("The haematoma can no longer be seen.", ["There is no haematoma."]),
    (
        "The medial meniscus is torn, the lateral meniscus being intact.",
        ["Medial meniscus is torn.", "Lateral meniscus is intact."],
    ),
    ("Large right effusion, formerly only a trace.", ["A large right effusion is present."]),
    ("Solid organs incompletely evaluated.", []),
    (
        "Free fluid: small around the liver, none around the spleen.",
        ["Free fluid in the liver is small.", "Spleen has no free fluid."],
    ),
    ("Small haematoma at the left apex after drain removal.", ["Left apex has small haematoma."]),
    ("Pleural thickening: absence of progression.", ["Pleural thickening is present."]),
    ("Opacification of the right lower lobe.", ["Right lower lobe has opacification."]),
    ("Sinus opacification has cleared.", ["Sinus has no opacification."]),
    (
        "Lungs clear and spleen normal on this view.",
        ["Left lung is clear.", "Right lung is clear.", "Spleen is normal."],
    ),
    (
        "The right kidney is normal apart from a cyst at the lower pole.",
        ["Right kidney is normal.", "Right kidney has a cyst."],
    ),
    ("Opacity in the right mid zone: gone.", ["Right mid zone has no opacity."]),
    (
        "The gallbladder contains small stones and a polyp of 11 mm.",
        ["Gallbladder has small stones.", "Gallbladder has a polyp of 11 mm."],
    ),
    ("No pericardial or splenic abscess.", ["There is no pericardial abscess.", "Spleen has no abscess."]),
    (
        "Trace left and moderate right hip effusions.",
        ["Left hip has trace effusions.", "Right hip has moderate effusions."],
    ),
    (
        "Enlarged axillary and inguinal lymph nodes.",
        [
            "Left axillary node is enlarged.",
            "Right axillary node is enlarged.",
            "Left inguinal lymph node is enlarged.",
            "Right inguinal lymph node is enlarged.",
        ],
    ),
    # a size is of what it is told of
    ("The splenic vein measures 12 mm and contains a thrombus.", ["Splenic vein has a thrombus."]),
    (
        "Hepatic cysts, the largest in the caudate lobe measuring 7 cm.",
        ["Liver has cysts.", "Caudate lobe has a largest cyst measuring 7 cm."],
    ),
    # where it reaches, it is too
    (
        "There is a thrombus in the right femoral vein extending into the iliac vein.",
        ["Right femoral vein has a thrombus.", "Right iliac vein has a thrombus."],
    ),
    # what should be done is not done
    ("The catheter tip is in the aorta and should be removed.", ["Catheter tip is in the aorta."]),
    # the same on the other side
    (
        "The left pleural effusion is large and the right is small.",
        ["Effusion in the left pleural space is large.", "Right effusion is small."],
    ),
    (
        "The ovaries are large, the left containing a dermoid.",
        ["Left ovary is large.", "Right ovary is large.", "Left ovary has a dermoid."],
    ),
    (
        "A 14 mm stone is present in the gallbladder and a 6 mm one in the common bile duct.",
        ["Gallbladder has a 14 mm stone.", "Common bile duct has a 6 mm stone."],
    ),
    # what a finding may be is a finding of its own; what is excepted is not denied
    (
        "Edema in the calcaneus is concerning for a fracture.",
        [
            "Left calcaneus has edema.",
            "Right calcaneus has edema.",
            "Left calcaneus may have a fracture.",
            "Right calcaneus may have a fracture.",
        ],
    ),
    (
        "Mild cerebral and cerebellar volume loss.",
        ["Brain has mild volume loss.", "Cerebellum has mild volume loss."],
    ),
    (
        "A mass in the posterior left clavicle may represent a cyst.",
        ["Posterior left clavicle has a mass.", "Posterior left clavicle may have a cyst."],
    ),
    (
        "The mass in the spleen is likely a hemangioma.",
        ["Spleen has a mass.", "Spleen may have hemangioma."],
    ),
    ("There are sutures overlying the neck.", ["Neck has sutures."]),
    (
        "Two polyps, a pedunculated one in the cecum and a flat one in the rectum.",
        ["Two polyps are present.", "Cecum has a pedunculated polyp.", "Rectum has a flat polyp."],
    ),
    (
        "A cyst in the left kidney has grown, while that in the right kidney is unchanged.",
        ["Left kidney has a cyst.", "Right kidney has a cyst."],
    ),
    (
        "Bilateral hip effusions, trace on the right and moderate on the left.",
        ["Effusions in the right hip are trace.", "Effusions in the left hip are moderate."],
    ),
    (
        "The right kidney is small and contains a cyst, which is septated; the left is normal.",
        [
            "Right kidney is small.",
            "Right kidney has a cyst.",
            "Cyst in the right kidney is septated.",
            "Left kidney is normal.",
        ],
    ),
    # what is spared or excepted
    (
        "Colitis of the sigmoid colon, sparing the rectum.",
        ["Sigmoid colon has colitis.", "Rectum has no colitis."],
    ),
    (
        "All ribs except the left first rib have lesions.",
        ["Ribs have lesions.", "Left first rib has no lesions."],
    ),
    # how far a denial reaches
    (
        "A mass in the palate without eroding the hyoid.",
        ["Palate has a mass.", "Hyoid has no erosion."],
    ),
    (
        "An abscess in the neck without gas, as well as swelling of the epiglottis.",
        ["Neck has an abscess.", "Abscess in the neck has no gas.", "Epiglottis has swelling."],
    ),
    # one side is not every side
    (
        "Left subclavian line ends in the right atrium; no pneumothorax.",
        ["Left subclavian line ends in the right atrium.", "There is no pneumothorax."],
    ),
    ("An enteric tube terminates below the diaphragm.", ["An enteric tube below the diaphragm is present."]),
    (
        "The feeding tube tip is 9 cm above the pylorus.",
        ["Feeding tube tip is 9 cm above the pylorus."],
    ),
]


@pytest.mark.parametrize(("text", "parts"), CASES)
def test_a_composed_sentence_says_its_parts(text, parts):
    assert [atom.text for atom in view(read(parse(text))).atoms] == parts


def test_one_word_in_two_forms_is_one_finding():
    assert features_alike("congested", "pulmonary-congestion") > 0.8
    assert features_alike("restricted-diffusion", "facilitated-diffusion") == 0
    assert features_alike("pericardial-effusion", "joint-effusion") == 0


def test_sentences_of_others_say_their_parts():
    """A third of 269 sentences with their parts that others wrote; benchmarks/parts.py tries all of them."""
    lines = (Path(__file__).parent / "parts" / "parts.jsonl").read_text(encoding="utf-8").splitlines()
    values = []
    for line in lines[::3]:
        case = json.loads(line)
        parts, whole = (view(read(parse(text))) for text in (" ".join(case["parts"]), case["text"]))
        values.append(score(parts, whole).value or 0.0)
    assert fmean(values) > 0.88
