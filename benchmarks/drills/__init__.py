"""Drills: one file per kind of fault."""
