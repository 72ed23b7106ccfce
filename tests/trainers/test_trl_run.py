"""A tiny policy learns to write the reference: a real GRPO run on a CPU, without any download.

pip install torch trl
python -m pytest -m model tests/trainers/test_trl_run.py
"""

import pytest

from overread.trainers.trl import reward_function

pytestmark = [pytest.mark.model, pytest.mark.timeout(1800)]  # seconds, on a busy machine
REFERENCE = "Small left pleural effusion. No pneumothorax. The heart is normal in size."
SENTENCES = (
    "Small left pleural effusion.", "No pneumothorax.", "The heart is normal in size.", "Large right pneumothorax.",
    "No pleural effusion.", "Right lower lobe consolidation.", "Pulmonary edema has worsened.", "Acute rib fracture.",
)  # fmt: skip
PROMPT = "Describe the film."


@pytest.fixture(scope="module")
def torch():
    pytest.importorskip("trl", reason="trl is not installed")
    return pytest.importorskip("torch", reason="torch is not installed")


def tokenizer():
    """Every sentence is one token, so that a policy of a few thousand weights can write reports."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from transformers import PreTrainedTokenizerFast

    words = ["<pad>", "<end>", PROMPT, *SENTENCES]
    model = Tokenizer(WordLevel({word: n for n, word in enumerate(words)}, unk_token="<pad>"))
    return PreTrainedTokenizerFast(
        tokenizer_object=model, pad_token="<pad>", eos_token="<end>", padding_side="left"
    )


def policy(torch, words):
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    return GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(words), n_positions=16, n_embd=32, n_layer=1, n_head=2, pad_token_id=0, bos_token_id=1,
            eos_token_id=1,
        )
    )  # fmt: skip


def test_the_reward_rises(torch, tmp_path):
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    words = tokenizer()
    trainer = GRPOTrainer(
        model=policy(torch, words),
        processing_class=words,
        reward_funcs=[reward_function({"radsem": 1.0, "clear": 1.0})],
        train_dataset=Dataset.from_dict({"prompt": [PROMPT] * 64, "reference": [REFERENCE] * 64}),
        args=GRPOConfig(
            output_dir=str(tmp_path), use_cpu=True, bf16=False, report_to=[], save_strategy="no", logging_steps=1,
            max_steps=60, per_device_train_batch_size=16, num_generations=16, max_completion_length=4,
            learning_rate=1e-2, lr_scheduler_type="constant", temperature=1.0, beta=0.0, seed=0, disable_tqdm=True,
        ),
    )  # fmt: skip
    trainer.train()
    rewards = [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]
    first, last = sum(rewards[:10]) / 10, sum(rewards[-10:]) / 10
    print(f"reward {first:.2f} -> {last:.2f}; every sixth step: {[round(r, 2) for r in rewards[::6]]}")
    assert last > first + 0.2
    assert any("overread/radsem" in key for entry in trainer.state.log_history for key in entry)
