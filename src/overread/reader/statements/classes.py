"""Classes of words by their part in a statement, which several steps ask for."""

from overread.reader.statements.terms import Term

DESCRIBING = frozenset("quality shape up down abnormal".split())
DESCRIBED = DESCRIBING | {"normal", "detail"}
HEADS = frozenset({"head", "compound", "open"})
VERBS = frozenset({"be", "seen", "have"})
ENDING = frozenset({"stop", "break", "relative"})
"""What ends a part of the sentence."""

THINGS = frozenset({"effusion", "effusions", "scar", "scars", "scarring"})
"""Told by what they are made of; beside another finding they are one of their own, and not how it is."""


ADJECTIVE_ENDS = tuple(
    "al ic ed ar ous ncing ating aining ying earing ive id ense glass y like high low".split()
)
"""Not every `-ing`: thickening, narrowing and swelling are nouns."""

ADJECTIVE_ROLES = frozenset({"seq", "shape", "up", "down"})
ADJECTIVE_OR_NOUN = frozenset({"quality", "detail", "normal", "abnormal"})
NOUNS = frozenset(
    """scar scarring thickening narrowing widening blunting flattening straightening coarsening thinning blurring
    cuffing spurring wedging lipping tethering plugging swelling bending splitting tear fluid liquid deformity atrophy
    hypertrophy abnormality anomaly injury pathology surgery""".split()
)
"""What ends like an adjective and is none."""


def adjectival(term: Term) -> bool:
    if term.role in ADJECTIVE_ROLES:
        return True
    if term.role not in ADJECTIVE_OR_NOUN or not term.form.endswith(ADJECTIVE_ENDS):
        return False
    return term.form.rpartition(" ")[2] not in NOUNS  # `scarring or atelectasis` are two


def finite(ahead: list[Term]) -> bool:
    """`The nodules seen do not enhance`: the verb is still to come, with at most small words before it."""
    verb = next((t for t in ahead if t.role not in ("ignore", "deny")), None)
    return verb is not None and verb.role in ("be", "have")
