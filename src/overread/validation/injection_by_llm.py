"""Reports + client → the same reports with one error each, worded by a language model.

The model quotes what it changes and says what stands there instead; the exchange is made here, so that the rest of the
report stays as it was and an answer that quotes nothing, or changes more than a few sentences, is sent back.
"""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.report import Report
from overread.validation.injected import Pair
from overread.validation.injection import UNMEANT

PACKAGE = "overread.validation"
MOST = 60
"""Words that one change may touch."""

KINDS = {
    "added device": "Add a line, tube, drain or implant that the report does not mention.",
    "false finding": "Add an abnormal finding that the report does not mention, fit for the same examination.",
    "repetition": "Say one sentence of the findings twice, word for word.",
    "contradiction": "Keep an abnormal finding of the report, and deny it in a sentence that you add.",
    "device name": "Call a line, tube, drain or implant by the name of another kind of device.",
    "device position": "Say that the tip of a line or tube lies where it must not lie, instead of where it lies.",
    "severity": "Change the degree of an abnormal finding by at least two steps, such as mild to severe.",
    "location": "Change the side, the lobe, the level or the organ of an abnormal finding.",
    "measurement": "Change a size or a distance so much that it matters, by half or more.",
    "false negation": "Turn an abnormal finding into its denial.",
    "homophone": "Exchange a word for one that sounds alike and means something else, as dictation software does.",
    "typo": "Misspell one word so that anybody still knows what is meant.",
    "synonym": "Say one sentence in other words that mean exactly the same, with place, side, degree, size and doubt.",
    "normal statement": "Add a true normal statement about a part of the body that the report does not mention.",
}
"""Kind of change → what the model is told to do."""

HARMLESS = frozenset({"synonym", "normal statement"})


class Edit(Struct, frozen=True, forbid_unknown_fields=True):
    """What changes, and what stands there instead."""

    fits: bool
    before: str = ""
    after: str = ""
    what: str = ""


def inject_by_llm(
    client: Client, reports: Sequence[Report], kinds: Iterable[str] = tuple(KINDS)
) -> tuple[list[Pair], list[Failure]]:
    """One change of every kind that the model finds room for, and what it could not do."""
    asked = [(report, kind) for report in reports for kind in kinds]
    answers = ask_many(
        client, load_prompt(PACKAGE, "inject"), [item(*one) for one in asked], Edit, check=problems
    )
    pairs, failed = [], []
    for (report, kind), answer in zip(asked, answers, strict=True):
        if isinstance(answer, Failure):
            failed.append(answer)
        elif answer.value.fits:
            pairs.append(pair(report, kind, answer.value))
    return pairs, failed


def item(report: Report, kind: str) -> Item:
    return Item(report.id, {"kind": f"{kind}: {KINDS[kind]}", "report": report.text}, source=report)


def problems(item: Item, answer: Edit) -> list[str]:
    """What makes an answer unusable, in words for the model."""
    if not answer.fits:
        return []
    times = item.source.text.count(answer.before) if answer.before.strip() else 0
    if times != 1:
        found = "nowhere" if times == 0 else f"{times} times"
        return [f"`before` must stand in the report exactly once, letter by letter; it stands there {found}."]
    if " ".join(answer.after.split()) == " ".join(answer.before.split()):
        return ["`after` must differ from `before`."]
    if touched(answer) > MOST:
        return [f"Change one thing only: at most {MOST} words may differ."]
    return []


def touched(answer: Edit) -> int:
    """Words that differ between the two.

    >>> touched(Edit(True, "a small left effusion", "a large left effusion"))
    1
    """
    one, two = answer.before.split(), answer.after.split()
    same = sum(block.size for block in SequenceMatcher(None, one, two, autojunk=False).get_matching_blocks())
    return max(len(one), len(two)) - same


def pair(report: Report, kind: str, answer: Edit) -> Pair:
    changed = report.text.replace(answer.before, answer.after)
    meant = kind not in UNMEANT and kind not in HARMLESS
    return Pair(report.id, kind, answer.what, meant, report.text, changed)
