"""The sets of the metrics track: made from rankings, groups of statements and annotated reports of a corpus folder, or
taken as a release has frozen them."""

import gzip
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import msgspec
from msgspec import Struct

from overread.bench.items import RULES, BenchItem, Pair
from overread.corpus.files import load_annotated, notation_files, sound
from overread.corpus.rankings import rankings
from overread.corpus.records import Annotated, lay_out
from overread.errors import BadInput
from overread.report import Report, parse
from overread.validation import gaming
from overread.validation.injection.changes import ChangedPair as Injected
from overread.validation.injection.injected import inject, is_harmless
from overread.validation.ladder import chains
from overread.validation.laws.scores import questions
from overread.whole import write_whole

VERSION = "1"
"""Of the sets and the way they are counted; figures of two versions are not compared."""

CANARY = "overread-bench canary 7c1f4e0a-52b9-4d86-9f3e-a1d0c6b8e245"
"""Stands in everything that holds answers. Whoever finds it in training data knows what was trained on."""

FROZEN = Path("bench") / "metrics.jsonl"
"""Below a corpus folder: the sets as a release holds them."""

MEANING, INSIDE, REWRITES, LADDERS, INJECTED, GAMING, LAWS = 240, 60, 120, 60, 48, 10, 20
"""How many groups, reports or triplets a set is made of; all rankings are taken."""

WHERE = (
    "The sets are made from the open corpus, which is no part of the installed package. Get the folder corpus/ from "
    "the repository or its release, then run there or give --corpus FOLDER."
)


class Asked(Struct, frozen=True):
    """What the sets of a run are, and what tells that they are the same as somebody else's."""

    sets: dict[str, int]
    """Set → items asked."""

    hashes: dict[str, str]
    """Set → hash of all its items, also those that a sample leaves out."""

    hash: str
    pairs: int
    sample: int | None = None
    absent: tuple[str, ...] = ()
    """Sets that this folder has nothing for."""


class Sets(Struct, frozen=True):
    """All items of a run."""

    items: list[BenchItem]
    asked: Asked


def load_sets(
    corpus: Path, wanted: Iterable[str] = (), sample: int | None = None, whole: bool = True
) -> Sets:
    """The sets of a folder, at most `sample` items of each; `whole`: a folder without any is an error."""
    names = tuple(wanted) or tuple(SETS)
    if (corpus / FROZEN).is_file():
        every = thawed(corpus / FROZEN)
    else:  # by rules and always the same
        every = [item for name in names for item in SETS[name][1](corpus)]
    kept = {name: own for name in names if (own := [one for one in every if one.set == name])}
    if whole and not kept:
        raise BadInput(f"{corpus} holds nothing that a set could be made of. {WHERE}")
    hashes = {
        name: digest(msgspec.json.encode(one) for one in sorted(items, key=lambda one: one.id))
        for name, items in kept.items()
    }
    chosen = {name: drawn(items, sample) if sample else items for name, items in kept.items()}
    items = [one for some in chosen.values() for one in some]
    hash = digest(f"{name} {one}".encode() for name, one in sorted(hashes.items()))
    counts = {name: len(some) for name, some in chosen.items()}
    absent = tuple(name for name in names if name not in kept)
    return Sets(items, Asked(counts, hashes, hash, len(pairs_of(items)), sample, absent))


def pairs_of(items: Iterable[BenchItem]) -> list[Pair]:
    """Every pair once, in order."""
    return list(dict.fromkeys(pair for item in items for pair in item.pairs))


def digest(parts: Iterable[bytes]) -> str:
    found = sha256()
    for part in parts:
        found.update(part + b"\n")
    return found.hexdigest()[:12]


# ---- frozen
def freeze(items: Sequence[BenchItem], file: Path) -> None:
    """One line an item, below a line with version and canary."""
    head = msgspec.json.encode({"bench": VERSION, "canary": CANARY})
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, b"\n".join([head, *map(msgspec.json.encode, items)]) + b"\n")


