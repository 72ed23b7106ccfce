"""What is installed is what was tested: bounds on both sides, pins with hashes, no registry named."""

import re
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from overread.version import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PIN = re.compile(r"^([a-z0-9.\-]+)==(\S+) \\$")


def test_base_dependencies_have_both_bounds():
    for line in PROJECT["dependencies"]:
        assert re.fullmatch(r"[a-z0-9\-]+>=[\d.]+,<\d+(\.\d+)*", line), line


def test_every_pin_has_a_hash_and_no_host_is_named():
    text = (ROOT / "constraints.txt").read_text()
    pins = [found for line in text.splitlines() if (found := PIN.match(line))]
    assert len(pins) > 40
    assert "://" not in text
    assert "index-url" not in text
    blocks = re.split(r"(?m)^(?=[a-z0-9.\-]+==)", text)[1:]
    assert len(blocks) == len(pins)
    assert all("--hash=sha256:" in block for block in blocks)


def test_the_pins_cover_the_base_dependencies():
    names = {
        found[1] for line in (ROOT / "constraints.txt").read_text().splitlines() if (found := PIN.match(line))
    }
    assert {re.split(r"[>=<]", line)[0] for line in PROJECT["dependencies"]} <= names


def test_licences_are_known_and_free():
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "licences.py")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "msgspec" in done.stdout


def test_the_page_of_licences_names_every_base_package_and_the_weights_that_ship():
    page = (ROOT / "docs" / "licences.md").read_text()
    for line in PROJECT["dependencies"]:
        assert f"| {re.split('[>=<]', line)[0]} |" in page, "make licences"
    for file in (ROOT / "src" / "overread" / "network" / "model").iterdir():
        assert sha256(file.read_bytes()).hexdigest() in page, f"{file.name}: make licences"


def test_every_extra_that_a_message_names_exists():
    named = set()
    for file in (ROOT / "src").rglob("*.py"):
        named |= set(
            re.findall(r'require\([^()]*(?:\([^()]*\)[^()]*)*, "([a-z]+)"\)', file.read_text("utf-8"))
        )
        named |= set(re.findall(r"overread\[([a-z]+)\]", file.read_text("utf-8")))
    assert {"wandb", "verifiers", "parquet"} <= named <= set(PROJECT["optional-dependencies"])


def test_there_is_a_way_to_report():
    assert "How to report" in (ROOT / "SECURITY.md").read_text()


REVIEW = ROOT / "packages" / "overread-review"


def test_both_packages_are_released_together():
    project = tomllib.loads((REVIEW / "pyproject.toml").read_text())["project"]
    assert project["version"] == __version__
    assert f"overread=={__version__}" in project["dependencies"]
    assert PROJECT["optional-dependencies"]["review"] == [project["name"]]


@pytest.mark.parametrize(("place", "name"), [(ROOT, "overread"), (REVIEW, "overread_review")])
def test_a_wheel_holds_every_file_of_its_package_and_nothing_else(place, name, tmp_path):
    """Tables, weights, templates, style sheets and scripts as much as code."""
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=place, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    source = place / "src"
    files = (
        path for path in (source / name).rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )
    with ZipFile(wheel) as held:
        names = {one for one in held.namelist() if ".dist-info/" not in one}
        assert any(one.endswith(".dist-info/licenses/LICENSE") for one in held.namelist())
    assert names == {path.relative_to(source).as_posix() for path in files}
