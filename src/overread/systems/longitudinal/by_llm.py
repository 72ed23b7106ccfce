"""Report + client → LongitudinalReport: three small questions, each about one sentence.

    for outcome in views(client, reports):
        ...  # a LongitudinalReport, or the Failure that says why there is none

First every sentence is asked whether it compares, then the sentences that do for their diseases, then each
disease for its progression; support devices are not asked further. As the paper does it, `one_disease` gives a
sentence the one disease it is most about, and `segmenter` stanza has it cut by that package. An answer that stays
unusable after the layer's one repair is nonsense, not silence: the sentence stays cross-sectional, has no disease, or
the disease is `unmentioned`, and `LongitudinalReport.unusable` counts it. Any other failure (no connection, budget
spent, refusal) fails the report.

A candidate may also be asked about every disease that its reference compares, as the paper does. The candidate's
comparing sentences are taken together, and each reference disease is asked for: which way did it
go, or is it not mentioned? By rules the answer is the candidate's own progression of that disease, else that of a
keyword of the same family (`relatives.tsv`: a reference's lung opacity is a candidate's consolidation). By language
model it is the answer to the third question."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct, structs

from overread.errors import BadInput
from overread.extras import require
from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.report import Report, Section
from overread.report.span import Span
from overread.systems.longitudinal.schema import (
    SECTIONS,
    SUPPORT_DEVICES,
    TRENDS,
    ComparedSentence,
    LongitudinalReport,
    Progression,
    ViewSection,
    keywords,
)
from overread.systems.longitudinal.schema import Item as Labelled
from overread.systems.longitudinal.score import Progressions, Ways, labels
from overread.systems.tables import lookup

# ---- answers
if TYPE_CHECKING:
    Keyword = str
else:  # the table is the list, and the schema shows it to the model
    Keyword = Literal[keywords()]


class Comparison(Struct, frozen=True, forbid_unknown_fields=True):
    """Does the sentence compare with an earlier picture?"""

    compares: bool


class Diseases(Struct, frozen=True, forbid_unknown_fields=True):
    """The keywords it compares, the main one first."""

    diseases: Annotated[list[Keyword], Meta(max_length=10)]


class MainDisease(Struct, frozen=True, forbid_unknown_fields=True):
    """The keyword that it is most about, as the paper asks."""

    disease: Keyword

    @property
    def diseases(self) -> list[Keyword]:
        return [self.disease]


class Trend(Struct, frozen=True, forbid_unknown_fields=True):
    """Which way one of them went."""

    progression: Progression


# ---- section → its sentences: by our own rules, or by Stanza as in the paper, where it is installed
def sentences_of(report: Report, section: Section, segmenter: str) -> Iterator[tuple[int, Span]]:
    """Number within the report, and where the sentence stands in its text.

    Stanza's are numbered by where they begin, so that two sections never share a number.
    """
    if segmenter == "own":
        yield from ((sentence.index, sentence.span) for sentence in section.sentences)
        return
    body = section.span.of(report.text)
    for sentence in pipeline()(body).sentences if body.strip() else ():
        start = section.span.start + sentence.tokens[0].start_char
        yield start, Span(start, section.span.start + sentence.tokens[-1].end_char)


@cache
def pipeline() -> Any:
    """Stanza's English tokeniser, from the models that are on this machine; nothing is downloaded."""
    stanza = require("stanza", "stanza")
    try:
        return stanza.Pipeline("en", processors="tokenize", download_method=None, verbose=False)
    except Exception as error:  # missing files have several classes of their own there
        raise BadInput(
            f"Stanza has no English tokeniser on this machine ({type(error).__name__}). Where there is a network, run "
            "python -c \"import stanza; stanza.download('en', processors='tokenize')\"; elsewhere copy the folder that "
            "this makes and name it in STANZA_RESOURCES_DIR."
        ) from error


# ---- views
LONGITUDINAL_PROMPTS = "overread.systems.longitudinal"
T = TypeVar("T")


