"""Opening a page for whoever looks on."""

import os
import sys


def show(address: str) -> None:
    """Open it in a browser where there is a screen."""
    if somebody_is_looking():
        import webbrowser

        webbrowser.open(address)


def somebody_is_looking() -> bool:
    """A person at a terminal with a screen; not a script, not a build machine."""
    if os.environ.get("CI") or not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
