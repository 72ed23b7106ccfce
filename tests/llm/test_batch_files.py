"""Requests as batch files: written once, answered from the folder, gone on with; nothing is sent on the way."""

import json
import stat

import msgspec
import pytest
from tests.cli.as_typed import app
from tests.llm.conftest import PROMPT, Loopback, Note, item, note
from tests.llm.stand_in import good
from typer.testing import CliRunner

from overread.examples import folder as examples
from overread.llm import Answer, Client, Failure, ask_many
from overread.llm import batch_folder as files
from overread.llm.settings import Price


def asked(settings, **changes):
    with Client(settings(**changes)) as client:
        found = ask_many(client, PROMPT, [item(1), item(2), item(1)], Note)
        waiting = client.unanswered
    return found, waiting, client


def requests(place):
    return [json.loads(line) for path in sorted(place.glob("requests-*.jsonl")) for line in path.open()]


def answer(place, texts, name="answers.jsonl", status=200):
    """Answers as a service writes them: in another order, with fields of its own."""
    lines = []
    for id, text in reversed(list(texts.items())):
        message = {"role": "assistant", "content": text}
        body = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
        body["usage"] = {"prompt_tokens": 100, "completion_tokens": 10}
        reply = {"status_code": status, "request_id": "r", "body": body}
        lines.append(json.dumps({"id": "x", "custom_id": id, "response": reply, "error": None}))
    (place / name).write_text("\n".join(lines) + "\n")


def about(line):
    text = line["body"]["messages"][-1]["content"]
    return 1 if "Study 1" in text else 2


def test_requests_are_written_and_answers_taken(settings, server, tmp_path):
    place = tmp_path / "batch"
    found, waiting, _ = asked(settings, batch=str(place))
    assert waiting == 3
    assert all(isinstance(one, Failure) and one.kind == "waiting" for one in found)
    lines = requests(place)
    assert len(lines) == 2, "the same question is asked once"
    assert {line["url"] for line in lines} == {"/v1/chat/completions"}
    assert lines[0]["body"]["response_format"]["type"] == "json_schema"
    assert stat.S_IMODE(next(place.glob("requests-*")).stat().st_mode) == 0o600
    answer(place, {line["custom_id"]: note(about(line)) for line in lines})
    found, waiting, client = asked(settings, batch=str(place))
    assert [one.value.study for one in found if isinstance(one, Answer)] == [1, 2, 1]
    assert (waiting, client.tally.tokens_in) == (0, 200)
    assert server.asks == []
    (place / "answers.jsonl").unlink()
    assert asked(settings, batch=str(place))[1] == 0, "accepted answers are in the cache"


def test_a_second_run_before_the_answers_writes_nothing_new(settings, tmp_path):
    place = tmp_path / "batch"
    asked(settings, batch=str(place))
    before = {path.name for path in place.iterdir()}
    assert asked(settings, batch=str(place))[1] == 3
    assert {path.name for path in place.iterdir()} == before


def test_a_bad_answer_is_mended_by_another_request(settings, tmp_path):
    place = tmp_path / "batch"
    asked(settings, batch=str(place))
    answer(place, {line["custom_id"]: "no idea" for line in requests(place)})
    assert asked(settings, batch=str(place))[1] > 0
    again = [line for line in requests(place) if len(line["body"]["messages"]) > 2]
    assert len(again) == 2
    answer(place, {line["custom_id"]: note(about(one(line))) for line in again}, "more.jsonl")
    found, waiting, _ = asked(settings, batch=str(place))
    assert waiting == 0
    assert all(isinstance(one, Answer) for one in found)


def one(line):
    """The request without its repair turn, to see what it is about."""
    return {"body": {"messages": line["body"]["messages"][:2]}}


@pytest.mark.parametrize(("status", "kind"), [(500, "waiting"), (429, "waiting"), (400, "rejected")])
def test_what_a_service_gave_up_on_is_asked_again_and_a_refusal_is_not(settings, tmp_path, status, kind):
    place = tmp_path / "batch"
    asked(settings, batch=str(place))
    answer(place, {line["custom_id"]: "" for line in requests(place)}, status=status)
    found, _, _ = asked(settings, batch=str(place))
    assert {one.kind for one in found} == {kind}
    assert len(requests(place)) == (4 if kind == "waiting" else 2)


