"""docs/papers.md: every item of the five papers stands there, and every command there runs on invented files."""

import json
import re
import shlex
from pathlib import Path

import pytest
from tests.cli.as_typed import app
from tests.llm.conftest import Loopback
from tests.llm.stand_in import good
from typer.testing import CliRunner

from overread.examples import folder
from overread.systems.clear.schema import CONDITIONS

PAGE = (Path(__file__).parents[2] / "docs" / "papers.md").read_text("utf-8")
COMMANDS = list(dict.fromkeys(re.findall(r"`(overread [^`…]+)`", PAGE)))
ITEMS = {
    "LUNGUAGE": "Table 1–3, A.1–A.3, B.1, C.1, C.2, D.1; Figure 1, 2, A.1–A.9, B.1, C.1, D.1–D.3; Eq. 1–6; Algorithm 1",
    "RadSEM": "Table 1–6; Figure 1–4",
    "CLEAR": "Table 1–9; Figure 1–9; Prompts 1–6, 8",
    "SRRG": "Table 1–13; Figure 1, 2, 5; Prompts 1–4",
    "Longitudinal": "Table 1, 2, A1, B2–B6; Figure 1–4",
}
ANNOTATIONS = """\
subject_id,study_id,sequence,section,sent_idx,sent,ent_idx,ent,cat,dx_status,dx_certainty,location,severity,improved,\
entity_group,temporal_group
P01,P01-1,1,find,0,Small left effusion.,1,effusion,PF,positive,definitive,left,Small,,effusion left,1
P01,P01-1,1,find,1,No pneumothorax.,2,pneumothorax,PF,negative,definitive,,,,pneumothorax,1
P01,P01-2,2,find,0,Left effusion has decreased.,1,effusion,PF,positive,definitive,Left,,decreased,effusion left,1
"""


def spread(text):
    """`Table 1, 2, A.1–A.3` as single names."""
    found, kind = set(), ""
    for part in re.split(r"[;,] *", text):
        named = re.match(r"(Tables?|Figures?|Eq\.|Algorithm|Prompts?) (.*)", part)
        if named:
            kind, part = named[1].rstrip("s") if named[1] != "Eq." else "Eq.", named[2]
        ends = re.fullmatch(r"([A-Z]?\.?)(\d+)(?:–[A-Z]?\.?(\d+))?", part.strip())
        if kind and ends:
            last = int(ends[3] or ends[2])
            found |= {f"{kind} {ends[1]}{n}" for n in range(int(ends[2]), last + 1)}
    return found


