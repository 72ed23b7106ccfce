"""What the page says of one pair: the right words in the right colour, and a row that explains them."""

import pytest

from overread.pages.followed import followed
from overread.pages.panels import panel
from overread.pages.words import clinical, headline, leader, sure
from overread.report import parse
from overread.runner.run.folder import Results
from overread.runner.run.pairs import Pair
from overread.runner.run.scorer import Scorer, Visits
from overread.runner.settings import Settings

REFERENCE = (
    "FINDINGS: Small left pleural effusion has decreased. Small right apical pneumothorax. Enlarged heart."
)
MAIN = ("lunguage", "radsem", "clear", "f1-srr-statuses", "longitudinal")
CANDIDATE = "FINDINGS: Small left pleural effusion has increased. No pneumothorax. Old rib fracture."


@pytest.fixture(scope="module")
def panels():
    found = Scorer(Settings(tuple(MAIN)))(Pair(0, parse(REFERENCE, "1"), {"s": parse(CANDIDATE, "1")}))
    return {name: panel(name, one) for name, one in found.candidates["s"].opened().items()}


def words(found, side, kind):
    text = REFERENCE if side == "r" else CANDIDATE
    return {text[m.start : m.end] for m in found.marks if (m.side, m.kind) == (side, kind)}


def test_every_system_has_a_panel(panels):
    assert set(panels) == set(MAIN)
    assert all(found.marks and found.tables and found.lead for found in panels.values())


def test_lunguage_pairs_with_factors_and_costs(panels):
    found = panels["lunguage"]
    assert {"pleural effusion", "pneumothorax"} <= words(found, "r", "contradicted")
    assert "heart" in words(found, "r", "missed")
    assert any("fracture" in text for text in words(found, "c", "invented"))
    (pairs, _) = found.tables
    assert pairs.head == ["reference", "candidate", "match", "semantic", "structural", "what it cost"]
    assert any("status: positive → negative" in row.cells[5].text for row in pairs.rows)


def test_the_clear_table_holds_both_answers(panels):
    (table,) = panels["clear"].tables
    rows = {row.cells[0].text: row for row in table.rows}
    assert rows["Pneumothorax"].kind == "contradicted"
    assert (rows["Pneumothorax"].cells[1].text, rows["Pneumothorax"].cells[1].below) == (
        "positive",
        "negative",
    )
    change = rows["Pleural Effusion"].cells[table.head.index("change")]
    assert (change.text, change.below, change.kind) == ("improving", "worsening", "contradicted")
    assert rows["Cardiomegaly"].kind == "missed"
    assert rows["Fracture"].kind == "invented"


def test_a_turned_trend_is_a_contradiction(panels):
    (table,) = panels["longitudinal"].tables
    assert [(r.cells[1].text, r.cells[2].text, r.kind) for r in table.rows] == [
        ("improved", "worsened", "contradicted")
    ]


def test_radsem_links_and_what_is_left_over(panels):
    *_, alone = panels["radsem"].tables
    kinds = {row.cells[0].text: row.kind for row in alone.rows}
    assert any("pneumothorax" in text and kind == "contradicted" for text, kind in kinds.items())
    assert any("fracture" in text and kind == "invented" for text, kind in kinds.items())


def test_radsem_pairs_with_labels_and_weights():
    texts = "Small left effusion. Enlarged heart.", "Left effusion. Enlarged heart."
    (one,) = Scorer(Settings(("radsem",)))(
        Pair(0, parse(texts[0], "1"), {"s": parse(texts[1], "1")})
    ).candidates.values()
    links = panel("radsem", one.opened()["radsem"]).tables[0]
    assert links.head[-2:] == ["weight", "credit"]
    assert [[cell.text for cell in row.cells[3:7]] for row in links.rows] == [
        ["equivalent", "equivalent", "partial", "0.75"],
        ["equivalent", "equivalent", "equivalent", "1.00"],
    ]


def test_labels_by_header(panels):
    (table,) = panels["f1-srr-statuses"].tables
    assert {"Pleura", "Cardiovascular"} <= {row.cells[0].text for row in table.rows}


def test_a_patient_side_by_side():
    texts = {
        "a": ("FINDINGS: Left effusion.", "FINDINGS: Left effusion."),
        "b": ("FINDINGS: The left effusion has resolved.", "FINDINGS: Larger left effusion. New nodule."),
    }
    pairs = tuple(
        Pair(n, parse(one, id, patient="p", day=float(n)), {"s": parse(two, id, patient="p", day=float(n))})
        for n, (id, (one, two)) in enumerate(texts.items())
    )
    unit = Scorer(Settings(("lunguage-sequential",)))(Visits(0, "p", pairs))
    found = followed([unit.detail])["p"]
    assert found.days == [0.0, 1.0]
    effusion, *rest = found.lanes
    assert effusion.name == "left effusion"
    _, track = effusion.systems["s"]
    assert [dot.study for dot in effusion.reference] == [dot.study for dot in track] == [0, 1]
    assert [dot.trend for dot in effusion.reference] == ["", "improved"]
    assert track[1].trend == "worsened"
    assert any(not lane.reference and "nodule" in lane.name for lane in rest)
    assert {"semantic", "temporal", "structural"} <= set(found.pairs["s"].head)


def test_the_headline_is_of_clinical_content_and_warns_of_word_overlap(finished):
    metrics = Results(finished).summary.metrics
    content = clinical(metrics)
    led = [m for m in content if leader(m) == "steady"]
    assert len(led) == len(content)
    assert headline(metrics).startswith(
        f"steady leads on {len(led)} of {len(content)} clinical metrics, significantly on "
    )
    assert headline(metrics).endswith(
        "Word overlap prefers fluent (BLEU-4, ROUGE-L): it counts shared words, not what they mean."
    )
    assert sum(sure(m) for m in led) >= len(led) // 2
    assert headline(()) == headline([])
