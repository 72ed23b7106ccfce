"""A corpus from views: training lines, splits by patient, counts that add up; and how faithful a rewrite is."""

import pytest

from overread.encoders.load import load as encoder
from overread.reader import read
from overread.report import parse
from overread.systems.srrg.by_rules import view
from overread.systems.srrg.corpus import (
    SPLIT_SHARES,
    Statistics,
    labelled,
    per_status,
    per_upper,
    split_of,
    summary,
)
from overread.systems.srrg.labels import Label
from overread.systems.srrg.lint import edits, fidelity, parts, running_text
from overread.systems.srrg.template import show

TEXTS = [
    "FINDINGS: The heart is enlarged. No pneumothorax. Left base opacity.\nIMPRESSION: Cardiomegaly.",
    "FINDINGS: Lungs are clear. Possible left rib fracture.\nIMPRESSION: Normal lungs.",
    "",
]


@pytest.fixture(scope="module")
def views():
    return [view(read(parse(text, f"r{n}"))) for n, text in enumerate(TEXTS)]


def statistics(views):
    found = Statistics()
    for one in views:
        found.add(one)
    return found


def test_every_utterance_is_a_training_line(views):
    lines = list(labelled(views[0], "train"))
    assert [(one.text, one.header, one.section) for one in lines] == [
        ("Left base opacity", "Lungs and Airways", "findings"),
        ("No pneumothorax", "Pleura", "findings"),
        ("Enlarged heart", "Cardiovascular", "findings"),
        ("Cardiomegaly", None, "impression"),
    ]
    assert lines[2].labels == [Label("Cardiomegaly", "Present")]
    assert {(one.report, one.split) for one in lines} == {("r0", "train")}


def test_counts_add_up_and_no_report_is_lost(views):
    found = statistics(views)
    told = summary(found)
    assert sum(found.reports.values()) == 3
    assert found.empty == 1
    assert sum(found.sections.values()) == sum(found.utterances.values()) == 7
    assert sum(found.headers.values()) == found.sections["findings"]
    assert found.discussed == 5
    assert found.leafless == 1
    assert told["labels"] == sum(n for rows in per_upper(found).values() for n in rows.values())
    assert told["labels"] == sum(n for rows in per_status(found).values() for n in rows.values())


def test_labels_are_counted_by_upper_label_and_by_status(views):
    found = statistics(views)
    assert per_upper(found)["Cardiovascular"] == {"Widened cardiac silhouette": 2}
    assert per_upper(found)["Musculoskeletal and Chest Wall"] == {"Fracture": 1}
    assert per_status(found)["Acute rib fracture"] == {"Uncertain": 1}
    assert per_status(found)["No Finding"] == {"": 2}


def test_no_views_have_no_mean():
    assert summary(statistics([]))["labels_per_utterance"] is None


def test_a_patient_stays_in_one_split():
    keys = [f"patient {n}" for n in range(2000)]
    split = {key: split_of(key) for key in keys}
    assert split == {key: split_of(key) for key in reversed(keys)}
    for name, share in SPLIT_SHARES.items():
        assert sum(one == name for one in split.values()) / len(keys) == pytest.approx(share, abs=0.03)
    assert split != {key: split_of(key, seed=1) for key in keys}
    assert {split_of(key, {"train": 1, "test": 0}) for key in keys} == {"train"}


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("a b c", "a b c", (0, 0, 0, 1.0)),
        ("a b c", "a c", (0, 1, 0, 0.8)),
        ("a c", "a b c", (1, 0, 0, 0.8)),
        ("a b c", "a x y c", (0, 0, 2, 4 / 7)),
        ("", "", (0, 0, 0, 1.0)),
        ("a b", "x y z", (0, 0, 3, 0.0)),
    ],
)
def test_edits_are_counted_by_word(one, two, expected):
    found = edits(one, two)
    assert [*found.values()] == pytest.approx(expected)


def test_a_rewrite_is_nearer_to_its_own_original(views):
    def same(one, two):
        return float(one == two)

    text = running_text(show(views[0].structured))
    own = fidelity(TEXTS[0], text, encoder(), {"same": same})
    other = fidelity(TEXTS[1], text, encoder(), {"same": same})
    assert own["cosine"] > other["cosine"]
    assert own["edit distance"] < other["edit distance"]
    assert own["same"] == 0.0
    assert fidelity(text, text, encoder(), {"same": same})["same"] == 1.0


def test_what_readers_changed_is_counted_with_the_numbers_of_the_list():
    """SRRG paper, Appendix B, second example: of four numbered lines one is left; 35 words replaced, ratio .29."""
    start = "1. Resolving consolidation at the right lung base"
    first = f"{start}, likely due to dependent edema or combined dependent edema and atelectasis."
    rest = "2. Mild to moderate enlargement of the heart.\n3. No pneumothorax."
    last = "4. Dual-channel dialysis catheter in situ with the tip in the right atrium."
    written = f"Impression:\n{first}\n{rest}\n{last}\n"
    edited = f"Impression:\n{start} with minimal residual interstitial edema.\n"
    found = edits(*parts(written, edited)["impression"])
    assert [*found.values()] == pytest.approx([0, 0, 35, 0.286], abs=0.001)
