"""What sentences say, rule by rule: class, side, place and finding of each atom, on invented sentences."""

import pytest


@pytest.fixture
def told(atoms):
    """Text → class mark, side, last place and finding of each atom, in one line each."""

    def lines(text):
        return [
            " ".join(
                [
                    "-" if a.normality == "normal" else "+",
                    *([a.side] if a.side != "-" else []),
                    *(s.rsplit("/", 1)[-1] for s in a.sites),
                    "|",
                    *a.finding,
                ]
            )
            for a in atoms(text).atoms
        ]

    return lines


CASES = {
    "a form lends what stands behind it": (
        "Punctate and patchy low-density areas are seen in the left thalamus.",
        ["+ left thalamus | density- focus punctate", "+ left thalamus | density- focus patchy"],
    ),
    "a sequence lends its value": (
        "The pons shows T1 and T2 hyperintensity.",
        ["+ pons | signal+@t1", "+ pons | signal+@t2"],
    ),
    "a bare sequence joined to another": (
        "T2WI and FLAIR hyperintense lesions are seen in the pons.",
        ["+ pons | focus signal+@t2", "+ pons | focus signal+@flair"],
    ),
    "high or low of one aspect": (
        "The spleen shows high or low signal foci.",
        ["+ spleen | focus signal+", "+ spleen | focus signal-"],
    ),
    "commas alone make one thing": (
        "A cystic, non-enhancing, low-density nodule is seen in the liver.",
        ["+ liver | cystic density- enhancement- nodule"],
    ),
    "nouns in -ing are no adjectives": (
        "The colon shows thickening and narrowing.",
        ["+ colon | thick+", "+ colon | size-"],
    ),
    "a part with its whole, the others alone": (
        "Opacities are seen in the right middle lobe, the lingula of the left lung, and both lower lobes.",
        [
            "+ right middle-lobe | focus",
            "+ left lingula | focus",
            "+ left lower-lobe | focus",
            "+ right lower-lobe | focus",
        ],
    ),
    "an organ beside a part of another": (
        "Calcifications are seen in both kidneys and the wall of the bladder.",
        ["+ left kidney | calcified", "+ right kidney | calcified", "+ bladder | calcified"],
    ),
    "both, before two adjectives": (
        "Cysts are scattered through both the upper and the middle lobe of the right lung.",
        ["+ right upper-lobe | cyst", "+ right middle-lobe | cyst"],
    ),
    "each lung with its own zone": (
        "Cysts are seen in an upper zone of the right lung and a lower zone of the left lung.",
        ["+ right upper-lung-zone | cyst", "+ left lower-lung-zone | cyst"],
    ),
    "a run of ribs": (
        "Fractures are seen in the right 4th to 7th ribs.",
        [f"+ right rib-{n} | fracture" for n in range(4, 8)],
    ),
    "a run of vertebrae": (
        "Wedging is seen from T9 to T12 and at L1-3.",
        [f"+ {v} | height-" for v in "t9 t10 t11 t12 l1 l2 l3".split()],
    ),
    "a place after a repeated preposition has its own side": (
        "Cysts are seen in an apex of the left lung and in the bases of both lungs.",
        ["+ left lung-apex | cyst", "+ left lung-base | cyst", "+ right lung-base | cyst"],
    ),
    "a direction joined to a place with its finding": (
        "Left upper and lower lobe nodules.",
        ["+ left upper-lobe | nodule", "+ left lower-lobe | nodule"],
    ),
    "a side does not reach a new noun in the plural": (
        "Right pleural fluid and large lung volumes.",
        ["+ right pleura | fluid", "+ left lung | size+", "+ right lung | size+"],
    ),
    "several places in front": (
        "At the C2/3 and C3/4 levels, the thecal sac is compressed.",
        ["+ c2-c3 thecal-sac | compression", "+ c3-c4 thecal-sac | compression"],
    ),
    "an organ that is absent is a finding, an absent finding is none": (
        "Postoperative absence of the right kidney. Absence of splenic cysts.",
        ["+ right kidney | postoperative visible-", "- spleen | cyst"],
    ),
    "a description and a thing of its own, with one place": (
        "A cyst is seen in the pons, with high T2 signal and compression of the fourth ventricle.",
        ["+ pons | cyst", "+ pons | cyst signal+@t2", "+ fourth-ventricle | compression"],
    ),
    "what is normal beside what is denied": (
        "No stone is seen in the left kidney, with preserved corticomedullary differentiation.",
        ["- left kidney | stone", "- left kidney | differentiation"],
    ),
    "a participle before the verb": (
        "The ureters shown are not widened.",
        ["- left ureter | size+", "- right ureter | size+"],
    ),
    "small nodes are as they should be, measured ones are given": (
        "Small lymph nodes are seen in the left axilla. Lymph nodes of up to 14 mm are seen in the right axilla.",
        ["- left lymph-node axilla | size", "+ right lymph-node axilla | visible+"],
    ),
    "what stands before two sequences": (
        "Nodular T1 and T2 hypointense foci are seen in the pons.",
        ["+ pons | focus nodular signal-@t1", "+ pons | focus nodular signal-@t2"],
    ),
    "left and right before several words": (
        "Cysts are seen in the left and right frontal lobe subcortical regions.",
        ["+ left frontal-lobe white-matter | cyst", "+ right frontal-lobe white-matter | cyst"],
    ),
    "a description goes on being denied": (
        "The spleen shows no cyst with mural enhancement. No effusion with a cyst in the liver.",
        ["- spleen | cyst", "- spleen | cyst enhancement+", "- | fluid", "+ liver | cyst"],
    ),
    "shown by nothing": (
        "No wall enhancement is shown by any cyst in the spleen.",
        ["- spleen | enhancement+"],
    ),
    "a report of a follow-up asks for nothing": (
        "Follow-up examination shows: a cyst in the spleen; the liver is enlarged.",
        ["+ spleen | cyst", "+ liver | size+"],
    ),
    "what follows advice": (
        "Cyst in the spleen, follow-up CT is recommended; the liver is enlarged.",
        ["+ spleen | cyst", "+ liver | size+"],
    ),
    "the level of a disc goes on": (
        "The L2/3 disc space is narrowed, and the thecal sac is compressed.",
        ["+ l2-l3 | size-", "+ l2-l3 thecal-sac | compression"],
    ),
    "at each level named": (
        "Disc bulging is seen at L1/2 and L2/3, with compression of the dural sac.",
        [
            f"+ {n} {what}"
            for what in ("| herniation", "thecal-sac | compression")
            for n in ("l1-l2", "l2-l3")
        ],
    ),
    "of lesions in many places once": (
        "Cysts are seen in the liver, spleen, and pancreas. The cysts are calcified.",
        ["+ liver | cyst", "+ spleen | cyst", "+ pancreas | cyst", "+ | calcified cyst"],
    ),
    "larger than before": (
        "A cyst is seen in the spleen, slightly enlarged compared to the previous study.",
        ["+ spleen | cyst"],
    ),
    "less than it should be": (
        "The stomach is poorly distended. Poor visualization of the spleen.",
        ["+ stomach | filling-", "+ spleen | visible-"],
    ),
    "an aspect of the subject is not said again": (
        "The shape of the spleen is normal, with no abnormal density.",
        ["- spleen | shape", "- spleen | density!"],
    ),
    "a side of the liver": ("A cyst is seen in the right liver.", ["+ right-hepatic-lobe | cyst"]),
    "a curve as it should be": (
        "The physiological curvature is present. The physiological curvature of the neck has disappeared.",
        ["- | curve", "+ neck | curve!"],
    ),
    "where some have gone others are left": (
        "Some of the nodules have disappeared. The effusion has been largely absorbed.",
        ["+ | nodule", "+ | fluid"],
    ),
    "two denials are none": (
        "The spleen is not free of cysts. No lobe is free of nodules. The kidneys are not without stones.",
        ["+ spleen | cyst", "+ | nodule", "+ left kidney | stone", "+ right kidney | stone"],
    ),
    "who denies again denies one thing at a time": (
        "No abscess, no free air, small hernia.",
        ["- | abscess", "- | gas", "+ | herniation"],
    ),
    "the midline as a subject": ("The midline is centered.", ["- intracranial | position"]),
    "no lesion of an aspect, of what was named before": (
        "The spleen is normal in size, and no abnormal density foci are seen.",
        ["- spleen | size", "- spleen | density! focus"],
    ),
    "horns of the ventricles": (
        "Gliosis is seen beside the posterior horn of the left lateral ventricle.",
        ["+ left lateral-ventricle | fibrotic"],
    ),
    "what is inferred from something absent is not said": (
        "A nodule in the liver without washout to suggest carcinoma.",
        ["+ liver | nodule", "- liver | ~washout"],
    ),
    "joined adjectives are two findings": (
        "The aorta is ectatic and atheromatous.",
        ["+ aorta | size+", "+ aorta | atherosclerotic"],
    ),
    "what is excepted is there": (
        "No cysts apart from the one in the spleen.",
        ["- | cyst", "+ spleen | cyst"],
    ),
    "said of the one, not of the other": (
        "The cyst, but not the abscess, has resolved.",
        ["- | cyst", "+ | abscess"],
    ),
    "an open question": (
        "It is uncertain whether this is a cyst or an abscess.",
        ["+ | cyst", "+ | abscess"],
    ),
    "a noun taken out before its value": ("Splenic XXXX normal. The spleen is normal.", ["- spleen | *"]),
    "known lesions that spare a place": (
        "The cysts do not involve the spleen.",
        ["+ | cyst", "- spleen | cyst"],
    ),
    "lesions that are not there": ("Cysts do not involve the spleen.", ["- spleen | cyst"]),
    "gray and white matter": (
        "The contrast between gray and white matter is normal.",
        ["- | differentiation"],
    ),
    "likened to something": (
        "A low-density cyst is seen in the pons, approaching cerebrospinal fluid density.",
        ["+ pons | cyst density-"],
    ),
    "contralateral reaches back over sentences": (
        "The right lung shows volume loss. The contralateral lung is clear. "
        "The contralateral diaphragm is smooth.",
        ["+ right lung | size-", "- left lung | clear", "- left diaphragm | margin"],
    ),
    "a heading tells the side of the limb": (
        "MRI of the left elbow shows: Bone: The distal humerus is irregular.",
        ["+ left humerus | shape!"],
    ),
    "without denies what follows, not what is noted": (
        "An intact patellar tendon is noted without thickening.",
        ["- extensor-mechanism | *", "- extensor-mechanism | thick+"],
    ),
    "no visible": (
        "No visible pneumothorax or pleural effusion is seen.",
        ["- pleura | gas", "- pleura | fluid"],
    ),
    "what is only pointed out is not stated": (
        "The observed ventricles are widened.",
        ["+ ventricular-system | size+"],
    ),
    "non- denies its word only": (
        "A non-displaced fracture of the sternum is seen. A nonthrombosed aneurysm of the aorta.",
        ["+ sternum | fracture position0", "+ aorta | aneurysm"],
    ),
    "what was removed is gone": (
        "The tracheostomy tube has been removed.",
        ["- | tracheostomy-tube"],
    ),
    "removal of": (
        "There is interval removal of the tracheostomy tube.",
        ["- | tracheostomy-tube"],
    ),
    "answers behind a colon": (
        "Effusion: none. Consolidation: present in the left lung.",
        ["- | fluid", "+ left lung | consolidation"],
    ),
    "more in one place adds nothing": (
        "Opacities are seen in both lungs, more pronounced in the right lower lobe.",
        ["+ left lung | focus", "+ right lung | focus"],
    ),
    "where it is most marked is where it is": (
        "Reticular opacities are most marked in the left lower lobe.",
        ["+ left lower-lobe | focus reticular"],
    ),
    "the history is not a finding": (
        "Combined with the clinical history of cardiac surgery, a nodule is seen in the liver.",
        ["+ liver | nodule"],
    ),
    "follow-up shows": (
        "Follow-up after treatment shows a nodule in the liver.",
        ["+ liver | nodule"],
    ),
    "a list ends where the next subject begins": (
        "Increased density in the left lung, both diaphragms are smooth.",
        ["+ left lung | density+", "- left diaphragm | margin", "- right diaphragm | margin"],
    ),
    "after a denial only the place goes on": (
        "In the pons there are no foci and T2-weighted signal is normal.",
        ["- pons | focus", "- pons | signal@t2"],
    ),
    "another sequence for the same lesion": (
        "On T1WI, the pontine lesion is hypointense, and on T2WI, it is hyperintense.",
        ["+ pons | focus signal-@t1", "+ pons | focus signal+@t2"],
    ),
    "the largest of what was named": (
        "Nodules are seen in both lungs. The largest is in the right middle lobe, with clear margins.",
        ["+ left lung | nodule", "+ right lung | nodule", "+ right middle-lobe | margin+ nodule"],
    ),
    "a lesion that does not enhance is there": (
        "The hepatic nodule shows no enhancement. The spleen shows no enhancement.",
        ["+ liver | enhancement- nodule", "- spleen | enhancement+"],
    ),
    "thoracic is of the spine where the finding is": (
        "Thoracic spondylosis. Thoracic mass.",
        ["+ thoracic-spine | degenerative", "+ thorax | mass"],
    ),
    "a normal size is lent to what is joined to it": (
        "Normal heart size and mediastinum.",
        ["- heart | size", "- mediastinum | *"],
    ),
    "a lesion with no enhancement does not enhance": (
        "A lesion with no enhancement is seen in the liver.",
        ["+ liver | enhancement- focus"],
    ),
    "prominence within limits is normal": (
        "Mild prominence of the aorta is within normal limits.",
        ["- aorta | prominent"],
    ),
    "a lead in the right ventricle of a left pacemaker": (
        "Left pacemaker is in the right ventricle.",
        ["+ left right-ventricle | pacemaker"],
    ),
    "an organ decreased in size": (
        "The left femoral head is decreased in size.",
        ["+ left femoral-head | size-"],
    ),
    "measured is not judged": (
        "The thickness of the interventricular septum is approximately 9 mm. The liver is enlarged.",
        ["+ liver | size+"],
    ),
    "the tip of a line that was placed": (
        "After deep venous catheterization, the tip is in the right atrium.",
        ["+ right right-atrium | central-line"],
    ),
    "long relaxation times": (
        "Long T1 and long T2 signal is seen in the pons.",
        ["+ pons | signal+@t2 signal-@t1"],
    ),
    "what is loose only says where": (
        "No loosening of the internal fixation plate is seen.",
        ["- | loosening"],
    ),
    "what is joined to a denied subject is denied with it": (
        "No cyst with thick septations is seen in the spleen.",
        ["- spleen | cyst", "- spleen | septal thick+"],
    ),
    "no effusion or visible nodule": (
        "No stone or visible cyst in the spleen. No layering effusion.",
        ["- spleen | stone", "- spleen | cyst", "- | fluid"],
    ),
    "a process of a bone": (
        "No high signal in the left mastoid process is seen. Inflammatory process of the appendix.",
        ["- left mastoid | signal+", "+ appendix | inflammatory"],
    ),
    "gas in the bowel, and gas in its wall": (
        "Gas is seen in the colon. Gas in the bowel wall. Pneumatosis of the colon.",
        ["- colon | gas", "+ bowel | gas", "+ colon | gas"],
    ),
    "enhances as it should": (
        "The pancreas enhances normally. A nodule of the pancreas enhances.",
        ["- pancreas | enhancement", "+ pancreas | enhancement+ nodule"],
    ),
    "areas that are described": (
        "The spleen has areas that are blurred. The hilar area is clear.",
        ["+ spleen | focus margin-", "- left hilum | clear", "- right hilum | clear"],
    ),
    "what cannot be excluded": (
        "Infection of the disc cannot be entirely excluded.",
        ["+ disc | inflammatory"],
    ),
    "an inference stands apart": (
        "The splenic artery is tortuous, and cannot exclude an hepatic artery aneurysm.",
        ["+ splenic-artery | course!", "+ hepatic-artery | aneurysm"],
    ),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_what_is_said(told, text, expected):
    assert told(text) == expected


OPPOSITES = [
    ("intact", "disrupted"), ("continuous", "interrupted"), ("unbroken", "broken"), ("patent", "occluded"),
    ("unobstructed", "obstructed"), ("smooth", "irregular"), ("regular", "irregular"), ("sharp", "blunted"),
    ("symmetric", "asymmetric"), ("homogeneous", "heterogeneous"), ("uniform", "uneven"), ("midline", "deviated"),
    ("nondilated", "dilated"), ("nondisplaced", "displaced"), ("undeformed", "deformed"), ("preserved", "abnormal"),
    ("well aligned", "malaligned"), ("nontortuous", "tortuous"), ("unremarkable", "enlarged"), ("usual", "atypical"),
    ("untorn", "torn"), ("unruptured", "ruptured"), ("nonstenotic", "narrowed"), ("well aerated", "opacified"),
]  # fmt: skip


@pytest.mark.parametrize(("good", "bad"), OPPOSITES)
def test_words_and_their_opposites_are_of_two_classes(told, good, bad):
    (one,) = told(f"The zorbic structure of the liver is {good}.")
    (two,) = told(f"The zorbic structure of the liver is {bad}.")
    assert (one[0], two[0]) == ("-", "+")


SYNONYMS = [
    ("swelling", "edema"), ("bony overgrowth", "osteophytes"), ("calculus", "stone"), ("clot", "thrombus"),
    ("dilatation", "widening"), ("stenosis", "narrowing"), ("tumour", "mass"), ("discontinuity", "interruption"),
    ("steatosis", "fatty change"), ("bone loss", "osteopenia"), ("ossification", "calcification"),
    ("osseous fragment", "bone fragment"), ("encephalomalacia", "infarct"), ("k-wire", "fixation screw"),
    ("hypersignal", "hyperintensity"), ("iso-dense focus", "isodense focus"), ("bleed", "hematoma"),
    ("lysis", "bone destruction"), ("plaster cast", "splint"), ("Schmorl's node", "Schmorl node"),
    ("deep venous catheter", "central venous catheter"), ("gas bubbles", "air"), ("gliosis", "scar"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "two"), SYNONYMS)
def test_two_words_for_one_finding(atoms, one, two):
    (a,), (b,) = (atoms(f"{word} is seen in the left femur.").atoms for word in (one, two))
    assert (a.finding, a.normality) == (b.finding, b.normality)


def test_where_stops_are_left_out_each_no_denies_one_noun(atoms):
    read = atoms("no ptx small left effusion unchanged no fracture")
    found = {a.text: a.normality for a in read.atoms}
    assert found == {
        "There is no pneumothorax.": "normal",
        "A small left effusion is present.": "abnormal",
        "There is no fracture.": "normal",
    }


def test_an_operation_that_names_its_own_place_ends_a_list_of_directions(atoms):
    (found,) = atoms("Posterior and anterior cervical fusion.").atoms
    assert found.text == "Anterior cervical fusion is present."
