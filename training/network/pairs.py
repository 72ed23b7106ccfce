"""Statements and texts written for training → numbered examples, split by concept."""

import gzip
import json
import random
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from tokenizers import Tokenizer

from names import FACTS, RELATIONS, VERDICTS

Row = dict[str, object]
TESTED = 10
"""One concept in so many is kept for testing."""

SWAPS = {"left": "right", "lul": "rul", "lll": "rll", "leftward": "rightward", "l": "r", "lt": "rt"}
SWAPS |= {b: a for a, b in SWAPS.items()} | {"left-sided": "right-sided", "right-sided": "left-sided"}
SIDE = re.compile(r"\b(left|right|lul|rul|lll|rll|leftward|rightward|lt|rt)\b", re.IGNORECASE)
ONE_SIDED = re.compile(r"lingul|middle lobe|\brml\b|\b(?:has|have|had|is|are|be|all) left\b|left (?:in|no|behind|over)\b", re.IGNORECASE)
"""Texts in which the sides cannot be exchanged."""


def rows(*paths: Path) -> Iterator[Row]:
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from (json.loads(line) for line in file if line.strip())


def tested(row: Row) -> bool:
    """Is the row's concept one of those that are never trained on?"""
    return zlib.crc32(str(row["concept"]).encode()) % TESTED == 0


def mirrored(*texts: str) -> list[str] | None:
    """The texts with left and right exchanged; None where that would change more than the side."""
    if not any(SIDE.search(t) for t in texts) or any(ONE_SIDED.search(t) for t in texts):
        return None
    def swap(match: re.Match[str]) -> str:
        word = match.group()
        other = SWAPS[word.lower()]
        return other.upper() if word.isupper() else other.capitalize() if word[0].isupper() else other
    return [SIDE.sub(swap, t) for t in texts]


def pairs(group: Row) -> Iterator[tuple[str, str, str]]:
    """Every ordered pair of a group whose relation follows from how it was written."""
    alike = [str(group["original"]), *map(str, group["same"])]  # type: ignore[arg-type]
    for a in alike:
        for b in alike:
            if a != b:
                yield a, b, "same"
        for relation, others in (("opposite", group["opposite"]), ("neither", group["other"])):
            for b in map(str, others):  # type: ignore[arg-type]
                yield a, b, relation
                yield b, a, relation


BESIDE = 6
"""Statements of the same report that one is held against in an epoch."""


def beside(group: Row, report: list[Row], dice: random.Random) -> Iterator[tuple[str, str]]:
    """Statements of one report that are about other things, however alike they sound: neither the same nor opposite."""
    others = [g for g in report if g is not group]
    for _ in range(BESIDE if others else 0):
        one, other = dice.choice(statements(group)), dice.choice(statements(dice.choice(others)))
        yield (one, other) if dice.random() < 0.5 else (other, one)


def statements(group: Row) -> list[str]:
    return [str(group["original"]), *map(str, group["same"]), *map(str, group["opposite"])]  # type: ignore[arg-type,call-overload]


def unwritten(group: Row, dice: random.Random) -> Iterator[tuple[str, str]]:
    """Pairs of a group whose relation nobody wrote down, in one order or the other."""
    apart = [str(t) for name in ("opposite", "other") for t in group[name]]  # type: ignore[attr-defined]
    for n, a in enumerate(apart):
        for b in apart[n + 1 :]:
            yield (a, b) if dice.random() < 0.5 else (b, a)


SIZE = re.compile(r"(?<![\d.,/x×-])(\d+(?:\.\d+)?) ?(mm|cm)\b(?! x| by|\s*\()", re.IGNORECASE)
STEPS = (0.4, 0.5, 0.6, 1.6, 2.0, 2.5, 3.0)


def resized(a: str, b: str, relation: str, dice: random.Random) -> tuple[str, str, str]:
    """Now and then a size in the other unit, or, where both statements give one and the same size, another size."""
    sizes = [SIZE.findall(t) for t in (a, b)]
    if dice.random() < 0.5 or not any(len(s) == 1 for s in sizes):
        return a, b, relation
    one, two = ([millimetres(*found) for found in s] for s in sizes)
    if relation == "same" and len(one) == 1 and one == two and dice.random() < 0.5:
        return a, sized(b, two[0] * dice.choice(STEPS), dice), "opposite"
    turned = [sized(t, s[0], dice) if len(s) == 1 else t for t, s in ((a, one), (b, two))]
    return turned[0], turned[1], relation


def millimetres(number: str, unit: str) -> float:
    return float(number) * (10 if unit.lower() == "cm" else 1)


def sized(text: str, size: float, dice: random.Random) -> str:
    """The text with its only size, given in millimetres, in a unit by chance."""
    whole = f"{round(size, 1):g} mm" if dice.random() < 0.5 else f"{round(size / 10, 2):g} cm"
    return SIZE.sub(whole, text, count=1)


ARTICLE = {"present": "There is {}.", "side": "The {} is on the {}.", "possible": "{} is possible."}
CHANGE = {"new": "The {} is new.", "better": "The {} has improved.", "worse": "The {} has worsened.", "same": "The {} is unchanged."}


