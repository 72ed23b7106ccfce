"""Archives and backups of the review app, damaged or made to do harm: one sentence, or a study that opens."""

import json
import random
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 2**31, 2**63, 1e308, "", "x" * 5000, "\0", "<script>alert(1)</script>", "../../etc/passwd",
    "{{ 7*7 }}", "'; DROP TABLE people; --", [], {}, [[]], {"text": None}, [{"id": "r1"}], {"order": ["x"]}, "admin",
)  # fmt: skip
NAMES = ("study", "item", "person", "admin", "password", "text", "unknown", "__class__", "id")


def changed(content: bytes, chance: random.Random) -> bytes:
    """The archive with its bytes, its files or a few of its values changed."""
    kind = chance.randrange(5)
    if kind == 0:
        return damaged(content, chance)
    with ZipFile(BytesIO(content)) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    name = chance.choice(sorted(parts))
    if kind == 1:
        parts[name] = damaged(parts[name], chance)
    elif kind == 2 and chance.random() < 0.3:
        del parts[name]
    elif name == "manifest.json":
        parts[name] = json.dumps(spoilt(json.loads(parts[name]), chance)).encode()
    else:
        rows = [json.loads(line) for line in parts[name].splitlines()]
        rows = shaken(rows, chance) if rows else [chance.choice(VALUES)]
        parts[name] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
        if "manifest.json" in parts and chance.random() < 0.9:
            parts["manifest.json"] = recounted(parts["manifest.json"], name, len(rows))
    return packed(parts)


def packed(parts: dict[str, bytes]) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return out.getvalue()


def recounted(manifest: bytes, name: str, count: int) -> bytes:
    """An attacker counts as well."""
    found = json.loads(manifest)
    found["counts"][name.removesuffix(".jsonl")] = count
    return json.dumps(found).encode()


def damaged(content: bytes, chance: random.Random) -> bytes:
    found = bytearray(content)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(found) + 1)
        kind = chance.randrange(4)
        if kind == 0 and at < len(found):
            found[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del found[at:]
        elif kind == 2:
            del found[at : at + chance.randint(1, 50)]
        else:
            found[at:at] = chance.randbytes(chance.randint(1, 20))
    return bytes(found)


def shaken(rows: list[Any], chance: random.Random) -> list[Any]:
    kind = chance.randrange(6)
    at = chance.randrange(len(rows))
    if kind == 0:
        return rows[:at] + rows[at + 1 :]
    if kind == 1:
        return [*rows, rows[at]]
    rows[at] = spoilt(rows[at], chance)
    return rows


def spoilt(value: Any, chance: random.Random) -> Any:
    """One value in it is another, gone, or new."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(sorted(value))
        kind = chance.randrange(5)
        if kind == 0:
            return {k: v for k, v in value.items() if k != key}
        if kind == 1:
            return {**value, chance.choice(NAMES): chance.choice(VALUES)}
        return {**value, key: spoilt(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        return [*value[:at], spoilt(value[at], chance), *value[at + 1 :]]
    return chance.choice(VALUES)
