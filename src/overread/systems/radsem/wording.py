"""Terms → one plain sentence."""

from collections.abc import Iterable

from overread.reader.statements.terms import Term
from overread.reader.statements.vocabulary import stem

SIDE_WORDS = frozenset("left right both bilateral bilaterally either and or side sides sided on each".split())
NOUN_ENDS = (
    "ing", "ion", "ment", "sis", "ity", "ness", "ia", "oma", "es", "ns", "ma", "us", "ft", "age", "omy", "ure", "ncy",
)  # fmt: skip
PREDICATES = frozenset({"normal", "abnormal", "quality", "shape", "up", "down", "detail", "measure"})


def sentence(terms: Iterable[Term], side: str, denied: bool) -> str:
    """`Left lung has no patchy opacities.`, `Heart size is normal.`; words of comparison left out."""
    order = sorted((t for t in terms if t.role != "change"), key=lambda t: t.start)
    place = [w for t in order if t.role == "site" for w in place_words(t)]
    if side != "-":  # `both kidneys` is one kidney on either side
        place = [side, *(stem(w) for w in place)]
    aspects = [t.form for t in order if t.role == "aspect"]
    rest = [t.form for t in order if t.role not in ("site", "aspect")]
    if any(
        t.role in ("head", "quality", "compound") for t in order
    ):  # the place itself, and `pleural` effusion
        rest = [
            t.form for t in order if t.role not in ("site", "aspect") or (t.kind == "adj" and t.side == "-")
        ]
    if predicative(order):
        subject = unique(place + aspects)
        said = [*([agreeing(subject, "is", "are")] if subject else []), *(["not"] if denied else []), *rest]
    else:
        subject = unique(place)
        named = unique(rest + aspects)
        verb = agreeing(subject, "has", "have") if subject else agreeing(named, "there is", "there are")
        said = [verb, *(["no"] if denied else []), *named]
    words = " ".join([*subject, *said])
    return f"{words[0].upper()}{words[1:]}."


def agreeing(subject: list[str], one: str, many: str) -> str:
    """The verb for one or for many, by the subject's last word."""
    last = subject[-1].split()[-1]
    return many if stem(last) != last else one


def unique(words: list[str]) -> list[str]:
    return list(dict.fromkeys(words))


def predicative(terms: list[Term]) -> bool:
    """Are the words said of the place adjectives, so that it *is* so?"""
    said = [t for t in terms if t.role not in ("site", "aspect", "seq")]
    return bool(said) and all(t.role in PREDICATES and not t.form.endswith(NOUN_ENDS) for t in said)


def place_words(term: Term) -> list[str]:
    """The noun of an adjective (`pulmonary` is lung), the words of a noun, without the side."""
    if term.kind == "adj" and term.place:
        return term.site[-1].split("-")
    words = term.form.split()
    return [w for w in words if w not in SIDE_WORDS] if term.side != "-" else words
