"""Terms → one plain sentence."""

from overread.systems.radsem.terms import Term

SIDE_WORDS = frozenset("left right both bilateral bilaterally either and or side sides sided on leftsided rightsided".split())
NOUN_ENDS = ("ing", "ion", "ment", "sis", "ity", "ness", "ia", "oma", "es", "ns", "ma", "us", "ft", "age", "omy", "ure", "ncy")
PREDICATES = frozenset({"normal", "abnormal", "quality", "shape", "up", "down", "detail", "measure"})


def sentence(terms: list[Term], side: str, denied: bool) -> str:
    """`Left lung has no patchy opacities.`, `Heart size is normal.`"""
    order = sorted(terms, key=lambda t: t.start)
    place = [w for t in order if t.role == "site" for w in place_words(t)]
    aspects = [t.form for t in order if t.role == "aspect"]
    rest = [t.form for t in order if t.role not in ("site", "aspect")]
    subject = " ".join(dict.fromkeys([*([side] if side != "-" else []), *place]))
    if predicative(order):
        subject = " ".join(filter(None, (subject, *dict.fromkeys(aspects))))
        words = f"{subject} is {'not ' if denied else ''}{' '.join(rest)}" if subject else " ".join(rest)
    else:
        said = " ".join(dict.fromkeys([*rest, *aspects]))
        no = "no " if denied else ""
        words = f"{subject} has {no}{said}" if subject else f"there is {no}{said}"
    return f"{words[0].upper()}{words[1:]}."


def predicative(terms: list[Term]) -> bool:
    """Are the words said of the place adjectives, so that it *is* so?"""
    said = [t for t in terms if t.role not in ("site", "aspect", "seq")]
    return bool(said) and all(t.role in PREDICATES and not t.form.endswith(NOUN_ENDS) for t in said)


def place_words(term: Term) -> list[str]:
    words = term.form.split()
    return [w for w in words if w not in SIDE_WORDS] if term.side != "-" else words
