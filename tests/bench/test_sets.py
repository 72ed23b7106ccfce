"""Sets: what they hold, that they are the same again, and how a release freezes them."""

import pytest

from overread.bench.items import BenchItem, verdict
from overread.bench.sets import CANARY, FROZEN, SETS, freeze, load_sets
from overread.errors import BadInput


def test_every_set_is_made_of_a_small_corpus(corpus):
    found = load_sets(corpus)
    assert found.asked.absent == ()
    assert list(found.asked.hashes) == list(SETS)
    assert {item.modality for item in found.items if item.set == "rankings"} == {"chest film", "CT"}


def test_sets_are_the_same_again_and_other_texts_have_another_hash(corpus):
    first = load_sets(corpus, ["rankings", "meaning"])
    assert load_sets(corpus, ["rankings", "meaning"]).asked.hash == first.asked.hash
    file = corpus / "rankings" / "s.rank"
    file.write_text(file.read_text().replace("gallstone", "polyp"))
    changed = load_sets(corpus, ["rankings", "meaning"])
    assert changed.asked.hashes["meaning"] == first.asked.hashes["meaning"]
    assert changed.asked.hashes["rankings"] != first.asked.hashes["rankings"]


def test_a_sample_keeps_the_hash_of_the_whole(corpus):
    whole, sample = load_sets(corpus, ["rankings"]), load_sets(corpus, ["rankings"], sample=1)
    assert len(sample.items) == 1 < len(whole.items)
    assert sample.asked.hash == whole.asked.hash


def test_a_frozen_set_is_taken_as_it_is(corpus):
    made = load_sets(corpus)
    freeze(made.items, corpus / FROZEN)
    assert CANARY in (corpus / FROZEN).read_text().splitlines()[0]
    (corpus / "rankings" / "s.rank").unlink()
    assert load_sets(corpus).asked.hashes == made.asked.hashes


def test_a_frozen_set_of_another_version_is_refused(corpus):
    freeze(load_sets(corpus, ["rankings"]).items, corpus / FROZEN)
    text = (corpus / FROZEN).read_text()
    (corpus / FROZEN).write_text(text.replace('{"bench":"1"', '{"bench":"0"', 1))
    with pytest.raises(BadInput, match="version 0"):
        load_sets(corpus)


def test_a_corpus_without_groups_leaves_their_sets_out(corpus):
    (corpus / "meaning" / "groups.jsonl.gz").unlink()
    assert load_sets(corpus).asked.absent == ("meaning", "inside reports", "rewrites")


def test_a_folder_with_nothing_says_where_the_corpus_is(tmp_path):
    with pytest.raises(BadInput, match="--corpus FOLDER"):
        load_sets(tmp_path)


def test_inside_a_report_only_the_statement_changes(corpus):
    item = next(one for one in load_sets(corpus, ["inside reports"]).items)
    reference, candidate = item.pairs[0]
    assert reference != candidate
    assert len(set(reference.split(". ")) & set(candidate.split(". "))) >= 2


@pytest.mark.parametrize(
    ("ranks", "scores", "right"),
    [
        ((1, 2, 3), (0.9, 0.5, 0.1), True),
        ((1, 2, 3), (0.9, 0.5, 0.5), False),
        ((1, 2, 2), (0.9, 0.1, 0.5), True),
        ((1, 2), (0.1, None), True),
        ((1, 2), (None, 0.1), False),
        ((1, 2), (None, None), False),
    ],
)
def test_an_order_is_right_only_when_it_is_strict(ranks, scores, right):
    item = BenchItem("a", "rankings", "kind", (("r", "c"),) * len(ranks), "ranked", ranks)
    assert (verdict(item, scores) is None) is right


@pytest.mark.parametrize(
    ("scores", "right"), [((1.0, 0.99), True), ((1.0, 0.9), False), ((None, None), False)]
)
def test_a_harmless_rewrite_may_cost_next_to_nothing(scores, right):
    assert (verdict(BenchItem("a", "harmless", "kind", (), "unharmed"), scores) is None) is right
