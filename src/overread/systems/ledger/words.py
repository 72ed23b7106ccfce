"""The words around a finding: its phrase, its sentence, the words that tell a device's end."""

import re
from functools import cached_property
from string import ascii_letters

from msgspec import structs

from overread.reader import Finding, Reading, SentenceReading
from overread.report.marks import alike
from overread.report.span import Span
from overread.systems.ledger.diseases import WORD, Named, composed, diseases_in, singular
from overread.systems.ledger.schema import Where
from overread.systems.ledger.tables import (
    describing_words,
    known_words,
    opposed,
    place_words,
    sound,
    sure_home,
)
from overread.systems.ledger.where import places_named, side_in

OTHER = re.compile(
    r"\b(?:other|additional|further|else|remaining|remainder|rest|more)\b[\w\s,/-]*$", re.IGNORECASE
)
OTHERWISE = re.compile(r"\botherwise\b", re.IGNORECASE)
TIP = re.compile(r"\s*(?:the |its )?(?:distal )?(?:tip|end|side ?port|side ?hole)s?\b", re.IGNORECASE)
MOVED = frozenset({"displacement", "deviation", "retraction", "angulation"})
OF_DEVICE = re.compile(
    r"\s+of\b[\w\s-]*\b(?:leads?|tubes?|catheters?|lines?|drains?|port|wires?)\b", re.IGNORECASE
)
TO_THE = re.compile(r"\bto(?:wards?)? the\s+$", re.IGNORECASE)
MANY = frozenset({"multiple", "few", "two", "three", "four", "five", "six"})
TITLE = re.compile(r"\s*(?:[\w/-]+\s+){0,4}[\w/-]+:")
"""`CT chest:` names the examination, not the place of a finding."""

EXAM = re.compile(
    r"\b(?:ct|cta|ctpa|mri?|mra|x-?rays?|radiographs?|films?|ultraso\w+|sonogra\w+|us|doppler|mammogra\w+|pet|scan|views?|"
    r"angiogra\w+)\b",
    re.IGNORECASE,
)
BEFORE = re.compile(r"\b[\w-]+\s+$")
HOUR = re.compile(r"\b(1[0-2]|[1-9])(?::\d\d)?[\s-]*o['’]?\s?clock", re.IGNORECASE)
REPLACED = re.compile(r"\b(?:in place of|instead of|replac(?:es|ing))\s+(?:the |an? )?$", re.IGNORECASE)
AFTERWARDS = re.compile(
    r"\b(?:after|following|post|s/p|status post)\s+(?:the |an? )?(?:[\w-]+\s+){0,2}$", re.IGNORECASE
)
TUMOURS = frozenset({"neoplasm", "other-cancer", "lung-cancer", "breast-cancer", "lymphoma"})
"""Told by the tissue they come from, which elsewhere is a place."""

ADJECTIVES = ("al", "ic", "ous", "ar", "ary", "oid")
NEGATIVE = re.compile(
    r"^\s*negative\b(?! for)|\b(?:is|was|are|were|remains?) negative\b(?! for)", re.IGNORECASE
)
NORMAL = re.compile(
    r"\b(?:normal|physiologic(?:al)?|unremarkable)\s+(?:(?!with|and|but|pressure|without|or)\w+\s+){0,2}$",
    re.IGNORECASE,
)
WITH = re.compile(
    r"(?: is| are| appears?)?(?: [\w-]+){0,3}? (?:with(?:out)?|contain\w*|shows?|showing|demonstrat\w+|has|having)\b",
    re.I,
)
WELL = re.compile(
    r"\b(?:normal|physiologic|unremarkable|adequate|satisfactory|preserved|maintained|symmetric)",
    re.IGNORECASE,
)
IS_NORMAL = re.compile(
    r"(?: (?:volume|size|amount|index))? (?:is|are|appears?|remains?) (?:grossly |otherwise |completely )?"
    r"(?:normal|unremarkable|adequate|satisfactory|preserved|maintained|within normal|physiologic|symmetric)\b",
    re.IGNORECASE,
)
TAKEN = frozenset({"density", "fat pad", "fat pads", "plates", "plate"})
"""Words of the lexicon that are findings or devices in most places."""

CELL = re.compile(r"\b((?:non[- ]?)?[a-z]+[- ]cell)\s+$", re.IGNORECASE)
"""`Small cell` lung cancer."""

AROUND = re.compile(r"\b(?:around|surrounding|about|adjacent to|beside)\s+(?:the |an? )?$", re.IGNORECASE)
LONG = 5
LONGEST = 40
"""Letters of a word before a name, at most."""

