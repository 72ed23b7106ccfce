"""Trained encoders: loaded from a folder, run in batches, trained on a small invented corpus."""

import json

import pytest

from overread.errors import BadInput, MissingExtra
from overread.reader import read
from overread.report import parse
from overread.systems.srrg import classifier as module
from overread.systems.srrg.by_rules import view
from overread.systems.srrg.classifier import (
    Classifier,
    Plan,
    batches,
    evaluate,
    load_utterances,
    output_names,
    slope,
    targets,
    train,
)
from overread.systems.srrg.corpus import Labelled
from overread.systems.srrg.labels import SPACES, Label, space

WORDS = (
    "no small left right pleural effusion pneumothorax heart enlarged lungs clear edema nodule the is".split()
)
EFFUSION, AIR = Label("Simple pleural effusion", "Present"), Label("Simple pneumothorax", "Absent")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    """A folder with a tiny encoder that knows nothing."""
    torch = pytest.importorskip("torch", reason="torch is not installed (extra models)")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed (extra models)")
    folder = tmp_path_factory.mktemp("encoder")
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]))
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(1)
    torch.set_num_threads(1)
    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    still = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "initializer_range": 0.5}
    config = transformers.BertConfig(vocab_size=5 + len(WORDS), max_position_embeddings=160, **sizes, **still)
    transformers.BertModel(config).save_pretrained(folder)
    return folder


def rows(count=40):
    """Two kinds of utterances that a word tells apart."""
    kinds = [
        ("small left pleural effusion", EFFUSION),
        ("no pneumothorax", AIR),
        ("lungs clear", Label("No Finding")),
    ]
    return [Labelled(text, [label]) for _ in range(count) for text, label in kinds]


@pytest.fixture(scope="module")
def trained(encoder, tmp_path_factory):
    plan = Plan(str(encoder), "leaves-statuses", epochs=40, batch=12, rate=5e-3)
    losses = []
    folder = tmp_path_factory.mktemp("trained")
    made = train(rows(), plan, folder, lambda step, steps, loss: losses.append(loss))
    return made, folder, losses


def test_a_small_corpus_is_learned_end_to_end(trained):
    made, _, losses = trained
    assert losses[-1] < losses[0] / 5
    assert len(losses) == 40 * 10
    told = evaluate(made, rows(2))
    assert told.averages["micro"].f1 == pytest.approx(1)
    assert set(told.averages) == {"micro", "macro", "weighted", "samples"}
    assert told.labels["Simple pneumothorax (Absent)"].support == 2


def test_the_saved_folder_stands_alone(trained):
    _, folder, _ = trained
    again = Classifier(folder, "leaves-statuses")
    assert again.predict(["no pneumothorax"]) == [frozenset({"Simple pneumothorax (Absent)"})]
    assert again.names == space("leaves-statuses").names


def test_batches_do_not_change_the_answer(trained):
    made, _, _ = trained
    texts = ["no pneumothorax", "small left pleural effusion", "lungs clear the heart is enlarged"] * 3
    assert made.predict(texts, batch=1) == made.predict(texts, batch=4) == made.predict(texts, batch=64)
    assert made.predict([]) == []


def test_a_view_can_be_labelled_anew(trained):
    made, _, _ = trained
    told = made.relabel(view(read(parse("FINDINGS: No pneumothorax.", "r1"))))
    assert [(one.label, one.status) for one in told.utterances[0].labels] == [
        ("Simple pneumothorax", "Absent")
    ]


def test_training_twice_gives_the_same_model(encoder, tmp_path):
    plan = Plan(str(encoder), "upper", epochs=1, batch=8, rate=1e-2)
    losses = [[], []]
    for number in (0, 1):
        train(rows(4), plan, tmp_path / str(number), lambda s, n, loss, k=number: losses[k].append(loss))
    assert losses[0] == losses[1]


def test_the_wrong_space_is_said_plainly(trained):
    _, folder, _ = trained
    with pytest.raises(BadInput, match="163 outputs; the label space leaves has 55"):
        Classifier(folder, "leaves")


def test_a_folder_without_a_model_is_said_plainly(encoder, tmp_path):
    with pytest.raises(BadInput, match="cannot be loaded"):
        Classifier(tmp_path, "leaves")
    with pytest.raises(BadInput, match="cannot be loaded"):
        train(rows(1), Plan(str(tmp_path)), tmp_path / "out")


def test_without_torch_the_extra_is_named(monkeypatch):
    def missing(name, extra):
        raise MissingExtra(name, extra)

    monkeypatch.setattr(module, "require", missing)
    with pytest.raises(MissingExtra, match=r"overread\[models\]"):
        Classifier("anywhere", "leaves")


def test_utterances_without_a_label_of_the_space_are_dropped_and_counted():
    given = [Labelled("opacity", [Label("Air space opacity", "Present")]), Labelled("effusion", [EFFUSION])]
    kept, dropped = targets(given, space("leaves"))
    assert (kept, dropped) == ([("effusion", frozenset({"Simple pleural effusion"}))], 1)
    assert targets(given, space("upper"))[1] == 0


def test_every_epoch_sees_every_line_in_an_order_of_its_own():
    given = [(str(n), frozenset({"x"})) for n in range(10)]
    plan = Plan("base", epochs=2, batch=4)
    seen = [text for batch in batches(given, plan) for text, _ in batch]
    assert sorted(seen[:10]) == sorted(seen[10:]) == sorted(text for text, _ in given)
    assert seen[:10] != seen[10:]
    assert seen == [text for batch in batches(given, plan) for text, _ in batch]


def test_the_rate_rises_and_falls():
    shares = [slope(step, 20, 0.1) for step in range(20)]
    assert max(shares) == 1
    assert shares[:2] == [0.5, 1.0]
    assert shares[-1] < 0.1


def test_outputs_keep_the_models_own_names():
    reversed_names = dict(enumerate(reversed(space("upper").names)))
    assert output_names(reversed_names, space("upper"), "x") == tuple(reversed(space("upper").names))
    unnamed = {n: f"LABEL_{n}" for n in range(25)}
    assert output_names(unnamed, space("upper"), "x") == space("upper").names


def test_every_name_of_every_space_is_a_label():
    for name in SPACES:
        for one in space(name).names:
            assert space(name).of([Label.named(one)]) == {one}


def test_an_utterance_file_is_checked_line_by_line(tmp_path):
    file = tmp_path / "u.jsonl"
    good = {"text": "edema", "labels": [{"label": "Edema", "status": "Present"}]}
    file.write_text(json.dumps(good) + "\n\n" + json.dumps(good) + "\n")
    assert load_utterances(file) == [Labelled("edema", [Label("Edema", "Present")])] * 2
    file.write_text(json.dumps(good) + '\n{"text": 3}\n')
    with pytest.raises(BadInput, match="line 2"):
        load_utterances(file)
    file.write_text("\n")
    with pytest.raises(BadInput, match="no utterances"):
        load_utterances(file)
    with pytest.raises(BadInput, match="Cannot read"):
        load_utterances(tmp_path / "none.jsonl")
