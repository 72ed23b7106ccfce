"""Flags before environment before config file before defaults; mistakes are named, not passed over."""

import msgspec
import pytest

from overread.cli.terminal.options import option_descriptions
from overread.errors import AskFailed, BadInput, UnknownName
from overread.llm import Client, Settings, resolve
from overread.llm.settings import cache_file, config_file


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "config.toml"

    def write(text: str) -> dict[str, str]:
        path.write_text(text)
        return {"OVERREAD_CONFIG": str(path)}

    return write


def test_each_source_gives_way_to_the_one_before_it(config):
    env = config('[llm]\nmodel = "from-file"\ntimeout = 5\nconcurrency = 2\n')
    env |= {"OVERREAD_MODEL": "from-env", "OVERREAD_TIMEOUT": "6.5"}
    found = resolve({"timeout": 7.0, "model": None}, env)
    assert (found.settings.timeout, found.origins["timeout"]) == (7.0, "--timeout")
    assert (found.settings.model, found.origins["model"]) == (("from-env",), "OVERREAD_MODEL")
    assert (found.settings.concurrency, found.origins["concurrency"]) == (2, env["OVERREAD_CONFIG"])
    assert (found.settings.attempts, found.origins["attempts"]) == (6, "default")


@pytest.mark.parametrize(
    ("env", "key", "origin"),
    [
        ({"OVERREAD_API_KEY": "ours", "OPENAI_API_KEY": "theirs"}, "ours", "OVERREAD_API_KEY"),
        ({"OPENAI_API_KEY": "theirs"}, "theirs", "OPENAI_API_KEY"),
    ],
)
def test_the_key_falls_back_to_the_usual_variable(config, env, key, origin):
    found = resolve(env=env | config(""))
    assert found.settings.api_key.reveal() == key
    assert found.origins["api_key"] == origin


def test_lists_prices_and_words_are_understood(config):
    env = config('[llm]\nmodel = ["a", "b"]\n[llm.prices."a"]\ninput = 1\noutput = 2.5\n')
    found = resolve({"temperature": "default"}, env).settings
    assert found.model == ("a", "b")
    assert found.prices["a"].output == 2.5
    assert found.temperature is None
    assert resolve(env={**config(""), "OVERREAD_MODEL": "a, b"}).settings.model == ("a", "b")
    assert resolve(env={**config(""), "OVERREAD_CACHE": "false"}).settings.cache is False


def test_an_empty_variable_counts_as_not_set(config):
    assert resolve(env={**config(""), "OVERREAD_MODEL": ""}).origins["model"] == "default"


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("[llm]\nmodle = 'x'\n", UnknownName, "Did you mean 'model'"),
        ("[lm]\nmodel = 'x'\n", UnknownName, "Did you mean 'llm'"),
        ("[llm]\nyes_send = true\n", UnknownName, "yes_send"),
        ("[llm]\ntimeout = 'soon'\n", BadInput, "timeout"),
        ("[llm]\nconcurrency = 0\n", BadInput, "concurrency"),
        ("llm = 3\n", BadInput, "must be a table"),
        ("[llm\n", BadInput, "Cannot read the config file"),
        ("[llm]\nbase_url = 'https://user:pass@host/v1'\n", BadInput, "must not hold a password"),
        ("[llm]\nbase_url = 'https://host/v1?key=abc'\n", BadInput, "must not hold a password"),
    ],
)
def test_mistakes_in_the_file_are_named(config, text, error, said):
    with pytest.raises(error, match=said) as caught:
        resolve(env=config(text))
    assert "pass@" not in str(caught.value)


def test_a_named_config_file_must_exist(tmp_path):
    with pytest.raises(BadInput, match="Cannot read the config file"):
        resolve(env={"OVERREAD_CONFIG": str(tmp_path / "none.toml")})


def test_a_config_file_nobody_named_need_not_exist(tmp_path):
    env = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "c"), "HOME": str(tmp_path)}
    assert not config_file(env).exists()
    assert resolve(env=env).settings == Settings()
    assert cache_file(env).name == "answers.sqlite"


def test_limits_hold_for_settings_made_in_code_too():
    with pytest.raises(BadInput, match="concurrency"):
        Settings(concurrency=0)


def test_without_an_endpoint_nothing_is_asked():
    with pytest.raises(AskFailed, match="No endpoint is set"):
        Client(Settings(model=("m",)))


def test_without_a_model_nothing_is_asked():
    with pytest.raises(AskFailed, match="Name a model"):
        Client(Settings(base_url="http://localhost:1/v1"))


def test_the_openai_address_is_never_assumed(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "https://api.openai.com/v1")
    monkeypatch.setenv("OVERREAD_CONFIG", "/dev/null")
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert resolve().settings.base_url is None


def test_the_page_about_settings_is_complete(pytestconfig):
    page = (pytestconfig.rootpath / "docs" / "llm.md").read_text("utf-8")
    for field in msgspec.structs.fields(Settings):
        flag = option_descriptions().get(("llm", field.name))
        assert f"| `{field.name}` | {flag.help if flag else ''}" in page
