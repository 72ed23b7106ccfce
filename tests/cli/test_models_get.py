"""`overread models get`: from a stand-in hub or a copied folder, pinned by hash, made safe, used and signed."""

import hashlib
import http.server
import io
import json
import tarfile
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.baselines import optional
from overread.errors import BadInput
from overread.weights.folder import published_models, weights_hash

COMMIT = "0123456789abcdef0123456789abcdef01234567"
MEDCPT = {
    "config.json": b"{}",
    "model.safetensors": b"numbers",
    "vocab.txt": b"[PAD]\n",
    "README.md": b"words",
}


class StandInHub(http.server.ThreadingHTTPServer):
    """Repository → file → bytes, in the paths of a model hub."""

    def __init__(self, repositories):
        super().__init__(("127.0.0.1", 0), Asked)
        self.repositories = repositories
        self.paths = []
        self.stated = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class Asked(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.paths.append(self.path)
        found = self.found(self.path.partition("?")[0])
        self.send_response(404 if found is None else 200)
        self.end_headers()
        self.wfile.write(found or b"")

    def found(self, path):
        for name, files in self.server.repositories.items():
            if path == f"/api/models/{name}":
                return json.dumps({"sha": COMMIT}).encode()
            if path == f"/api/models/{name}/tree/{COMMIT}":
                return json.dumps([self.row(file, data) for file, data in files.items()]).encode()
            if path.startswith(f"/{name}/resolve/{COMMIT}/"):
                return files.get(path.rpartition("/")[2])
        return None

    def row(self, file, data):
        oid = self.server.stated.get(file, hashlib.sha256(data).hexdigest())
        return {"type": "file", "path": file, "size": len(data), "lfs": {"oid": oid}}

    def log_message(self, *_):
        pass


@pytest.fixture
def hub():
    server = StandInHub({"ncbi/MedCPT-Query-Encoder": dict(MEDCPT)})
    yield server
    server.shutdown()


def get(*words):
    return CliRunner().invoke(app, ["models", "get", *map(str, words)])


def said(result):
    return result.output + str(result.exception or "")


def test_nothing_is_fetched_unless_a_place_is_named(tmp_path):
    done = get("medcpt", "--to", tmp_path / "m")
    assert isinstance(done.exception, BadInput)
    assert "--hub" in said(done)
    assert "--from" in said(done)
    assert not (tmp_path / "m").exists()


def test_from_a_hub_at_its_commit_with_hashes(tmp_path, hub):
    done = get("medcpt", "--to", tmp_path, "--hub", hub.url)
    assert done.exit_code == 0, said(done)
    assert {p.name for p in (tmp_path / "medcpt").iterdir()} == set(MEDCPT) - {"README.md"}
    pin = json.loads((tmp_path / "pins.json").read_text())["medcpt"]
    assert pin["commits"] == {"ncbi/MedCPT-Query-Encoder": COMMIT}
    assert pin["sha256"]["model.safetensors"] == hashlib.sha256(b"numbers").hexdigest()
    assert all(COMMIT in path for path in hub.paths[1:])
    assert f"--models {tmp_path}" in said(done)


def test_a_hub_whose_file_is_another_one(tmp_path, hub):
    hub.stated["model.safetensors"] = "0" * 64
    done = get("medcpt", "--to", tmp_path, "--hub", hub.url)
    assert "was expected" in said(done)
    assert list(tmp_path.iterdir()) == []


def test_pins_refuse_other_weights(tmp_path, hub):
    assert get("medcpt", "--to", tmp_path / "one", "--hub", hub.url).exit_code == 0
    pins = tmp_path / "one" / "pins.json"
    assert get("medcpt", "--to", tmp_path / "two", "--hub", hub.url, "--pins", pins).exit_code == 0
    hub.repositories["ncbi/MedCPT-Query-Encoder"]["model.safetensors"] = b"other numbers"
    done = get("medcpt", "--to", tmp_path / "three", "--hub", hub.url, "--pins", pins)
    assert "was expected" in said(done)
    assert not (tmp_path / "three" / "medcpt").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["medcpt", "--hub", "http://127.0.0.1:1"], "cannot be reached"),
        (["medcpt@main", "--hub", "http://127.0.0.1:1"], "40 hexadecimal"),
        (["medcpt", "--hub", "huggingface"], "address of a model hub"),
        (["medcp", "--hub", "http://127.0.0.1:1"], "Did you mean 'medcpt'"),
        (["medcpt", "--from", "EMPTY"], "Copy the repository there"),
    ],
)
def test_errors_say_what_to_do(tmp_path, words, says):
    (tmp_path / "EMPTY").mkdir()
    words = [str(tmp_path / "EMPTY") if word == "EMPTY" else word for word in words]
    done = get(*words, "--to", tmp_path / "m")
    assert says in said(done)
    if says == "cannot be reached":
        assert "--from FOLDER" in said(done)


