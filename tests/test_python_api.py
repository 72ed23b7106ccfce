"""What people hand over from Python: frames, pairs, NaN, chat completions; every public name is shown and runs."""

import re
import sys
import types
from pathlib import Path

import pytest

import overread

REFERENCES = ["FINDINGS: Small left pleural effusion.", "FINDINGS: No pneumothorax."]
CANDIDATES = ["FINDINGS: Small right pleural effusion.", None]
NONE = float("nan")
DRAWS = {"resamples": 20, "shuffles": 20}


def test_one_metric_by_name_several_or_all():
    assert list(overread.score(REFERENCES, CANDIDATES, "clear", **DRAWS).summary.metrics[0].systems) == [
        "candidate"
    ]
    both = overread.score(REFERENCES, CANDIDATES, ["clear", "rouge-l"], **DRAWS)
    assert [m.name for m in both.summary.metrics] == ["clear", "rouge-l"]
    assert len(overread.score(REFERENCES, CANDIDATES, "all", **DRAWS).summary.metrics) > 50


def test_predictions_is_another_word():
    found = overread.score(predictions=CANDIDATES, references=REFERENCES, metrics="rouge-l", **DRAWS)
    assert found["rouge-l"] == overread.score(REFERENCES, CANDIDATES, "rouge-l", **DRAWS)["rouge-l"]
    with pytest.raises(overread.OverreadError, match="two words for one thing"):
        overread.score(REFERENCES, CANDIDATES, predictions=CANDIDATES)


def test_scores_answer_as_a_mapping_from_metric_to_score():
    one = overread.score(REFERENCES, CANDIDATES, ["rouge-l", "bleu-1"], **DRAWS)
    assert list(one) == ["rouge-l", "bleu-1"]
    assert len(one) == 2
    assert dict(one) == {"rouge-l": one["rouge-l"], "bleu-1": one["bleu-1"]}
    assert isinstance(one["rouge-l"], float)


def test_several_systems_are_never_mixed():
    both = overread.score(REFERENCES, {"a": CANDIDATES, "b": REFERENCES}, "rouge-l", **DRAWS)
    assert both["rouge-l"] == {"a": both["rouge-l", "a"], "b": 1.0}
    with pytest.raises(KeyError, match="there are a, b"):
        both["rouge-l", "c"]
    with pytest.raises(overread.OverreadError, match="name one"):
        both.values("rouge-l")
    assert both.values("rouge-l", "b") == [1.0, 1.0]


def test_of_several_references_the_best_counts_and_the_signature_says_so():
    several = [["Edema.", "Clear lungs."], "No pneumothorax."]
    found = overread.score(several, ["Clear lungs.", "No pneumothorax."], "rouge-l", **DRAWS)
    assert found.values("rouge-l") == [1.0, 1.0]
    assert "references:best-of-2" in found.signature
    assert overread.rewards(several, ["Clear lungs.", "No pneumothorax."], "rouge-l") == [1.0, 1.0]
    named = {"x": ["Edema.", "Clear lungs."]}
    assert overread.score(named, {"x": "Clear lungs."}, "rouge-l", **DRAWS)["rouge-l"] == 1.0
    computed = overread.Metric("rouge-l", **DRAWS).compute(
        predictions=["Clear lungs."], references=several[:1]
    )
    assert computed == {"rouge-l": 1.0}
    plain = overread.score(["Edema."], ["Edema."], "rouge-l", **DRAWS)
    assert "best-of" not in plain.signature


def test_lower_is_better_counts_as_best_among_several_references():
    from overread.runner.given import best
    from overread.runner.results.rows import Row

    low, high = (Row("1", "s", "m", value, direction="lower") for value in (1.0, 3.0))
    assert best([low, high]) is best([high, low]) is low


def test_candidates_may_be_chats():
    chats = [[{"role": "assistant", "content": text or ""}] for text in CANDIDATES]
    found = overread.score(REFERENCES, chats, "rouge-l", **DRAWS)
    assert found["rouge-l"] == overread.score(REFERENCES, CANDIDATES, "rouge-l", **DRAWS)["rouge-l"]


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (lambda: overread.score(None, None), "The references are None; give a list of texts"),
        (lambda: overread.score(REFERENCES, 3), "The candidates are an int"),
        (lambda: overread.score("Small left effusion.", "No effusion at all."), r"put texts in a list: \[text\]"),
        (lambda: overread.score(["a"], [{"role": "assistant", "content": "b"}]), "messages of one chat"),
        (lambda: overread.score([[]], ["a"]), "empty list of references"),
        (lambda: overread.find_errors(REFERENCES, CANDIDATES), "The reference is a list; it must be a text"),
        (lambda: overread.read(None), "The report is None"),
        (lambda: overread.read(REFERENCES), "The report is a list"),
    ],
)  # fmt: skip
def test_what_is_given_wrongly_is_answered_in_words(call, answer):
    with pytest.raises(overread.OverreadError, match=answer) as caught:
        call()
    assert "effusion" not in str(caught.value), "report text is never repeated"


