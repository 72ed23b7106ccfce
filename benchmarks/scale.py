"""Reports a second for each engine in one run: one process, two, shards, Ray, Spark; and how well two cores are used.

    python benchmarks/scale.py --reports 20000
    python benchmarks/scale.py --reports 20000 --engines local-1 local-2 ray spark

Reports are invented. Beside the wall clock of the whole command stands the processor time of it and its children, which
other work on the machine does not disturb: what two processes spend more than one is what working together costs.
(Ray and Spark leave processes of their own behind, whose time the system does not tell; theirs is the wall clock.)
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import invented

OVERREAD = str(Path(sys.executable).with_name("overread"))
OPTIONS = {
    "local-1": ("-j", "1"),
    "local-2": ("-j", "2"),
    "ray": ("-j", "2", "--engine", "ray"),
    "spark": ("-j", "2", "--engine", "spark"),
}


def run(name: str, reports: Path, out: Path, system: str) -> tuple[float, float]:
    """Wall clock and processor time of the command."""
    start, before = time.perf_counter(), spent()
    command = [OVERREAD, "read", str(reports), "--as", system, "--shards", str(out), "-q", *OPTIONS[name]]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start, spent() - before


def spent() -> float:
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reports", type=int, default=20_000)
    parser.add_argument("--as", dest="system", default="lunguage")
    parser.add_argument("--engines", nargs="*", default=list(OPTIONS))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        invented.write(asked.reports, place / "in", 4, "parquet", pairs=False)
        expected = None
        for engine in asked.engines:
            whole, processor = run(engine, place / "in", place / engine, asked.system)
            made = [p.read_bytes() for p in sorted((place / engine).glob("part-*.parquet"))]
            expected = expected or made
            same = "same bytes" if made == expected else "OTHER BYTES"
            rate = f"{asked.reports / whole:6.0f} reports/s"
            print(f"{engine:<8} {rate}, {whole:6.1f} s, processor {processor:6.1f} s, {same}", flush=True)


if __name__ == "__main__":
    main()
