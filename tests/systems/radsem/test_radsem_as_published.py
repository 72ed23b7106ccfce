"""RadSEM by name as the paper's code gives it: yes and no, released files, settable constants, Alt's own matching."""

import json
import random
from fractions import Fraction
from math import sqrt

import pytest
from scipy.optimize import linprog
from tests.cli.as_typed import app
from tests.llm.conftest import Loopback
from typer.testing import CliRunner

from overread.errors import BadInput
from overread.systems.radsem.match_by_llm import Link, Matched, alt_problems, match_item
from overread.systems.radsem.published import Constants, published
from overread.systems.radsem.schema import Atom, Atoms
from overread.systems.radsem.score import BY_NAME, decided, reference_anchored, score_tags
from overread.systems.radsem.tag_file import read_tags, written
from overread.systems.radsem.tags import Findings, SentencePair, Tags, Unmatched


def pair(ref, gen, sure=1.0, anatomy="equivalent", details="equivalent", normality="abnormal"):
    normal = normality == "normal"
    return SentencePair(
        ref,
        gen,
        normality,
        anatomy,
        None if normal else "equivalent",
        None,
        None if normal else details,
        "x",
        sure,
    )


def record(pairs, loose=(), name="a"):
    refs = [p.ref_sentence for p in pairs] + [u.sentence for u in loose if u.sentence_is_from == "Ref"]
    gens = [p.gen_sentence for p in pairs] + [u.sentence for u in loose if u.sentence_is_from == "Gen"]
    return Tags(
        name, Findings(tuple(pairs), tuple(loose)), tuple(dict.fromkeys(refs)), tuple(dict.fromkeys(gens))
    )


def third_step(tags, alpha=0.9, base=1 / 3, details=(1, 0.75, 0.5), scale=0.25):
    """Section 3.4 written down once more, with a linear programme for the flow; `sure` is not looked at."""
    weigh = dict(zip(("equivalent", "partial", "none"), details, strict=True)) | {None: 1}
    total = weight = 0.0
    for name, share in (("abnormal", alpha), ("normal", 1 - alpha)):
        own = [p for p in tags.findings.pairs if p.normality == name]
        loose = sum(u.normality == name for u in tags.findings.unmatched_sentences)
        if not own and not loose:
            continue
        w = [base**p.part_whole * weigh[p.details_of_abnormality_relationship] for p in own]
        sentences = sorted({("r", p.ref_sentence) for p in own} | {("g", p.gen_sentence) for p in own})
        rows = [[float(s in (("r", p.ref_sentence), ("g", p.gen_sentence))) for p in own] for s in sentences]
        matched = (
            -linprog([-1] * len(own), rows, [1] * len(rows), bounds=[(0, x) for x in w]).fun if own else 0.0
        )
        if loose:
            f1 = 2 * matched / (2 * matched + loose)
        else:
            q = sum(w) / len(w)
            f1 = 1 - scale / sqrt(len(w)) * (1 - q) if min(w) < 1 else 1.0
        total, weight = total + share * f1, weight + share
    return total / weight if weight else 0.0


def drawn(seed):
    chance = random.Random(seed)
    places = {(chance.randrange(4), chance.randrange(4)) for _ in range(chance.randrange(7))}
    classes = [chance.choice(("normal", "abnormal")) for _ in range(4)]
    pairs = [
        pair(
            f"ref {i}", f"gen {j}", 1.0, chance.choice(("equivalent", "part-whole")),
            chance.choice(("equivalent", "partial", "none")), classes[i],
        )
        for i, j in sorted(places)
    ]  # fmt: skip
    loose = [
        Unmatched(f"{side} alone {n}", side, chance.choice(("normal", "abnormal")))
        for side in ("Ref", "Gen")
        for n in range(chance.randrange(3))
    ]
    return record(pairs, loose)


@pytest.mark.parametrize("seed", range(60))
def test_any_record_gives_what_the_third_step_gives(seed):
    tags = drawn(seed)
    assert BY_NAME["radsem-as-published"](tags).value == pytest.approx(third_step(tags))


@pytest.mark.parametrize("seed", range(20))
def test_other_constants(seed):
    tags = drawn(seed)
    others = published().constants.changed(0.7, "1/2", "1,0.8,0.3", 0.5)
    expected = third_step(tags, 0.7, 0.5, (1, 0.8, 0.3), 0.5)
    assert BY_NAME["radsem-as-published"](tags, constants=others).value == pytest.approx(expected)


def test_the_usual_constants_are_the_papers():
    same = published().constants.changed(0.9, "1/3", "1,3/4,1/2", 0.25)
    assert same.part_whole == Fraction(1, 3)
    assert same.weights == published().constants.weights


@pytest.mark.parametrize(
    "wrong", [{"alpha": 2}, {"part_whole": "third"}, {"details": "1,2"}, {"details": "1,2,3"}]
)
def test_constants_out_of_bounds_are_told(wrong):
    with pytest.raises(BadInput):
        published().constants.changed(**wrong)


def test_a_pair_counts_or_does_not():
    """One sentence each, of which the judge is .595 sure: the released third step knows no such thing."""
    tags = record([pair("effusion", "fluid", 0.595)])
    assert score_tags(tags).value == pytest.approx(0.595)
    assert BY_NAME["radsem-as-published"](tags).value == BY_NAME["radsem-alt-as-published"](tags).value == 1
    doubtful = record([pair("effusion", "fluid", 0.02)])
    assert BY_NAME["radsem-as-published"](doubtful).value == 0
    assert [u.sentence for u in decided(doubtful).findings.unmatched_sentences] == ["effusion", "fluid"]