def test_readings_and_errors_show_themselves():
    pandas = pytest.importorskip("pandas")
    reading = overread.read("FINDINGS: Small left effusion. No pneumothorax.")
    assert repr(reading).splitlines()[1:] == [
        "  positive  effusion (left; Small)",
        "  negative  pneumothorax",
    ]
    assert ">effusion</th>" in reading._repr_html_()
    assert "concept pleural-effusion" in reading.explain()
    found = overread.find_errors("Large right pneumothorax.", "Large left <b>pneumothorax</b>.")
    assert repr(found).splitlines()[0].endswith(f"score {found.value:.3f}")
    assert "<b>pneumothorax" not in found._repr_html_()
    frame = found.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["kind"]) == [error.kind for error in found]
    assert list(overread.find_errors("Clear lungs.", "Clear lungs.").to_pandas()["kind"]) == []
    assert len(repr(overread.system("radsem"))) < 200


def test_completion_offers_public_names_only():
    assert set(dir(overread)) == {*overread.__all__, "errors"}
    assert "rouge-l" in overread.metrics()
    assert overread.errors.__doc__.startswith("overread.errors(reference, candidate)")


def test_a_progress_bar_when_asked_for(monkeypatch):
    from overread.runner import meter

    steps = []
    monkeypatch.setattr(meter.ProgressBar, "advance", lambda self: steps.append(1))
    overread.score(REFERENCES, CANDIDATES, "rouge-l", progress=False, **DRAWS)
    assert steps == []
    overread.score(REFERENCES, CANDIDATES, "rouge-l", progress=True, **DRAWS)
    assert len(steps) == len(REFERENCES)


def test_nan_is_an_empty_report_that_is_counted():
    found = overread.score(REFERENCES, ["Effusion.", NONE], "rouge-l", **DRAWS)
    assert found.summary.notes["candidate"] == {"empty candidate": 1}


def test_a_frame_of_pairs():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"study_id": [7, 8], "reference": REFERENCES, "prediction": ["Edema.", NONE]})
    found = overread.score(frame, metrics="clear", **DRAWS)
    assert [row.id for row in found.rows] == ["7", "8"]
    assert found.summary.notes["prediction"] == {"empty candidate": 1}
    with pytest.raises(overread.OverreadError, match="A table of pairs has a column reference"):
        overread.score(pandas.DataFrame({"a": [1]}))


def test_records_of_pairs_and_a_missing_side():
    rows = [{"ground_truth": "Edema.", "ours": "x", "hypothesis": "Edema."}]
    assert overread.score(rows, metrics="rouge-l", **DRAWS)["rouge-l"] == 1.0
    with pytest.raises(overread.OverreadError, match="Candidates are missing"):
        overread.score(["Edema."])


def test_frames_out():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    found = overread.score(REFERENCES, CANDIDATES, ["clear", "longitudinal"], **DRAWS)
    assert isinstance(found.to_pandas(), pandas.DataFrame)
    assert isinstance(found.to_polars(), polars.DataFrame)
    assert len(found.to_pandas()) == len(found.to_polars()) == len(found.rows)


def test_a_text_is_read_and_viewed():
    reading = overread.read("FINDINGS: Small left effusion. No pneumothorax.")
    assert [(f.entity, f.status) for f in reading.findings] == [
        ("effusion", "positive"),
        ("pneumothorax", "negative"),
    ]
    assert reading.view("clear").conditions["Pneumothorax"].presence == "negative"
    assert isinstance(reading, overread.Reading)
    with pytest.raises(overread.OverreadError, match="Did you mean 'clear'"):
        reading.view("cleer")


def test_a_metric_is_a_function():
    metric = overread.Metric("f1-srr-statuses", resamples=20)
    assert metric(REFERENCES, REFERENCES) == 1.0
    assert metric.each(REFERENCES, ["FINDINGS: No effusion.", "FINDINGS: Small pneumothorax."]) == [0.0, 0.0]
    assert repr(metric) == "Metric('f1-srr-statuses', resamples=20)"
    with pytest.raises(overread.OverreadError):
        overread.Metric("f1-ssr")


