"""One reading of a report, by rules."""

from overread.reader.read import read
from overread.reader.reading import Attribute, Evidence, Finding, Outline, Reading, SentenceReading

__all__ = ["Attribute", "Evidence", "Finding", "Outline", "Reading", "SentenceReading", "read"]