def test_files_have_one_model_and_a_size(settings, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MOST_REQUESTS", 1)
    place = tmp_path / "batch"
    with Client(settings(batch=str(place), model=("one", "two"))) as client:
        for model in ("one", "two"):
            ask_many(client.for_model(model), PROMPT, [item(1), item(2)], Note)
    assert len(list(place.glob("requests-*.jsonl"))) == 4


def test_a_line_that_is_none(settings, tmp_path):
    (tmp_path / "answers.jsonl").write_text("not json\n")
    with pytest.raises(Exception, match="line 1 is no line of a batch file"):
        asked(settings, batch=str(tmp_path))


def test_an_estimate_sends_and_writes_nothing(settings, server, tmp_path):
    prices = {"small": Price(1.0, 2.0)}
    with Client(settings(estimate=True, prices=prices, reply_tokens=50)) as client:
        ask_many(client, PROMPT, [item(1), item(2)], Note)
        new = client.endpoint.new.tally
        assert (new.calls, new.tokens_out) == (2, 100)
        assert new.cost == pytest.approx(new.tokens_in / 1e6 + 2e-4)
        with pytest.raises(
            files.Waiting, match=r"2 requests would be sent first.*at most 100 out; cost at most"
        ):
            client.check_waiting()
    assert server.asks == []


# As typed: every verb goes on with answers, and ends where the live server would have brought it.


@pytest.fixture(scope="module")
def model():
    server = Loopback()
    server.behave = good
    yield server
    server.close()


def serve(place, model):
    """Answer what waits as the stand-in model does, by its own endpoint."""
    import httpx

    known = {json.loads(line)["custom_id"] for path in place.glob("answers-*") for line in path.open()}
    lines = []
    for line in requests(place):
        if line["custom_id"] not in known:
            body = httpx.post(f"{model.url}/chat/completions", json=line["body"]).json()
            lines.append(
                json.dumps({"custom_id": line["custom_id"], "response": {"status_code": 200, "body": body}})
            )
    (place / f"answers-{len(known):04}.jsonl").write_text("\n".join(lines) + "\n")
    return len(lines)


def run(*words):
    return CliRunner().invoke(app, list(map(str, words)))


def until_done(place, model, *words):
    for rounds in range(12):
        done = run(*words, "--by", "llm", "--model", "m", "--batch", place)
        if not isinstance(done.exception, files.Waiting):
            assert done.exit_code in (0, 1), f"{done.output}{done.exception!r}"
            return rounds
        assert serve(place, model) > 0
    raise AssertionError("it never ends")


@pytest.fixture
def reports(tmp_path, monkeypatch):
    monkeypatch.setenv("OVERREAD_CACHE_FILE", str(tmp_path / "answers.sqlite"))
    with examples() as place:
        for name in ("references", "steady"):
            text = (place / f"{name}.jsonl").read_text().splitlines()[:2]
            (tmp_path / f"{name}.jsonl").write_text("\n".join(text) + "\n")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "output"),
    [
        (["read", "references.jsonl", "--as", "longitudinal", "-o", "OUT"], "OUT"),
        (
            ["read", "references.jsonl", "--as", "radsem", "--shards", "OUT", "--resume"],
            "OUT/part-00000.jsonl",
        ),
        (["follow", "references.jsonl", "-o", "OUT"], "OUT"),
        (["build", "srr", "references.jsonl", "-o", "OUT"], "OUT/reports.jsonl"),
        (["build", "longitudinal", "references.jsonl", "-o", "OUT"], "OUT"),
        (
            [
                "score",
                "references.jsonl",
                "steady.jsonl",
                "-m",
                "radsem",
                "--resamples",
                "20",
                "--no-page",
                "-o",
                "OUT",
            ],
            "OUT/results.jsonl",
        ),
    ],
    ids=lambda words: " ".join(words[:2]) if isinstance(words, list) else None,
)
def test_a_verb_in_rounds_ends_as_it_does_live(reports, model, monkeypatch, words, output):
    monkeypatch.chdir(reports)
    place = reports / "batch"
    batched = [word.replace("OUT", "batched") for word in words]
    first = run(*batched, "--by", "llm", "--model", "m", "--batch", place)
    assert isinstance(first.exception, files.Waiting), first.output
    assert not (reports / output.replace("OUT", "batched")).is_file()
    assert until_done(place, model, *batched) >= 1
    monkeypatch.setenv("OVERREAD_CACHE_FILE", str(reports / "other.sqlite"))
    live = [word.replace("OUT", "live") for word in words]
    done = run(*live, "--by", "llm", "--model", "m", "--base-url", model.url)
    assert done.exit_code in (0, 1), done.output
    ours, theirs = (reports / output.replace("OUT", name) for name in ("batched", "live"))
    if ours.is_dir():
        ours, theirs = (next(iter(sorted(one.glob("*.jsonl")))) for one in (ours, theirs))
    assert ours.read_bytes() == theirs.read_bytes()


