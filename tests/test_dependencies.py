"""What is installed is what was tested: bounds on both sides, pins with hashes, no registry named."""

import re
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

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
