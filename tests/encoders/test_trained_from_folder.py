"""MedCPT and BioLORD as they are loaded and pooled, on tiny random networks written by the test."""

from importlib import import_module

import numpy as np
import pytest

from overread.encoders import load
from overread.errors import BadInput

torch = pytest.importorskip("torch", reason="needs the extra: pip install 'overread[models]'")
transformers = pytest.importorskip("transformers", reason="needs the extra: pip install 'overread[models]'")

trained = import_module("overread.encoders.load")  # not the function of that name

LETTERS = "abcdefghijklmnopqrstuvwxyz"
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *(f"##{c}" for c in LETTERS)]
PHRASES = ["pleural effusion", "left pleural effusion small", "edema"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("models")
    for seed, name in enumerate(("medcpt", "biolord")):
        write_model(place / name, seed)
    return place


def write_model(place, seed):
    torch.manual_seed(seed)
    size = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = transformers.BertConfig(vocab_size=len(VOCABULARY), max_position_embeddings=130, **size)
    transformers.BertModel(config).save_pretrained(place)
    (place / "vocab.txt").write_text("\n".join(VOCABULARY), "utf-8")
    transformers.BertTokenizer.from_pretrained(place).save_pretrained(place)


def states(folder, name, phrase):
    tokens = transformers.AutoTokenizer.from_pretrained(folder / name)(phrase, return_tensors="pt")
    with torch.inference_mode():
        return (
            transformers.AutoModel.from_pretrained(folder / name)
            .eval()(**tokens)
            .last_hidden_state[0]
            .numpy()
        )


@pytest.mark.parametrize(("name", "pool"), [("medcpt", lambda s: s[0]), ("biolord", lambda s: s.mean(0))])
def test_pooling_is_the_authors(folder, name, pool):
    """MedCPT takes the first token's vector, BioLORD the mean; padding must not show."""
    for phrase, vector in zip(PHRASES, load(name, folder).encode(PHRASES), strict=True):
        expected = pool(states(folder, name, phrase))
        assert vector == pytest.approx(expected / np.linalg.norm(expected), abs=1e-5)


def test_both_average_their_cosines(folder):
    both, one, two = (load(name, folder).encode(PHRASES) for name in ("medcpt+biolord", "medcpt", "biolord"))
    assert both @ both.T == pytest.approx((one @ one.T + two @ two.T) / 2, abs=1e-5)


def test_loaded_once_and_each_phrase_once(tmp_path, monkeypatch):
    """Three uses of the pair: two networks loaded, every distinct phrase through each of them once."""
    for seed, name in enumerate(("medcpt", "biolord")):
        write_model(tmp_path / name, seed)
    loads, seen = [], []
    genuine, pooled = transformers.AutoModel.from_pretrained, trained.Trained._pooled

    def noted_load(**place):
        loads.append(place)
        return genuine(**place)

    def noted_batch(self, batch):
        seen.extend((self.model.name, phrase) for phrase in batch)
        return pooled(self, batch)

    monkeypatch.setattr(transformers.AutoModel, "from_pretrained", noted_load)
    monkeypatch.setattr(trained.Trained, "_pooled", noted_batch)
    for phrases in (PHRASES, [*PHRASES, "nodule"], ["nodule", "edema"]):
        load("medcpt+biolord", tmp_path).encode(phrases)
    assert len(loads) == 2
    assert sorted(seen) == sorted((name, p) for name in ("medcpt", "biolord") for p in (*PHRASES, "nodule"))


def test_batches(folder, monkeypatch):
    monkeypatch.setattr(trained, "PHRASES_AT_ONCE", 4)
    encoder = trained.Trained(trained.MODELS["biolord"], str(folder / "biolord"))
    phrases = [f"nodule {LETTERS[: n + 1]}" for n in range(11)]
    together = encoder.encode(phrases)
    alone = np.concatenate([encoder.encode([phrase]) for phrase in phrases])
    assert together == pytest.approx(alone, abs=1e-5)
    assert encoder.encode([]).shape == (0, 16)


def test_a_folder_that_holds_no_model(tmp_path):
    (tmp_path / "medcpt").mkdir()
    with pytest.raises(BadInput, match="medcpt cannot be loaded"):
        load("medcpt", tmp_path)
