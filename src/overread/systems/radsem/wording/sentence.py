"""Terms → one plain sentence: one place, one finding, in the words of the report."""

import re
from collections.abc import Sequence
from functools import lru_cache

from overread.reader.statements.terms import Term
from overread.systems.radsem.matching.relate import devices
from overread.systems.radsem.wording.grammar import adjectival, as_sentence, plural, with_article
from overread.systems.radsem.wording.phrases import (
    START,
    Piece,
    beside,
    close,
    joint,
    leading,
    noun_ahead,
    one_place,
    pieces,
    placing,
    run_words,
    trailing,
)
from overread.systems.radsem.wording.place_words import (
    AROUND,
    OF_THE_LUNG,
    PART_OF_THE_NAME,
    grouped,
    lone,
    noun_of,
    sided,
    sided_name,
    singular_phrase,
)

SPINE = ("spine",)
PLEURA = ("thorax", "pleura")
LEVEL = re.compile(r"[CTLS]\d")
CODE = re.compile(r"[A-Z]+\d")
ENDS = (" tip", " tips")
OWNED = (" its ", " their ")
VERBS = (["ends"], ["end"], ["branches"])
"""Parts that are verbs where a place follows: `the tip ends at …`."""

REMOVING = ("ectomy", "ectomies", "removal", "resection", "amputation", "procedure", "changes", "change")
OVER = ("projecting over", "projected over", "overlying")
PREPOSITIONS = (
    "under ",
    "beside ",
    "around ",
    "near ",
    "over ",
    "along ",
    "below ",
    "above ",
    "adjacent ",
    "within ",
)
SUGGESTED = re.compile(
    r"\b(to suggest )(?:an? |the )?([\w -]+?)(?=[.,;]|$| or [\w -]+ to suggest )", re.IGNORECASE
)
BOTH = re.compile(r"\b(?:left (?:and|or) right|right (?:and|or) left)\b", re.IGNORECASE)
ON_BOTH = re.compile(r"\b(?:bilateral|both) ")
CLAUSE = re.compile(r" (?:of|in|at) ")
TURNS = (" that ", " with ")
"""How the words about a finding begin, after its name."""


