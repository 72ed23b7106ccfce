"""Trainers' own clients, where the package is installed, against a server: nothing of ours stands between."""

import asyncio
import importlib.util
import json
import sys
import types
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from overread.trainers import openrlhf

EFFUSION = "FINDINGS: Small left pleural effusion. No pneumothorax."
PROMPT = "<|im_start|>user\n<image>Describe.<|im_end|>\n<|im_start|>assistant\n"


class Letters:
    """A tokenizer whose tokens are letters; a processor of images writes each placeholder out."""

    def __call__(self, text, **_):
        written = text.replace("<image>", "<image>" * 8)
        return {"input_ids": [types.SimpleNamespace(tolist=lambda: [*map(ord, written)])]}

    def decode(self, tokens, **_):
        return "".join(map(chr, tokens))


class Engine:
    """A policy that always says the same."""

    async def generate(self, tokens, params, **_):
        said = [*map(ord, EFFUSION + "<|im_end|>")]
        output = types.SimpleNamespace(token_ids=said, text=EFFUSION, finish_reason="stop", logprobs=None)
        return types.SimpleNamespace(outputs=[output])


@pytest.fixture
def executor(monkeypatch):
    """OpenRLHF's executor of one turn; its package as a whole wants a GPU, this file of it does not."""
    found = importlib.util.find_spec("openrlhf")
    if found is None or importlib.util.find_spec("aiohttp") is None:
        pytest.skip("OpenRLHF is not installed")
    folder = Path(found.submodule_search_locations[0]) / "utils"
    monkeypatch.setitem(sys.modules, "openrlhf.utils", types.ModuleType("openrlhf.utils"))
    for name in ("logging_utils", "agent"):
        spec = importlib.util.spec_from_file_location(f"openrlhf.utils.{name}", folder / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
    return module.SingleTurnAgentExecutor


@pytest.mark.parametrize("way", ["file", "http"])
def test_openrlhfs_executor(way, executor, server, monkeypatch):
    monkeypatch.setenv("OVERREAD_REWARD", "rouge-l")
    place = openrlhf.__file__ if way == "file" else f"{server.url}/get_reward?metric=rouge-l"
    params = types.SimpleNamespace(max_tokens=10_000, logprobs=None)
    run = executor(place).execute(PROMPT, EFFUSION, params, 20_000, Letters(), Engine())
    found = asyncio.run(run)
    assert [float(one) for one in found["reward"]] == [1.0]
    assert float(found["extra_logs"]["uncut"][0]) == 0.0


def message(text):
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": content}


def test_nemo_gyms_agent(server, monkeypatch):
    simple = pytest.importorskip(
        "responses_api_agents.simple_agent.app", reason="NeMo Gym is not installed", exc_type=ImportError
    )
    from nemo_gym.config_types import AggregateMetricsRequest, BaseServerConfig
    from nemo_gym.server_utils import ServerClient
    from omegaconf import OmegaConf

    class Said:
        """What the agent hears of itself: the policy's answer."""

        ok, cookies = True, types.MappingProxyType({})

        async def read(self):
            fixed = {"parallel_tool_calls": False, "tool_choice": "auto", "tools": [], "object": "response"}
            said = {"id": "r", "created_at": 0, "model": "policy", "output": [message(EFFUSION)]}
            return json.dumps(said | fixed).encode()

    class Wire(ServerClient):
        async def post(self, server_name, url_path, **given):
            return Said() if server_name == "agent" else await super().post(server_name, url_path, **given)

    place = urlsplit(server.url)
    at = {"overread": {"resources_servers": {"overread": {"host": place.hostname, "port": place.port}}}}
    head = BaseServerConfig(host=place.hostname, port=place.port)
    config = simple.SimpleAgentConfig(
        name="agent", host=place.hostname, port=0, entrypoint="app.py",
        resources_server={"type": "resources_servers", "name": "overread"},
        model_server={"type": "responses_api_models", "name": "policy"},
    )  # fmt: skip
    monkeypatch.setenv("NEMO_GYM_CONFIG_DICT", OmegaConf.to_yaml(OmegaConf.create(at)))
    wire = Wire(head_server_config=head, global_config_dict=OmegaConf.create(at))
    agent = simple.SimpleAgent(config=config, server_client=wire)
    row = {"responses_create_params": {"input": "Describe."}, "reference": EFFUSION}

    async def trained():
        body = simple.SimpleAgentRunRequest.model_validate(row)
        found = await agent.run(types.SimpleNamespace(cookies={}), body)
        return found, await agent.aggregate_metrics(
            AggregateMetricsRequest(verify_responses=[found.model_dump()])
        )

    found, run = asyncio.run(trained())
    assert found.reward == found.overread_overread == 1.0
    assert run.agent_metrics == {"mean/reward": 1.0, "mean/overread_overread": 1.0}


def test_verifiers_task_of_a_nemo_gym_server(server):
    tasks = pytest.importorskip(
        "verifiers.v1.tasksets.nemo_gym.taskset", reason="verifiers is not installed", exc_type=ImportError
    )
    from verifiers.v1.tasksets.nemo_gym.toolset import NeMoGymState
    from verifiers.v1.types import AssistantMessage

    row = {"responses_create_params": {"input": "Describe."}, "reference": EFFUSION}
    data = tasks.NeMoGymData(name="one", prompt="Describe.", row=row, idx=0)
    task = tasks.NeMoGymTask(data, tasks.NeMoGymTaskConfig(resources_url=server.url))
    node = types.SimpleNamespace(message=AssistantMessage(content=EFFUSION), sampled=True, timestamp=0.0)
    metrics = {}
    trace = types.SimpleNamespace(
        id="t", state=NeMoGymState(), branches=[types.SimpleNamespace(nodes=[node])], info={},
        record_metric=metrics.__setitem__,
    )  # fmt: skip

    async def trained():
        await task.setup(trace, None)
        return await task.nemo_gym(trace)

    assert asyncio.run(trained()) == 1.0
    assert metrics == {"overread_overread": 1.0}
