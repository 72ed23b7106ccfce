"""DICOM structured reports: Basic Text, Enhanced and Comprehensive SR are read, TID 1500 is written."""

from overread.formats.dicom.reader import read
from overread.formats.dicom.writer import write

LAYOUT = "DICOM SR"

__all__ = ["LAYOUT", "read", "write"]