def thawed(file: Path) -> list[BenchItem]:
    head, *lines = file.read_bytes().splitlines()
    try:
        version = msgspec.json.decode(head)["bench"]
        items = [msgspec.json.decode(line, type=BenchItem) for line in lines if line.strip()]
    except (msgspec.DecodeError, KeyError, TypeError):
        raise BadInput(f"{file} is no file of sets; write it anew with --write-sets.") from None
    if version != VERSION or not all(one.rule in RULES for one in items):
        raise BadInput(f"{file} holds version {version} of the sets, this program asks version {VERSION}.")
    return items


# ---- what the corpus holds
HELD_OUT = 10
"""One concept in so many was kept from training."""

FAMILIES = {
    "mammography": "mammography", "breast us": "ultrasound", "xr chest": "chest film", "xr": "other film", "ct": "CT",
    "mr": "MR", "us": "ultrasound", **dict.fromkeys(("pet", "nm", "nuclear", "bone scan", "vq"), "nuclear"),
    **dict.fromkeys(("barium", "angiography", "fluoroscopy", "intervention"), "fluoroscopy and intervention"),
}  # fmt: skip
"""How the name of a modality begins → its family; the first that fits."""


class Group(Struct, frozen=True):
    """A statement with some that mean the same and some that cannot be true beside it."""

    id: str
    kind: str
    concept: str
    original: str
    same: tuple[str, ...]
    opposite: tuple[str, ...]
    report: str = ""
    """The report whose statement it is; empty where it stands alone."""


One = TypeVar("One", Annotated, Group, BenchItem)


def drawn(found: Iterable[One], most: int | None = None) -> list[One]:
    """In an order that means nothing and never changes; the first `most` of it."""
    return sorted(found, key=lambda one: (crc32(one.id.encode()), one.id))[:most]


def family(modality: str) -> str:
    """
    >>> family("CT abdomen"), family("XR chest"), family("breast US"), family("tomosynthesis")
    ('CT', 'chest film', 'ultrasound', 'other')
    """
    lower = modality.lower()
    return next((name for start, name in FAMILIES.items() if lower.startswith(start)), "other")


@cache
def held_out_groups(corpus: Path) -> list[Group]:
    """Groups never trained on: of the corpus release, else of the repository whose folder corpus/ this is."""
    beside = corpus.resolve().parent / "training" if corpus.resolve().name == "corpus" else corpus
    places = [place / "meaning" / "groups.jsonl.gz" for place in (corpus, beside)]
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        return []
    with gzip.open(file, "rb") as lines:
        every = [msgspec.json.decode(line, type=Group) for line in lines if line.strip()]
    return [one for one in every if crc32(one.concept.encode()) % HELD_OUT == 0]


@cache
def annotated(corpus: Path) -> list[Annotated]:
    """The test reports with their annotation."""
    place = corpus / "test"
    return [report for _, report in load_annotated(notation_files([place]))] if place.is_dir() else []


# ---- made
def ranked_item(
    id: str, name: str, kind: str, reference: str, *ranks: Iterable[str], modality: str = ""
) -> BenchItem:
    """Candidates of one reference, those of each rank above all of the next."""
    pairs = [((reference, text), rank) for rank, texts in enumerate(ranks, 1) for text in texts]
    return BenchItem(
        id, name, kind, tuple(p for p, _ in pairs), "ranked", tuple(r for _, r in pairs), modality
    )


def of_rankings(corpus: Path) -> Iterator[BenchItem]:
    files = sorted((corpus / "rankings").glob("*.rank"))
    for one in (ranking for file in files for ranking in sound(file, *rankings(file))):
        pairs = tuple((one.reference, candidate.text) for candidate in one.candidates)
        ranks = tuple(candidate.rank for candidate in one.candidates)
        kind, modality = one.about.get("kind", "other"), family(one.about.get("modality", ""))
        yield BenchItem(one.id, "rankings", kind, pairs, "ranked", ranks, modality)


def of_meaning(corpus: Path) -> Iterator[BenchItem]:
    for one in drawn((g for g in held_out_groups(corpus) if not g.report), MEANING):
        yield ranked_item(one.id, "meaning", one.kind, one.original, one.same, one.opposite)


