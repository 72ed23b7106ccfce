"""Files changed at random: each is read, or refused in one sentence of ours."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType

from drills.outcome import Outcome
from overread.errors import OverreadError
from overread.formats import load
from overread.sources import side_by_side

ROWS = [
    {"id": str(n), "patient": str(n // 2), "day": n % 2, "report": f'FINDINGS: "Small" effusion, {n} mm; é.'}
    for n in range(12)
]
FORMATS = ("csv", "tsv", "jsonl", "json", "parquet", "txt", "xml")
NASTY = (b'"', b",", b"\n", b"\r", b"\0", b"{", b"[" * 3000, b"\\u", b"\xff\xfe", b"\xef\xbb\xbf", b"nan", b"1e999",
         b"\t", b"]", b"-", b"9" * 5000, b"<!ENTITY", b"&#0;", b"\\ud800")  # fmt: skip
SECONDS = 10


def sample(kind: str) -> bytes:
    if kind in ("csv", "tsv"):
        mark = "," if kind == "csv" else "\t"
        lines = [mark.join('"' + str(v).replace('"', '""') + '"' for v in row.values()) for row in ROWS]
        return "\n".join([mark.join(ROWS[0]), *lines, ""]).encode()
    if kind in ("jsonl", "json"):
        rows = [json.dumps(row) for row in ROWS]
        return ("\n".join(rows) if kind == "jsonl" else f"[{','.join(rows)}]").encode()
    if kind == "txt":
        return "\n".join(str(row["report"]) for row in ROWS).encode()
    if kind == "xml":
        return (
            b'<?xml version="1.0"?><r><uId id="1"/><AbstractText Label="FINDINGS">Clear.</AbstractText></r>'
        )
    return parquet()


def parquet() -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(ROWS), sink, write_page_checksum=True)
    return bytes(sink.getvalue().to_pybytes())


def changed(content: bytes, chance: random.Random) -> bytes:
    """One to four changes: bits, cuts, repeats, foreign bytes."""
    found = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(found) + 1)
        kind = chance.randrange(5)
        if kind == 0 and place < len(found):
            found[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del found[place : place + chance.randint(1, 40)]
        elif kind == 2:
            found[place:place] = chance.choice(NASTY)
        elif kind == 3:
            found[place:place] = found[: chance.randint(1, 60)]
        else:
            del found[place:]
    return bytes(found)


def read(path: Path) -> None:
    if path.suffix == ".txt":
        list(side_by_side([path])[0])
    else:
        list(load(path.parent if path.suffix == ".xml" else path))


def attempt(path: Path, content: bytes) -> str | None:
    path.write_bytes(content)
    signal.alarm(SECONDS)
    try:
        read(path)
    except OverreadError as error:
        return "more than one line" if "\n" in str(error) else None
    except BaseException as error:
        return f"{path.suffix}: {type(error).__name__}: {str(error)[:120]}"
    finally:
        signal.alarm(0)
    return None


def one_format(kind: str, times: int, folder: Path, seed: int) -> list[str]:
    """What went wrong; run in a process of its own, which a broken library may take down."""
    chance, content = random.Random(seed), sample(kind)
    (folder / kind).mkdir(parents=True, exist_ok=True)
    found = (attempt(folder / kind / f"1.{kind}", changed(content, chance)) for _ in range(times))
    return [trouble for trouble in found if trouble is not None]


def late(number: int, frame: FrameType | None) -> None:
    raise TimeoutError("no end")


def mutations(work: Path, times: int, kinds: tuple[str, ...] = FORMATS) -> Outcome:
    outcome = Outcome(f"files changed at random, {times:,} per format ({', '.join(kinds)})")
    for kind in kinds:
        words = [sys.executable, __file__, kind, str(times), str(work)]
        place = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
        done = subprocess.run(words, capture_output=True, text=True, check=False, env=place)
        lost = json.loads(done.stdout) if done.returncode == 0 else [f"{kind}: {done.stderr[-300:]}"]
        outcome.tried += times
        outcome.survived += times - len(lost)
        outcome.lost += lost
    return outcome


def main(kind: str, times: str, folder: str) -> None:
    signal.signal(signal.SIGALRM, late)
    print(json.dumps(one_format(kind, int(times), Path(folder), seed=5)))


if __name__ == "__main__":
    main(*sys.argv[1:])
