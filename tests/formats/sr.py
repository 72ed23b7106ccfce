"""Invented DICOM structured reports."""

from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian, generate_uid

BASIC, ENHANCED, COMPREHENSIVE = (f"1.2.840.10008.5.1.4.1.1.88.{n}" for n in (11, 22, 33))


def code(meaning, value="1"):
    one = Dataset()
    one.CodeValue, one.CodingSchemeDesignator, one.CodeMeaning = value, "99INVENTED", meaning
    return one


def item(kind, name=None, relation="CONTAINS", **values):
    one = Dataset()
    one.RelationshipType, one.ValueType = relation, kind
    if name:
        one.ConceptNameCodeSequence = [code(name)]
    for key, value in values.items():
        setattr(one, key, value)
    return one


def container(name, *items):
    return item("CONTAINER", name, ContentSequence=list(items))


def text(words, name="Finding"):
    return item("TEXT", name, TextValue=words)


def measured(name, value, unit):
    number = Dataset()
    number.NumericValue = value
    number.MeasurementUnitsCodeSequence = [code("unit", unit)]
    return item("NUM", name, MeasuredValueSequence=[number])


def document(*items, sop_class=BASIC, patient="p1", day="20240531"):
    """A whole file, with observation context and a private element that must not be read."""
    one = Dataset()
    one.file_meta = FileMetaDataset()
    one.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    one.SOPClassUID, one.SOPInstanceUID, one.StudyInstanceUID = sop_class, generate_uid(), "1.2.3"
    one.file_meta.MediaStorageSOPClassUID, one.file_meta.MediaStorageSOPInstanceUID = (
        sop_class,
        one.SOPInstanceUID,
    )
    one.PatientID, one.StudyDate, one.StudyTime, one.Modality = patient, day, "", "SR"
    one.ValueType = "CONTAINER"
    one.ConceptNameCodeSequence = [code("Diagnostic imaging report")]
    context = item("PNAME", "Person observer", "HAS OBS CONTEXT", PersonName="Invented^Reader")
    one.ContentSequence = [context, *items]
    block = one.private_block(0x0099, "INVENTED", create=True)
    block.add_new(0x01, "LO", "private words")
    return one


def sample(**more):
    return document(
        container("Findings", text("Small left pleural effusion."), text("No pneumothorax.")),
        container("Impression", text("Left effusion.", "Impression")),
        **more,
    )


def saved(path, one):
    one.save_as(path, enforce_file_format=True)
    return path
