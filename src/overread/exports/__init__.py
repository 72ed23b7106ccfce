"""Readings and views in the formats of hospitals and annotation tools; their loaders are in `sources`."""
