"""A caller's own type checker knows what comes back."""

import subprocess
import sys

import pytest

pytest.importorskip("mypy", reason="mypy is not installed")

CALLS = """
import overread

total: float = sum(overread.rewards(["a"], ["b"]))
some: list[float | None] = overread.rewards(["a"], ["b"], undefined=None)
entity: str = overread.read("No edema.").view("lunguage").findings[0].entity
presence: str = overread.read("No edema.").view("clear").conditions["Edema"].presence
reveal_type(overread.read("x").view("radsem"))
"""


def test_rewards_and_views_are_typed(tmp_path, pytestconfig):
    kept = pytestconfig.cache.mkdir("mypy")  # what it found of numpy and the package the last time
    (tmp_path / "calls.py").write_text(CALLS)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", kept, "calls.py"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert 'Revealed type is "overread.systems.radsem.schema.Atoms"' in done.stdout


def test_the_package_is_a_command():
    done = subprocess.run([sys.executable, "-m", "overread", "--version"], capture_output=True, text=True)
    assert done.stdout.startswith("overread ")