# ---- rewards


def test_rewards_of_chat_completions_none_and_thoughts():
    chat = [{"role": "user", "content": "Write."}, {"role": "assistant", "content": "Clear lungs."}]
    parts = [{"role": "assistant", "content": [{"type": "text", "text": "Clear lungs."}]}]
    found = overread.rewards(["Clear lungs."] * 4, [chat, parts, None, "Clear lungs."], "rouge-l")
    assert found == [1.0, 1.0, 0.0, 1.0]


def test_rewards_of_several_metrics_with_weights():
    one, two = (overread.rewards(["Clear lungs."], ["Lungs."], name)[0] for name in ("rouge-l", "bleu-1"))
    mixed = overread.rewards(["Clear lungs."], ["Lungs."], ["rouge-l", "bleu-1"], weights=[3, 1])
    assert mixed == [pytest.approx((3 * one + two) / 4)]
    assert mixed == overread.rewards(["Clear lungs."], ["Lungs."], {"rouge-l": 3, "bleu-1": 1})
    with pytest.raises(overread.OverreadError, match="2 metrics but 1 weights"):
        overread.rewards(["a"], ["a"], ["rouge-l", "bleu-1"], weights=[1])


def test_what_is_undefined_can_stay_so():
    nothing = (["Thank you."], ["Thank you."], "longitudinal")
    assert overread.rewards(*nothing) == [0.0]
    assert overread.rewards(*nothing, undefined=None) == [None]
    with pytest.raises(overread.OverreadError, match="has no value for pair 0"):
        overread.rewards(*nothing, undefined="raise")


def test_rewards_know_definitions_and_a_lexicon(tmp_path):
    hedge = (["FINDINGS: Pneumonia."], ["FINDINGS: Possible pneumonia."], "clear")
    assert overread.rewards(*hedge) != overread.rewards(*hedge, definitions="coded")
    with pytest.raises(overread.OverreadError, match='needs both by="llm" and a client'):
        overread.rewards(["a"], ["a"], by="llm")


def test_equal_references_are_read_once(monkeypatch):
    import overread.runner.views as views

    count = []
    plain = views.read
    monkeypatch.setattr(
        views, "read", lambda report, words: count.append(report.text) or plain(report, words)
    )
    overread.rewards(["Small left effusion."] * 5, [f"Effusion {n}." for n in range(5)], "radsem")
    assert count.count("Small left effusion.") == 1


# ---- runs


def test_history_of_a_folder(tmp_path):
    for n, text in enumerate(("Edema.", "No edema.")):
        overread.score(["Edema."], [text], "rouge-l", output=tmp_path / f"run-{n}", **DRAWS)
    found = overread.history(tmp_path)
    assert [(one.run, one.score) for one in found] == [("run-0", 1.0), ("run-1", pytest.approx(2 / 3))]
    assert len({one.references for one in found}) == 1
    (tmp_path / "empty").mkdir()
    with pytest.raises(overread.OverreadError, match="No finished run is in"):
        overread.history(tmp_path / "empty")


def test_a_page_by_the_name_of_its_folder(tmp_path):
    overread.score(["Edema."], ["Edema."], "clear", output=tmp_path / "run", **DRAWS)
    assert overread.write_page(str(tmp_path / "run")).name == "report.html"


def test_trackers(monkeypatch):
    sent = {}
    mlflow = types.ModuleType("mlflow")
    mlflow.set_tag = lambda name, value: sent.update({name: value})
    mlflow.log_metrics = lambda numbers: sent.update(numbers)
    monkeypatch.setitem(sys.modules, "mlflow", mlflow)
    wandb = types.ModuleType("wandb")
    wandb.run = types.SimpleNamespace(summary={})
    wandb.log = lambda numbers: sent.update({f"w/{k}": v for k, v in numbers.items()})
    monkeypatch.setitem(sys.modules, "wandb", wandb)
    scores = overread.score(["Edema."], ["Edema."], "rouge-l", **DRAWS)
    scores.log_to("mlflow")
    scores.log_to("wandb")
    assert sent["rouge-l/candidate"] == sent["w/rouge-l/candidate"] == 1.0
    assert sent["overread.signature"] == scores.signature
    with pytest.raises(overread.OverreadError, match="Did you mean 'wandb'"):
        scores.log_to("wandbb")


def test_every_public_name_is_in_the_reference_with_an_example():
    page = (Path(overread.__file__).parents[2] / "docs" / "python.md").read_text("utf-8")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    missing = [name for name in overread.PLACES if f"overread.{name}" not in examples]
    assert not missing