class Wording:
    """A statement taken apart into its place and its finding; said for one side after the other."""

    def __init__(self, terms: Sequence[Term], text: str, denied: bool, hedged: bool) -> None:
        self.text, self.denied, self.hedged = text, denied, hedged
        self.ending = ""
        """The verb that says where a tube ends."""

        self.turn = ""
        """Where the words about the finding begin, after its name: ` with `, ` that are `."""

        self.spoken: Sequence[Piece] = ()
        """Sites inside the finding that are said as its place."""

        self.told_without: Sequence[Piece] | None = None
        """The sites without which the finding was named; None where it was not yet."""

        self.before_place = ""
        """What is said of the place before its name."""

        found = pieces(terms, text)
        self.finds: list[Piece] = []
        sites: list[Piece] = []
        self.after: list[Piece] = []
        """Places that carry their own preposition: `under the diaphragm`."""

        self.aspects: list[Piece] = []
        self.values: list[Piece] = []
        self.named = False
        for p in found:
            if p.site:
                (self.after if p.words.startswith(PREPOSITIONS) else sites).append(p)
                continue
            self.finds.append(p)
            if p.term.role == "aspect" and not adjectival(p.words):
                self.aspects.append(p)
            else:
                self.values.append(p)
                self.named = self.named or p.noun
        self.within = attributive(found, text) if sites or self.after else []
        """Sites inside the noun phrase of the finding."""

        if self.within:
            sites = [p for p in sites if p not in self.within]
        runs = grouped(sites, text) if len(sites) > 1 else [sites] if sites else []
        self.runs = self.subjects(runs) if runs else runs
        self.run = self.runs[0] if len(self.runs) == 1 else self.first_run() if self.runs else []
        """The place that is the subject."""

        self.loose = [] if len(runs) == len(self.runs) else [p for r in runs if r not in self.runs for p in r]

    def subjects(self, runs: list[list[Piece]]) -> list[list[Piece]]:
        """The places that can be spoken of: not a side alone, not the lungs that are clear of a pneumothorax."""
        if len(runs) == 1 and runs[0][-1].term.place and runs[0][-1].term.site != OF_THE_LUNG:
            return runs
        kept = [r for r in runs if r[-1].term.place or not lone(r)]
        lungs = [r for r in kept if r[-1].term.site == OF_THE_LUNG]
        if lungs and any(p.term.site == PLEURA for p in (*self.finds, *self.within)):
            kept = [r for r in kept if r not in lungs]
        if len(kept) > 1:
            self.ending = next((r[0].words for r in kept if [p.words for p in r] in VERBS), "")
            kept = [r for r in kept if [p.words for p in r] not in VERBS]
        return kept

    # ---- the two kinds of sentence
    def said(self, side: str) -> str:
        """`Left lung is clear.` where it is described, `Left lung has a nodule.` where something is there."""
        if not self.named and self.describes():
            return self.description(side)
        return self.finding(side)

    def describes(self) -> bool:
        """Is it said how the place, or an aspect of it, is?"""
        adjectives = [p for p in self.values if p.term.role not in ("measure", "seq")]
        if not adjectives or not (self.runs or self.aspects or any(p.term.place for p in self.within)):
            return False
        if not self.aspects:
            return bool(self.runs) or not self.within
        return any(p.term.role == "normal" for p in adjectives) or not self.before_the_aspect(adjectives)

    def attributes(self, values: list[Piece]) -> list[Piece]:
        """What stands before the place in its own noun phrase, where more is said: `multiple small` lymph nodes."""
        kept: list[Piece] = []
        first = self.run[0]
        if self.run[-1].term.kind == "adj":  # mild cerebral volume loss
            return kept
        for p in reversed(values):
            if p.noun or not 0 <= p.end <= first.start:
                continue
            if close(p, first, self.text) or one_place(p, first, self.text):
                kept.insert(0, p)
                first = p
        return kept if len(kept) < len(values) else []

    def before_the_aspect(self, adjectives: list[Piece]) -> bool:
        """`increased signal` is had; of `signal is increased` the signal is the subject."""
        last = self.aspects[-1]
        if not all(0 <= p.start < last.start for p in adjectives):
            return False
        before = [p for p in (*self.finds, *self.within) if 0 <= p.start < last.start]
        return close(max(before, key=START), last, self.text)

    def description(self, side: str) -> str:
        place = self.subject(side, self.aspects)
        values = self.values
        if self.run and len(values) > 1 and (inner := self.attributes(values)):
            place = f"{' '.join(p.words for p in inner)} {place}"
            values = [p for p in values if p not in inner]
        words = self.joined(values, " and ")
        words = f"at the {words}" if words.startswith("upper lim") else words
        verb = "may be" if self.hedged else "are" if plural(place) else "is"
        where = "" if self.aspects else self.elsewhere(side)
        return as_sentence(f"{place}{where} {verb}{' not' if self.denied else ''} {words}")

    def finding(self, side: str) -> str:
        place = self.place(side)
        if self.told_without is None or self.told_without != self.spoken:
            self.tell_finding()
        place = f"{self.before_place} {place}" if self.before_place else place
        name = self.on(side, self.name, place) if side != "-" else self.name
        elsewhere = self.elsewhere(side)
        if place and self.run and ((" tip" in name and self.ends_in_tip(name)) or self.put()):
            return self.lying(name, side, elsewhere)
        if self.turn:
            return self.clause(name, place, elsewhere)
        if self.unsaid:
            words = f"{name}{elsewhere}{self.suggested()}"
            if place:
                return as_sentence(f"{place} {'have' if plural(place) else 'has'} no {words}")
            return as_sentence(f"there {'are' if plural(name) else 'is'} no {words}")
        words = f"{with_article(name)}{elsewhere}"
        if not place and (organ := self.operated()):
            return as_sentence(f"{organ} has {name} changes")
        if place:
            verb = "may have" if self.hedged else "have" if plural(place) else "has"
            return as_sentence(f"{place} {verb} {words}")
        verb = "may be" if self.hedged else "are" if plural(name) else "is"
        return as_sentence(f"{words} {verb} present")

    def tell_finding(self) -> None:
        """The finding by its name, without the sites that are said as its place: the same for either side."""
        self.told_without = self.spoken
        inner = self.finds
        if self.run and len(inner) > 1 and (attributes := self.attributes(inner)):
            self.before_place = " ".join([p.words for p in attributes])
            inner = [p for p in inner if p not in attributes]
        if self.within and (kept := [p for p in self.within if p not in self.spoken and not self.told(p)]):
            inner = sorted([*inner, *kept], key=lambda p: (p.start < 0 and p.term.start < 0, p.start))
        self.unsaid, self.turn = self.denied, ""
        self.name = self.joined(inner)
        if not self.named and inner and not any(p.noun or p.term.role == "aspect" for p in inner):
            self.name = f"{self.name} {trailing(inner[-1], self.text) or 'finding'}"
        if self.run and not self.ending:
            self.ending = told_end(self.text[self.finds[-1].end : self.run[0].start])

    def ends_in_tip(self, name: str) -> bool:
        """`The tube tip …`, also with how far it is from the place: `the tube tip 4 cm above …`."""
        last = self.finds[-1]
        bare = name.removesuffix(f" measuring {last.words}") if last.term.role == "measure" else name
        return bare.endswith(ENDS)

    def clause(self, name: str, place: str, elsewhere: str) -> str:
        """What is said of a finding, with the finding as its subject: `Nodules in the liver have clear margins.`"""
        subject, _, rest = name.partition(self.turn)
        has = "with" in self.turn
        if place:
            placing = "of" if subject in [p.words for p in self.aspects] else "in"
            subject += f" {placing} {'' if LEVEL.match(place) else 'the '}{place}"
        verb = "may have" if has else "may be"
        if not self.hedged:
            verb = ("have" if plural(subject) else "has") if has else "are" if plural(subject) else "is"
        not_so = "" if self.unsaid or not self.denied else " no" if has else " not"
        whole = f"{'no ' if self.unsaid else ''}{subject}{elsewhere} {verb}{not_so} {rest}"
        return as_sentence(whole)

    def told(self, p: Piece) -> bool:
        """Does the subject say this place already: a pulmonary nodule of the left lung?"""
        subject = self.runs[0][-1].term.site if self.runs else ()
        named = p.words not in PART_OF_THE_NAME or any(p.words in q.words for r in self.runs for q in r)
        return p.term.place and named and subject[: len(p.term.site)] == p.term.site

    def operated(self) -> str:
        """The part of the body that an operation has changed and left: a sternotomy the sternum."""
        last = self.finds[-1].term if self.finds else None
        if last is None or last.role != "compound" or "postoperative" not in last.sense:
            return ""
        named = len(last.site) < 2 or last.site[0] == "body"  # `cervical fusion`: where is said in its name
        return "" if named or last.form.endswith(REMOVING) else last.site[-1].replace("-", " ")

    def suggested(self) -> str:
        """What the denied finding would have meant: `no opacity to suggest pneumonia`."""
        if " to suggest " not in self.text:
            return ""
        found = SUGGESTED.search(self.text, max(0, *(p.end for p in self.finds)))
        return f" {found.group(1)}{found.group(2)}".lower() if found else ""

    def on(self, side: str, name: str, place: str) -> str:
        """The finding on one side: `bilateral` is said by its place, the volumes of two lungs are one each."""
        if not place:
            return sided_name(name, side)
        if not self.named and self.aspects:
            told = {p.term.side for r in self.runs for p in r} | {p.term.side for p in self.within}
            name = name if side in told else singular_phrase(name)
        return ON_BOTH.sub("", name) if "bilateral " in name or "both " in name else name

    def put(self) -> bool:
        """Is it a device with a side of its own, or said to end somewhere: `left pacemaker in the right ventricle`?"""
        if self.turn or self.denied or not (self.ending or self.within):
            return False
        if not self.ending and not any(p.term.side in ("left", "right") for p in self.within):
            return False
        if not 0 <= self.finds[0].start < self.run[0].start:
            return False
        return any(p.term.sense and p.term.sense[0] in devices() for p in self.finds)

    def lying(self, name: str, side: str, elsewhere: str) -> str:
        """`Catheter tip is at the cavoatrial junction.`, `Left pacemaker is in the right ventricle.`"""
        run = self.run
        place = noun_of(run, self.text)
        if side != "-" and side not in f"{name} {place}".split() and not name.startswith(side):
            place = sided(place, side, run)
        name, tip, size = in_place(name, self.turn, self.finds, run)
        verb = f"has its {tip}" if tip else self.ending or ("are" if plural(name) else "is")
        verb = "may be" if self.hedged and not tip else verb
        at = placing(run, self.text)
        if at in OVER and verb in ("is", "are"):
            verb, at = "projects" if verb == "is" else "project", "over"
        where = f"{size}{at} {'' if LEVEL.match(place) else 'the '}{place}"
        return as_sentence(f"{name} {verb}{' not' if self.denied else ''} {where}{elsewhere}")

    # ---- its words
    def joined(self, found: list[Piece], between: str = " ") -> str:
        if not found:
            return ""
        at = found[0].start
        for p in reversed(self.spoken):
            at = p.start if 0 <= p.end == at - 1 else at
        said = leading(at, self.text) + found[0].words
        if len(found) == 1:
            return said
        named, many = found[0].noun, plural(found[0].words)
        out = self.spoken or self.loose
        if out:
            out = [p for p in (*self.spoken, *self.loose) if p.start >= 0]
        for n in range(1, len(found)):
            a, b = found[n - 1], found[n]
            if b.words in said and b.words in said.split():
                continue
            if not a.noun and not out and beside(a, b, self.text):  # mostly
                said += f" {b.words}"
                named, many = (True, plural(b.words)) if b.noun else (named, many)
                continue
            words, off = joint(found, n, self.text, out, named and not a.site, many, self.denied)
            if off:
                self.unsaid = False
            if words.startswith(TURNS):
                if self.turn and not noun_ahead(
                    found, n, self.text
                ):  # `number is increased`: an increased number
                    said = said.replace(self.turn, f"{self.turn}{b.words} ", 1)
                    continue
                words = " and " if self.turn else words
                self.turn = self.turn or words
            if words == " " and a.end + 1 < b.start and b.term.role not in ("seq", "measure"):
                words = between
            said += words + b.words
            if b.noun and words == " ":
                named, many = True, plural(b.words)
        return said

    # ---- its place
    def subject(self, side: str, aspects: list[Piece]) -> str:
        """The place with the aspect spoken of: `Heart size`, `Mediastinal contours`."""
        names = list(dict.fromkeys(p.words for p in aspects))
        if side != "-":
            names = [singular_phrase(n) for n in names]
        if not self.runs and self.within:
            words = run_words(self.within, self.text)
            return sided(words, side, self.within) + (f" {' '.join(names)}" if names else "")
        place = self.place(side)
        if names and CLAUSE.search(place):
            return f"{' '.join(names)} of the {place}"
        return " ".join([place, *names]) if place else sided_name(" ".join(names), side)

    def place(self, side: str) -> str:
        """The subject: the first place named; of an adjective its noun."""
        self.spoken = []
        if self.runs:
            run = self.run
            noun = noun_of(run, self.text)
            if side == "-" or (len(self.runs) > 1 and self.sided_elsewhere(run, side)):
                return noun
            return self.one(sided(noun, side, run))
        places = [p for p in self.within if p.term.place]
        if not places:
            return ""
        first = places[0]
        lead = self.within[: self.within.index(first)]
        if first.words in PART_OF_THE_NAME or AROUND.match(first.words.split()[-1]):
            if first.term.site[:2] == OF_THE_LUNG:
                return sided("lung", side, []) if side != "-" else ""
            if side == "-":
                return ""
        self.spoken = [*lead, first]
        self.spoken += [
            p for p in places[1:] if p.term.site == first.term.site and p.words not in PART_OF_THE_NAME
        ]
        return sided(noun_of(self.spoken[: len(lead) + 1], self.text), side, self.spoken)

    def sided_elsewhere(self, run: list[Piece], side: str) -> bool:
        """Does another place tell the side: `dilated bronchi in the left lung`?"""
        others = [p.term.side for r in self.runs if r[0] not in run and r[0].start >= 0 for p in r]
        return side in others and all(p.term.side == "-" for p in run)

    def one(self, place: str) -> str:
        """Of `the left and right hila` either is one."""
        text = self.text
        if "ight" not in text or "eft" not in text or not BOTH.search(text):
            return place
        return singular_phrase(place)

    def first_run(self) -> list[Piece]:
        """The place that is the subject; one from an earlier sentence only lends what the sentence's own lacks."""
        first = self.runs[0]
        home = first[-1].term.site
        closer = [
            r
            for r in self.runs[1:]
            if len(r[-1].term.site) > len(home) and r[-1].term.site[: len(home)] == home
        ]
        if closer and home[:1] != SPINE:  # `in the right lung, at its base`
            return closer[0]
        own = self.runs[1]
        if first[0].start >= 0:  # `At L4/5 the thecal sac is compressed`, `…, and its wall is thickened`
            joined = LEVEL.match(first[-1].words) or self.text[: max(0, own[0].start)].endswith(OWNED)
            return [*first, *own] if joined else first
        narrow = not any(p.term.place for p in own) or first[-1].term.site[:1] == SPINE
        return [*first, *own] if narrow else own

    def elsewhere(self, side: str) -> str:
        """Further places, after the finding: `… adjacent to the oblique fissure`."""
        if len(self.runs) < 2 and not self.after and not self.loose:
            return ""
        done = self.run
        words = ""
        for run in self.runs:
            site = run[-1].term.site
            if run[0] in done or run[0].start < 0 or any(p.term.site[: len(site)] == site for p in done):
                continue
            place = noun_of(run, self.text)
            article = "" if CODE.match(place) else "the "
            words += f" {placing(run, self.text)} {article}{place}"
        words += "".join(f" {p.words}" for p in self.after)
        adverbs = [
            p.words for p in self.loose if p.words.endswith("ly") and not p.words.startswith("bilateral")
        ]
        return words + "".join(f" {a}" for a in adverbs)


