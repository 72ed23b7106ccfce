"""A sentence while it is read: its noun phrases, what was drafted, and what still waits for its noun."""

from overread.lexicon.lexicon import Lexicon
from overread.reader.drafting import Drafting
from overread.reader.drafts import Draft, Held
from overread.reader.modifiers import Modifiers
from overread.reader.noun_phrases import Chunk, chunks, ends_somewhere
from overread.reader.phrases import names_tip, points_back, tells_largest
from overread.reader.scope import Scope
from overread.reader.units import Unit


class OpenSentence:
    """The group that predicates and places attach to, open scopes, modifiers without a noun yet."""

    def __init__(
        self, text: str, units: list[Unit], lexicon: Lexicon, compared: bool, open_words: bool = False
    ) -> None:
        self.text = text
        self.lexicon = lexicon
        self.open_words = open_words
        """Take nouns no table knows as findings wherever they stand, not only where something is denied."""
        self.chunks = chunks(units)
        self.scope = Scope()
        self.modifiers = Modifiers(text, lexicon, self.scope, compared)
        self.drafting = Drafting(text, lexicon, self.scope, self.modifiers)
        self.group: list[Draft] = []
        self.closed: tuple[list[Draft], bool] = ([], False)
        """The group before this one and whether it had its verb; one more of its places opens it again."""
        self.before_but: list[Draft] = []
        """The group a `but` has just closed: heart is enlarged but stable."""
        self.carried: list[Unit] = []
        self.sort_cue: Unit | None = None
        """The last words that told the sort of finding: `suspicious for`."""
        self.predicate = False
        """Has a verb followed the group, so that describing words are said of it?"""
        self.pointing = points_back(units)
        """The sentence speaks of what the one before it named: `This may represent …`."""
        self.heads: list[Draft] = []
        """The nouns that `with` or `of` goes on from, before the verb of the clause."""
        self.verb_met = False
        """Has the clause had its verb, so that a `with` after it no longer belongs to the subject?"""
        self.denied_list: Unit | None = None
        """A denial before a colon: all that is listed behind it is not there."""
        self.loose: list[Held] = []
        """`This was not seen on the prior study`: new, and said of the sentence before."""

    def begin_group(self) -> None:
        if self.group:
            self.closed = (self.group, self.predicate)
        self.group = []
        self.predicate = False
        if self.verb_met:
            self.heads, self.verb_met = [], False

    def said_already(self, chunk: Chunk) -> bool:
        """Is the group done with, so that a conjunction begins something new?"""
        if any(d.kind == "device" for d in self.group) and (names_tip(chunk.units) or ends_somewhere(chunk)):
            return False
        return (self.predicate or self.is_described(chunk)) and not tells_largest(chunk)

    def is_described(self, chunk: Chunk) -> bool:
        """Has something been said of the group, as in `heart size normal and …`, `line with tip in the SVC and …`?"""
        said = [(d, h.relation) for d in self.group for h in d.held if h.start >= d.end]
        return any(
            relation != "location" if d.is_structure else relation == "placement" and bool(chunk.findings)
            for d, relation in said
        )

    def heads_of(self, nouns: list[Draft]) -> list[Draft]:
        """Nouns that what follows belongs to: still the subject when the verb comes."""
        return [] if self.verb_met else [*self.heads, *(d for d in nouns if not d.is_structure)]
