"""A million invented reports read end to end, memory noted all the while and drawn.

    python benchmarks/million.py /scratch/million --reports 1000000 --jobs 2
    python benchmarks/million.py /scratch/million --draw docs/scale-memory.svg    # the picture alone, from the notes

Killed, it goes on where it stopped when it is started again.
"""

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

import invented
import memory_drawing

OVERREAD = str(Path(sys.executable).with_name("overread"))


def tree(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += [p for child in (task / "children").read_text().split() for p in tree(int(child))]
    except OSError:
        pass
    return found


def megabytes(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 1e6
    except OSError:
        return 0.0


def watch(process: "subprocess.Popen[bytes]", out: Path, notes: Path) -> None:
    """A line every ten seconds: seconds, finished parts, megabytes of each process."""
    start = time.time()
    with notes.open("a") as file:
        while process.poll() is None:
            parts, sizes = len(list(out.glob("*.done"))), [megabytes(pid) for pid in tree(process.pid)]
            file.write(f"{time.time() - start:.0f},{parts},{','.join(f'{size:.0f}' for size in sizes)}\n")
            file.flush()
            time.sleep(10)


def noted(notes: Path) -> list[tuple[int, float]]:
    """Finished parts, and the median of the megabytes of all processes while there were so many."""
    rows = [line.split(",") for line in notes.read_text().splitlines() if line[:1].isdigit()]
    seen: dict[int, list[float]] = {}
    for row in rows:
        seen.setdefault(int(row[1]), []).append(sum(map(float, row[2:])))
    return [(parts, statistics.median(sizes)) for parts, sizes in sorted(seen.items())]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("place", type=Path)
    parser.add_argument("--reports", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--draw", type=Path, help="write the picture here and leave")
    asked = parser.parse_args()
    notes, out, reports = asked.place / "memory.csv", asked.place / "out", asked.place / "in"
    if asked.draw:
        rows = [one for one in noted(notes) if one[0] < 64]  # with the last part the processes end
        points = [(parts * (asked.reports // 64), size) for parts, size in rows]
        asked.draw.write_text(memory_drawing.picture(points, "reports read"))
        return
    if not (asked.place / "drawn").exists():
        invented.write(asked.reports, reports, 16, "parquet", pairs=False)
        (asked.place / "drawn").touch()
    command = [OVERREAD, "read", str(reports), "--shards", str(out), "-j", str(asked.jobs), "--resume"]
    process = subprocess.Popen(command)
    watch(process, out, notes)
    sys.exit(process.wait())


if __name__ == "__main__":
    main()
