"""Damaged files of every format: read, or refused in one line that names the file; never a traceback."""

import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.made_up import readings

from overread.errors import BadInput
from overread.formats.marking import from_reading
from overread.formats.registry import FORMATS, write
from overread.runner.convert import open_reports

FILES = {  # format → file to damage
    "fhir": "a.fhir.json",
    "fhir-lines": "a.ndjson",
    "bioc-xml": "a.bioc.xml",
    "bioc": "a.bioc.json",
    "label-studio": "a.labelstudio.json",
    "prodigy": "a.prodigy.jsonl",
    "conll": "a.conll",
    "overread": "a.jsonl",
    "omop": "NOTE.csv",
    "brat": "r0.ann",
    "brat-index": "reports.jsonl",
    "dicom-sr": "a.dcm",
}
JSON = ("fhir", "bioc", "label-studio")
SMALL = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**12) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=3,
)


def test_every_format_that_is_read_has_a_file_to_damage():
    assert {name for name, one in FORMATS.items() if one.layout} - {"table"} <= set(FILES)


@cache
def whole(kind) -> dict[str, bytes]:
    """A valid file, or folder of files, of a format."""
    if kind == "dicom-sr":
        pytest.importorskip("pydicom", reason="needs overread[dicom]")
        from tests.formats import sr

        with TemporaryDirectory() as folder:
            return {"a.dcm": sr.saved(Path(folder) / "a.dcm", sr.sample()).read_bytes()}
    if kind.startswith("fhir"):
        pytest.importorskip("fhir.resources", reason="needs overread[fhir]")
    name = {"fhir-lines": "fhir", "bioc-xml": "bioc", "brat-index": "brat"}.get(kind, kind)
    with TemporaryDirectory() as folder:
        out = Path(folder) / ("out" if name in ("brat", "omop") else FILES[kind])
        write(name, (from_reading(reading) for reading in readings()), out, {})
        return {file.name: file.read_bytes() for file in (sorted(out.iterdir()) if out.is_dir() else [out])}


def tried(kind, damaged: bytes):
    """The reports of a damaged copy; what is refused is refused properly."""
    with TemporaryDirectory() as folder:
        for name, content in whole(kind).items():
            (Path(folder) / name).write_bytes(damaged if name == FILES[kind] else content)
        several = len(whole(kind)) > 1 and kind != "label-studio"
        path = Path(folder) if several else Path(folder) / FILES[kind]
        found, told = [], ""
        try:
            found = list(open_reports(path, None)[1])
        except BadInput as error:
            told = str(error)
        if told:
            assert folder in told
            assert "\n" not in told
            assert "leural" not in told
        return found


@st.composite
def damage(draw, content: bytes):
    """Bytes changed, cut out, doubled, put in, or the end torn off."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(0, len(content) - 1)))
        end = min(len(content), at + draw(st.integers(1, 40)))
        way = draw(st.sampled_from(["flip", "cut", "double", "insert", "tear"]))
        middle = {
            "flip": bytes(b ^ draw(st.integers(1, 255)) for b in content[at : at + 1]),
            "cut": b"",
            "double": content[at:end] * 2,
            "insert": draw(st.binary(max_size=8)) + content[at:end],
            "tear": b"",
        }[way]
        content = (
            content[:at] + middle + (b"" if way == "tear" else content[at + 1 if way == "flip" else end :])
        )
    return content


@pytest.mark.parametrize("kind", FILES)
def test_a_whole_file_is_read(kind):
    assert tried(kind, whole(kind)[FILES[kind]])


@pytest.mark.parametrize("kind", FILES)
@given(data=st.data())
def test_damaged_bytes_are_named(kind, data):
    tried(kind, data.draw(damage(whole(kind)[FILES[kind]])))


@pytest.mark.parametrize("kind", JSON)
@given(data=st.data())
def test_json_of_another_shape_is_named(kind, data):
    value = json.loads(whole(kind)[FILES[kind]])
    holder = value
    while True:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(holder[key], dict | list) or not holder[key] or data.draw(st.integers(0, 4)) == 0:
            break
        holder = holder[key]
    holder[key] = data.draw(SMALL)
    with suppress(UnicodeEncodeError):
        tried(kind, json.dumps(value).encode())


@pytest.mark.parametrize("kind", [k for k in FILES if FILES[k].endswith(("json", "jsonl"))])
def test_json_without_a_bottom_is_named(kind):
    assert tried(kind, b'{"resourceType":' + b"[" * 100_000) == []
    assert tried(kind, b"[" * 100_000) == []


def test_xml_that_grows_is_refused(tmp_path):
    (tmp_path / "a.xml").write_text('<!DOCTYPE x [<!ENTITY a "aaaa">]><collection>&a;</collection>')
    with pytest.raises(BadInput, match="entities of its own"):
        list(open_reports(tmp_path / "a.xml", None)[1])