def test_what_we_write_others_read_by_yes_and_no(tmp_path):
    tags = record([pair("a", "x", 0.02), pair("b", "y", 0.8)])
    line = json.loads(written(tags))
    assert [p["ref_sentence"] for p in line["findings"]["pairs"]] == ["b"]
    assert {u["sentence"] for u in line["findings"]["unmatched_sentences"]} == {"a", "x"}
    (tmp_path / "t.jsonl").write_bytes(written(tags))
    (again,) = read_tags(tmp_path / "t.jsonl")
    assert score_tags(again).value == score_tags(tags).value
    assert set(again.findings.pairs) == set(tags.findings.pairs)


RELEASED = {
    "name": "case 7",
    "Examined_Area": "Chest",
    "Examined_Type": "CT",
    "findings": {
        "pairs": [
            {
                "ref_sentence": "Left lung has a nodule.",
                "gen_sentence": "Left upper lobe has a nodule.",
                "normality": "abnormal",
                "anatomical_relationship": "part-whole",
                "asserted_abnormality_relationship": "equivalent",
                "negated_abnormality_relationship": None,
                "details_of_abnormality_relationship": "equivalent",
            }
        ],
        "unmatched_sentences": [
            {"sentence": "Heart is normal.", "sentence_is_from": "Ref", "normality": "normal"}
        ],
    },
}


def test_released_tag_files_are_read_as_they_are(tmp_path):
    path = tmp_path / "released.jsonl"
    path.write_text(json.dumps(RELEASED) + "\n")
    done = CliRunner().invoke(app, ["tags", "score", str(path), "-m", "radsem-as-published", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["value"] == pytest.approx(0.9 * (1 - 0.25 * 2 / 3) + 0.1 * 0)
    changed = CliRunner().invoke(
        app, ["tags", "score", str(path), "--alpha", "0.5", "--part-whole", "1/2", "--json"]
    )
    assert json.loads(changed.stdout)["value"] == pytest.approx(0.5 * (1 - 0.25 / 2))


def test_the_first_stage_is_written_and_read_back(tmp_path):
    (tmp_path / "r.jsonl").write_text(
        json.dumps({"id": "7", "text": "FINDINGS: Patchy opacities in both lungs."}) + "\n"
    )
    words = ["tags", "rewrite", str(tmp_path / "r.jsonl"), "-o", str(tmp_path / "w.jsonl")]
    assert CliRunner().invoke(app, words).exit_code == 0
    line = json.loads((tmp_path / "w.jsonl").read_text())
    assert list(line) == ["name", "Examined_Area", "Examined_Type", "rewritten_report"]
    assert (
        line["rewritten_report"] == "Patchy opacities in the left lung. Patchy opacities in the right lung."
    )
    from overread.sources import load_source

    (again,) = load_source(tmp_path / "w.jsonl")
    assert (again.id, again.text) == ("7", line["rewritten_report"])


class TestAlt:
    def test_each_candidate_sentence_keeps_its_nearest_reference(self):
        tags = record(
            [pair("r1", "g1", anatomy="part-whole"), pair("r2", "g1"), pair("r1", "g2", details="none")]
        )
        found = reference_anchored(tags, published().constants)
        assert [(p.ref_sentence, p.gen_sentence) for p in found.findings.pairs] == [
            ("r2", "g1"),
            ("r1", "g2"),
        ]
        two = record([pair("r1", "g1", anatomy="part-whole"), pair("r2", "g1")])
        lonely = reference_anchored(two, published().constants)
        assert [u.sentence for u in lonely.findings.unmatched_sentences] == ["r1"]

    def test_nearest_is_weighed_by_the_constants_that_are_tried(self):
        two = record([pair("r1", "g1", anatomy="part-whole"), pair("r2", "g1", details="none")])
        details = {"equivalent": Fraction(1), "partial": Fraction(1, 4), "none": Fraction(1, 8)}
        tried = Constants(Fraction(9, 10), details, published().constants.classes, 0.25)
        kept = [
            reference_anchored(two, by).findings.pairs[0].ref_sentence
            for by in (published().constants, tried)
        ]
        assert kept == ["r2", "r1"]

    def test_a_model_is_asked_its_own_question(self, tmp_path, monkeypatch):
        from tests.llm.stand_in import good

        monkeypatch.setenv("OVERREAD_CACHE_FILE", str(tmp_path / "answers.sqlite"))
        for name in ("one", "two"):
            row = {"id": "a", "text": "FINDINGS: Small left pleural effusion. No pneumothorax."}
            (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
        server = Loopback()
        server.behave = good
        words = ["score", "one.jsonl", "two.jsonl", "-m", "radsem,radsem-alt", "-o", "out", "--by", "llm"]
        monkeypatch.chdir(tmp_path)
        more = ["--base-url", server.url, "--model", "m", "--resamples", "20", "--no-page"]
        done = CliRunner().invoke(app, [*words, *more])
        server.close()
        assert done.exit_code == 0, done.output
        assert "radsem/match-alt" in done.stderr

    def test_a_candidate_sentence_in_two_pairs_is_sent_back(self):
        views = tuple(
            Atoms("a", tuple(Atom(f"{side} {n}.", "abnormal", 0, 1) for n in (1, 2))) for side in "rg"
        )
        links = [Link(n, 1, "equivalent", "equivalent", None, "equivalent") for n in (1, 2)]
        (told,) = alt_problems(match_item(views), Matched(links))
        assert "Candidate sentence 1 stands in 2 pairs" in told
