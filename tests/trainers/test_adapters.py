"""Each trainer's call, as its documents have it; with the real package where that is installed."""

import asyncio
import importlib.util
import subprocess
import sys
import types

import pytest

from overread.errors import BadInput
from overread.trainers import Rewarder, nemo_gym, openrlhf, trl, verl
from overread.trainers import verifiers as ours

EFFUSION = "FINDINGS: Small left pleural effusion. No pneumothorax."
WRONG = "FINDINGS: No pleural effusion."
CHAT = [{"role": "user", "content": "Describe."}, {"role": "assistant", "content": EFFUSION}]


def test_a_reward_is_the_weighted_mean_of_what_is_defined():
    found = Rewarder({"radsem": 3, "rouge-l": 1})(EFFUSION, WRONG)
    both = Rewarder("radsem")(EFFUSION, WRONG).value, Rewarder("rouge-l")(EFFUSION, WRONG).value
    assert found.value == pytest.approx((3 * both[0] + both[1]) / 4)
    silent = Rewarder({"radsem": 3, "rouge-l": 1})("IMPRESSION: Normal chest.", "IMPRESSION: Normal chest.")
    assert silent.components == {"radsem": None, "rouge-l": 1.0}
    assert silent.value == 1.0
    assert "radsem" in silent.why
    assert Rewarder("radsem")("", "").value is None


@pytest.mark.parametrize(
    "metrics", [{}, {"radsem": 0}, {"radsem": float("inf")}, "lunguage-sequential", "cider"]
)
def test_what_cannot_reward_is_refused(metrics):
    with pytest.raises(BadInput):
        Rewarder(metrics)


def test_readings_kept_are_bounded_by_their_length_not_their_number():
    rewarder = Rewarder("rouge-l")
    long = "FINDINGS: " + "No edema. " * 1000
    for n in range(10):
        rewarder(f"{long}{n}", WRONG)
    assert rewarder.characters == sum(map(len, rewarder.read)) <= 32_000
    rewarder(long * 5, WRONG)
    assert list(rewarder.read) == [long * 5]


def test_trl_texts_messages_and_undefined():
    reward = trl.reward_function("radsem")
    prompts = ["Describe."] * 3
    found = reward(
        prompts=prompts, completions=[EFFUSION, WRONG, ""], reference=[EFFUSION] * 3, trainer_state=None
    )
    assert found[0] == 1.0 > found[1] >= found[2]
    chat = reward(prompts=[CHAT[:1]], completions=[CHAT[1:]], ground_truth=[EFFUSION], completion_ids=[[1]])
    assert chat == [1.0]
    assert reward(prompts=[""], completions=[""], reference=[""]) == [None]
    assert trl.reward_function("radsem", undefined=0.5)([""], [""], reference=[""]) == [0.5]
    assert reward.__name__ == "overread_radsem"


def test_trl_names_the_columns_it_looked_for_and_logs_components():
    with pytest.raises(BadInput, match="columns: impression"):
        trl.reward_function()([""], [EFFUSION], impression=[EFFUSION])
    told = {}
    trl.reward_function({"radsem": 1, "rouge-l": 1}, column="impression")(
        [""], [EFFUSION], impression=[EFFUSION], log_metric=told.__setitem__
    )
    assert told == {"overread/radsem": 1.0, "overread/rouge-l": 1.0}


def test_verl_single_and_batch_agree():
    one = verl.compute_score(
        data_source="cxr",
        solution_str=WRONG,
        ground_truth=EFFUSION,
        extra_info={"split": "train"},
        metric="radsem",
    )
    (many,) = verl.compute_score_batch(["cxr"], [WRONG], [EFFUSION], [{}], metric={"radsem": 1.0})
    assert one == many
    assert set(one) == {"score", "radsem", "defined"}
    silent = verl.compute_score("cxr", "", "", undefined=0.25)
    assert (silent["score"], silent["defined"]) == (0.25, 0.0)


def test_verl_loads_the_file_and_calls_it():
    loader = pytest.importorskip(
        "verl.trainer.ppo.reward", reason="verl is not installed", exc_type=ImportError
    )

    file = {"path": verl.__file__, "name": "compute_score", "reward_kwargs": {"metric": "radsem"}}
    config = types.SimpleNamespace(reward={"custom_reward_function": file})
    score = loader.get_custom_reward_fn(config)
    assert (
        score(data_source="cxr", solution_str=EFFUSION, ground_truth=EFFUSION, extra_info={})["score"] == 1.0
    )


def test_openrlhf_takes_the_prompt_off_and_answers_in_its_words(monkeypatch):
    monkeypatch.setenv("OVERREAD_REWARD", "radsem:1,rouge-l:1")
    openrlhf.rewarder.cache_clear()
    found = openrlhf.reward_func(
        ["Say: " + EFFUSION, "Say: " + WRONG], ["Say: ", "Say: "], [EFFUSION, EFFUSION]
    )
    openrlhf.rewarder.cache_clear()
    rewards = [float(one) for one in found["rewards"]]
    assert rewards[0] == 1.0 > rewards[1]
    assert set(found) == {"rewards", "scores", "extra_logs"}
    assert set(found["extra_logs"]) == {"radsem", "rouge-l"}


@pytest.mark.parametrize(
    "body", [{}, {"query": ["a"], "labels": []}, {"query": "a", "prompts": "a", "labels": "a"}]
)
def test_openrlhf_says_what_it_needs(body):
    with pytest.raises(BadInput):
        openrlhf.Batch.of(body)


@pytest.mark.parametrize("module", ["verl", "openrlhf"])
def test_a_trainer_that_wants_a_file_is_told_where_it_is(module):
    told = subprocess.run(
        [sys.executable, "-m", f"overread.trainers.{module}"], capture_output=True, text=True
    )
    assert told.stdout.strip().endswith(f"{module}.py")


def test_nemo_gym_scores_the_last_message():
    said = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": WRONG}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": EFFUSION}]},
        {"type": "function_call", "name": "zoom", "arguments": "{}"},
    ]
    body = {"response": {"output": said}, "verifier_metadata": {"expected_answer": EFFUSION}, "extra": 1}
    reference, candidate = nemo_gym.pair_of(body)
    answer = nemo_gym.answer(body, Rewarder()(reference, candidate))
    assert answer["reward"] == 1.0
    assert answer["extra"] == 1


def test_a_rubric_function_takes_what_it_is_called_with():
    reward = ours.rubric_function("radsem")
    assert (
        asyncio.run(reward(prompt=CHAT[:1], completion=CHAT[1:], answer=EFFUSION, state={}, info={})) == 1.0
    )


@pytest.mark.skipif(importlib.util.find_spec("verifiers") is None, reason="verifiers is not installed")
def test_verifiers_finds_the_reward_of_a_task():
    import verifiers.v1 as vf
    from verifiers.v1.utils.decorators import discover_decorated, invoke

    class Describe(vf.Task):
        overread = ours.task_reward("radsem", weight=2.0)

    task = Describe.__new__(Describe)
    (method,) = discover_decorated(task, "reward")
    data = types.SimpleNamespace(answer=EFFUSION)
    trace = types.SimpleNamespace(task=types.SimpleNamespace(data=data), last_reply=WRONG, metrics={})
    found = asyncio.run(invoke(method, {"trace": trace, "task": data}))
    assert found == Rewarder()(EFFUSION, WRONG).value
    assert trace.metrics == {"overread_radsem": found}
    assert method._vf_weight == 2.0
