"""What an error ledger costs beyond the reading of the two reports: milliseconds a pair, by part.

    .venv/bin/python benchmarks/ledger.py [--rounds 5] [--judge]

On the bundled example, three systems against the references. `claims` is a reading made into claims (of both reports),
`matching` finds which claim answers which, `ledger` is every agreement and error booked, matching included.
"""

import argparse
from time import process_time

from overread import examples
from overread.formats import load
from overread.judge import use
from overread.reader import read
from overread.systems.ledger.bookkeeper import ledger
from overread.systems.ledger.by_rules import view
from overread.systems.ledger.matching import match
from overread.systems.ledger.weights import weights


def pairs():
    """Fresh readings of every pair, with everything read that a view asks for."""
    with examples.folder() as folder:
        references = {r.id: r for r in load(folder / examples.REFERENCES)}
        for name in examples.SYSTEMS:
            for candidate in load(folder / f"{name}.jsonl"):
                if candidate.id in references:
                    yield read(references[candidate.id]), read(candidate)


def milliseconds(work, items):
    start = process_time()
    made = [work(*item) for item in items]
    return 1000 * (process_time() - start) / len(items), made


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--judge", action="store_true", help="with the judge of meaning; by rules alone without"
    )
    asked = parser.parse_args()
    if not asked.judge:
        use(False)
    own = weights()
    best = {}
    for _ in range(asked.rounds):
        made = list(pairs())
        for one, two in made:
            _ = one.findings, two.findings
        spent = {}
        spent["claims"], accounts = milliseconds(lambda one, two: (view(one), view(two)), made)
        spent["matching"], _ = milliseconds(
            lambda one, two: match(one, two, one.context, own, None), accounts
        )
        spent["ledger"], _ = milliseconds(lambda one, two: ledger(one, two, own), accounts)
        best = {part: min(ms, best.get(part, ms)) for part, ms in spent.items()}
    told = {**best, "beyond matching": best["claims"] + best["ledger"] - best["matching"]}
    print(f"{len(made)} pairs, best of {asked.rounds} rounds, milliseconds a pair")
    for part, ms in told.items():
        print(f"{part:16} {ms:6.2f}")


if __name__ == "__main__":
    main()
