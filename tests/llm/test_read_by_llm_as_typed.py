"""`overread read --by llm` against the loopback server: views written, failures beside them, nothing lost."""

import json

from tests.cli.as_typed import overread
from tests.llm.conftest import Act

GOOD, BAD = "The lungs are clear.", "The heart is large."


def behave(ask):
    return Act(status=500) if BAD in ask.text else Act(json.dumps({"compares": False}))


def typed(server, tmp_path, *more):
    source, out = tmp_path / "reports.jsonl", tmp_path / "views.jsonl"
    rows = [{"id": "good", "text": f"FINDINGS: {GOOD}"}, {"id": "bad", "text": f"FINDINGS: {BAD}"}]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    environment = {
        "OVERREAD_CACHE_FILE": str(tmp_path / "cache.sqlite"),
        "OVERREAD_API_KEY": "sk-told-to-nobody",
        "OVERREAD_ATTEMPTS": "1",
    }
    return overread("read", source, "--as", "longitudinal", "-o", out, *more, **environment), out


def test_views_are_written_and_failures_stand_beside_them(server, tmp_path):
    server.behave = behave
    done, out = typed(server, tmp_path, "--by", "llm", "--base-url", server.url, "--model", "small")
    assert done.returncode == 1, done.stderr
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == ["good"]
    failed = [json.loads(line) for line in (tmp_path / "views.failures.jsonl").read_text().splitlines()]
    assert len(failed) == 1
    assert "1 reports have no view" in done.stderr
    assert (
        "sk-told-to-nobody" not in done.stderr + done.stdout + (tmp_path / "views.failures.jsonl").read_text()
    )


def test_without_an_endpoint_nothing_is_sent_and_the_error_says_what_to_give(server, tmp_path):
    done, out = typed(server, tmp_path, "--by", "llm")
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert not out.exists()
    assert server.asks == []


def test_an_unknown_reader_is_named(server, tmp_path):
    done, _ = typed(server, tmp_path, "--by", "magic")
    assert done.returncode == 2
    assert "network" in done.stderr