def views(
    client: Client, reports: Sequence[Report], sections: Iterable[ViewSection] = SECTIONS
) -> list[LongitudinalReport | Failure]:
    """One view, or one failure, per report, in order.

    Which sentences compare, which diseases (as the paper puts it: which one entry of the list), which way each went.
    """
    unusable: Counter[int] = Counter()
    failed: dict[int, Failure] = {}

    def ask(prompt: str, output: type[Any], items: Sequence[Item], nonsense: T) -> list[T]:
        """The values of the answers, `nonsense` where there is none."""
        outcomes = ask_many(client, load_prompt(LONGITUDINAL_PROMPTS, prompt), items, output)
        for item, outcome in zip(items, outcomes, strict=True):
            if isinstance(outcome, Failure):
                number, _ = item.source
                unusable[number] += outcome.kind == "unusable"
                if outcome.kind != "unusable":
                    failed.setdefault(number, outcome)
        return [nonsense if isinstance(outcome, Failure) else outcome.value for outcome in outcomes]

    wanted = tuple(sections)
    asked = [
        one
        for n, report in enumerate(reports)
        for one in items_of(n, report, wanted, client.settings.segmenter)
    ]
    yes = ask("compares", Comparison, asked, Comparison(False))
    compares = [one for one, told in zip(asked, yes, strict=True) if told.compares]
    prompt, output = ("disease", MainDisease) if client.settings.one_disease else ("diseases", Diseases)
    listed = {"keywords": "\n".join(f"- {keyword}" for keyword in keywords())}
    which = [structs.replace(one, inputs={**one.inputs, **listed}) for one in compares]
    named = ask(prompt, output, which, Diseases([]))
    diseases = {one.id: dict.fromkeys(told.diseases) for one, told in zip(compares, named, strict=True)}
    each = [
        Item(f"{one.id}/{d}", {**one.inputs, "disease": d}, one.patient, d, one.source)
        for one in compares
        for d in diseases[one.id]
        if d != SUPPORT_DEVICES
    ]
    trends = ask("progression", Trend, each, Trend("unmentioned"))
    ways = {one.id: told.progression for one, told in zip(each, trends, strict=True)}
    made: dict[int, list[ComparedSentence]] = {n: [] for n in range(len(reports))}
    for one in asked:
        number, sentence = one.source
        items = tuple(Labelled(d, ways.get(f"{one.id}/{d}")) for d in diseases.get(one.id, ()))
        made[number].append(structs.replace(sentence, longitudinal=one.id in diseases, items=items))
    return [
        failed.get(n) or LongitudinalReport(report.id, tuple(made[n]), unusable[n])
        for n, report in enumerate(reports)
    ]


def items_of(
    number: int, report: Report, sections: tuple[ViewSection, ...], segmenter: str
) -> Iterator[Item]:
    """A question a sentence, called by its report and number, with the place of its report and the sentence itself."""
    for section in report.section(*sections):
        name: ViewSection = "impression" if section.name == "impression" else "findings"
        for index, span in sentences_of(report, section, segmenter):
            words = span.of(report.text)
            sentence = ComparedSentence(name, span.start, span.end, words, False)
            yield Item(f"{report.id}/{index}", {"sentence": words}, report.patient, source=(number, sentence))


# ---- a candidate asked about the diseases of its reference
def ask_rules(reference: LongitudinalReport, candidate: LongitudinalReport) -> Progressions:
    """What the candidate says of each disease of the reference."""
    own = labels(candidate)
    return {disease: answer for disease in labels(reference) if (answer := nearest_label(own, disease))}


def nearest_label(own: Progressions, disease: str) -> Ways | None:
    """Its own label, else that of the only relatives with a label."""
    if disease in own:
        return own[disease]
    families = lookup("longitudinal", "relatives")
    family = families.get(disease)
    near = [name for name in own if family is not None and families.get(name) == family]
    ways = {way for name in near for way in own[name]}
    return own[near[0]] if len(ways) == 1 else None


def ask_them(
    client: Client, pairs: Sequence[tuple[LongitudinalReport, LongitudinalReport]]
) -> list[Progressions | Failure]:
    """The same by a language model: one question for each disease of each reference."""
    said = [" ".join(sentence.text for sentence in candidate.compared()) for _, candidate in pairs]
    items = [
        Item(f"{candidate.id}/{d}", {"sentence": said[n], "disease": d}, about=d, source=n)
        for n, (reference, candidate) in enumerate(pairs)
        for d in labels(reference)
        if said[n]
    ]
    found: list[Progressions | Failure] = [{} for _ in pairs]
    outcomes = ask_many(client, load_prompt(LONGITUDINAL_PROMPTS, "progression"), items, Trend)
    for item, outcome in zip(items, outcomes, strict=True):
        so_far = found[item.source]
        if isinstance(so_far, Failure):
            continue
        if isinstance(outcome, Failure):
            found[item.source] = outcome
        elif outcome.value.progression in TRENDS:
            so_far[item.about] = {outcome.value.progression: list(pairs[item.source][1].compared())}
    return found
