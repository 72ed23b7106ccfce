"""The settings string that stands beside every score."""

from overread.version import __version__


def signature(name: str, **settings: str) -> str:
    """Name, settings in the order given, version.

    >>> signature("radsem", by="rules", lexicon="9c1e").startswith("radsem|by:rules|lexicon:9c1e|version:")
    True
    """
    return "|".join([name, *(f"{k}:{v}" for k, v in settings.items()), f"version:{__version__}"])
