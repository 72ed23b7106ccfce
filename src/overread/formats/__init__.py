"""Formats of hospitals and annotation tools: one file or folder a format, each with `read` and `write`."""

from overread.formats.registry import load

__all__ = ["load"]
