"""Weights are numbers from a known place: safetensors, one commit, no code of their own."""

import re
from pathlib import Path

import pytest

import overread
from overread.encoders.load import load
from overread.errors import BadInput, MissingExtra
from overread.extras import pinned, safe_weights

CALL = re.compile(r"from_pretrained\(\s*([^)]{0,40})")
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def test_every_model_is_loaded_the_safe_way():
    calls = [
        (path.name, found[1])
        for path in Path(overread.__file__).parent.rglob("*.py")
        for found in CALL.finditer(path.read_text("utf-8"))
    ]
    assert len(calls) >= 6
    for file, argument in calls:
        assert argument.startswith(("**pinned(", "**safe_weights(")), file


def test_nothing_pickled_is_loaded():
    for path in Path(overread.__file__).parent.rglob("*.py"):
        text = path.read_text("utf-8")
        assert not re.search(r"pickle\.loads?\(|joblib\.load|allow_pickle=True", text), path
        opened = re.findall(r"torch\.load\(([^)]*)\)", text)
        assert all("weights_only=True" in one for one in opened), path
        assert not opened or path.name == "fetch.py", path


@pytest.mark.parametrize("name", ["someone/model", "someone/model@main", "someone/model@v1.0", "model@0123"])
def test_a_name_without_a_commit_is_refused(name):
    with pytest.raises(BadInput, match="needs the commit"):
        pinned(name)


def test_a_commit_or_a_folder_is_taken(tmp_path):
    found = safe_weights(f"someone/model@{COMMIT}")
    assert found == {
        "pretrained_model_name_or_path": "someone/model",
        "revision": COMMIT,
        "trust_remote_code": False,
        "use_safetensors": True,
    }
    assert "revision" not in safe_weights(str(tmp_path))


def test_encoders_say_so_too():
    with pytest.raises((BadInput, MissingExtra)):
        load("medcpt")
