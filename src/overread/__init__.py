"""overread: a second reader for radiology reports."""
