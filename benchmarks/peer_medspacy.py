"""Runs in the peer's own environment: medspaCy's target matcher and ConText over the texts on standard input.

Prints the processor seconds for the texts alone. Called by `reading.py`; nothing of ours is imported.
"""

import json
import sys
from time import process_time

import medspacy
from medspacy.ner import TargetRule


def main() -> None:
    job = json.load(sys.stdin)
    nlp = medspacy.load(enable=["medspacy_pyrush", "medspacy_target_matcher", "medspacy_context"])
    nlp.get_pipe("medspacy_target_matcher").add([TargetRule(term, "FINDING") for term in job["terms"]])
    for text in job["texts"][:10]:
        nlp(text)
    start = process_time()
    found = sum(len(nlp(text).ents) for text in job["texts"])
    seconds = process_time() - start
    print(f"{found} entities", file=sys.stderr)
    print(seconds)


if __name__ == "__main__":
    main()
