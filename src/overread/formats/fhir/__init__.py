"""FHIR R4: reports of a Bundle, an NDJSON bulk export or a single file, and what was found in them."""

from overread.formats.fhir.reader import Export
from overread.formats.fhir.writer import write

read = Export

__all__ = ["read", "write"]
