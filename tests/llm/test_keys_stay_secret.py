"""A key goes into the request header and nowhere else, however things go wrong."""

import io
import json
import logging
import pickle
import traceback

import msgspec
import pytest
from rich.console import Console
from rich.traceback import Traceback
from tests.llm.conftest import PROMPT, Act, Loopback, Note, item, obliging

from overread.errors import AskFailed
from overread.llm import Client, Failure, ask_many, resolve
from overread.llm.budget import summary
from overread.llm.settings import Secret

KEY = "sk-very-private-0123456789"
REPORT = "Marigold opacity in the left base."


@pytest.fixture
def records():
    """Everything any logger says, down to debug, with the extras of each record."""
    seen: list[str] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            seen.append(f"{record.getMessage()} {record.__dict__!r}")

    root, keeper, level = logging.getLogger(), Keeper(), logging.getLogger().level
    root.addHandler(keeper)
    root.setLevel(logging.DEBUG)
    yield seen
    root.removeHandler(keeper)
    root.setLevel(level)


def echo(status: int):
    """A server that repeats the key and the report in its error message."""

    def behave(ask):
        said = f"bad: {ask.headers['authorization']} {ask.text}"
        return Act(
            status=status, raw=json.dumps({"error": {"message": said, "code": said, "type": "bad"}}).encode()
        )

    return behave


def test_it_reaches_the_server(server: Loopback, settings):
    with Client(settings(api_key=Secret(KEY))) as client:
        ask_many(client, PROMPT, [item(1)], Note)
    assert server.asks[0].headers["authorization"] == f"Bearer {KEY}"


def test_no_log_row_file_or_repr_holds_it(server: Loopback, settings, records, tmp_path):
    plan = {
        1: echo(500),
        2: echo(400),
        3: echo(429),
        4: lambda a: Act(f"{a.headers['authorization']} no JSON"),
    }
    server.behave = lambda a: plan.get(a.study, obliging)(a)
    with Client(settings(api_key=Secret(KEY), attempts=2)) as client:
        outcomes = ask_many(client, PROMPT, [item(n, REPORT) for n in (9, 1, 2, 3, 4)], Note)
        shown = [repr(client), repr(client.settings), str(client.settings), summary(client.tally)]
        shown += [repr(outcomes), repr(client.endpoint), repr(vars(client)), *records]
        shown += [msgspec.json.encode(client.failures).decode(), msgspec.json.encode(client.tally).decode()]
    assert sum(isinstance(o, Failure) for o in outcomes) == 4
    shown += [path.read_bytes().decode("latin-1") for path in tmp_path.iterdir()]
    assert records
    for text in shown:
        assert KEY not in text
        assert "Marigold" not in text


def test_the_official_client_may_not_log_whole_requests(client: Client, records):
    assert not logging.getLogger("openai._base_client").isEnabledFor(logging.DEBUG)


@pytest.mark.parametrize("status", [401, 404])
def test_no_traceback_holds_it_even_with_local_variables(server: Loopback, settings, status):
    server.behave = echo(status)
    with Client(settings(api_key=Secret(KEY))) as client, pytest.raises(AskFailed) as caught:
        ask_many(client, PROMPT, [item(1, REPORT)], Note)
    plain = "".join(traceback.format_exception(caught.value))
    screen = io.StringIO()
    Console(file=screen, width=300).print(
        Traceback.from_exception(
            caught.type, caught.value, caught.tb, show_locals=True, locals_max_string=None
        )
    )
    assert KEY not in plain
    assert KEY not in screen.getvalue()
    assert "Marigold" not in plain
    assert caught.value.__context__ is None or KEY not in repr(caught.value.__context__)


def test_settings_with_a_key_cannot_be_written_to_a_manifest(settings):
    with pytest.raises(TypeError):
        msgspec.json.encode(settings(api_key=Secret(KEY)))
    with pytest.raises(TypeError):
        json.dumps({"key": Secret(KEY)})


def test_it_survives_the_way_to_another_process(settings):
    kept = pickle.loads(pickle.dumps(settings(api_key=Secret(KEY))))
    assert kept.api_key.reveal() == KEY


def test_the_settings_in_force_are_shown_without_it(tmp_path):
    config = tmp_path / "c.toml"
    config.write_text(f'[llm]\napi_key = "{KEY}"\n')
    rows = list(resolve(env={"OVERREAD_CONFIG": str(config)}).rows())
    assert ("api_key", "set (hidden)", str(config)) in rows
    assert KEY not in repr(rows)


def test_a_config_file_that_cannot_be_read_does_not_spill_it(tmp_path):
    config = tmp_path / "c.toml"
    config.write_text(f'[llm]\napi_key = "{KEY}\n')
    with pytest.raises(Exception, match="Cannot read the config file") as caught:
        resolve(env={"OVERREAD_CONFIG": str(config)})
    assert KEY not in "".join(traceback.format_exception(caught.value))
