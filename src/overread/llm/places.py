"""Where a user's settings and cached answers live on this machine."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def config_file(env: Mapping[str, str] = os.environ) -> Path:
    """`OVERREAD_CONFIG`, or `overread/config.toml` in the user's configuration folder.

    >>> config_file({"OVERREAD_CONFIG": "/etc/overread.toml"}).as_posix()
    '/etc/overread.toml'
    """
    named = env.get("OVERREAD_CONFIG")
    return Path(named).expanduser() if named else _base(env, "config") / "config.toml"


def cache_file(env: Mapping[str, str] = os.environ) -> Path:
    """`overread/answers.sqlite` in the user's cache folder."""
    return _base(env, "cache") / "answers.sqlite"


def _base(env: Mapping[str, str], kind: str) -> Path:
    """The folder each platform reserves for a user's `kind` ("config" or "cache") files."""
    if sys.platform == "win32":
        named = env.get("APPDATA" if kind == "config" else "LOCALAPPDATA")
        return Path(named or Path.home() / "AppData") / "overread"
    if sys.platform == "darwin":
        return (
            Path.home() / "Library" / ("Application Support" if kind == "config" else "Caches") / "overread"
        )
    named = env.get(f"XDG_{kind.upper()}_HOME")
    return Path(named or Path.home() / f".{kind}") / "overread"
