"""Write constraints.txt: every package of the test environment at one version, with the hashes of its files.

    python tools/constraints.py > constraints.txt

pip resolves and says what it would install; nothing is installed. The file names no registry: packages come from
wherever pip is set up to look, and are the same bytes or are refused. Hashes already in the file are kept for packages
whose version stays, so that it can be made on several machines and hold the files of each.
"""

import json
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[1]
FILE = ROOT / "constraints.txt"
LINE = re.compile(r"(?m)^([\w.\-]+==\S+)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)")
HEAD = "# Made by tools/constraints.py; do not edit. pip install --require-hashes -r constraints.txt\n"


def resolved(report: Path | None) -> list[dict[str, object]]:
    """What pip would install for the tests, and to build the package."""
    if report is not None:
        return list(json.loads(report.read_text())["install"])
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--dry-run",
        "--ignore-installed",
        "--report",
        "-",
    ]
    told = subprocess.run(
        [*command, f"{ROOT}[test]", f"{ROOT}/packages/overread-review", "editables"],
        capture_output=True,
        check=True,
    ).stdout
    return list(json.loads(told)["install"])


def hash_of(one: dict[str, object]) -> str:
    """The SHA-256 of a package's file, as the index says, or worked out where the file is here."""
    info: dict[str, object] = one["download_info"]  # type: ignore[assignment]
    hashes = dict(dict(info.get("archive_info", {})).get("hashes", {}))  # type: ignore[call-overload]
    if "sha256" in hashes:
        return str(hashes["sha256"])
    place = urlsplit(str(info["url"]))
    assert place.scheme == "file", f"no hash is known of {place.path.rsplit('/', 1)[-1]}"
    return sha256(Path(unquote(place.path)).read_bytes()).hexdigest()


def known() -> dict[str, set[str]]:
    """Package at version → hashes, as the file has them now."""
    text = FILE.read_text() if FILE.exists() else ""
    return {pin: set(re.findall("[0-9a-f]{64}", hashes)) for pin, hashes in LINE.findall(text)}


def main() -> None:
    before = known()
    print(HEAD, end="")
    for one in sorted(resolved(Path(sys.argv[1]) if len(sys.argv) > 1 else None), key=name_of):
        if name_of(one) in ("overread", "overread-review"):
            continue
        pin = f"{name_of(one)}=={dict(one['metadata'])['version']}"  # type: ignore[call-overload]
        hashes = sorted(before.get(pin, set()) | {hash_of(one)})
        print(pin + "".join(f" \\\n    --hash=sha256:{found}" for found in hashes))


def name_of(one: dict[str, object]) -> str:
    return str(dict(one["metadata"])["name"]).lower().replace("_", "-")  # type: ignore[call-overload]


if __name__ == "__main__":
    main()
