"""The server as an assistant meets it: started as a process, driven by the SDK's own client."""

import json
import os
import sys
from asyncio import wait_for
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="the mcp SDK is not installed")

from anyio.from_thread import start_blocking_portal
from mcp.client.stdio import stdio_client

from mcp import ClientSession, MCPError, StdioServerParameters
from overread.version import __version__

OVERREAD = str(Path(sys.executable).with_name("overread"))
PAIR = {"reference": "Large right pneumothorax.", "candidate": "Small left pneumothorax."}


@asynccontextmanager
async def opened():
    parameters = StdioServerParameters(command=OVERREAD, args=["mcp"], env=dict(os.environ))
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        session.begun = await session.initialize()
        yield session


@pytest.fixture(scope="module")
def with_session():
    """One process for all: none of its answers depends on an earlier one."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(opened()) as session:

        async def asked(use):
            return await wait_for(use(session), 120)

        yield lambda use: portal.call(asked, use)


def value(result):
    """What a tool returned: its JSON."""
    return json.loads(result.content[0].text)


def test_every_tool_answers(with_session):
    async def use(session):
        listed = await session.list_tools()
        assert {tool.name for tool in listed.tools} == {
            "read_report", "score_pair", "list_errors", "explain", "follow_patient",
        }  # fmt: skip
        assert all(tool.description for tool in listed.tools)
        assert all(tool.annotations.read_only_hint for tool in listed.tools)
        assert not any(tool.annotations.destructive_hint for tool in listed.tools)
        (reads,) = [tool.input_schema["properties"] for tool in listed.tools if tool.name == "read_report"]
        assert "radsem" in reads["system"]["enum"]
        assert reads["labels"]["enum"] == ["rules", "model", "vote"]
        read = value(await session.call_tool("read_report", {"text": "No edema.", "system": "radsem"}))
        assert read["atoms"][0]["normality"] == "normal"
        scores = value(await session.call_tool("score_pair", {**PAIR, "metrics": ["overread", "rouge-l"]}))
        assert 0 < scores["overread"]["value"] < 1
        told = {"reference": "Atelectasis.", "candidate": "Dystelectasis in both lower fields."}
        voted = {**told, "metrics": ["f1-srr"], "labels": "vote"}
        labelled = value(await session.call_tool("score_pair", voted))["f1-srr"]
        assert labelled["value"] == 1
        assert "|labels:vote-" in labelled["signature"]
        line = {"text": told["candidate"], "system": "srrg", "labels": "vote"}
        view = value(await session.call_tool("read_report", line))
        assert view["utterances"][0]["labels"][0]["label"] == "Atelectasis"
        errors = value(await session.call_tool("list_errors", PAIR))
        assert errors["errors"][0]["correction"] == "write Large instead of Small"
        reading = value(await session.call_tool("explain", {"text": "No edema."}))
        assert reading["findings"][0]["status"] == "negative"
        studies = [
            {"text": "Small left effusion.", "day": 0},
            {"text": "Left effusion has increased.", "day": 3},
        ]
        followed = value(await session.call_tool("follow_patient", {"studies": studies}))
        assert len(followed["observations"]) == 2
        assert len(followed["groups"]) == 1

    with_session(use)


def test_resources_are_the_lexicon_and_the_formulas(with_session):
    async def use(session):
        listed = {str(one.uri) for one in (await session.list_resources()).resources}
        assert listed == {"overread://lexicon", "overread://formulas"}
        words = (await session.read_resource("overread://lexicon")).contents[0].text
        assert "pneumothorax\t" in words
        term = json.loads((await session.read_resource("overread://lexicon/PTX")).contents[0].text)
        assert term["concepts"][0]["name"] == "pneumothorax"
        assert "radsem" in (await session.read_resource("overread://formulas")).contents[0].text
        assert "# RadSEM" in (await session.read_resource("overread://formulas/radsem")).contents[0].text

    with_session(use)


def test_mistakes_are_told_and_reports_are_not_quoted(with_session):
    async def use(session):
        wrong = await session.call_tool("read_report", {"text": "Zebrastripe.", "system": "radsm"})
        told = wrong.content[0].text
        assert "system" in told
        assert "radsem" in told
        assert "Zebrastripe" not in told
        lists = await session.call_tool("read_report", {"text": ["Zebrastripe."]})
        assert lists.is_error
        assert "Zebrastripe" not in lists.content[0].text
        wrong = await session.call_tool("follow_patient", {"studies": [{"words": "Zebrastripe."}]})
        assert wrong.content[0].text.endswith("Study 1 needs a `text`, and a `day` or a `date`.")
        assert (
            (await session.call_tool("follow_patient", {"studies": []}))
            .content[0]
            .text.endswith("day or date.")
        )

    with_session(use)


def test_an_answer_is_told_once_and_without_blanks(with_session):
    async def use(session):
        answer = await session.call_tool("explain", {"text": "No edema."})
        (part,) = answer.content
        assert json.loads(part.text) == answer.structured_content
        assert "\n" not in part.text

    with_session(use)


def test_a_resource_that_is_not_there_is_named(with_session):
    async def use(session):
        with pytest.raises(MCPError, match="No system is called 'radsm'"):
            await session.read_resource("overread://formulas/radsm")

    with_session(use)


def test_the_server_says_its_version(with_session):
    async def use(session):
        return session.begun.server_info.version

    assert with_session(use) == __version__
