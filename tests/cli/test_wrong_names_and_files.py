"""Two mistakes at once: the name is said first. A benchmark answers a wrong file in words."""

import runpy
import sys
from pathlib import Path

import pytest

from overread.cli.main import command

ROOT = Path(__file__).parents[2]
VERBS = [
    ("read", "nowhere.csv", "--by"),
    ("follow", "nowhere.csv", "--by"),
    ("score", "nowhere.csv", "nowhere.csv", "--by"),
    ("build", "srr", "nowhere.csv", "--by"),
    ("build", "longitudinal", "nowhere.csv", "--by"),
    ("tags", "write", "nowhere.csv", "nowhere.csv", "--by"),
    ("tags", "write", "nowhere.csv", "nowhere.csv", "--match-by"),
    ("validate", "srr", "nowhere.jsonl", "--by"),
    ("validate", "clear", "nowhere.jsonl", "--by"),
    ("validate", "structuring", "nowhere.jsonl", "--by"),
    ("validate", "longitudinal", "nowhere.jsonl", "--by"),
    ("validate", "sentences", "nowhere.jsonl", "--by"),
    ("validate", "template", "nowhere.jsonl", "--by"),
    ("validate", "progression", "nowhere.jsonl", "--by"),
    ("validate", "rewrites", "nowhere.jsonl", "--by"),
    ("validate", "experts", "nowhere.csv", "nowhere.csv", "--by"),
    ("validate", "injected", "nowhere.csv", "--by"),
    ("tags", "rewrite", "nowhere.csv", "--by"),
    ("validate", "ssree", "nowhere.csv", "--by"),
    ("validate", "ssree", "nowhere.csv", "--built-by"),
]


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_a_wrong_reader_is_said_before_a_wrong_file(words):
    from overread.errors import UnknownName

    with pytest.raises(UnknownName, match=r"No (reader|writer) is called 'lmm'\. Did you mean 'llm'"):
        command()([*words, "lmm"], standalone_mode=False)


@pytest.mark.parametrize("given", [(), ("-o", "inputs.jsonl"), ("--for", "maira-2")], ids=" ".join)
def test_a_missing_file_is_said_before_a_missing_option(given):
    from overread.errors import BadInput

    with pytest.raises(BadInput, match=r"There is no file or folder nowhere\.csv"):
        command()(["build", "inputs", "nowhere.csv", *given], standalone_mode=False)


def takes_by(verb, path=()):
    for name, one in getattr(verb, "commands", {}).items():
        yield from takes_by(one, (*path, name))
    if any(option in ("--by", "--built-by", "--match-by") for p in verb.params for option in p.opts):
        yield path


def test_no_verb_is_forgotten():
    assert set(takes_by(command())) <= {
        tuple(w for w in words if not w.startswith(("nowhere", "--"))) for words in VERBS
    }


@pytest.fixture
def benchmark(monkeypatch):
    """Run a benchmark as a script, in this process; what it leaves with."""

    def run(name, *arguments, **variables):
        path = ROOT / "benchmarks" / f"{name}.py"
        monkeypatch.syspath_prepend(str(path.parent))
        monkeypatch.setattr(sys, "argv", [str(path), *map(str, arguments)])
        monkeypatch.delenv("OVERREAD_DATA", raising=False)
        for variable, value in variables.items():
            monkeypatch.setenv(variable, value)
        with pytest.raises(SystemExit) as left:
            runpy.run_path(str(path), run_name="__main__")
        return left.value.code

    return run


WRONG = [
    (None, "No such file"),
    (b"\xff\xfe\x00", "not a text file in UTF-8"),
    (b"", "is empty"),
    (b"not json\n", "line 1: no JSON object"),
    (b'{"id": "a"}\n', "no field"),
    (b"[1]\n", "no field"),
]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        *(("language", *wrong) for wrong in WRONG),
        *((name, *WRONG[n]) for name in ("doubts", "scoring") for n in (0, 3)),
    ],
)
def test_a_benchmark_answers_a_wrong_file_in_words(tmp_path, benchmark, name, content, reason):
    files = {"scoring": "openi_generated_pairs.jsonl"}
    path = tmp_path / files.get(name, "texts.jsonl")
    if content is not None:
        path.write_bytes(content)
    given = {"OVERREAD_DATA": str(tmp_path)} if name in files else {}
    told = benchmark(name, *([] if given else [path]), **given)
    assert isinstance(told, str)  # printed, with status 1
    assert reason in told
    assert str(path) in told
