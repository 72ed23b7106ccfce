"""One reading of a report: what the network hears in it, as findings that quote their words."""

from overread.reader.read import read
from overread.reader.reading import Attribute, Evidence, Finding, Reading, SentenceReading

__all__ = ["Attribute", "Evidence", "Finding", "Reading", "SentenceReading", "read"]
