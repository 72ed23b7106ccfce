"""Files for validating the longitudinal view: people's sentences, and views made elsewhere.

A gold file has one report a line, in the shape of `overread read --as longitudinal`, with the report's text
where there is one:

    {"id", "text", "sentences": [{"text", "longitudinal", "items": [{"disease", "progression"}]}]}

Without the text the sentences are put together as a findings section. Other fields are passed over.
"""

from pathlib import Path

from overread.errors import BadInput
from overread.systems.longitudinal.diseases import keywords
from overread.systems.longitudinal.schema import TRENDS, LongitudinalReport
from overread.validation.json_lines import lines_by_id
from overread.validation.longitudinal import GoldReport

SHAPE = "does not have the shape of a longitudinal view."


def load_gold(path: Path) -> dict[str, GoldReport]:
    """People's reports by id; a keyword or trend outside the lists is an error."""
    found = lines_by_id(path, GoldReport, SHAPE)
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
    return lines_by_id(path, LongitudinalReport, SHAPE)
