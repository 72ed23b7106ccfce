"""Reports like those of a chest-film archive, drawn with a seed from sentences of our own; no data set is touched.

python benchmarks/invented.py 1000000 reports/ --files 16          # Parquet files of reports
python benchmarks/invented.py 20000 pairs/ --pairs --kind jsonl    # pairs: reference and candidate
"""

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

SIDES = ("left", "right", "bilateral")
SIZES = ("small", "moderate", "large", "trace", "mild", "subtle")
ZONES = ("upper lobe", "lower lobe", "base", "mid lung", "apex", "perihilar region", "costophrenic angle")
FINDINGS = (
    "pleural effusion", "pneumothorax", "consolidation", "atelectasis", "airspace opacity", "interstitial edema",
    "nodule", "scarring", "calcified granuloma", "pleural thickening", "infiltrate", "bronchial wall thickening",
)  # fmt: skip
CHANGES = (
    "unchanged from the prior study",
    "new since the prior study",
    "improved",
    "slightly increased",
    "stable",
)
DEVICES = (
    "endotracheal tube",
    "right internal jugular catheter",
    "pacemaker",
    "nasogastric tube",
    "sternal wires",
)
BONES = ("thoracic spine", "right clavicle", "left seventh rib", "visualized spine", "right humerus")
NORMAL = (
    "The lungs are clear.", "The heart is normal in size.", "The cardiomediastinal silhouette is of ordinary size.",
    "No pleural effusion or pneumothorax is seen.", "No focal consolidation.", "The pulmonary vasculature is normal.",
    "Bony structures are intact.", "Hilar contours are unremarkable.", "No acute osseous abnormality.",
)  # fmt: skip
CAUSES = (
    "Cough.",
    "Fever and shortness of breath.",
    "Chest pain.",
    "Before surgery.",
    "Follow-up.",
    "Trauma.",
)


def sentence(draw: random.Random) -> str:
    side, size, zone, what = (draw.choice(one) for one in (SIDES, SIZES, ZONES, FINDINGS))
    return draw.choice(
        (
            f"There is a {size} {side} {what}.",
            f"{size.capitalize()} {what} in the {side} {zone}, {draw.choice(CHANGES)}.",
            f"No {what} in the {side} {zone}.",
            f"The {draw.choice(DEVICES)} is {draw.choice(CHANGES)}.",
            f"Degenerative changes of the {draw.choice(BONES)}.",
            f"Possible {what} at the {side} {zone}, {draw.randint(3, 38)} mm.",
            f"{size.capitalize()} {side} {zone} {what} may represent pneumonia.",
            draw.choice(NORMAL),
            draw.choice(NORMAL),
            draw.choice(NORMAL),
        )
    )


def report(draw: random.Random) -> str:
    said = [sentence(draw) for _ in range(draw.randint(3, 8))]
    end = draw.choice(
        ("No acute cardiopulmonary abnormality.", said[0], f"{said[-1]} Clinical correlation advised.")
    )
    return f"INDICATION: {draw.choice(CAUSES)}\n\nFINDINGS: {' '.join(said)}\n\nIMPRESSION: {end}"


def rewritten(text: str, draw: random.Random) -> str:
    """What another reader might write: a sentence left out, one more, sides swapped now and then."""
    kept = [one for one in text.split(". ") if draw.random() > 0.15]
    mixed = ". ".join(kept) + ("" if draw.random() < 0.5 else " " + sentence(draw))
    return mixed.replace("left", "right") if draw.random() < 0.1 else mixed


def rows(count: int, seed: int, pairs: bool) -> Iterator[dict[str, str]]:
    draw = random.Random(seed)
    for n in range(count):
        text = report(draw)
        yield {"id": f"r{n:08}", "reference": text, "candidate": rewritten(text, draw)} if pairs else {
            "id": f"r{n:08}", "text": text,
        }  # fmt: skip


def write(count: int, place: Path, files: int, kind: str, pairs: bool, seed: int = 0) -> None:
    place.mkdir(parents=True, exist_ok=True)
    drawn = rows(count, seed, pairs)
    for n in range(files):
        size = count // files + (n < count % files)
        path = place / f"reports-{n:04}.{kind}"
        if kind == "jsonl":
            with path.open("w", encoding="utf-8") as file:
                for _ in range(size):
                    file.write(json.dumps(next(drawn)) + "\n")
        else:
            write_parquet(path, drawn, size)


def write_parquet(path: Path, drawn: Iterator[dict[str, str]], size: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    writer = None
    for start in range(0, size, 10_000):
        table = pa.Table.from_pylist([next(drawn) for _ in range(min(10_000, size - start))])
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer:
        writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("count", type=int)
    parser.add_argument("place", type=Path)
    parser.add_argument("--files", type=int, default=1)
    parser.add_argument("--kind", choices=("parquet", "jsonl"), default="parquet")
    parser.add_argument("--pairs", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    write(asked.count, asked.place, asked.files, asked.kind, asked.pairs, asked.seed)


if __name__ == "__main__":
    main()
