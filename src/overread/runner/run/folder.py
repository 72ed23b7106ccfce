"""The folder a run leaves behind: its files, the manifest that vouches for them, and how they are read again.

One run at a time is in it, by a lock that ends with the process that holds it."""

import os
import platform
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from socket import gethostname
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from overread.errors import BadInput
from overread.runner.results.rows import Row, read_rows
from overread.runner.results.summary import Draws, Summary
from overread.runner.run.scorer import Detail
from overread.runner.settings import Settings
from overread.signature import data_hash
from overread.sources import Source
from overread.version import __version__
from overread.whole import write_whole, writing


@cache
def code_hash() -> str:
    """Of this package's own code and data: whoever changes a rule must not be shown what the old one gave."""
    digest = sha256()
    for file in sorted(Path(__file__).parents[2].rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest() + data_hash()


def hashed(path: Path) -> str:
    """SHA-256 of a file, as `sha256sum` prints it; of a folder's names and contents together."""
    digest = sha256()
    folder = path.is_dir()
    for file in sorted(p for p in path.rglob("*") if p.is_file()) if folder else (path,):
        if folder:
            digest.update(file.relative_to(path).as_posix().encode() + b"\0")
        with file.open("rb") as opened:
            while block := opened.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


MANIFEST = "manifest.json"


class Input(Struct, frozen=True, forbid_unknown_fields=True):
    """One file or folder of reports."""

    role: str
    """`reference`, or the name of the system."""

    path: str
    understood: str
    """Layout and columns, as printed when it was read."""

    sha256: str
    """Of the file; of all names and contents for a folder; of the reports for data in memory."""


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """Enough to say whether two runs may be compared, and to do one again."""

    overread: str
    python: str
    inputs: tuple[Input, ...]
    recipe: Settings
    draws: Draws
    signatures: dict[str, str]
    fingerprint: str
    """Changes with anything that could change a row of the results."""

    explained: int = 0
    """How many pairs the page can explain."""

    outputs: dict[str, str] = {}
    """File → SHA-256, for the files that the same inputs must give again byte for byte."""

    created: str = ""
    seconds: float = 0.0
    seal: str = ""
    """SHA-256 of all the above: an edited manifest is no witness."""


def draft(
    inputs: Mapping[str, Source], recipe: Settings, draws: Draws, signatures: Mapping[str, str], explain: int
) -> Manifest:
    """The manifest of a run that is about to start."""
    found = tuple(
        Input(role, source.table.path, source.table.describe(), content_hash(source))
        for role, source in inputs.items()
    )
    own = hashed(Path(recipe.lexicon)) if recipe.lexicon else ""
    read = [(i.role, i.understood, i.sha256) for i in found]
    facts = [read, recipe, own, dict(signatures), explain, code_hash()]
    fingerprint = sha256(msgspec.json.encode(facts)).hexdigest()
    return Manifest(
        __version__, platform.python_version(), found, recipe, draws, dict(signatures), fingerprint, explain
    )


def content_hash(source: Source) -> str:
    """Of the file or folder behind a source; of the reports themselves where they come from memory."""
    path = Path(source.table.path)
    if path.exists():
        return hashed(path)
    digest = sha256()
    for report in source:
        digest.update(msgspec.msgpack.encode((report.id, report.text, report.patient, report.day)))
    return digest.hexdigest()


def sealed(found: Manifest) -> Manifest:
    bare = replace(found, seal="")
    return replace(bare, seal=sha256(msgspec.json.encode(bare)).hexdigest())


class Changed(BadInput):
    """A finished run that is not as it was left."""


AS_LEFT = (
    "{} is not as the run left it: it was edited, damaged or copied in part. Restore it, or score again "
    "with --restart."
)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a finished run, which must be as the run left it."""
    found: Manifest = read_json(folder / MANIFEST, Manifest)
    if found != sealed(found):
        raise Changed(AS_LEFT.format(folder / MANIFEST))
    return found


def read_json(path: Path, kind: type[Any]) -> Any:
    """A file of a finished run."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        raise BadInput(f"There is no {path}; give a folder that `overread score` has finished.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{path} was not written by this version of overread ({error}); score again to get a new one."
        ) from None