def of_rewrites(corpus: Path) -> Iterator[BenchItem]:
    """From groups that the set `meaning` leaves: the far wording, and the opposite that is near."""
    for one in drawn(g for g in held_out_groups(corpus) if not g.report)[MEANING : MEANING + REWRITES]:
        for way, asked, same in (("", one.original, one.same[0]), ("/turned", one.same[0], one.original)):
            yield ranked_item(one.id + way, "rewrites", one.kind, asked, [same], [one.opposite[0]])


def inside_reports(corpus: Path) -> Iterator[BenchItem]:
    """One statement of a report in other words, against its opposite at the same place."""
    reports: dict[str, list[str]] = {}
    found = [g for g in held_out_groups(corpus) if g.report]
    for one in found:
        reports.setdefault(one.report, []).append(one.original)
    for one in drawn((g for g in found if len(reports[g.report]) > 2), INSIDE):
        told = reports[one.report]
        texts = (
            [" ".join(other if said == one.original else said for said in told) for other in way]
            for way in (one.same, one.opposite)
        )
        yield ranked_item(one.id, "inside reports", "statement", " ".join(told), *texts)


@cache
def reports(corpus: Path) -> tuple[list[Report], Mapping[str, str]]:
    """The test reports in an order that means nothing, and the modality of each."""
    found = drawn(annotated(corpus))
    modalities = {one.id: family(one.about.get("modality", "")) for one in found}
    return [parse(lay_out(one).text, one.id) for one in found], modalities


def of_ladders(corpus: Path) -> Iterator[BenchItem]:
    texts, modality = reports(corpus)
    made = (one for report in texts for one in chains([report]))
    for one in islice(made, LADDERS):
        levels = ([level] for level in one.levels)
        yield ranked_item(one.id, "ladders", "five levels", one.reference, *levels, modality=modality[one.id])


@cache
def changed(corpus: Path) -> list[Injected]:
    return inject(reports(corpus)[0][:INJECTED])


def of_changes(corpus: Path, harmless: bool) -> Iterator[BenchItem]:
    modality = reports(corpus)[1]
    for one in changed(corpus):
        if is_harmless(one.kind) == harmless and one.changes_meaning != harmless:
            pairs = ((one.reference, one.reference), (one.reference, one.candidate))
            name, rule, args = ("harmless", "unharmed", ()) if harmless else ("injected", "ranked", (1, 2))
            yield BenchItem(f"{one.id}/{one.kind}", name, one.kind, pairs, rule, args, modality[one.id])


def of_laws(corpus: Path) -> Iterator[BenchItem]:
    texts, _ = reports(corpus)
    for n, one in enumerate(questions(texts[:LAWS]) if texts else ()):
        yield BenchItem(
            f"{one.case} · {n}", "laws", one.law.name, one.pairs, one.law.check.__name__, one.args
        )


def of_gaming(corpus: Path) -> Iterator[BenchItem]:
    every, modality = reports(corpus)
    texts = every[:GAMING]
    frequent = gaming.common(every)
    for report in texts:
        honest = gaming.honest(report)
        for name, cheat in gaming.cheats(report, frequent).items():
            told = (report.text, [honest], [cheat])
            yield ranked_item(f"{report.id}/{name}", "gaming", name, *told, modality=modality[report.id])


SETS: dict[str, tuple[str, Callable[[Path], Iterator[BenchItem]]]] = {
    "rankings": ("candidates in the order of how wrong they are", of_rankings),
    "meaning": ("statements that mean the same above those that say the opposite", of_meaning),
    "inside reports": ("the same, the statement standing inside a whole report", inside_reports),
    "rewrites": (
        "the same in other words above the opposite in nearly the same words, asked both ways",
        of_rewrites,
    ),
    "ladders": ("five levels of one report, each worse than the one before", of_ladders),
    "injected": ("an error put into a report lowers its score", partial(of_changes, harmless=False)),
    "harmless": ("a rewrite that changes nothing does not", partial(of_changes, harmless=True)),
    "laws": ("what must hold whatever the text", of_laws),
    "gaming": ("an honest report with one small error above a text that only tries to please", of_gaming),
}
"""Every set: what is right in it, and what makes it."""
