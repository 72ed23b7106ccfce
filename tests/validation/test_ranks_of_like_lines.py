"""Lines that say the same are held against the places where they stand."""

from types import SimpleNamespace

import pytest

from overread.baselines import optional
from overread.encoders.load import load
from overread.errors import BadInput
from overread.systems.srrg.schema import SrrgView, StructuredReport
from overread.validation.srrg.organs import lines_of, load_structured, ranks, render_ranks

ORDERLY = [["Clear lungs.", "No effusion.", "Normal heart."]] * 4
MIXED = [ORDERLY[0], ORDERLY[0][::-1], [ORDERLY[0][n] for n in (1, 2, 0)]]


def views(reports):
    return [
        SrrgView(str(n), StructuredReport(findings={"Other": list(lines)}, impression=[lines[0]]), [])
        for n, lines in enumerate(reports)
    ]


def spreads(reports):
    found = ranks(views(reports), load(), lines=100, nearest=[2])
    return {(one.section, one.how): one.spread for one in found}


def test_ranks_count_within_a_section():
    assert [rank for _, rank in lines_of(views(ORDERLY[:1]), "findings")] == [0, 1, 2]


def test_reports_in_one_order_have_no_spread():
    assert set(spreads(ORDERLY).values()) == {0}


@pytest.mark.parametrize("how", ["2 nearest", "ROUGE-L 0.9 or more", "same findings"])
def test_reports_in_any_order_have(how):
    assert spreads(MIXED)["findings", how] == pytest.approx(0.82, abs=0.15)


class StandInRadGraph:
    """As the package answers: entities by number, with what their relations lead to."""

    def __init__(self, model_type):
        assert model_type == "radgraph-xl"

    def __call__(self, texts):
        return {str(n): {"text": text, "entities": self.entities(text)} for n, text in enumerate(texts)}

    def entities(self, text):
        words = [word for word in text.lower().strip(".").split() if word != "no"]
        relations = [["modify", "2"]] if len(words) > 1 else []
        return {
            str(n): {"tokens": word, "label": "OBS-DP", "relations": relations if n == 1 else []}
            for n, word in enumerate(words, 1)
        }


def test_lines_with_the_same_radgraph(monkeypatch):
    monkeypatch.setattr(optional, "_package", lambda name: SimpleNamespace(RadGraph=StandInRadGraph))
    monkeypatch.delenv("OVERREAD_MODELS", raising=False)
    found = ranks(views(MIXED), load(), lines=100, nearest=[2], radgraph=True)
    told = {one.section: one for one in found if one.how == "same RadGraph"}
    assert told["findings"].groups == 3
    assert told["findings"].spread == pytest.approx(0.82, abs=0.15)


def test_a_draw_of_lines_is_the_same_for_the_same_seed():
    one, two = (ranks(views(MIXED * 5), load(), lines=9, nearest=[2], seed=3) for _ in range(2))
    assert one == two
    assert one[0].lines == 9
    assert "Published" in render_ranks(one)


def test_other_files_are_refused_in_words(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"id": "a", "text": "Lungs are clear."}\n')
    with pytest.raises(BadInput, match="read --as srrg"):
        load_structured(path)