def test_a_hub_that_has_it_not(tmp_path, hub):
    assert "404" in said(get("biolord", "--to", tmp_path, "--hub", hub.url))


@pytest.mark.parametrize(
    "layout",
    ["medcpt", "MedCPT-Query-Encoder", f"models--ncbi--MedCPT-Query-Encoder/snapshots/{COMMIT}"],
)
def test_from_a_folder_however_it_was_copied(tmp_path, layout):
    place = tmp_path / "copied" / layout
    place.mkdir(parents=True)
    for name, data in MEDCPT.items():
        (place / name).write_bytes(data)
    done = get("medcpt", "--to", tmp_path / "m", "--from", tmp_path / "copied")
    assert done.exit_code == 0, said(done)
    assert (tmp_path / "m" / "medcpt" / "model.safetensors").read_bytes() == b"numbers"
    again = get("medcpt", "--to", tmp_path / "m", "--from", tmp_path / "copied")
    assert "there already" in said(again)


def archive(names):
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as packed:
        for name, data in names.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            packed.addfile(info, io.BytesIO(data))
    return held.getvalue()


SETTINGS = {"model": {"embedder": {"token_embedders": {"bert": {"model_name": "some/encoder"}}}}}


def test_radgraph_is_unpacked_where_its_package_looks(tmp_path, monkeypatch):
    place = tmp_path / "copied" / "radgraph"
    place.mkdir(parents=True)
    packed = archive({"config.json": json.dumps(SETTINGS).encode(), "weights.th": b"w"})
    (place / "radgraph-xl.tar.gz").write_bytes(packed)
    done = get("radgraph", "--to", tmp_path / "m", "--from", tmp_path / "copied")
    assert done.exit_code == 0, said(done)
    assert "some/encoder" in said(done)
    assert (tmp_path / "m" / "radgraph" / "radgraph-xl" / "weights.th").read_bytes() == b"w"
    monkeypatch.setenv("OVERREAD_MODELS", str(tmp_path / "m"))
    asked = {}

    package = SimpleNamespace(F1RadGraph=lambda **given: asked.update(given))
    monkeypatch.setattr(optional, "_package", lambda name: package)
    optional._pair_model.cache_clear()
    optional._pair_model("radgraph-f1")
    optional._pair_model.cache_clear()
    assert asked["model_cache_dir"] == str(tmp_path / "m" / "radgraph")


def test_an_archive_that_climbs_out_is_refused(tmp_path):
    place = tmp_path / "copied" / "radgraph"
    place.mkdir(parents=True)
    (place / "radgraph-xl.tar.gz").write_bytes(archive({"../../escaped": b"!"}))
    done = get("radgraph", "--to", tmp_path / "m", "--from", tmp_path / "copied")
    assert "cannot be unpacked" in said(done)
    assert not list(tmp_path.rglob("escaped"))


def test_the_list_names_every_model_and_what_is_here(tmp_path, monkeypatch):
    (tmp_path / "medcpt").mkdir()
    monkeypatch.setenv("OVERREAD_MODELS", str(tmp_path))
    text = CliRunner().invoke(app, ["models"]).output
    assert all(name in text for name in published_models())
    assert str(tmp_path / "medcpt") in text


