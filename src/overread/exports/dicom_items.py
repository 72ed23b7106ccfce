"""Small parts DICOM structured reports are made of."""

import re
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from overread.exports.codes import SYSTEMS, Codes
from overread.extras import require

DCM, SCT, OWN = "DCM", "SCT", "99OVERREAD"
SCHEMES = {
    "SNOMED": SCT,
    "LOINC": "LN",
    "RADLEX": "RADLEX",
    "ICD10": "I10",
    "ICD10CM": "I10C",
    "UMLS": "UMLS",
}
"""What DICOM calls the systems that a map may name."""

UNITS = {"mm": "millimeter", "cm": "centimeter"}


class Code(Struct, frozen=True):
    """A code value, whose it is, and what it means."""

    value: str
    scheme: str
    meaning: str

    def dataset(self) -> Any:
        one = require("pydicom.dataset", "dicom").Dataset()
        if len(self.value) <= 16:
            one.CodeValue = self.value
        else:
            one.LongCodeValue = self.value
        one.CodingSchemeDesignator = self.scheme
        one.CodeMeaning = " ".join(self.meaning.replace("\\", "/").split())[:64]
        return one


def own(words: str) -> Code:
    """Words under our own scheme.

    >>> own("Lower lobe").value, own("XX/XX").value
    ('lower-lobe', 'xx-xx')
    """
    plain = re.sub(r"[^\w]+", "-", words.lower()).strip("-")
    return Code(plain or "finding", OWN, words or "finding")


def known(words: str) -> Code | None:
    """The SNOMED CT code that DICOM itself lists for these words; pydicom has the list."""
    name = "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", words.lower()) if word)
    table = require("pydicom.sr.codedict", "dicom").codes.SCT
    found = getattr(table, name, None) if name.isidentifier() else None
    return None if found is None else Code(found.value, SCT, found.meaning)


def user_code(codes: Codes, name: str | None) -> Code | None:
    """The user's own code, where the map has one of a system that DICOM has a name for."""
    designators = {url: SCHEMES[short] for short, url in SYSTEMS.items()}
    for one in codes.coding(name):
        if one.system in designators:
            return Code(one.code, designators[one.system], one.display or str(name))
    return None


def item(relation: str | None, kind: str, name: Code) -> Any:
    one = require("pydicom.dataset", "dicom").Dataset()
    if relation is not None:
        one.RelationshipType = relation
    one.ValueType, one.ConceptNameCodeSequence = kind, [name.dataset()]
    return one


def container(name: Code, items: Iterable[Any], relation: str | None = "CONTAINS") -> Any:
    one = item(relation, "CONTAINER", name)
    one.ContinuityOfContent = "SEPARATE"
    if inside := list(items):
        one.ContentSequence = inside
    return one


def text_item(relation: str, name: Code, text: str) -> Any:
    one = item(relation, "TEXT", name)
    one.TextValue = text
    return one


def uid_item(relation: str, name: Code, uid: str) -> Any:
    one = item(relation, "UIDREF", name)
    one.UID = uid
    return one


def coded(relation: str, name: Code, value: Code) -> Any:
    one = item(relation, "CODE", name)
    one.ConceptCodeSequence = [value.dataset()]
    return one


def measured(name: Code, value: str, unit: str) -> Any:
    one = item("CONTAINS", "NUM", name)
    number = require("pydicom.dataset", "dicom").Dataset()
    number.NumericValue = value
    number.MeasurementUnitsCodeSequence = [Code(unit, "UCUM", UNITS[unit]).dataset()]
    one.MeasuredValueSequence = [number]
    return one
