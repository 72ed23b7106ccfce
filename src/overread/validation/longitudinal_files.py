"""Files for validating the longitudinal view: people's sentences, and views made elsewhere.

A gold file has one report a line, in the shape of `overread read --as longitudinal`, with the report's text
where there is one:

    {"id", "text", "sentences": [{"text", "longitudinal", "items": [{"disease", "progression"}]}]}

Without the text the sentences are put together as a findings section. Other fields are passed over.
"""

from pathlib import Path
from typing import TypeVar

import msgspec

from overread.errors import BadInput
from overread.sources.encoding import reading
from overread.systems.longitudinal.diseases import keywords
from overread.systems.longitudinal.schema import TRENDS, LongitudinalReport
from overread.validation.longitudinal import GoldReport

T = TypeVar("T", GoldReport, LongitudinalReport)


def load_gold(path: Path) -> dict[str, GoldReport]:
    """People's reports by id; a keyword or trend outside the lists is an error."""
    found = lines(path, GoldReport)
    known, trends = set(keywords()), {*TRENDS, "unmentioned", None}
    for gold in found.values():
        for item in (item for sentence in gold.sentences for item in sentence.items):
            if item.disease not in known or item.progression not in trends:
                raise BadInput(
                    f"{path}, report {gold.id!r}: an item is not one of the fifty keywords with improved, "
                    "no change or worsened. The keywords are in docs/longitudinal.md."
                )
    return found


def load_views(path: Path) -> dict[str, LongitudinalReport]:
    """Views by id."""
    return lines(path, LongitudinalReport)


def lines(path: Path, kind: type[T]) -> dict[str, T]:
    """One object a line, each id once; errors name the line and never quote it."""
    with reading(path):
        content = path.read_bytes().splitlines()
    found: dict[str, T] = {}
    for number, line in enumerate(content, 1):
        if not line.strip():
            continue
        try:
            one = msgspec.json.decode(line, type=kind)
        except msgspec.DecodeError as error:
            where = str(error).rsplit(" - at ", 1)[-1] if " - at " in str(error) else "the line"
            raise BadInput(
                f"{path}, line {number}: {where} does not have the shape of a longitudinal view."
            ) from None
        if one.id in found:
            raise BadInput(
                f"{path}, line {number}: report {one.id!r} stands twice; keep one line per report."
            )
        found[one.id] = one
    return found