def test_signatures_say_which_weights(tmp_path, monkeypatch):
    from overread.encoders.load import marked

    for name in ("medcpt", "biolord"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.safetensors").write_bytes(name.encode())
    first = marked("medcpt+biolord", tmp_path)
    assert first.count("-") == 2
    assert weights_hash(tmp_path / "medcpt") in first
    (tmp_path / "medcpt" / "model.safetensors").write_bytes(b"another one")
    assert marked("medcpt+biolord", tmp_path) != first
    (tmp_path / "chexbert").mkdir()
    monkeypatch.setenv("OVERREAD_MODELS", str(tmp_path))
    extra = optional.EXTRAS["chexbert-f1"]
    assert extra.installed
    assert extra.release == f"chexbert-{weights_hash(tmp_path / 'chexbert')}"


# Stand-ins of the published shapes, for which torch is needed.


@pytest.fixture
def bert(tmp_path):
    """A tiny BERT as CheXbert and SRR-BERT are published: pickled, its names behind `module.`."""
    torch = pytest.importorskip("torch", reason="needs the extra: pip install 'overread[models]'")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "edema", "no", "effusion"]
    size = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = transformers.BertConfig(vocab_size=len(words), **size)
    base = tmp_path / "copied" / "bert-base-uncased"
    base.mkdir(parents=True)
    (base / "config.json").write_text(config.to_json_string())
    (base / "vocab.txt").write_text("\n".join(words))
    network = transformers.BertModel(config)
    heads = [torch.nn.Linear(16, 4) for _ in range(13)] + [torch.nn.Linear(16, 2)]
    state = {f"module.bert.{k}": v for k, v in network.state_dict().items()}
    for n, head in enumerate(heads):
        state |= {f"module.linear_heads.{n}.{k}": v for k, v in head.state_dict().items()}
    place = tmp_path / "copied" / "RRG_scorers"
    place.mkdir()
    torch.save({"epoch": 3, "model_state_dict": state}, place / "chexbert.pth")
    return torch, network.eval(), heads, tmp_path


def test_chexbert_answers_as_its_network_does(bert, monkeypatch):
    torch, network, heads, tmp_path = bert
    done = get("chexbert", "--to", tmp_path / "m", "--from", tmp_path / "copied")
    assert done.exit_code == 0, said(done)
    here = tmp_path / "m" / "chexbert"
    assert {p.name for p in here.iterdir()} == {"config.json", "vocab.txt", "model.safetensors"}
    monkeypatch.setenv("OVERREAD_MODELS", str(tmp_path / "m"))
    optional._chexbert_model.cache_clear()
    model = optional._chexbert_model()
    for words, ids in (("edema", [2, 5, 3]), ("No  effusion\n", [2, 6, 7, 3])):
        with torch.inference_mode():
            first = network(torch.tensor([ids])).last_hidden_state[0, 0]
            expected = [int(head(first).argmax()) for head in heads]
        assert model.classes(words) == expected
        assert model.get_label(words) == [int(one in (1, 3)) for one in expected]
    assert optional.chexbert_labels("edema") <= set(model.target_names)
    optional._chexbert_model.cache_clear()


def test_a_pickle_that_would_run_something_is_not_opened(bert):
    torch, *_, tmp_path = bert
    torch.save({"model_state_dict": Path("/tmp")}, tmp_path / "copied" / "RRG_scorers" / "chexbert.pth")
    done = get("chexbert", "--to", tmp_path / "m", "--from", tmp_path / "copied")
    assert "it is not opened" in said(done)
    assert not (tmp_path / "m" / "chexbert").exists()


def test_srr_bert_labels_lines_from_the_fetched_folder(bert):
    import transformers

    from overread.systems.srrg.labellers import labeller, marked

    _, network, _, tmp_path = bert
    for repository in ("SRR-BERT-Leaves", "BiomedVLP-CXR-BERT-general"):
        (tmp_path / "copied" / repository).mkdir()
    config = transformers.BertConfig(**{**network.config.to_dict(), "num_labels": 55})
    transformers.BertForSequenceClassification(config).save_pretrained(
        tmp_path / "copied" / "SRR-BERT-Leaves"
    )
    vocabulary = (tmp_path / "copied" / "bert-base-uncased" / "vocab.txt").read_text()
    (tmp_path / "copied" / "BiomedVLP-CXR-BERT-general" / "vocab.txt").write_text(vocabulary)
    done = get("srr-bert", "--to", tmp_path / "m", "--from", tmp_path / "copied")
    assert done.exit_code == 0, said(done)
    name = f"model:{tmp_path / 'm' / 'srr-bert'}"
    assert labeller(name)([]) == []
    assert marked(name) == f"model-{weights_hash(tmp_path / 'm' / 'srr-bert')}"
