"""Draw docs/leaderboard.md and the table of docs/which-metric.md from the submissions under bench/results/.

    python docs/make_leaderboard.py

The figures come from `overread bench`; nothing is measured here.
"""

from pathlib import Path

from overread.bench.tables import comparable, leaderboard, ranking, submissions

DOCS = Path(__file__).parent
RESULTS = DOCS.parent / "bench" / "results"
PAGE, TABLE = DOCS / "leaderboard.md", DOCS / "which-metric.md"
START, END = "<!-- made by docs/make_leaderboard.py -->", "<!-- end of the bench -->"


def with_table(text: str) -> str:
    """The page with the table of all metrics that ship with overread."""
    own = [one for one in comparable(list(submissions(RESULTS))) if not one.url]
    before, after = text.split(START)[0], text.split(END)[1]
    return f"{before}{START}\n{ranking(own)}\n{END}{after}"


def main() -> None:
    PAGE.write_text(leaderboard(RESULTS), "utf-8")
    TABLE.write_text(with_table(TABLE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