def write_json(path: Path, value: Any) -> None:
    """A readable file that appears under its name only when it is whole."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")


RESULTS, SUMMARY, DETAILS, PAGE = "results.jsonl", "summary.json", "details.jsonl", "report.html"
OUTPUTS = (RESULTS, SUMMARY, DETAILS)
JOURNAL = "unfinished.jsonl"


class Results:
    """A finished run, read from its folder piece by piece."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.manifest: Manifest = read_manifest(place)
        for name, digest in self.manifest.outputs.items():
            path = place / name
            if not path.exists():
                raise Changed(f"There is no {path}; the folder is not whole. Score again with --restart.")
            if hashed(path) != digest:
                raise Changed(AS_LEFT.format(path))
        self.summary: Summary = read_json(place / SUMMARY, Summary)

    def rows(self) -> Iterator[Row]:
        return read_rows(self.place / RESULTS)

    def details(self) -> Iterator[Detail]:
        return (msgspec.json.decode(line, type=Detail) for line in detail_lines(self.place))


def detail_lines(place: Path) -> Iterator[bytes]:
    """Of every explained unit one, which decodes as a `Detail`."""
    with (place / DETAILS).open("rb") as file:
        yield from file


def summary_of_finished(place: Path, plan: Manifest) -> Summary | None:
    """The summary of a finished run with the same inputs and settings; None where there is none, or not whole.

    A finished run of anything else is never written over: it is an error that says how to go on.
    """
    if not (place / MANIFEST).exists():
        if (place / RESULTS).exists() and not (place / JOURNAL).exists():
            raise BadInput(
                f"{place} holds {RESULTS} without a manifest. It is not written over: choose another folder with -o, "
                "or drop what is there with --restart."
            )
        return None
    before = read_manifest(place)
    if (before.fingerprint, before.draws) == (plan.fingerprint, plan.draws):
        with suppress(Changed):
            return Results(place).summary
        return None
    raise BadInput(
        f"{place} holds a finished run {how_plans_differ(before, plan)}. It is not written over: choose another folder "
        "with -o, or discard it with --restart."
    )


def how_plans_differ(before: Manifest, plan: Manifest) -> str:
    """In what another run differs from the one asked for, in words."""
    if before.overread != plan.overread:
        return f"of another version ({before.overread})"
    if [(i.role, i.sha256) for i in before.inputs] != [(i.role, i.sha256) for i in plan.inputs]:
        return "of other inputs"
    if before.recipe.metrics != plan.recipe.metrics:
        return f"with other metrics ({', '.join(before.recipe.metrics)})"
    return "with other settings, or from before this program was changed"


LOCK = "run.lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder; another run that holds it is named.

    The system lets go of the lock when its process ends, however it ends: what a dead one left is taken over.
    """
    path = folder / LOCK
    with writing(folder):
        handle = acquire(path)
    since = datetime.now().astimezone().isoformat(" ", "seconds")
    try:
        with writing(folder):
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()} {gethostname()} {since}".encode())
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def acquire(path: Path) -> int:
    """The lock file, open and held."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if not take(handle):
            holder = holder_told(os.read(handle, 4096).decode())
            os.close(handle)
            raise BadInput(
                f"{path.parent} is in use by another run ({holder}). Wait for it, or choose another folder "
                "with -o."
            )
        if still_there(path, handle):
            return handle
        os.close(handle)  # whoever held it has just finished and removed it: make a new one


def holder_told(written: str) -> str:
    """Who works in the folder, as the lock says."""
    pid, _, rest = written.partition(" ")
    host, _, since = rest.partition(" ")
    where = "" if host == gethostname() else f" on {host}"
    return f"process {pid}{where}, since {since}" if since else "it has just begun"


def still_there(path: Path, handle: int) -> bool:
    try:
        return path.stat().st_ino == os.fstat(handle).st_ino
    except FileNotFoundError:
        return False


def take(handle: int) -> bool:
    """Lock an open file for this process; False when another has it."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
