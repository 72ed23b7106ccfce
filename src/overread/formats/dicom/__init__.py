"""DICOM structured reports: Basic Text, Enhanced and Comprehensive SR are read, TID 1500 is written."""

from overread.formats.dicom.reader import read
from overread.formats.dicom.writer import write

__all__ = ["read", "write"]
