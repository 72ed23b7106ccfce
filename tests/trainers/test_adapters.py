"""Each trainer's call, as its documents have it; with the real package where that is installed."""

import asyncio
import importlib.util
import pickle
import subprocess
import sys
import types

import pytest

import overread
from overread.errors import BadInput, OverreadError
from overread.trainers import Rewarder, openrlhf, trl, verl
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


def test_verl_gives_a_number_for_every_key():
    one = verl.compute_score(
        data_source="cxr",
        solution_str=WRONG,
        ground_truth=EFFUSION,
        extra_info={"split": "train"},
        metric="radsem",
    )
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
    found = openrlhf.reward_func(
        ["Say: " + EFFUSION, "Say: " + WRONG], ["Say: ", "Say: "], [EFFUSION, EFFUSION]
    )
    rewards = [float(one) for one in found["rewards"]]
    assert rewards[0] == 1.0 > rewards[1]
    assert set(found) == {"rewards", "scores", "extra_logs"}
    assert set(found["extra_logs"]) == {"radsem", "rouge-l", "no_reference", "uncut"}


IMAGES = "<|im_start|>user\n<image>Describe.<|im_end|>\n<|im_start|>assistant\n"


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        (IMAGES, IMAGES.replace("<image>", "<image>" * 40)),
        (IMAGES, "scribe.<|im_end|>\n<|im_start|>assistant\n"),
        (IMAGES, IMAGES.replace("<|im_start|>user", "<|im_start|> user")),
        (IMAGES + WRONG + IMAGES, (IMAGES + WRONG + IMAGES).replace("<image>", "<image>" * 3)),
        ("Say: ", "Say: "),
        ("", ""),
    ],
    ids=["images", "cut", "respelt", "turns", "plain", "none"],
)
def test_openrlhf_finds_the_end_of_the_prompt(prompt, query):
    sent = {"query": [query + EFFUSION + "<|im_end|>"], "prompts": [prompt], "labels": [EFFUSION]}
    assert openrlhf.rows_in(sent) == [(EFFUSION, EFFUSION)]


def test_openrlhf_rows_that_cannot_be_scored_are_counted_and_stop_nothing(monkeypatch):
    monkeypatch.setenv("OVERREAD_REWARD", "rouge-l")
    found = openrlhf.reward_func(
        [f"Say: {EFFUSION}", f"Say: {EFFUSION}", EFFUSION],
        ["Say: "] * 2 + ["Q?!#"],
        [EFFUSION, None, EFFUSION],
    )
    assert [float(one) for one in found["rewards"]] == [1.0, 0.0, 0.0]
    assert [float(one) for one in found["extra_logs"]["no_reference"]] == [0.0, 1.0, 0.0]
    assert [float(one) for one in found["extra_logs"]["uncut"]] == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_a_row_without_reference_has_no_reward_and_stops_nothing(nothing):
    assert trl.reward_function("rouge-l")([""] * 2, [EFFUSION] * 2, reference=[nothing, EFFUSION]) == [
        None,
        1.0,
    ]
    told = verl.compute_score("cxr", EFFUSION, nothing, metric="rouge-l")
    assert told == {"score": 0.0, "rouge-l": 0.0, "defined": 0.0}
    assert Rewarder("rouge-l")(EFFUSION, nothing).value == 0.0  # nothing written earns what nothing earns
    assert overread.rewards([EFFUSION], [nothing], "rouge-l") == [0.0]


def test_a_reference_that_is_no_text_is_named():
    with pytest.raises(BadInput, match="A reference is a list; it must be a text"):
        trl.reward_function("rouge-l")([""], [EFFUSION], reference=[[EFFUSION]])
    with pytest.raises(BadInput, match="A completion is a int"):
        trl.reward_function("rouge-l")([""], [7], reference=[EFFUSION])


