"""Open-i (Indiana University) chest X-rays: the XML files as published."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from overread.errors import BadInput
from overread.report import SECTION_NAMES, Report, SectionName, from_sections
from overread.sources.encoding import reading
from overread.sources.layouts import section_of

XML = "Open-i XML folder"


def is_xml_folder(folder: Path) -> bool:
    return next(folder.glob("*.xml"), None) is not None


def xml_reports(folder: Path) -> Iterator[Report]:
    """One report per XML file, in order of their numbers."""
    for path in sorted(folder.glob("*.xml"), key=in_order):
        yield xml_report(path)


def in_order(path: Path) -> tuple[int, str]:
    """Files by number, 2.xml before 10.xml; those without a number last."""
    return (int(path.stem), "") if path.stem.isdecimal() else (2**62, path.stem)


def xml_report(path: Path) -> Report:
    """The labelled abstract of one citation as a report."""
    root = xml_root(path)
    uid = root.find(".//uId")
    id = uid.get("id", path.stem) if uid is not None else path.stem
    found: dict[SectionName, str] = {}
    for part in root.iterfind(".//AbstractText"):
        name = section_of(part.get("Label", ""))
        text = "".join(part.itertext())
        found[name] = f"{found[name]}\n{text}" if name in found else text
    return from_sections({name: found[name] for name in SECTION_NAMES if name in found}, id)


def xml_root(path: Path) -> ElementTree.Element:
    with reading(path):
        try:
            return ElementTree.parse(path).getroot()
        except ElementTree.ParseError as error:
            line = error.position[0]
            raise BadInput(f"{path}, line {line}: not well-formed XML; download the file again.") from None
        except (ValueError, LookupError):
            raise BadInput(f"{path}: XML in an encoding that cannot be read; save it as UTF-8.") from None
