"""Statements → atoms: one site, one side, one finding, with what matching needs to know."""

import re

from overread.systems.radsem.statements import Statement
from overread.systems.radsem.wording import sentence
from overread.systems.radsem.terms import Term, Vocabulary
from overread.systems.radsem.schema import Atom

from overread.systems.radsem.relate import OPPOSITE

DIRECTIONS = frozenset(OPPOSITE) | {"middle", "mid", "central", "peripheral"}


LESIONS = frozenset("linear patchy punctate nodular ring reticular round mass cystic wedge miliary feathery honeycomb".split())


def features(terms: list[Term], denied: bool) -> tuple[str, set[str], set[str]]:
    """Normality, finding features, details."""
    by: dict[str, list[Term]] = {}
    for t in terms:
        by.setdefault(t.role, []).append(t)

    def senses(*roles: str) -> set[str]:
        return {s for r in roles for t in by.get(r, ()) for s in t.sense}

    aspects = senses("aspect")
    heads = senses("head", "compound")
    qualities = senses("quality")
    shapes = senses("shape")
    opens = senses("open")
    details = senses("detail", "measure", "change")
    seqs = senses("seq")
    found: set[str] = set()
    good: set[str] = set()
    used: set[str] = set()
    for q in qualities | heads | shapes:
        if q[-1:] in "+-~!" and q[:-1] in aspects:
            used.add(q[:-1])
    found |= heads | qualities | shapes
    for role, pole in (("up", "+"), ("down", "-")):
        if role in by:
            if aspects - used:
                found |= {a + pole for a in aspects - used}
                used |= aspects
            elif not heads | qualities:
                found.add("size" + pole)
            elif heads | qualities == {"focus"}:
                found.add("density" + pole)
            else:
                details.add(role)
    if "abnormal" in by:
        rest = aspects - used
        if rest:
            found |= {a + "!" for a in rest}
            used |= rest
        elif not heads | qualities:
            found.add("*!")
    for n in senses("normal"):
        if n != "*0":
            good.add(n)
        else:
            rest = aspects - used
            good |= {a + "0" for a in rest} if rest else {"*0"}
            used |= rest
    if good != {"*0"}:
        good.discard("*0")
    good = {g for g in good if not any(f[:-1] == g[:-1] for f in found if f[-1] in "+-!")}
    if shapes and not heads and any(s in LESIONS for s in shapes) and "size+" not in found and "size-" not in found:
        found.add("focus")
    if not good and not any(f[-1] in "+-~!" for f in found):
        found |= unvalued(aspects - used, bool(found), details)
    if heads and "clear0" in good:  # a clear fracture line is seen well, not absent
        good.discard("clear0")
        found.add("margin+")
    if found == {"margin+"} and not opens:  # `a well-defined costophrenic angle`; of a lesion it says no such thing
        found, good = set(), {"margin0"}
    if "visible" in found:
        found.discard("visible")
        if "abnormal" in by:
            found = {f for f in found if f != "*!"} | {"visible-"}
        elif good:
            good = {"visible0"}
        else:
            found.add("visible+")
    if good and not (heads | shapes) and not any(f[-1] != "?" for f in found):
        if not denied:
            return "normal", on(seqs, {g[:-1] for g in good} | opens), details
        return "abnormal", on(seqs, {g[:-1] + "!" for g in good} | opens), details
    found = on(seqs, found | opens | (good - {"*0"}))
    if denied:
        return "normal", found, details
    return "abnormal", found, details


def unvalued(aspects: set[str], described: bool, details: set[str]) -> set[str]:
    """Aspects named without saying how they are: some are findings by being there."""
    found = {BY_BEING[a] for a in aspects if a in BY_BEING}
    if "size" in aspects and details & {"small", "severe"}:
        found.add("size-" if "small" in details else "size+")
    if not found and not described:
        found = {a + "?" for a in aspects}
    return found


BY_BEING = {"density": "focus", "opacification": "focus", "enhancement": "enhancement+", "lucency": "lucency+", "filling": "filling+"}
"""`Enhancement is seen`, `a density`: the noun alone is a finding."""


def on(sequences: set[str], found: set[str]) -> set[str]:
    """Signal and enhancement belong to the sequence or phase they are seen on."""
    if not sequences:
        return found
    bound = {f for f in found if f.rstrip("+-~!0?") in ("signal", "enhancement", "diffusion")}
    if not bound:
        return found | {"on-" + s for s in sequences}
    return (found - bound) | {f"{f}@{s}" for f in bound for s in sequences}


LEVEL = re.compile(r"[ctls]\d+-[ctls]\d+")
OF_A_LEVEL = frozenset({"disc", "disc-space", "vertebra", "vertebral-body", "spine", "cervical-spine", "thoracic-spine", "lumbar-spine"})
"""What a disc level already says."""

SEGMENT = re.compile(r"s[1-8]")
LIVER = ("abdomen", "liver")


def places(terms: list[Term]) -> tuple[list[str], list[str]]:
    """Most special places, and what narrows them."""
    paths = [t.site for t in terms if t.place]
    near = {t.site[0] for t in terms if t.site and not t.place}
    for t in terms:
        if t.place:
            near |= {w for w in t.form.split() if w in DIRECTIONS and w not in t.site[-1] and w not in ("left", "right")}
    near -= {"left", "right", "bilateral", "both"}
    if any(LEVEL.fullmatch(p[-1]) for p in paths):
        paths = [p for p in paths if p[-1] not in OF_A_LEVEL]
    segment = next((n for n in near if SEGMENT.fullmatch(n)), None)
    if segment is not None and any(p[:2] == LIVER for p in paths):
        near.discard(segment)
        paths = [p for p in paths if p[:2] != LIVER] + [(*LIVER, f"hepatic-segment-{segment[1:]}")]
    kept = [p for p in dict.fromkeys(paths) if not any(q != p and q[: len(p)] == p for q in paths)]
    return ["/".join(p) for p in kept], sorted(near)


def sides(terms: list[Term], vocabulary: Vocabulary, denied: bool) -> list[str]:
    named = {t.side for t in terms} - {"-"}
    if "both" in named or {"left", "right"} <= named:
        return ["left", "right"]
    if named:
        return sorted(named)
    paths = [t.site for t in terms if t.place]
    paired = [p for p in paths if p[-1] in vocabulary.paired]
    specific = [p for p in paths if not any(q != p and q[: len(p)] == p for q in paths)]
    if paired and all(p[-1] in vocabulary.paired or p[0] == "body" for p in specific):
        if all(p[-1] in ("pleura", "pleural-space") for p in paired):
            return ["-"]
        return ["left", "right"]
    return ["-"]


def atoms(statement: Statement, vocabulary: Vocabulary, span: tuple[int, int]) -> list[Atom]:
    terms = list(dict.fromkeys(statement.terms))
    normality, finding, details = features(terms, statement.denied)
    if not finding or all(f[-1] == "?" for f in finding):
        return []
    if statement.hedged and all(f.startswith("~") for f in finding):
        return []
    if statement.hedged:
        details = details | {"hedged"}
    sites, near = places(terms)
    return [
        Atom(
            sentence(terms, side, statement.denied), normality, *span, side, tuple(sorted(sites)), tuple(near),
            tuple(sorted(finding)), tuple(sorted(details)), statement.denied,
        )
        for side in sides(terms, vocabulary, statement.denied)
    ]  # fmt: skip
