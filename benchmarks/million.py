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

OVERREAD = str(Path(sys.executable).with_name("overread"))
WIDE, HIGH, LEFT, LOW = 640, 240, 52, 34


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


def picture(rows: list[tuple[int, float]], reports_a_part: int) -> str:
    """Memory over reports read, as SVG."""
    last, top = max(parts for parts, _ in rows), 1.25 * max(size for _, size in rows)
    x = [LEFT + (WIDE - LEFT - 24) * parts / max(1, last) for parts, _ in rows]
    points = " ".join(
        f"{a:.1f},{HIGH - LOW - (HIGH - LOW - 16) * size / top:.1f}"
        for a, (_, size) in zip(x, rows, strict=True)
    )
    marks = [(n, rows[n]) for n in range(0, len(rows), max(1, len(rows) // 8))]
    labels = "".join(
        f'<text x="{x[n]:.0f}" y="{HIGH - 12}" text-anchor="middle">{parts * reports_a_part // 1000}k</text>'
        for n, (parts, _) in marks
    )
    scale = "".join(
        f'<text x="{LEFT - 6}" y="{HIGH - LOW - (HIGH - LOW - 16) * f + 4:.0f}" text-anchor="end">{top * f:.0f}</text>'
        f'<path d="M{LEFT} {HIGH - LOW - (HIGH - LOW - 16) * f:.0f}H{WIDE - 12}" stroke="#ddd"/>'
        for f in (0, 0.25, 0.5, 0.75, 1)
    )
    title = f"Megabytes of all processes while {last * reports_a_part:,} reports were read"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="11" '
        f'role="img" aria-label="{title}"><title>{title}</title><rect width="{WIDE}" height="{HIGH}" fill="#fff"/>'
        f'{scale}{labels}<polyline points="{points}" fill="none" stroke="#1f6f8b" stroke-width="2"/>'
        f'<text x="{LEFT}" y="12">MB, all processes</text><text x="{WIDE - 12}" y="{HIGH - 1}" text-anchor="end">'
        "reports read</text></svg>\n"
    )


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
        asked.draw.write_text(picture(rows, asked.reports // 64))
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