def test_a_metric_that_fails_is_an_error_and_never_left_out(monkeypatch):
    rewarder = Rewarder({"radsem": 1, "rouge-l": 1})
    monkeypatch.setattr(rewarder.scorer, "outcome", lambda m, *_: "too long")
    with pytest.raises(OverreadError, match="radsem failed: too long"):
        rewarder(EFFUSION, WRONG)


def test_series_in_another_order_are_refused():
    pandas = pytest.importorskip("pandas")
    texts = pandas.Series([EFFUSION, WRONG])
    assert overread.rewards(texts, texts, "rouge-l") == [1.0, 1.0]
    with pytest.raises(BadInput, match="Series in different orders"):
        overread.rewards(texts, texts[::-1], "rouge-l")


def test_what_trainers_copy_to_other_processes_can_be_copied():
    again = pickle.loads(pickle.dumps(trl.reward_function({"rouge-l": 1.0})))
    assert again([""], [EFFUSION], reference=[EFFUSION]) == [1.0]
    assert again.__name__ == "overread_rouge_l"


def test_verls_file_is_copied_by_value():
    """Its `remote` manager sends the function of a module that no other process can import."""
    cloudpickle = pytest.importorskip("cloudpickle")
    spec = importlib.util.spec_from_file_location("custom_module_123", verl.__file__)
    module = importlib.util.module_from_spec(spec)
    sys.modules["custom_module_123"] = module
    spec.loader.exec_module(module)
    cloudpickle.register_pickle_by_value(module)
    sent = cloudpickle.dumps(module.compute_score)
    del sys.modules["custom_module_123"]
    assert pickle.loads(sent)("cxr", EFFUSION, EFFUSION, metric={"rouge-l": 1})["score"] == 1.0


@pytest.mark.parametrize(
    "body", [{}, {"query": ["a"], "labels": []}, {"query": "a", "prompts": "a", "labels": "a"}]
)
def test_openrlhf_says_what_it_needs(body):
    with pytest.raises(BadInput):
        openrlhf.rows_in(body)


@pytest.mark.parametrize("module", ["verl", "openrlhf"])
def test_a_trainer_that_wants_a_file_is_told_where_it_is(module):
    told = subprocess.run(
        [sys.executable, "-m", f"overread.trainers.{module}"], capture_output=True, text=True
    )
    assert told.stdout.strip().endswith(f"{module}.py")


def test_nemo_gym_scores_the_last_message():
    nemo_gym = pytest.importorskip("overread.serve.routes", exc_type=ImportError)
    said = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": WRONG}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": EFFUSION}]},
        {"type": "function_call", "name": "zoom", "arguments": "{}"},
    ]
    body = {"response": {"output": said}, "verifier_metadata": {"expected_answer": EFFUSION}, "extra": 1}
    reference, candidate = nemo_gym.pair_of(body)
    answer = nemo_gym.answer_rollout(body, Rewarder()(reference, candidate))
    assert answer["reward"] == answer["overread_overread"] == 1.0
    assert answer["extra"] == 1


def test_verifiers_finds_the_reward_of_a_task():
    found_in = "verifiers.v1.utils.decorators"
    module = pytest.importorskip(found_in, reason="verifiers 0.3 is not installed", exc_type=ImportError)
    discover_decorated, invoke = module.discover_decorated, module.invoke
    import verifiers.v1 as vf

    class Describe(vf.Task):
        overread = ours.task_reward("radsem", weight=2.0)

        second = ours.task_reward("rouge-l")

    task = Describe.__new__(Describe)
    method, other = sorted(discover_decorated(task, "reward"), key=lambda one: one.__name__)
    assert [method.__name__, other.__name__] == ["overread_radsem", "overread_rouge_l"]
    data = types.SimpleNamespace(answer=EFFUSION)
    trace = types.SimpleNamespace(task=types.SimpleNamespace(data=data), last_reply=WRONG, metrics={})
    found = asyncio.run(invoke(method, {"trace": trace, "task": data}))
    assert found == Rewarder("radsem")(EFFUSION, WRONG).value
    assert trace.metrics == {"overread_radsem": found}
    assert method._vf_weight == 2.0