def attributive(found: list[Piece], text: str) -> list[Piece]:
    """Sites that stand before a noun of the finding, in its noun phrase: `left basilar` opacity."""
    inside: list[Piece] = []
    follows = False
    for n in range(len(found) - 2, -1, -1):
        a, b = found[n], found[n + 1]
        if not b.site:
            follows = b.noun or (follows and b.term.role not in ("normal", "measure"))
        if not follows:
            continue
        follows = close(a, b, text) or (a.words in PART_OF_THE_NAME and shares_noun(a, b, text))
        if follows and a.site:
            inside.append(a)
    inside.reverse()
    return inside


JOINED = re.compile(r"\s*(?:and|or|and/or|/)\s*[\w-]+\s+", re.IGNORECASE)


def shares_noun(a: Piece, b: Piece, text: str) -> bool:
    """`Interstitial and alveolar edema`: the word names a kind of the same noun."""
    return 0 <= a.start < b.start and JOINED.fullmatch(text, a.end, b.start) is not None


END = re.compile(r"\b(ends?|terminates?)\b(?! tip)", re.IGNORECASE)


@lru_cache(maxsize=8192)
def told_end(between: str) -> str:
    """The verb that says where a tube ends, among the words between it and a place."""
    found = END.search(between)
    return found[1].lower() if found is not None else ""


def in_place(name: str, turn: str, finds: list[Piece], run: list[Piece]) -> tuple[str, str, str]:
    """The device, its tip where more is said of it than where it ends, and how far from the place: `4 cm above`."""
    last, tip, size = finds[-1], "", ""
    if last.term.role == "measure" and last.end < run[0].start:
        name = name.removesuffix(last.words).removesuffix(" measuring ").rstrip()
        size = f"{last.words} "
    if turn and name.endswith(ENDS):
        name, _, tip = name.replace(turn, " ").rpartition(" ")
        name = name.removesuffix(" and")
    return name, tip, size
