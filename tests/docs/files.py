"""Small invented files under the names that the pages use."""

import csv
import json
from pathlib import Path

from overread.systems.clear.schema import CONDITIONS

ENVIRONMENT = {"SLURM_ARRAY_TASK_ID": "1", "SLURM_CPUS_PER_TASK": "1"}
REPORTS = [
    ("r1", "p1", 0, "FINDINGS: Small left pleural effusion. The heart is enlarged. Mild edema. No pneumothorax."),
    ("r2", "p1", 3, "FINDINGS: The left pleural effusion has increased. Cardiomegaly. Lung nodule. Normal spleen."),
    ("r3", "p2", 0, "FINDINGS: The lungs are clear. Heart size is normal. IMPRESSION: No acute disease."),
]  # fmt: skip
OURS = {
    "r1": "FINDINGS: Small left effusion. Cardiomegaly. Mild edema. No pneumothorax.",
    "r2": "FINDINGS: The left effusion is larger. The heart is enlarged. Right upper lobe nodule.",
    "r3": "FINDINGS: Clear lungs. Normal heart. IMPRESSION: No acute disease.",
}
THEIRS = {
    "r1": "FINDINGS: Small right effusion. Normal heart. Small pneumothorax.",
    "r2": "FINDINGS: The left pleural effusion has decreased. The heart is normal.",
    "r3": "FINDINGS: The lungs are clear. Heart size is normal.",
}
TRIPLET = {
    "id": "1",
    "original": "No effusion.",
    "synonymous": "Effusion is absent.",
    "antonymous": "Effusion.",
}
GOLD = {
    "id": "r2",
    "text": "FINDINGS: The left effusion has increased.",
    "atoms": [{"text": "Left pleura has effusion.", "normality": "abnormal"}],
    "structured": {"findings": {"Pleura": ["Left effusion"]}},
    "sentences": [
        {
            "text": "The left effusion has increased.",
            "longitudinal": True,
            "items": [{"disease": "pleural effusion", "progression": "worsened"}],
        }
    ],
}


def write(place: Path) -> None:
    ours, theirs = (
        [{"id": id, "report": text, "generated": text} for id, text in side.items()]
        for side in (OURS, THEIRS)
    )
    full = [{"id": id, "patient": p, "day": day, "report": text} for id, p, day, text in REPORTS]
    for name in ("references", "reports", "corpus"):
        table(place / name, full)
    for name in ("ours", "system_a", "candidate"):
        table(place / name, ours)
    for name in ("theirs", "system_b"):
        table(place / name, theirs)
    folders(place, full, ours)
    notation(place)
    people(place)
    lines(place / "triplets.jsonl", [TRIPLET])
    lines(place / "gold.jsonl", [GOLD])
    (place / "report.txt").write_text("FINDINGS: Small left effusion.\n", "utf-8")
    (place / "structured.txt").write_text("Findings:\n\nPleura:\nSmall effusion compared to prior\n", "utf-8")


def people(place: Path) -> None:
    """What experts said."""
    named = {id: "effusion" in text for id, _, _, text in REPORTS}
    found = [
        {"study_id": id, **{c: int(has and c == "Pleural Effusion") for c in CONDITIONS}}
        for id, has in named.items()
    ]
    write_csv(place / "experts.csv", found)
    rating = {"study_id": "r2", "condition": "Pleural Effusion", "attribute": "change", "rating": 1}
    write_csv(place / "ratings.csv", [rating])
    counts = [
        {"truth": text, "output": side[id], "omissions": n, "additions": m, "reader": reader}
        for reader in ("a", "b")
        for n, (id, _, _, text) in enumerate(REPORTS)
        for m, side in enumerate((OURS, THEIRS))
    ]
    write_csv(place / "own.csv", counts)


def folders(place: Path, full: list[dict[str, object]], ours: list[dict[str, str]]) -> None:
    """Files of shards."""
    for name in ("reports", "references", "pairs", "ours"):
        (place / name).mkdir()
    for name in ("reports", "references"):
        lines(place / name / "0001.jsonl", full)
    lines(place / "ours" / "0001.jsonl", ours)
    pairs = [{"id": id, "reference": text, "candidate": OURS[id]} for id, _, _, text in REPORTS]
    lines(place / "pairs" / "0001.jsonl", pairs)


def notation(place: Path) -> None:
    """A corpus of one report, annotated twice."""
    text = "# n1\nF Small effusion on the left.\n- effusion + ; loc=left ; sev=Small\n"
    for name in ("test", "blind/first", "blind/second"):
        (place / "corpus" / name).mkdir(parents=True)
        (place / "corpus" / name / "n.txt").write_text(
            text.replace(" ; loc=left" if name.endswith("second") else "", ""), "utf-8"
        )


def table(stem: Path, rows: list[dict[str, object]]) -> None:
    lines(stem.with_suffix(".jsonl"), rows)
    write_csv(stem.with_suffix(".csv"), rows)


def write_csv(path: Path, rows: list[dict[str, object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def lines(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
