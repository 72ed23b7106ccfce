"""`overread score`, `compare` and `demo` as typed: files, tables, JSON, exit codes."""

import json
import re
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from overread import examples
from overread.baselines import optional
from overread.cli.main import main
from overread.cli.terminal.voice import Voice, voice
from overread.examples import folder as bundled
from overread.runner import measures
from overread.systems.base import Metric

REFERENCES = {"1": "FINDINGS: Small left effusion.", "2": "FINDINGS: Clear lungs.", "3": "FINDINGS: Edema."}
OURS = {"1": "FINDINGS: Left effusion.", "2": "FINDINGS: Clear lungs.", "4": "FINDINGS: Nodule."}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two small files, and a place to write, with the folder as working directory."""
    monkeypatch.chdir(tmp_path)
    for name, texts in (("refs", REFERENCES), ("ours", OURS), ("theirs", REFERENCES)):
        lines = ["id,report", *(f'{id},"{text}"' for id, text in texts.items())]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.fixture
def typed(monkeypatch, capsys):
    """Run the command as a shell would; exit code, standard output, standard error."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["overread", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        vars(voice).update(vars(Voice()))
        seen = capsys.readouterr()
        return left.value.code or 0, seen.out, seen.err

    return run


def test_a_table_the_files_and_what_was_odd(folder, typed):
    code, out, err = typed("score", "refs.csv", "ours.csv", "theirs.csv", "-m", "rouge-l,bleu-1", "-o", "out")
    assert code == 0
    assert "rouge-l" in out
    assert "theirs" in out
    assert "refs.csv (CSV table): id from id, text from report" in err
    assert "ours: no candidate for 1 id (3); scored as empty reports." in err
    assert "ours: no reference for 1 id (4); not scored." in err
    assert "out/report.html" in err
    names = {p.name for p in (folder / "out").iterdir()}
    assert names == {"results.jsonl", "summary.json", "manifest.json", "report.html", "details.jsonl"}


def test_json_and_quiet(folder, typed):
    code, out, err = typed("score", "refs.csv", "ours.csv", "-m", "rouge-l", "--json", "-q", "--no-page")
    assert (code, err) == (0, "")
    assert json.loads(out)["metrics"][0]["systems"]["ours"]["total"] == 3
    assert not (folder / "overread-results" / "report.html").exists()


def test_a_table_of_pairs_needs_no_second_file(folder, typed):
    rows = [{"id": id, "reference": text, "candidate": OURS.get(id, "")} for id, text in REFERENCES.items()]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, out, _ = typed("score", "pairs.jsonl", "-m", "rouge-l", "--json")
    assert code == 0
    assert json.loads(out)["notes"]["candidate"] == {"empty candidate": 1}


def test_names_columns_and_sections(folder, typed):
    (folder / "odd.csv").write_text('key,body\n1,"FINDINGS: Small left effusion."\n2,"Clear lungs."\n3,x\n')
    words = ("odd.csv", "ours.csv", "--text", "body", "--candidate-text", "report", "--candidate-id", "id")
    settings = ("--name", "Ours", "-m", "bleu-1", "--sections", "all", "--words", "r2gen", "--json")
    code, out, _ = typed("score", *words, *settings)
    assert code == 0
    (ranking,) = json.loads(out)["metrics"]
    assert list(ranking["systems"]) == ["Ours"]
    assert ranking["signature"].startswith("bleu-1|words:r2gen|text:whole|")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("refs.csv", "ours.csv", "-m", "rogue-l"), "Did you mean 'rouge-l'"),
        (("refs.csv", "nowhere.csv"), "There is no file or folder nowhere.csv"),
        (("refs.csv", "ours.csv", "ours.csv"), "Two candidates are called 'ours'"),
        (("refs.csv",), "has no column"),
        (("refs.csv", "ours.csv", "-m", "lunguage-sequential"), "follows patients"),
        (("refs.csv", "ours.csv", "--sections", "finding"), "Did you mean 'findings'"),
        (("refs.csv", "ours.csv", "--by", "magic"), "No reader is called 'magic'"),
        (("refs.csv", "ours.csv", "--name", "a", "--name", "b"), "1 candidates but 2 names"),
        (("refs.csv", "ours.csv", "-m", "rouge-l", "-o", "refs.csv"), "Cannot write into refs.csv"),
    ],
)
def test_mistakes_are_one_line_and_code_2(folder, typed, words, message):
    code, _, err = typed("score", *words)
    assert code == 2
    assert message in err
    assert err.strip().splitlines()[-1].startswith("overread: ")


def test_failed_items_are_code_1(folder, typed, monkeypatch):
    def breaks(reference, candidate):
        raise ValueError("secret words of the report")

    system, _ = measures.systems.metrics()["clear"]
    known = measures.systems.metrics() | {"clear": (system, Metric("clear", "breaks", breaks))}
    monkeypatch.setattr(measures.systems, "metrics", lambda: known)
    code, out, err = typed("score", "refs.csv", "ours.csv", "-m", "clear")
    assert code == 1
    assert "clear, ours: 3 of 3 failed: ValueError at" in err
    assert "secret" not in out + err


