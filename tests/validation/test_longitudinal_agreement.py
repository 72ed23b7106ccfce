"""Agreement of the longitudinal view with people, on hand-made judgements."""

import json
import os
from pathlib import Path

import pytest

from overread.errors import BadInput
from overread.reader import read
from overread.systems.longitudinal.by_rules import view
from overread.systems.longitudinal.schema import ComparedSentence, Item, LongitudinalReport
from overread.validation.annotated import lines_by_id
from overread.validation.longitudinal.agreement import (
    SHAPE,
    FourRates,
    GoldItem,
    GoldReport,
    GoldSentence,
    agreement,
    compare,
    load_gold,
    render,
)

EFFUSION, EDEMA = "pleural effusion", "pulmonary edema/hazy opacity"


def gold(id, *sentences):
    """Sentences as (text, compares, items)."""
    made = [GoldSentence(t, c, tuple(GoldItem(*i) for i in items)) for t, c, items in sentences]
    return GoldReport(id, tuple(made))


def seen(one, *judged):
    """A view of a gold report's text, sentence by sentence: (compares, items)."""
    text, position, made = one.report().text, 0, []
    for sentence, (compares, items) in zip(one.sentences, judged, strict=True):
        start = text.index(sentence.text, position)
        position = start + len(sentence.text)
        made.append(
            ComparedSentence(
                "findings", start, position, sentence.text, compares, tuple(Item(*i) for i in items)
            )
        )
    return LongitudinalReport(one.id, tuple(made))


ONE = gold(
    "r1",
    ("The effusion is smaller.", True, [(EFFUSION, "improved")]),
    ("Clear apices.", False, []),
    ("Edema and tubes are unchanged.", True, [(EDEMA, "no change"), ("support devices", None)]),
    ("No fracture.", False, []),
)


def test_a_reader_that_agrees():
    perfect = seen(
        ONE, *[(s.longitudinal, [(i.disease, i.progression) for i in s.items]) for s in ONE.sentences]
    )
    found = agreement([compare(ONE, perfect)])
    assert found.detection == FourRates(1.0, 1.0, 1.0, 1.0)
    assert found.progression == FourRates(1.0, 1.0, 1.0, 1.0)
    assert found.classes["worsened"].f1 is None


def test_detection_counts_sentences():
    found = agreement([compare(ONE, seen(ONE, (True, []), (True, []), (False, []), (False, [])))])
    assert found.detection == FourRates(accuracy=0.5, precision=0.5, recall=0.5, f1=0.5)
    assert found.sentences == 4


def test_progression_is_judged_per_class_and_pooled():
    given = seen(
        ONE, (True, [(EFFUSION, "worsened")]), (False, []), (True, [(EDEMA, "no change")]), (False, [])
    )
    found = agreement([compare(ONE, given)])
    assert {name: rates.f1 for name, rates in found.classes.items()} == {
        "improved": 0.0,
        "no change": 1.0,
        "worsened": 0.0,
    }
    assert found.progression.f1 == 0.5
    assert found.progression.accuracy == pytest.approx(
        4 / 6
    )  # two diseases, three classes, two wrong decisions


def test_support_devices_are_left_out():
    without = seen(
        ONE, (True, [(EFFUSION, "improved")]), (False, []), (True, [(EDEMA, "no change")]), (False, [])
    )
    assert agreement([compare(ONE, without)]).progression.f1 == 1.0


def test_a_sentence_cut_in_two_by_the_reader_still_belongs():
    text = ONE.report().text
    start = text.index("Edema")
    halves = (
        ComparedSentence("findings", start, start + 9, text[start : start + 9], False),
        ComparedSentence("findings", start + 10, start + 30, "x", True, (Item(EDEMA, "no change"),)),
    )
    counts = compare(ONE, LongitudinalReport("r1", halves))
    assert (counts.detection.tp, counts.detection.fn, counts.trends["no change"].tp) == (1, 1, 1)


def test_the_interval_comes_from_the_reports():
    half = seen(ONE, (True, []), (True, []), (False, []), (False, []))
    whole = seen(
        ONE, *[(s.longitudinal, [(i.disease, i.progression) for i in s.items]) for s in ONE.sentences]
    )
    found = agreement([compare(ONE, half), compare(ONE, whole)])
    assert found.detection_interval.low == pytest.approx(0.5)
    assert found.detection_interval.high == pytest.approx(1.0)


def test_gold_sentences_must_stand_in_the_text():
    wrong = GoldReport("r9", (GoldSentence("Not there.", False),), text="FINDINGS: Clear.")
    with pytest.raises(BadInput, match="'r9'") as error:
        compare(wrong, LongitudinalReport("r9", ()))
    assert "Not there" not in str(error.value)


def test_rendering_names_ours_and_the_published():
    perfect = seen(
        ONE, *[(s.longitudinal, [(i.disease, i.progression) for i in s.items]) for s in ONE.sentences]
    )
    text = render(agreement([compare(ONE, perfect)]), unmatched=2)
    assert "1 reports, 4 sentences" in text
    assert "2 gold reports without a view" in text
    assert "published: Llama-3.3-70B" in text
    assert "94.0" in text
    assert "100.0" in text


# ---- files
def test_files_in_the_shape_of_the_view(tmp_path):
    one = view(read(ONE.report()))
    lines = tmp_path / "views.jsonl"
    lines.write_text(json.dumps(json.loads(_encoded(one))) + "\n\n")
    assert lines_by_id(lines, LongitudinalReport, SHAPE) == {"r1": one}
    assert load_gold(lines)["r1"].sentences[0].longitudinal is True


def _encoded(value):
    import msgspec

    return msgspec.json.encode(value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "a", "sentences": [{"text": "Secret words."}]}', "line 1"),
        ("not json", "line 1"),
        (
            '{"id": "a", "sentences": [{"text": "x", "longitudinal": true, "items": [{"disease": "gout"}]}]}',
            "'a'",
        ),
    ],
)
def test_lines_that_cannot_be_used(tmp_path, line, message):
    path = tmp_path / "gold.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(BadInput, match=message) as error:
        load_gold(path)
    assert "Secret" not in str(error.value)


def test_an_id_twice(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id": "a", "sentences": []}\n' * 2)
    with pytest.raises(BadInput, match="twice"):
        load_gold(path)


# ---- development data, where there is any
def test_rules_on_development_reports():
    folder = os.environ.get("OVERREAD_DATA")
    if not folder:
        pytest.skip("OVERREAD_DATA is not set: no annotated reports to measure on")
    found = agreement([compare(one, view(read(one.report()))) for one in development(Path(folder))])
    assert found.detection.f1 >= 0.94
    assert found.progression.f1 >= 0.80


def development(folder):
    """The annotated reports, their longitudinal layer as gold."""
    for line in (folder / "gold_dev.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        texts = {s["i"]: " ".join(s["text"].split()) for s in record["sentences"]}
        sections = [(n, " ".join((record[f"{n}_section"] or "").split())) for n in ("findings", "impression")]
        yield GoldReport(
            record["id"],
            tuple(
                GoldSentence(
                    texts[s["i"]],
                    s["longitudinal"],
                    tuple(GoldItem(i["disease"], i["progression"]) for i in s.get("items", [])),
                )
                for s in sorted(record["longitudinal"], key=lambda s: s["i"])
            ),
            "\n\n".join(f"{name.upper()}: {text}" for name, text in sections if text),
        )
