"""The reading held against the judge: what was read and is heard otherwise, with the reasons of both.

Every finding is looked at, and every noun of which nothing was read. Two heads of the judge are asked. The one that
hears a word in its sentence costs little and is asked first; where it hears something else than was read, the claim is
put in plain words to the one that hears a text and a claim. What both are against is doubtful. Where the judge was
followed against rules, what rules had read is told too.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from overread.errors import BadInput
from overread.judge import Judge, Slots, active
from overread.lexicon.lexicon import Lexicon, lexicon
from overread.reader.claims import there
from overread.reader.doubts import Doubt, Heard, Kept
from overread.reader.opinion import MOST_HEARD, Second, Window
from overread.reader.overruled import overruled
from overread.reader.questions import Asked, Question, denied, said
from overread.reader.read import READ_SECTIONS, read
from overread.reader.reading import Reading, SentenceReading
from overread.reader.reconsider import HEARD, last_word
from overread.reader.unread import unread_nouns
from overread.report.marks import alike
from overread.report.span import Span

LEAST = 0.8
"""How sure both heads must be of the contrary; benchmarks/doubts.py says how many doubts are then mistakes."""

UNREAD = 0.95
"""How sure of a noun that nothing was read of: of words nobody knows it believes too much."""


def need_judge() -> Judge:
    """The judge, without whom nothing is checked."""
    judge = active()
    if judge is None:
        raise BadInput("A check needs the judge; leave --no-judge out, and OVERREAD_NO_JUDGE unset.")
    return judge


def check(reading: Reading, words: Lexicon | None = None) -> tuple[Doubt, ...]:
    """What is doubtful in a reading, in the order of the text; of a very long report, in its first sentences."""
    ear = Second(reading.report, need_judge())
    lex = words or lexicon()
    found = Check(reading, read(reading.report, lex, heard=False), ear, lex)
    asked = (s for s in reading.sentences if s.section in READ_SECTIONS - {"indication"})
    return tuple(doubt for sentence in islice(asked, MOST_HEARD) for doubt in found.doubts(sentence))


class Check:
    """One report, as it was read and as rules alone read it, and the judge's ear for it."""

    def __init__(self, reading: Reading, by_rules: Reading, ear: Second, lex: Lexicon) -> None:
        self.reading = reading
        self.by_rules = by_rules
        self.ear = ear
        self.lex = lex

    def doubts(self, sentence: SentenceReading) -> Iterator[Doubt]:
        window = self.ear.heard(sentence.index)
        if window is None:
            return
        decided = list(overruled(self.reading, self.by_rules, sentence.index))
        settled = {(q.finding, q.about) for q in decided}
        asked = [q for q in self.about_findings(sentence, window) if (q.finding, q.about) not in settled]
        yield from self.answered(asked, sentence, window, "rules", LEAST)
        yield from self.answered(self.about_nouns(sentence, window), sentence, window, "rules", UNREAD)
        yield from self.answered(decided, sentence, window, "judge", 0.0)

    def answered(
        self, asked: Iterable[Question], sentence: SentenceReading, window: Window, kept: Kept, least: float
    ) -> Iterator[Doubt]:
        questions = list(asked)
        answers = self.ear.judge.verdicts([(alike(window.text), q.claim) for q in questions])
        for q, answer in zip(questions, answers, strict=True):
            if q.against(answer) >= least:
                quote = self.reading.quote(sentence.span)
                yield Doubt(
                    q.about, q.finding, sentence.index, quote, q.words, q.span, q.read, q.rules, q.claim,
                    Heard(*answer), kept,
                )  # fmt: skip

    def about_findings(self, sentence: SentenceReading, window: Window) -> Iterator[Question]:
        found = [f for f in self.reading.in_sentence(sentence.index) if f.kind in HEARD]
        heard = Span(window.start, window.start + len(window.text))
        for finding, slots in zip(found, self.slots(window, [f.span for f in found]), strict=True):
            if slots:  # none where its words are past what the judge takes in
                yield from Asked(self.reading, finding, slots, heard, LEAST).questions()

    def about_nouns(self, sentence: SentenceReading, window: Window) -> Iterator[Question]:
        nouns = list(unread_nouns(self.reading, sentence, self.lex))
        for noun, slots in zip(nouns, self.slots(window, nouns), strict=True):
            words, heard = self.reading.quote(noun), dict(slots.get("status", ()))
            for status, against in (("present", said), ("absent", denied)):
                if heard.get(status, 0.0) >= UNREAD:
                    yield Question("unread", None, words, noun, "nothing", (), there(words), against)

    def slots(self, window: Window, spans: list[Span]) -> list[Slots]:
        """What is heard of the head noun of each."""
        words = [last_word(self.reading.seen, span) for span in spans]
        places = [(window.place(w.start), window.place(w.end)) for w in words]
        return self.ear.judge.slots(alike(window.text), places) if places else []