BEFORE_NAME = re.compile(
    r"\b([A-Za-z]{5,})(?:'s)?[\s-]+(?:(?:type|class|grade|stage)\s+[ivx\d]+[a-c]?\s+)?$", re.IGNORECASE
)
LONG_TITLE = re.compile(r"\s*(?:[\w/-]+\s+){0,7}[\w/-]+:")
WITHIN = frozenset(f"-{ascii_letters}")
"""Letters that a word goes on with: `re-expanded`."""

REACH = 90
"""Letters after a finding in which a size may still be its own."""

DENIES = 24
"""Letters between a finding and the words after it that deny it."""

NEAR, AFTER = 18, 30
"""Letters past a phrase that still belong to its name: `pneumothorax under tension`."""


class Words:
    """The text of one reading, asked about findings."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.text = reading.seen
        self.known_bounds: dict[str, tuple[int, int]] = {}
        self.known_sentences: dict[int, str] = {}

    @cached_property
    def sentences(self) -> dict[int, SentenceReading]:
        return {s.index: s for s in self.reading.sentences}

    @cached_property
    def devices(self) -> dict[int, list[int]]:
        """Sentence → where its devices begin."""
        found: dict[int, list[int]] = {}
        for f in self.reading.findings:
            if f.kind == "device" and not is_verb(f) and f.concept != "side-port":
                found.setdefault(f.sentence, []).append(f.span.start)
        return found

    @cached_property
    def asked(self) -> dict[int, int]:
        """Sentence → where it begins to ask for something."""
        return {
            s.index: s.asked if s.asked is not None else s.span.start
            for s in self.reading.sentences
            if s.kind == "recommendation"
        }

    def is_asked(self, finding: Finding) -> bool:
        """Does it stand in what a recommendation asks for?"""
        return finding.sentence in self.asked and finding.span.start >= self.asked[finding.sentence]

    @cached_property
    def diseases(self) -> dict[int, list[Named]]:
        """Sentence → the diseases that its words name, counted in letters of the report."""
        return {
            s.index: [
                structs.replace(n, start=n.start + s.span.start, end=n.end + s.span.start) for n in found
            ]
            for s in self.reading.sentences
            if (found := diseases_in(self.text[s.span.start : s.span.end]))
        }

    def disease(self, finding: Finding) -> Named | None:
        """The disease whose name the finding's words are part of; the last of several."""
        own = [n for n in self.diseases.get(finding.sentence, ()) if overlaps(n, finding.span)]
        if own:
            return own[-1]
        made = composed(singular(finding.entity.lower())) if finding.kind == "structure" else None
        return Named(made, finding.span.start, finding.span.end, 1) if made and made.site else None

    def between_findings(self, sentence: SentenceReading, named: Named) -> tuple[str, str]:
        """What a sentence says before and after a name, without the words of other findings: `small bowel obstruction
        with a transition point`."""
        text = list(self.text[sentence.span.start : sentence.span.end])
        for f in self.reading.findings:
            if f.sentence == sentence.index and f.kind != "structure" and not overlaps(named, f.span):
                start, end = f.span.start - sentence.span.start, f.span.end - sentence.span.start
                text[start:end] = " " * (end - start)
        first, last = named.start - sentence.span.start, named.end - sentence.span.start
        return "".join(text[:first]), "".join(text[last:])

    def is_of_appearance(self, finding: Finding) -> bool:
        """`Lucent line through the radius`: a word for a device within the description of something else."""
        return any(n.shown and overlaps(n, finding.span) for n in self.diseases.get(finding.sentence, ()))

    def is_named_by_denial(self, finding: Finding) -> bool:
        """`Absent flow`, `no fetal heartbeat`: the name of the disease holds the word that denies."""
        named = self.disease(finding)
        return named is not None and any(
            named.start <= cue.span.start < named.end and cue.note == "negation"
            for cue in self.sentences[finding.sentence].cues
        )

    def place_beside(self, finding: Finding) -> tuple[Where, ...]:
        """The place of a sentence that holds no other finding: `Pneumothorax, left apex`, `the lung shows a mass`."""
        alone = len(self.starts.get(finding.sentence, ())) == 1 and finding.sentence in self.sentences
        if not alone or finding.kind in ("device", "structure"):
            return ()
        low, high = self.start(finding), self.end(finding)
        if (title := TITLE.match(self.text, low, finding.span.start)) and EXAM.search(title[0]):
            low = title.end()
        around = f"{self.text[low : finding.span.start]} , {self.text[finding.span.end : high]}"
        return tuple(places_named(around)[:1])

    def organ_with(self, finding: Finding, where: tuple[Where, ...]) -> tuple[Where, ...]:
        """The organ that a list of findings begins with: `distended gallbladder with wall thickening and stones`."""
        first = self.organs.get(finding.sentence)
        at_home = [path for path in sure_home(finding.concept or "") if path[0] != "body"]
        if first is None or at_home or finding.kind == "structure" or first.span.end > finding.span.start:
            return where
        if not WITH.match(self.text, first.span.end, finding.span.start):
            return where
        own = [w for w in places_named(self.text[first.span.start : first.span.end]) if w.path]
        return (
            (structs.replace(own[0], side=side_in(self.text[self.start(first) : first.span.end])),)
            if own
            else where
        )

    @cached_property
    def organs(self) -> dict[int, Finding]:
        """Sentence → the structure it begins with."""
        found: dict[int, Finding] = {}
        for f in self.reading.findings:
            found.setdefault(f.sentence, f)
        return {n: f for n, f in found.items() if f.kind == "structure"}

    def with_hour(self, finding: Finding, where: tuple[Where, ...]) -> tuple[Where, ...]:
        """A place in the breast with the hour of the clock that its sentence gives."""
        hour = HOUR.search(self.text, self.start(finding), self.end(finding))
        if hour is None or len(where) != 1 or "breast" not in where[0].path:
            return where
        return (structs.replace(where[0], towards=where[0].towards | {f"number {int(hour[1])} o'clock"}),)

    def end(self, finding: Finding) -> int:
        sentence = self.sentences.get(finding.sentence)
        return sentence.span.end if sentence else finding.span.end

    def start(self, finding: Finding) -> int:
        sentence = self.sentences.get(finding.sentence)
        return sentence.span.start if sentence else finding.span.start

    def bounds(self, finding: Finding) -> tuple[int, int]:
        """First and last letter of the finding and of what is said of it, within its sentence."""
        if finding.id not in self.known_bounds:
            self.known_bounds[finding.id] = self.find_bounds(finding)
        return self.known_bounds[finding.id]

    def find_bounds(self, finding: Finding) -> tuple[int, int]:
        low, high = self.start(finding), self.end(finding)
        spans = [finding.span, *(a.span for a in finding.attributes if low <= a.span.start < high)]
        first, last = min(s.start for s in spans), max(s.end for s in spans)
        while first > low and self.text[first - 1] in WITHIN:
            first -= 1
        return first, last

    def phrase(self, finding: Finding) -> str:
        """The finding and what is said of it, with the word before and a few letters past it."""
        first, last = self.bounds(finding)
        before = BEFORE.search(self.text, self.start(finding), first)
        begin = before.start() if before else first
        stop = max(min([*self.starts_after(finding), self.end(finding)]), min(last + NEAR, self.end(finding)))
        end = min(last + AFTER, stop)
        while end < stop and self.text[end] in WITHIN:
            end += 1
        return self.text[begin : max(last, end)]

    def is_title(self, finding: Finding, span: Span) -> bool:
        """Does the span stand in words that name the examination: `CT chest: no embolus`?"""
        title = TITLE.match(self.text, self.start(finding), finding.span.start)
        return title is not None and span.end <= title.end() and EXAM.search(title[0]) is not None

    def is_of_shift(self, finding: Finding, span: Span) -> bool:
        """`Atelectasis and mediastinal shift to the right`: the side the shift goes to, not where the finding is."""
        if finding.sentence not in self.moved or not TO_THE.search(
            self.text, max(0, span.start - 12), span.start
        ):
            return False
        between = range(finding.span.end, span.start)
        return any(f.span.start in between for f in self.moved.get(finding.sentence, ()))

    @cached_property
    def moved(self) -> dict[int, list[Finding]]:
        """Sentence → what moves in it: a shift, a displacement."""
        found: dict[int, list[Finding]] = {}
        for f in self.reading.findings:
            if f.concept in MOVED or str(f.concept).endswith("-shift"):
                found.setdefault(f.sentence, []).append(f)
        return found

    def statement(self, finding: Finding, polarity: str) -> str:
        """A short sentence for a judge of meaning."""
        first, last = self.bounds(finding)
        told = " ".join(alike(self.text[first:last]).split())
        places = [a.text for a in finding.values("location") if a.text not in told]
        told = " ".join([told, *(f"({place})" for place in places)])
        if polarity == "absent" and finding.status == "negative" and not told.endswith("ed"):
            return self.denial(finding, told)
        return f"{told}."

    def sentence(self, index: int) -> str:
        """A sentence without the title before it, for a judge of meaning."""
        if index not in self.known_sentences:
            self.known_sentences[index] = self.find_sentence(index)
        return self.known_sentences[index]

    def find_sentence(self, index: int) -> str:
        found = self.sentences.get(index)
        if found is None:
            return ""
        title = LONG_TITLE.match(self.text, found.span.start, found.span.end)
        start = title.end() if title and EXAM.search(title[0]) else found.span.start
        return " ".join(self.text[start : found.span.end].split())

    def denial(self, finding: Finding, told: str) -> str:
        """`No effusion`, of each in a list; as written where the words that deny follow: `lymphoma is less likely`."""
        cues = self.sentences[finding.sentence].cues if finding.sentence in self.sentences else ()
        if any(c.span.end <= finding.span.start and c.note == "negation" for c in cues):
            return f"No {told}."
        ends = [c.span.end for c in cues if 0 <= c.span.start - finding.span.end < DENIES]
        if not ends:
            return f"No {told}."
        first, last = self.bounds(finding)
        return f"{' '.join(alike(self.text[first : max(last, *ends)]).split())}."

    def tail(self, finding: Finding) -> str:
        """What follows the finding, up to the next one of its sentence or its size."""
        ends = [*self.starts_after(finding), *self.sizes_of_others(finding), self.end(finding)]
        return self.text[finding.span.end : min(ends)][:REACH]

    def sizes_of_others(self, finding: Finding) -> list[int]:
        """`An effusion and a 9 mm nodule`: where what follows is measured."""
        found = self.reading.in_sentence(finding.sentence)
        own = {a.span for a in finding.attributes}
        sizes = [a.span for f in found if f is not finding for a in f.values("measurement")]
        return [s.start for s in sizes if s.start >= finding.span.end and s not in own]

    def starts_after(self, finding: Finding) -> list[int]:
        return [at for at in self.starts.get(finding.sentence, ()) if at > finding.span.start]

    @cached_property
    def starts(self) -> dict[int, list[int]]:
        """Sentence → where its findings begin."""
        found: dict[int, list[int]] = {}
        for f in self.reading.findings:
            found.setdefault(f.sentence, []).append(f.span.start)
        return found

    def says_other(self, finding: Finding) -> bool:
        """Is it denied only beyond what was said: `no other fracture`, `the lungs are otherwise clear`?"""
        before = self.text[max(self.start(finding), finding.span.start - 40) : finding.span.start]
        first, last = self.bounds(finding)
        return bool(OTHER.search(before) or OTHERWISE.search(self.text, first, last))

    def is_negative(self, finding: Finding) -> bool:
        """`Negative sonographic Murphy sign`, `the squeeze test is negative`."""
        around = self.text[self.start(finding) : self.end(finding)]
        return NEGATIVE.search(around) is not None

    def is_around(self, span: Span) -> bool:
        """`Stranding around a dilated appendix`: is what follows a structure beside the finding?"""
        return AROUND.search(self.text, max(0, span.start - 20), span.start) is not None

    def is_called_normal(self, finding: Finding) -> bool:
        """`Normal amniotic fluid`, `the fluid volume is adequate`: what is there should be there."""
        if finding.sentence not in self.well:
            return False
        return (
            NORMAL.search(self.text[self.start(finding) : finding.span.start]) is not None
            or IS_NORMAL.match(self.text, finding.span.end, self.end(finding)) is not None
        )

    @cached_property
    def well(self) -> frozenset[int]:
        """Sentences that hold a word for normal."""
        return frozenset(
            s.index for s in self.reading.sentences if WELL.search(self.text, s.span.start, s.span.end)
        )

    def is_sound(self, finding: Finding) -> bool:
        """`The growth plates`, `ureteral jets`: words that were taken for a finding and are none."""
        if finding.kind not in ("open", "device") and finding.entity.lower() not in TAKEN:
            return False
        before = BEFORE.search(self.text, self.start(finding), finding.span.start)
        told = (before[0] if before else "") + self.text[finding.span.start : finding.span.end]
        named = self.disease(finding)
        return named is None and any(one.end() == len(told) for one in sound().finditer(told))

    def is_replaced(self, finding: Finding) -> bool:
        """`Tracheostomy in place of the endotracheal tube`: what another device stands for is not there."""
        return bool(REPLACED.search(self.text[self.start(finding) : finding.span.start]))

    def kind_words(self, finding: Finding) -> frozenset[str]:
        """The word before a name, where no table knows it: `necrotizing pancreatitis`, `Colles fracture`."""
        named_within = self.disease(finding)
        if named_within is not None and finding.span.start < named_within.start:
            rest = self.text[finding.span.start : named_within.start].lower()
            return frozenset(
                singular(w) for w in WORD.findall(rest) if len(w) >= LONG and w not in place_words()
            )
        noun = finding.trace[0].span.start
        begin = max(self.start(finding), noun - LONGEST)
        if cell := CELL.search(self.text, begin, noun):
            return frozenset({cell[1].lower()})
        found = BEFORE_NAME.search(self.text, begin, noun)
        if (
            finding.kind not in ("finding", "diagnosis", "generic")
            or found is None
            or self.is_known(found, finding)
        ):
            return frozenset()
        at = Span(*found.span(1))
        taken = [
            *(a.span for a in finding.attributes),
            *(c.span for c in self.sentences[finding.sentence].cues),
        ]
        named = any(overlaps(n, at) for n in self.diseases.get(finding.sentence, ()))
        free = not named and not any(s.start < at.end and at.start < s.end for s in taken)
        return frozenset({singular(found[1].lower())}) if free else frozenset()

    def kind_before(self, finding: Finding) -> frozenset[str]:
        """The word before a device, where another one excludes it: `single-chamber` pacemaker."""
        before = (
            BEFORE.search(self.text, self.start(finding), finding.span.start)
            if finding.kind == "device"
            else None
        )
        word = before[0].strip().lower() if before else ""
        return frozenset({word}) if word in opposed() else frozenset()

    def is_known(self, word: re.Match[str], finding: Finding) -> bool:
        """Does a table know the word, so that it tells no kind of its own?

        An adjective does that is part of longer names only, ductal carcinoma, cardiogenic edema; and a germ that is
        read as history: Pneumocystis pneumonia.
        """
        said = word[1].lower()
        tells = (
            finding.kind != "generic"
            and said.endswith(ADJECTIVES)
            and (said not in describing_words() or finding.concept in TUMOURS)
        )
        return said in known_words() and not tells and word.start(1) not in self.histories

    @cached_property
    def histories(self) -> frozenset[int]:
        return frozenset(f.span.start for f in self.reading.findings if f.kind == "history")

    @cached_property
    def exam_side(self) -> str:
        """The side that the title of the examination gives to all that follows: `MRI left shoulder:`."""
        body = next((s for s in self.reading.sentences), None)
        title = LONG_TITLE.match(self.text, body.span.start, body.span.end) if body else None
        return side_in(title[0]) if title and EXAM.search(title[0]) else "-"

    def is_past(self, finding: Finding) -> bool:
        """`Status post bypass`: when the film was taken, not what it shows."""
        return bool(AFTERWARDS.search(self.text[self.start(finding) : finding.span.start]))

    def is_many(self, finding: Finding) -> bool:
        plural = finding.entity.lower().endswith(("s", "ae", "i")) and not finding.entity.lower().endswith(
            ("ss", "is", "us")
        )
        return plural or any(a.concept in MANY for a in finding.values("measurement"))

    def is_of_device(self, finding: Finding) -> bool:
        """`Displacement of the lead` is said of the device."""
        if finding.concept not in MOVED or finding.sentence not in self.devices:
            return False
        return bool(OF_DEVICE.match(self.text[finding.span.end : self.end(finding)]))

    def of_device(self, finding: Finding) -> str:
        """From the device to the next one, and a sentence about its tip that follows."""
        end = self.end(finding)
        others = [at for at in self.devices.get(finding.sentence, ()) if at > finding.span.start]
        own = self.text[finding.span.end : min([*others, end])]
        if len(self.devices.get(finding.sentence, ())) == 1:
            own = f"{self.text[self.start(finding) : finding.span.start]} {own}"
        after = self.sentences.get(finding.sentence + 1)
        if others or after is None:
            return own
        more = self.text[after.span.start : after.span.end]
        return f"{own} {more}" if TIP.match(more) else own


def overlaps(named: Named, span: Span) -> bool:
    return named.start < span.end and span.start < named.end


def is_verb(finding: Finding) -> bool:
    """`Tube coils in the esophagus`: no second device."""
    return finding.kind == "device" and finding.entity.lower() in ("coils", "loops")
