"""The little English a plain sentence needs: nouns and adjectives, one and many, `a` and `an`."""

import re
from functools import lru_cache

from overread.reader.statements.vocabulary import stem

ADJECTIVE_ENDS = (
    "ed", "ic", "ous", "al", "ar", "ary", "ive", "ent", "ant", "oid", "like", "able", "ible", "ful", "ense", "less",
)  # fmt: skip
ADJECTIVES = frozenset(
    """abnormal bad borderline bright broken clear coarse complete crisp dark deep dense early elevated even faint fat
    fine flat fluffy free fuzzy good granular hazy healthy high intact irregular large larger long low lower midline
    mild minor moderate narrow new normal old open patchy patent poor prominent quiet rough round severe sharp short
    small smaller smooth soft solid sparse spotty straight streaky subtle thick thin tiny torn twisted unclear uneven
    unremarkable unsharp vague weak wide worn bent lost intense swollen loose enhancing nonenhancing protruding bulging
    hyperlucent lucent fatty bulky indistinct distinct opaque tense major main
    incomplete discrete massive well accessory acute chronic partsolid""".split()
)
NOUNS = frozenset(
    """bed canal signal scar bar implant stent catheter sediment residual interval collar removal cuff retrieval plexus
    material residua metal crystal bolus tear ovary fibroid dermoid thyroid""".split()
)
PHRASES = ("within ", "in ", "at ", "near ", "not ", "of ", "as ", "upper limit", "top normal")
"""What begins a predicate that is neither noun nor adjective: `within normal limits`, `in place`."""

COUNTED = frozenset(
    """nodule mass granuloma lesion cyst fracture hernia tube catheter pacemaker defibrillator device stent port line
    drain valve clip wire screw plate rod aneurysm cavity focus opacity density shadow effusion pneumothorax tumor
    lucency hump scar defect stone calculus plaque thrombus embolus bulla bleb diverticulum hematoma abscess collection
    tear deformity spur osteophyte protrusion herniation prosthesis infarct level node foreign-body generator lead
    filter pump area band polyp pseudocyst bulge process band stoma ulcer callus cast fistula malformation fragment
    air-fluid-level patch spot fibroid dermoid adenoma lipoma""".split()
)
"""Nouns that need an article when there is one of them."""

PLURALS = dict(
    pair.split(":")
    for pair in """apices:apex hila:hilum bronchi:bronchus thalami:thalamus sulci:sulcus gyri:gyrus vertebrae:vertebra
    foci:focus bullae:bulla calculi:calculus thrombi:thrombus metastases:metastasis cortices:cortex menisci:meniscus
    humeri:humerus femora:femur tibiae:tibia fibulae:fibula patellae:patella scapulae:scapula pleurae:pleura
    septa:septum ganglia:ganglia nuclei:nucleus diverticula:diverticulum emboli:embolus acetabula:acetabulum
    maxillae:maxilla axillae:axilla adnexa:adnexa bases:base masses:mass abscesses:abscess atelectases:atelectasis
    radii:radius ulnae:ulna conchae:concha ilia:ilium bursae:bursa fossae:fossa orifices:orifice epiphyses:epiphysis
    metaphyses:metaphysis foramina:foramen lumina:lumen testes:testis pelves:pelvis
    calyces:calyx retinacula:retinaculum""".split()
)
ONES = frozenset(
    """biceps triceps quadriceps teres pelvis pons chest process series axis mass abscess mediastinum iliopsoas psoas
    pancreas gas bolus pars serratus rectus corpus bias lens ascites""".split()
)
"""Nouns that only look like many."""

AFTER_THE_NOUN = re.compile(r" (?:of|in|at|on|over|with|that|measuring|along|near|from) |,")
VOWEL = re.compile(r"(?:[aeio]|u(?!ni|se|re|ro)|8|11 |18 |[flmnrsx]-?\d|hour)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def adjectival(form: str) -> bool:
    """Is the phrase said with `is`, not with `has`?

    >>> [adjectival(w) for w in ("tortuous", "within normal limits", "scarring", "fluid", "mildly enlarged")]
    [True, True, False, False, True]
    """
    if form.startswith(PHRASES):
        return True
    form = form.removesuffix(" in size")
    last = parted(form)[-1]
    if last in NOUNS or last.endswith("ment"):
        return False
    return last in ADJECTIVES or last.endswith(ADJECTIVE_ENDS)


def parted(phrase: str) -> list[str]:
    """Its words, those of a compound apart."""
    return phrase.replace("-", " ").split(" ")


def singular(word: str) -> str:
    """One of them.

    >>> [singular(w) for w in ("lungs", "apices", "biceps", "bodies")]
    ['lung', 'apex', 'biceps', 'body']
    """
    if word in ONES:
        return word
    return PLURALS.get(word) or stem(word)


@lru_cache(maxsize=4096)
def plural(phrase: str) -> bool:
    """Does the noun phrase speak of several? Its noun stands last, or before the first preposition.

    >>> plural("costophrenic angles"), plural("surfaces of the femur"), plural("biceps"), plural("hila")
    (True, True, False, True)
    """
    noun = AFTER_THE_NOUN.split(phrase, maxsplit=1)[0]
    if noun.startswith(("a ", "an ", "one ")):
        return False
    last = parted(noun)[-1]
    return last in PLURALS or singular(last) != last


def with_article(phrase: str) -> str:
    """`a` or `an` before one thing that can be counted.

    >>> with_article("calcified granuloma"), with_article("8 mm nodule"), with_article("scarring")
    ('a calcified granuloma', 'an 8 mm nodule', 'scarring')
    """
    return article(AFTER_THE_NOUN.split(phrase, maxsplit=1)[0]) + phrase


@lru_cache(maxsize=4096)
def article(noun: str) -> str:
    """What stands before the noun, and before all that follows it: sizes, which are nearly always new ones."""
    words = parted(noun)
    if words[-1] not in COUNTED or words[0] in DETERMINED:
        return ""
    return "an " if VOWEL.match(noun) else "a "


DETERMINED = frozenset(
    "a an one two three four multiple several some numerous many few other another each any no".split()
)


def as_sentence(words: str) -> str:
    """With a capital at its beginning and a full stop."""
    return f"{words[0].upper()}{words[1:]}."