def test_stopped_is_code_130_and_goes_on(folder, typed, monkeypatch):
    from overread.runner.run.scorer import Scorer

    whole = Scorer.pair

    def stops(self, pair, clock):
        if pair.reference.id == "3":
            raise KeyboardInterrupt
        return whole(self, pair, clock)

    monkeypatch.setattr(Scorer, "pair", stops)
    code, _, err = typed("score", "refs.csv", "ours.csv", "-m", "rouge-l")
    assert code == 130
    assert "run the same command again" in err
    monkeypatch.setattr(Scorer, "pair", whole)
    assert typed("score", "refs.csv", "ours.csv", "-m", "rouge-l")[0] == 0


def test_compare_finished_runs(folder, typed):
    for name in ("ours", "theirs"):
        typed("score", "refs.csv", f"{name}.csv", "-m", "rouge-l", "-o", name, "--no-page")
    code, out, _ = typed("compare", "ours", "theirs", "-o", "both.json")
    assert code == 0
    assert "ours" in out
    assert "theirs" in out
    assert json.loads((folder / "both.json").read_text())[0]["differences"][0]["difference"] < 0
    assert json.loads(typed("compare", "ours", "theirs", "--json")[1])[0]["name"] == "rouge-l"


def test_help_says_what_is_installed_and_how_to_get_the_rest(typed):
    code, out, _ = typed("score", "--help")
    text = "".join(out.split())  # lines may be broken at any hyphen
    assert code == 0
    for name, extra in optional.EXTRAS.items():
        assert name in text
        assert extra.installed or extra.install.replace(" ", "") in text


def test_list_names_every_metric(typed):
    code, out, _ = typed("score", "--list")
    assert code == 0
    assert {line.split()[0] for line in out.splitlines()} == set(measures.names())


@contextmanager
def one_patient_in_four():
    """The bundled example, small."""
    with bundled() as whole, TemporaryDirectory() as place:
        for name in (examples.REFERENCES, *(f"{name}.jsonl" for name in examples.SYSTEMS)):
            lines = (whole / name).read_text("utf-8").splitlines(keepends=True)
            some = [line for line in lines if int(re.search(r'"P(\d+)', line)[1]) % 4 == 1]
            (Path(place) / name).write_text("".join(some), "utf-8")
        yield Path(place)


def test_demo_writes_the_page_and_says_where(tmp_path, typed, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(examples, "folder", one_patient_in_four)
    monkeypatch.setattr("webbrowser.open", lambda url: pytest.fail("nobody is looking"))
    code, out, err = typed("demo")
    assert code == 0, err
    for name in ("overread", "radsem", "lunguage", "clear", "bleu-4", "rouge-l"):
        assert name in out
    assert len(out.splitlines()) < 30, "every other metric is on the page"
    assert ["errors", "critical", "significant", "minor", "reports"] in [
        line.split() for line in out.splitlines()
    ]
    assert "overread-demo/report.html" in err
    assert (tmp_path / "overread-demo" / "report.html").stat().st_size > 100_000


def test_another_encoding_is_read_where_it_is_named(tmp_path, typed):
    path = tmp_path / "latin.csv"
    path.write_bytes('id,report\n1,"Café visit. Small left effusion."\n'.encode("latin-1"))
    for verb in ("score", "errors"):
        where = ("-o", tmp_path / "out", "-m", "bleu-4", "--no-page") if verb == "score" else ()
        code, out, err = typed(verb, path, path, "--encoding", "latin-1", *where)
        assert code == 0, err
        assert "1.0" in out


def test_a_run_that_cannot_start_leaves_no_folder(tmp_path, typed):
    for name, id in (("one", 1), ("two", 2)):
        (tmp_path / f"{name}.csv").write_text(f"id,report\n{id},Small left effusion.\n")
    code, _, err = typed("score", tmp_path / "one.csv", tmp_path / "two.csv", "-o", tmp_path / "out")
    assert code == 2
    assert "no id in common" in err
    assert not (tmp_path / "out").exists()


class Server(BaseHTTPRequestHandler):
    """A model that finds no comparison anywhere."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        message = {"role": "assistant", "content": '{"compares": false}'}
        reply = {"id": "1", "object": "chat.completion", "created": 0, "model": "small", "usage": None,
                 "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}  # fmt: skip
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_a_language_model_reads(folder, typed):
    pytest.importorskip("openai")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    asked = (
        "--by",
        "llm",
        "--base-url",
        f"http://127.0.0.1:{server.server_port}/v1",
        "--model",
        "small",
        "--no-cache",
    )
    code, out, err = typed("score", "refs.csv", "ours.csv", "-m", "longitudinal", "--json", *asked)
    server.shutdown()
    assert code == 0
    (ranking,) = json.loads(out)["metrics"]
    assert "by:llm|model:small" in ranking["signature"]
    assert ranking["systems"]["ours"]["undefined"] == 3
    assert "answered" in err


def test_a_run_of_patients_alone_ends_with_its_page(tmp_path, typed):
    """No metric of it has a value per report, so no report ranks lowest."""
    rows = [
        {"id": f"a{n}", "patient": "p", "study": n, "day": n, "text": "FINDINGS: Left effusion."}
        for n in (1, 2)
    ]
    for name in ("ref", "ours"):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    files = [str(tmp_path / f"{name}.jsonl") for name in ("ref", "ours")]
    code, _, err = typed(
        "score", *files, "-m", "lunguage-sequential", "-o", tmp_path / "out", "--resamples", 20
    )
    assert code == 0, err
    assert (tmp_path / "out" / "report.html").exists()
