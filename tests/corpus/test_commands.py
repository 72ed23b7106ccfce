"""`overread corpus`: what it prints, and its exit codes."""

import json

import pytest
from tests.cli.as_typed import app
from tests.corpus.written import ROOT, guide_example
from typer.testing import CliRunner

from overread.corpus.files import files_beside, notation_files


@pytest.fixture
def corpus(tmp_path):
    """A corpus of one report, and a second annotation of it."""
    for name in ("train", "blind"):
        (tmp_path / name).mkdir()
    (tmp_path / "train" / "w.txt").write_text(guide_example())
    (tmp_path / "blind" / "w.txt").write_text(
        guide_example().replace("- pneumothorax -\n", "- pneumothorax +\n")
    )
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(app, ["corpus", *map(str, arguments)])


def test_check_says_nothing_of_a_sound_corpus(corpus):
    done = run("check", corpus)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "1 reports, 10 sentences, 9 mentions, 0 complaints\n"


def test_check_names_file_and_line_and_exits_with_1(corpus):
    (corpus / "train" / "w.txt").write_text("# a\nF Clear.\n- lungs -\n")
    done = run("check", corpus)
    assert done.exit_code == 1
    assert done.stdout.startswith(
        "w.txt:2: no mention, and no '~ kind' that says why\nw.txt:3: 'lungs' does not"
    )


def test_what_has_complaints_is_not_built(corpus):
    (corpus / "train" / "w.txt").write_text("# a\nF Clear.\n- lungs -\n")
    done = run("build", corpus, "-o", corpus / "out")
    assert "Run `overread corpus check" in str(done.exception)
    assert not (corpus / "out").exists()


def test_build_leaves_second_annotations_out(corpus):
    assert run("build", corpus, "-o", corpus / "out").exit_code == 0
    [row] = map(json.loads, (corpus / "out" / "train.jsonl").read_text().splitlines())
    assert row["id"] == "w07-001"
    assert "Known: brat" in str(run("build", corpus, "-o", corpus / "more", "--to", "xml").exception)
    assert "is there already" in str(run("build", corpus, "-o", corpus / "out").exception)


def test_stats(corpus):
    assert "effusion" in run("stats", corpus, "--pictures", corpus / "pictures").stdout
    assert (corpus / "pictures" / "noun.svg").exists()
    assert json.loads(run("stats", corpus, "--json").stdout)["size"]["mentions"] == {"train": 9}


def test_agree(corpus):
    done = run("agree", corpus / "train", corpus / "blind")
    assert "status                    0.889        8        9        9" in done.stdout
    found = json.loads(run("agree", corpus / "train", corpus / "blind", "--json").stdout)
    assert found["entity"] == {"f1": 1.0, "same": 9, "a": 9, "b": 9}


def test_diff(corpus):
    done = run("diff", corpus / "train", corpus / "blind")
    assert done.exit_code == 1
    assert (
        done.stdout == "# w07-001, sentence 7\nF No pneumothorax.\n< - pneumothorax -\n> - pneumothorax +\n\n"
    )
    assert run("diff", corpus / "train", corpus / "train").exit_code == 0


def test_a_path_that_is_not_there(corpus):
    assert "is not there" in str(run("check", corpus / "tran").exception)
    (corpus / "empty").mkdir()
    assert "holds no notation files" in str(run("check", corpus / "empty").exception)


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_our_own_corpus_is_sound(every):
    """One file in four; the whole, and what repeats across its files, with -m slow."""
    if not any((ROOT / "corpus").rglob("*.txt")):
        pytest.skip("no notation files here")
    whole = [ROOT / "corpus"]
    files = [*notation_files(whole), *files_beside(whole, ".rank")][::every]
    done = run("check", *(files if every > 1 else whole))
    assert done.exit_code == 0, done.stdout[:2000]
