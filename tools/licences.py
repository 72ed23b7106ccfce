"""Print the licence of every package that overread needs, as installed here; exit 1 where one is not known to be free.

python tools/licences.py            # the base install
python tools/licences.py test       # with an extra
"""

import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution

FREE = tuple(
    "MIT BSD Apache ISC MPL Mozilla PSF Python-2.0 Unlicense LGPL 0BSD Zlib HPND CC0 Software-Foundation".split()
)
NAME = re.compile(r"[A-Za-z0-9][\w.\-]*")


def licence(found: Distribution) -> str:
    """The licence as the package states it: expression, classifiers, or the first line of the field."""
    about = found.metadata
    if about.get("License-Expression"):
        return str(about["License-Expression"])
    classified = [
        c.rsplit(" :: ", 1)[-1] for c in about.get_all("Classifier") or () if c.startswith("License")
    ]
    if classified:
        return ", ".join(classified)
    return (about.get("License") or "not stated").strip().splitlines()[0][:80]


def needed(name: str, extra: str, seen: dict[str, Distribution]) -> dict[str, Distribution]:
    """The package and everything below it that is installed."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return seen
    key = found.metadata["Name"].lower()
    if key in seen:
        return seen
    seen[key] = found
    for line in found.requires or ():
        wanted, _, marker = line.partition(";")
        if "extra" not in marker or f"'{extra}'" in marker.replace('"', "'"):
            match = NAME.match(wanted)
            assert match is not None
            needed(match[0], "", seen)
    return seen


def main() -> None:
    found = needed("overread", sys.argv[1] if len(sys.argv) > 1 else "", {})
    odd = []
    for name, one in sorted(found.items()):
        told = licence(one)
        print(f"{name:<28} {one.version:<12} {told}")
        if not any(word.lower() in told.lower() for word in FREE):
            odd.append(name)
    if odd:
        sys.exit(f"Look at the licence of: {', '.join(odd)}.")


if __name__ == "__main__":
    main()