def test_score_over_shards_by_model(reports, model, monkeypatch):
    monkeypatch.chdir(reports)
    pairs = [
        {"id": "a", "reference": "Small left effusion.", "candidate": "Left effusion."},
        {"id": "b", "reference": "No edema.", "candidate": "Edema."},
    ]
    (reports / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    words = ["score", "pairs.jsonl", "-m", "radsem", "--resamples", "20", "--shards", "out", "--resume"]
    assert until_done(reports / "batch", model, *words) >= 1
    rows = [json.loads(line) for line in (reports / "out" / "part-00000.jsonl").open()]
    assert [row["failed"] for row in rows if row.get("failed")] == []
    signature = (reports / "out" / "summary.json").read_text()
    assert "by:llm" in signature


def test_estimate_as_typed_leaves_no_run_behind(reports, monkeypatch):
    monkeypatch.chdir(reports)
    words = [
        "score",
        "references.jsonl",
        "steady.jsonl",
        "-m",
        "radsem",
        "-o",
        "run",
        "--by",
        "llm",
        "--model",
        "m",
    ]
    done = run(*words, "--estimate")
    assert done.exit_code == 0, done.output
    assert "requests would be sent first, about" in done.output
    assert not (reports / "run").exists()


class Service:
    """OpenAI's two endpoints for batches, answered at once by `good`."""

    def __init__(self, model):
        import http.server
        import threading

        held, service = {}, self
        self.ready = True

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def reply(self, value):
                data = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(data)

            def do_POST(self):
                data = self.rfile.read(int(self.headers["Content-Length"]))
                if self.path.endswith("/files"):
                    start = data.index(b'{"custom_id"')
                    held["in"] = data[start : data.rindex(b"}\n") + 2]
                    self.reply({"id": "file-1", "object": "file", "filename": "f", "purpose": "batch", "bytes": 1,
                                "created_at": 1, "status": "processed"})  # fmt: skip
                else:
                    held["asked"] = json.loads(data)
                    self.reply(service.batch("in_progress"))

            def do_GET(self):
                if "/batches/" in self.path:
                    self.reply(service.batch("completed" if service.ready else "in_progress"))
                else:
                    self.reply(service.answers(held["in"], model))

        self.held = held
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"

    def batch(self, status):
        done = {"output_file_id": "file-2"} if status == "completed" else {}
        return {"id": "batch-1", "object": "batch", "status": status, "endpoint": "/v1/chat/completions",
                "input_file_id": "file-1", "completion_window": "24h", "created_at": 1, **done}  # fmt: skip

    def answers(self, lines, model):
        import httpx

        made = []
        for line in map(json.loads, lines.decode().splitlines()):
            body = httpx.post(f"{model.url}/chat/completions", json=line["body"]).json()
            made.append({"custom_id": line["custom_id"], "response": {"status_code": 200, "body": body}})
        return b"".join(msgspec.json.encode(one) + b"\n" for one in made)


def test_send_and_fetch_by_the_service_of_the_protocol(reports, model, monkeypatch):
    monkeypatch.chdir(reports)
    service = Service(model)
    words = ["read", "references.jsonl", "--as", "radsem", "-o", "atoms.jsonl", "--by", "llm", "--model", "m"]
    assert isinstance(run(*words, "--batch", "asked").exception, files.Waiting)
    assert run("batch", "send", "asked", "--base-url", service.url).exit_code == 0
    assert service.held["asked"]["endpoint"] == "/v1/chat/completions"
    service.ready = False
    assert run("batch", "fetch", "asked", "--base-url", service.url).exit_code == 1
    service.ready = True
    done = run("batch", "fetch", "asked", "--base-url", service.url)
    assert done.exit_code == 0, f"{done.output}{done.exception!r}"
    assert run(*words, "--batch", "asked").exit_code == 0
    assert "0 files sent" in run("batch", "send", "asked", "--base-url", service.url).output
    service.http.shutdown()


def test_a_folder_that_is_none_and_a_service_that_is_not_there(tmp_path):
    done = run("batch", "send", tmp_path / "no", "--base-url", "http://127.0.0.1:1/v1")
    assert "is no folder" in str(done.exception)
    (tmp_path / "requests-0001.jsonl").write_text('{"custom_id": "a"}\n')
    done = run("batch", "send", tmp_path, "--base-url", "http://127.0.0.1:1/v1")
    assert "cannot be asked" in str(done.exception)
