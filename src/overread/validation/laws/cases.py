"""Plain cases for the laws: findings said four ways, sizes, what says nothing; and the bundled reports."""

from msgspec import Struct
from msgspec.structs import replace

from overread.examples import REFERENCES, SYSTEMS, folder
from overread.formats import load
from overread.report import Report


class Found(Struct, frozen=True):
    """One finding, said four ways."""

    there: str
    denied: str
    hedged: str
    turned: str = ""
    """On the other side; empty where it has none."""


def on(finding: str, side: str = "", degree: str = "") -> Found:
    """
    >>> on("pneumothorax", "right", "large").there
    'Large right pneumothorax.'
    """
    other = {"left": "right", "right": "left"}.get(side, "")
    words = " ".join(filter(None, (degree, side, finding)))
    denied = " ".join(filter(None, ("No", side, finding)))
    turned = " ".join(filter(None, (degree, other, finding))) if other else ""
    return Found(
        f"{words[0].upper()}{words[1:]}.",
        f"{denied}.",
        f"Possible {words}.",
        f"{turned.capitalize()}." if turned else "",
    )


FINDINGS = (
    on("pneumothorax", "right", "large"),
    on("pleural effusion", "left", "small"),
    on("pulmonary edema", degree="mild"),
    on("lower lobe consolidation", "right"),
    on("cardiomegaly"),
    on("rib fracture", "left"),
    on("basal atelectasis", "right"),
    on("hiatal hernia", degree="small"),
    on("upper lobe nodule", "left"),
    on("hydronephrosis", "right", "moderate"),
    on("subdural hematoma", "left", "small"),
    on("ascites"),
    on("renal cyst", "left"),
    on("splenomegaly"),
    on("cerebellar infarct", "right", "acute"),
)
APART = [(size, start) for size in (2, 3, 4, 5) for start in (0, 1, 2, 3, 4)]
"""Sizes of the short reports, and the finding each begins with."""

PLAIN = (
    "The trachea is midline.",
    "The thyroid gland is unremarkable.",
    "The overlying skin is intact.",
)
"""Sentences that may stand in any report."""

UNRELATED = (
    "No acute osseous abnormality.",
    "No suspicious calcification is seen.",
    "The gallbladder is normal.",
)

SIZES = (
    ("The appendix measures 6 mm.", "The appendix has a diameter of 6 mm.", "The appendix measures 14 mm."),
    ("The common bile duct measures 4 mm.", "Common bile duct 4 mm.", "The common bile duct measures 13 mm."),
    ("The spleen measures 11 cm.", "Spleen of 11 cm.", "The spleen measures 19 cm."),
    ("The ovarian cyst measures 2 cm.", "Ovarian cyst, 2 cm.", "The ovarian cyst measures 7 cm."),
    (
        "The abdominal aorta measures 2.0 cm.",
        "Abdominal aorta of 2 cm.",
        "The abdominal aorta measures 5.8 cm.",
    ),
    ("The portal vein measures 11 mm.", "Portal vein 11 mm.", "The portal vein measures 19 mm."),
    (
        "The thyroid isthmus measures 3 mm.",
        "Isthmus of the thyroid 3 mm.",
        "The thyroid isthmus measures 14 mm.",
    ),
    ("The pituitary gland is 6 mm high.", "Pituitary height 6 mm.", "The pituitary gland is 15 mm high."),
)
"""A measure, the same in other words, another one."""

POSITIONS = (
    (
        "Endotracheal tube 4 cm above the carina.",
        "The endotracheal tube ends 4 cm above the carina.",
        "Endotracheal tube in the right main bronchus.",
    ),
    (
        "The nail ends above the joint line.",
        "Nail tip above the joint line.",
        "The nail protrudes through the joint line.",
    ),
    (
        "The stent spans the whole stenosis.",
        "The whole stenosis is covered by the stent.",
        "The stent has slipped below the stenosis.",
    ),
    (
        "The umbilical venous catheter ends at the level of the diaphragm.",
        "Umbilical venous catheter at the diaphragm.",
        "The umbilical venous catheter ends in the liver.",
    ),
    (
        "The ventricular catheter ends in the frontal horn.",
        "Ventricular catheter tip in the frontal horn.",
        "The ventricular catheter ends in the thalamus.",
    ),
    (
        "The feeding tube ends in the stomach.",
        "Feeding tube tip in the stomach.",
        "The feeding tube ends in the left lower lobe bronchus.",
    ),
)
"""A device in its place, the same in other words, in a wrong place."""

NORMAL_REPORT = "The heart is normal in size. The lungs are clear. No pleural effusion or pneumothorax."

CHEATS = {
    "gibberish": "x " * 80,
    "letters": "qwe asd zxc rty fgh vbn uio jkl mno pqr stu vwx yza bcd efg hij klm",
    "refusal": (
        "I am sorry, but as an artificial intelligence I am not able to look at medical images or to give any kind of "
        "diagnosis, and I will not be able to write what you have asked for; please talk to a qualified person about "
        "it today."
    ),
    "short refusal": "I'm sorry, but I can't help with that.",
    "normal, over and over": "normal " * 200,
    "a phrase, over and over": "lateral segment of the left lower lobe " * 40,
    "keywords": (
        "pneumothorax effusion consolidation pneumonia edema atelectasis cardiomegaly nodule mass fracture hemorrhage "
        "infarct hydronephrosis lymphadenopathy aneurysm"
    ),
    "padding": "<pad>" * 200,
    "end tokens": "<|im_start|>assistant<|im_end|></s><eos>",
    "German": "Kein Pleuraerguss, kein Pneumothorax. Das Herz ist nicht vergrößert.",
    "Spanish": "No se observa derrame pleural ni neumotórax. La silueta cardíaca es de tamaño normal.",
    "the prompt": (
        "You are an expert radiologist. Write the findings section of the report for this image. Answer in English and "
        "do not add anything else."
    ),
    "small talk": "Thank you for the question. I hope that you are having a nice day and that all is well with you.",
}
"""Texts that are no report."""

BUNDLED = (REFERENCES, *(f"{name}.jsonl" for name in SYSTEMS))


def bundled() -> list[Report]:
    """Four versions of 44 invented reports, each under an id of its own."""
    with folder() as place:
        named = [(name.split(".")[0], report) for name in BUNDLED for report in load(place / name)]
    return [replace(report, id=f"{name} {report.id}") for name, report in named]