@pytest.mark.parametrize("paper", ITEMS)
def test_every_item_has_a_row(paper):
    section = re.search(rf"^## {paper}.*?(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)[0]
    rows = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")]
    named = set().union(*(spread(row) for row in rows))
    missing = spread(ITEMS[paper]) - named
    assert not missing


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A folder with every file the page names that no command makes."""
    place = tmp_path_factory.mktemp("papers")
    with folder() as example:
        for path in example.glob("*.jsonl"):
            kept = [
                line for line in path.read_text().splitlines() if json.loads(line).get("id", "")[:3] == "P01"
            ]
            (place / path.name).write_text("\n".join(kept) + "\n")
    ids = [json.loads(line)["id"] for line in (place / "references.jsonl").read_text().splitlines()]
    write_experts(place, ids)
    triplet = {
        "original": "Left effusion.",
        "synonymous": "Effusion on the left.",
        "antonymous": "No effusion.",
    }
    lines(place / "triplets.jsonl", [{"id": f"t{n}", **triplet} for n in range(3)])
    said = [("The left effusion has decreased.", True), ("Lungs are clear.", False)]
    items = [{"disease": "pleural effusion", "progression": "improved"}]
    sentences = [{"text": t, "longitudinal": yes, "items": items if yes else []} for t, yes in said]
    lines(place / "compared.jsonl", [{"id": "c1", "sentences": sentences}])
    (place / "annotations.csv").write_text(ANNOTATIONS)
    (place / "gold_comparisons.txt").write_text(
        "study_id\tsentence\tlabel_name\tcomparison\n"
        "s1\tThe left effusion has decreased.\tanatomicalfinding|yes|pleural effusion\tcomparison|yes|improved\n"
    )
    (place / "gold_all_sentences.txt").write_text(
        "study_id\tsentence\ns1\tThe left effusion has decreased.\ns1\tLungs are clear.\n"
    )
    lines(
        place / "candidates.jsonl", [{"id": f"P01-{n}", "text": "FINDINGS: Left effusion."} for n in (1, 2)]
    )
    write_rexval(place)
    (place / "structured.txt").write_text(
        "Findings:\nPleura:\n- Small effusion\nImpression:\n1. Small effusion\n"
    )
    (place / "edited.txt").write_text("Findings:\nPleura:\n- Small effusion\nImpression:\n1. Effusion\n")
    for name in ("steady", "hasty"):
        done = CliRunner().invoke(
            app,
            ["read", str(place / f"{name}.jsonl"), "--as", "clear", "-o", str(place / f"{name}-clear.jsonl")],
        )
        assert done.exit_code == 0, done.output
    (place / "no-finding.csv").write_text("study_id,No Finding\nP01-1,1.0\n")
    marks = [
        f"{id},Edema,{attribute},{model},N/A,{n % 2}"
        for n, id in enumerate(ids)
        for attribute in ("change", "location")
        for model in ("one", "two")
    ]
    (place / "rated.csv").write_text(
        "\n".join(["study_id,condition,attribute,model,answer,rating", *marks]) + "\n"
    )
    phrases = ["a,left pleural effusion", "a,effusion on the left", "b,rib fracture", "b,fractured rib"]
    (place / "phrases.csv").write_text("\n".join(["group,phrase", *phrases]) + "\n")
    (place / "terms.csv").write_text("term,category,context\nPTX,finding,Small PTX.\n")
    (place / "terms.toml").write_text('[Edema]\nsites = "around the hila"\nstatus = "stable, new"\n')
    (place / "results.csv").write_text("setting,fold,score\n3e-6-2-1,1,0.5\n3e-6-2-2,1,0.6\n")
    (place / "terminology.csv").write_text("code,term,system\nC1,pneumothorax,UMLS\nC1,PTX,UMLS\n")
    (place / "rexerr.csv").write_text(
        "study_id,original_report,error_report,errors_sampled\n1,Left effusion.,No effusion.,['False Negation']\n"
    )
    write_copied(place)
    german = "BEFUND: Kleiner Pleuraerguss links. Kein Pneumothorax."
    english = "FINDINGS: Small left pleural effusion. No pneumothorax."
    lines(place / "berichte.jsonl", [{"id": "b1", "text": german}])
    lines(place / "english.jsonl", [{"id": "b1", "text": english}])
    (place / "splits.csv").write_text("subject_id,split\nP01,test\n")
    (place / "reviewed.txt").write_text("P01-1\n")
    return place


def write_experts(place, ids):
    header = ",".join(["study_id", *CONDITIONS])
    rows = [",".join([id, *("1" if c == "Cardiomegaly" else "-1" for c in CONDITIONS)]) for id in ids]
    for name in ("experts.csv", "second.csv", "third.csv"):
        (place / name).write_text("\n".join([header, *rows]) + "\n")
    said = {"presence": 1, "change": ["stable"], "severity": ["moderate"], "location": ["heart enlarged"]}
    plain = dict.fromkeys(CONDITIONS, -1)
    (place / "experts.json").write_text(json.dumps({id: {**plain, "Cardiomegaly": said} for id in ids}))
    marks = [
        f"{id},Cardiomegaly,{a},{(n % 3) / 2}" for n, id in enumerate(ids) for a in ("change", "location")
    ]
    (place / "ratings.csv").write_text("\n".join(["study_id,condition,attribute,rating", *marks]) + "\n")


def write_copied(place):
    """Weights and CheXpert's phrases as a user might have copied them: files of the right names."""
    weights = {"config.json": "{}", "model.safetensors": "", "vocab.txt": "[PAD]"}
    for name in ("medcpt", "biolord", "SRR-BERT-Leaves", "BiomedVLP-CXR-BERT-general"):
        (place / "copied" / name).mkdir(parents=True)
        for file, text in weights.items():
            (place / "copied" / name / file).write_text(text)
    (place / "chexpert" / "mention").mkdir(parents=True)
    for condition in CONDITIONS:
        file = f"{condition.lower().replace(' ', '_')}.txt"
        (place / "chexpert" / "mention" / file).write_text(f"{condition.lower()}\n")


def write_rexval(place):
    """ReXVal's two tables, with texts of our own."""
    texts = ["study_id,gt_report,radgraph,bertscore,s_emb,bleu"]
    texts += [
        f"s{n},Left effusion {n} cm.,Effusion.,Clear lungs.,Left effusion.,No effusion." for n in range(3)
    ]
    rows = ["study_number,candidate_type,rater_index,error_category,clinically_significant,num_errors"]
    for n in range(3):
        for worse, kind in enumerate(("radgraph", "bertscore", "s_emb", "bleu")):
            rows += [f"{n},{kind},{rater},1,True,{(worse + n) % 3}" for rater in range(2)]
    (place / "pairs.csv").write_text("\n".join(texts) + "\n")
    (place / "errors.csv").write_text("\n".join(rows) + "\n")


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


SHORT = ("references.jsonl steady.jsonl", "candidates.jsonl candidates.jsonl")
"""The judge compares every phrase with every other: two short reports will do here."""

DRAWN = {"score", "ssree", "rewrites", "experts", "injected"}
"""Commands that draw intervals: a few draws will do here."""


@pytest.fixture(scope="module")
def model():
    server = Loopback()
    server.behave = good
    yield server
    server.close()


@pytest.mark.slow
def test_every_command_on_the_page_runs(desk, model, monkeypatch):
    monkeypatch.chdir(desk)
    monkeypatch.setenv("OVERREAD_CACHE_FILE", str(desk / "answers.sqlite"))
    monkeypatch.setenv("COLUMNS", "160")
    failed = {}
    for told in COMMANDS:
        command = told.replace(*SHORT) if "--encoder judge" in told else told
        words = shlex.split(command.replace("http://localhost:8080/v1", model.url))[1:]
        words += ["--resamples", "20"] if DRAWN & set(words[:2]) and words[0] != "tags" else []
        done = CliRunner().invoke(app, words)
        if done.exit_code not in allowed(words) or (
            done.exception and not isinstance(done.exception, SystemExit)
        ):
            failed[command] = f"{done.exit_code}: {done.output[-800:]} {done.exception!r}"
    assert not failed, "\n".join(f"{command}\n    {why}" for command, why in failed.items())


def allowed(words):
    """`lint` leaves with 1 where it finds faults: that is its answer."""
    return (0, 1) if words[0] == "lint" else (0,)