def claims(row: Row) -> Iterator[tuple[str, str]]:
    """The claims written for a text, and those that follow from its facts."""
    yield from ((str(c), str(v)) for c, v in row["claims"])  # type: ignore[misc]
    facts = list(row.get("facts") or ())  # type: ignore[call-overload]
    yield from abnormal_claim(facts)
    for fact in facts:
        if sum(f["what"] == fact["what"] for f in facts) == 1:
            yield from plain_claims(fact)


def abnormal_claim(facts: list[dict[str, str]]) -> Iterator[tuple[str, str]]:
    """Whether anything abnormal is there at all."""
    if any(f["status"] == "present" and f.get("sure") != "no" for f in facts):
        yield "There is an abnormal finding.", "said"
    elif facts and all(f["status"] == "absent" for f in facts):
        yield "There is an abnormal finding.", "denied"


def plain_claims(fact: dict[str, str]) -> Iterator[tuple[str, str]]:
    what, status = fact["what"].split("#")[0].lower(), fact["status"]
    noun = what if what.endswith("s") else f"a {what}" if what[0] not in "aeiou" else f"an {what}"
    there = "There are {}." if what.endswith("s") else "There is {}."
    doubted = fact.get("sure") == "no"
    verdict = "open" if doubted or status == "none" else "said" if status == "present" else "denied"
    yield there.format(noun), verdict
    yield f"There is no {what}.", {"said": "denied", "denied": "said"}.get(verdict, "open")
    if status == "present" and not doubted and fact.get("side") in ("left", "right"):
        other = SWAPS[fact["side"]]
        yield f"There is {noun} on the {fact['side']}.", "said"
        yield f"The {what} is only on the {other}.", "denied"
    if status == "present" and fact.get("change"):
        for name, words in CHANGE.items():
            if not {name, fact["change"]} == {"new", "worse"}:
                yield words.format(what), "said" if name == fact["change"] else "denied"


def slots(facts: list[dict[str, str]]) -> dict[str, int]:
    """What one mention is said to be; -100 where the text leaves the slot without an answer."""
    first = facts[0]
    present = [f for f in facts if f["status"] == "present"]
    status = "present" if present else first["status"]
    told = present or facts
    sides = {f.get("side", "-") for f in told}
    side = sides.pop() if len(sides) == 1 else "both"
    changes = {f.get("change", "-") for f in facts}
    made = {
        "status": FACTS["status"].index(status),
        "sure": int(any(f.get("sure") == "no" for f in told)) if status != "none" else -100,
        "side": FACTS["side"].index(side) if status != "none" else -100,
        "change": FACTS["change"].index(changes.pop()) if len(changes) == 1 and status != "none" else -100,
    }
    return made


def mentions(row: Row) -> list[tuple[int, int, dict[str, int]]]:
    """Where each finding word of a text stands (its last word), and its slots."""
    text, by_word = str(row["text"]).lower(), dict[str, list[dict[str, str]]]()
    for fact in row["facts"]:  # type: ignore[attr-defined]
        by_word.setdefault(fact["what"].lower(), []).append(fact)
    found = []
    for word, facts in by_word.items():
        bare, _, number = word.partition("#")
        places = list(re.finditer(rf"(?<![a-z]){re.escape(bare)}(?![a-z])", text))
        if len(places) < int(number or 1):  # the word was mirrored or renamed away
            continue
        place = places[int(number or 1) - 1]
        start = place.start() + bare.rfind(" ") + 1
        found.append((start, place.end(), slots(facts)))
    return found


SYLLABLES = "bra cli dor fen gar hul kle lor mip nus ort pel quo ris sto tal urv vex wol yar zim".split()
ENDINGS = "oma omas lith ia itis osis cele ma on us ule ules ation ectasis plasia".split()


def unknown_word(dice: random.Random) -> str:
    return "".join(dice.choice(SYLLABLES) for _ in range(dice.randint(1, 3))) + dice.choice(ENDINGS)


def renamed(row: Row, dice: random.Random) -> Row:
    """The text with one of its finding words turned into a word nobody knows."""
    facts = list(row["facts"])  # type: ignore[call-overload]
    fact = dice.choice(facts)
    word = fact["what"].split()[-1]
    text = str(row["text"])
    if "#" in fact["what"] or len(re.findall(rf"(?i)(?<![a-z]){re.escape(word)}(?![a-z])", text)) != 1:
        return row
    made = unknown_word(dice)
    new = re.sub(rf"(?i)(?<![a-z]){re.escape(word)}(?![a-z])", made, text)
    return {**row, "text": new, "facts": [{**f, "what": re.sub(rf"{re.escape(word)}$", made, f["what"])} for f in facts]}


class Words:
    """The tokenizer of the base weights, cut to a length."""

    def __init__(self, path: Path, longest: int = 240) -> None:
        self.tokenizer = Tokenizer.from_file(str(path))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(longest)

    def two(self, many: Iterable[tuple[str, str]]) -> list[tuple[list[int], list[int]]]:
        return [(e.ids, e.type_ids) for e in self.tokenizer.encode_batch(list(many))]


def relation_number(name: str) -> int:
    return RELATIONS.index(name)


def verdict_number(name: str) -> int:
    return VERDICTS.index(name)
