"""The licence of every package that overread needs, as installed here, and of the weights that ship.

python tools/licences.py            # print them; exit 1 where one is not known to be free
python tools/licences.py --write    # docs/licences.md
"""

import re
import sys
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]
WEIGHTS = ROOT / "src" / "overread" / "network" / "model"
PAGE = ROOT / "docs" / "licences.md"

FREE = tuple("MIT BSD Apache PSFL ISC MPL Mozilla PSF Python-2.0 Unlicense LGPL 0BSD Zlib HPND CC0".split())
STATES_NONE = {"pycocoevalcap": "not stated by the package; a test compares with it, nothing ships it"}
NAME = re.compile(r"[A-Za-z0-9][\w.\-]*")


def licence(found: Distribution) -> str:
    """The licence as the package states it: expression, classifiers, or the first line of the field."""
    about = found.metadata
    if about["Name"] in STATES_NONE:
        return STATES_NONE[about["Name"]]
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


def rows() -> list[tuple[str, str, str, str]]:
    """Package, version, what needs it, licence: of the base install first, then of every extra."""
    extras = sorted(distribution("overread").metadata.get_all("Provides-Extra") or ())
    found: dict[str, tuple[Distribution, list[str]]] = {}
    for extra in ("", *extras):
        for name, one in needed("overread", extra, {}).items():
            if name not in ("overread", "overread-review"):
                found.setdefault(name, (one, []))[1].append(extra or "base")
    told = (
        (n, one.version, "base" if "base" in who else ", ".join(who), licence(one))
        for n, (one, who) in found.items()
    )
    return sorted(told, key=lambda row: (row[2] != "base", row[0]))


def weights() -> list[tuple[str, str]]:
    """Every file of weights that ships, and its SHA-256."""
    return [
        (one.relative_to(ROOT).as_posix(), sha256(one.read_bytes()).hexdigest())
        for one in sorted(WEIGHTS.iterdir())
    ]


def page() -> str:
    lines = [
        "# Licences",
        "",
        "Written by `make licences` from what the packages say of themselves; versions are those it was written with.",
        "overread itself, its lexicon, its corpus and its training data: Apache-2.0 (`LICENSE`).",
        "",
        "## Weights",
        "Trained for this project and under its licence, Apache-2.0. The encoder began as MiniLM-L6 (all-MiniLM-L6-v2,",
        "Apache-2.0; the model it was distilled from, MIT); its vocabulary is BERT's (Apache-2.0).",
        "",
        "| file | SHA-256 |",
        "|---|---|",
        *(f"| `{name}` | `{digest}` |" for name, digest in weights()),
        "",
        "## Packages",
        "`base` is what `pip install overread` brings; the others come with the extras named.",
        "",
        "| package | version | needed by | licence |",
        "|---|---|---|---|",
        *(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows()),
    ]
    return "\n".join(lines) + "\n"


def free(told: str) -> bool:
    return any(word.lower() in told.lower() for word in (*FREE, "Software Foundation"))


def main() -> None:
    if "--write" in sys.argv:
        PAGE.write_text(page(), "utf-8")
    found = rows()
    for name, version, who, told in found:
        if "--write" not in sys.argv:
            print(f"{name:<28} {version:<14} {told:<60} {who}")
    odd = [name for name, _, _, told in found if name not in STATES_NONE and not free(told)]
    if odd:
        sys.exit(f"Look at the licence of: {', '.join(odd)}.")


if __name__ == "__main__":
    main()
