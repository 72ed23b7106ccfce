"""`validate clear` on an expert file of ours: figures, and joins by id whatever the order or type of ids."""

import csv
import json
import random
from pathlib import Path

import pytest

from overread.errors import BadInput
from overread.reader import read
from overread.report import parse
from overread.systems.clear.by_rules import view
from overread.systems.clear.schema import CONDITIONS, top5
from overread.validation.clear.agreement import figures, render, validate
from overread.validation.clear.files import Rating, load_experts, load_ratings, load_views
from overread.validation.clear.review import differing, vote, vote_summary

REPORTS = {
    "101": "FINDINGS: Stable small left pleural effusion. Heart size is normal. No pneumothorax.",
    "102": "FINDINGS: Patchy opacity in the right lower lobe, likely pneumonia. No pleural effusion.",
    "103": "FINDINGS: Mild cardiomegaly. Lungs are clear. No pneumothorax or pleural effusion.",
    "104": "FINDINGS: New displaced fracture of the left fifth rib. Recommend rib views.",
}
POSITIVE = {
    "101": {"Pleural Effusion": {"change": ["stable"], "severity": ["mild"], "first_occurrence": ["previous"],
                                 "location": ["small left pleural effusion"], "recommendation": ["N/A"]}},
    "102": {"Lung Opacity": {"location": ["patchy right lower lobe opacity"]}, "Pneumonia": {}},
    "103": {"Cardiomegaly": {"severity": ["moderate"]}},
    "104": {"Fracture": {"first_occurrence": "current", "recommendation": ["rib views"]}},
}  # fmt: skip
NEGATIVE = {
    "101": ["Cardiomegaly", "Pneumothorax"],
    "102": ["Pleural Effusion"],
    "103": ["Pneumothorax", "Pleural Effusion", "Consolidation", "Edema"],
    "104": ["Pneumothorax"],
}


def labels(id: str) -> dict[str, int]:
    return {c: 1 if c in POSITIVE[id] else 0 if c in NEGATIVE[id] else -1 for c in CONDITIONS}


def expert_json(path: Path, ids: list) -> Path:
    rows = [
        {"study_id": id}
        | {c: {"presence": n, **POSITIVE[str(id)].get(c, {})} for c, n in labels(str(id)).items()}
        for id in ids
    ]
    path.write_text(json.dumps(rows))
    return path


def view_lines(path: Path, ids: list) -> Path:
    import msgspec

    lines = []
    for id in ids:
        table = msgspec.to_builtins(view(read(parse(REPORTS[str(id)], str(id)))))
        lines.append(json.dumps({**table, "id": id}))
    path.write_text("\n".join(lines))
    return path


def found(folder: Path, experts: list, views: list):
    one = load_experts(expert_json(folder / "experts.json", experts))
    path = folder / f"views-{len(list(folder.iterdir()))}.jsonl"  # a file of views is read once per process
    return validate(one, load_views(view_lines(path, views)))


def test_the_paper_s_columns(tmp_path: Path):
    numbers = figures(found(tmp_path, list(REPORTS), list(REPORTS)), top5())
    assert numbers.presence["positive"]["micro"] == pytest.approx(1.0)
    assert numbers.presence["positive"]["@5"] == pytest.approx(1.0)
    # the reader denies more than these experts do: opacity, atelectasis, lesion, pneumonia by clear lungs …
    assert 0 < numbers.presence["negative"]["micro"] < 1
    assert numbers.accuracy["change"]["micro"] == 1
    assert numbers.accuracy["severity"]["micro"] == pytest.approx(1 / 2)
    assert numbers.accuracy["severity"]["where said"] == pytest.approx(1 / 2)
    assert numbers.accuracy["first_occurrence"]["cells"] == 2
    # `right lower lobe patchy opacity` has four of the experts' five words in order
    assert numbers.similarity["location"]["ROUGE-L"] == pytest.approx((1 + 4 / 5) / 2)
    assert numbers.similarity["recommendation"]["cells"] == 2
    assert "Edema" in numbers.undefined["positive"]


@pytest.mark.parametrize("seed", range(3))
def test_order_and_type_of_ids_do_not_matter(tmp_path: Path, seed: int):
    ordered = found(tmp_path, list(REPORTS), list(REPORTS))
    shuffled = list(REPORTS)
    random.Random(seed).shuffle(shuffled)
    assert found(tmp_path, shuffled, list(REPORTS)) == ordered
    assert found(tmp_path, list(REPORTS), shuffled) == ordered
    assert found(tmp_path, [int(id) for id in shuffled], list(REPORTS)) == ordered


def test_missing_rows_change_no_score_and_are_named(tmp_path: Path):
    three = ["101", "103", "104"]
    both = found(tmp_path, three, three)
    lacking = found(tmp_path, list(REPORTS), three)
    extra = found(tmp_path, three, list(REPORTS))
    assert lacking.counts == extra.counts == both.counts
    assert lacking.without_view == ("102",)
    assert extra.without_expert == ("102",)
    assert "1 expert rows without a view, not scored: 102" in render(lacking, top5())


def test_csv_with_other_spellings_of_the_columns(tmp_path: Path):
    path = tmp_path / "labels.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["study_id", *(c.lower().replace(" ", "_") for c in CONDITIONS)])
        for id in REPORTS:
            writer.writerow([id, *(f"{n}.0" if n >= 0 else "" for n in labels(id).values())])
    experts = load_experts(path)
    assert {id: e.table.positive() for id, e in experts.items()} == {
        id: tuple(c for c in CONDITIONS if c in POSITIVE[id]) for id in REPORTS
    }
    numbers = figures(validate(experts, load_views(view_lines(tmp_path / "v.jsonl", list(REPORTS)))), top5())
    assert numbers.presence["positive"]["micro"] == pytest.approx(1.0)
    assert numbers.accuracy["change"]["micro"] is None


def test_attributes_in_a_file_of_their_own(tmp_path: Path):
    plain = tmp_path / "labels.json"
    plain.write_text(json.dumps({id: labels(id) for id in REPORTS}))
    more = tmp_path / "attributes.json"
    more.write_text(json.dumps(POSITIVE))
    whole = load_experts(expert_json(tmp_path / "experts.json", list(REPORTS)))
    assert load_experts(plain, more) == whole


def test_reports_in_place_of_views_are_read_by_rules(tmp_path: Path):
    path = tmp_path / "reports.jsonl"
    path.write_text("\n".join(json.dumps({"id": id, "text": text}) for id, text in REPORTS.items()))
    assert load_views(path) == load_views(view_lines(tmp_path / "views.jsonl", list(REPORTS)))


def test_ratings_are_correlated_with_our_outcomes(tmp_path: Path):
    experts = load_experts(expert_json(tmp_path / "experts.json", list(REPORTS)))
    views = load_views(view_lines(tmp_path / "views.jsonl", list(REPORTS)))
    path = tmp_path / "ratings.csv"
    path.write_text(
        "study_id,condition,attribute,rating\n"
        "101,Pleural Effusion,change,1\n101,pleural_effusion,severity,1\n103,Cardiomegaly,severity,0\n"
        "101,Pleural Effusion,location,1\n102,Lung Opacity,location,0.5\n104,Edema,change,0\n"
    )
    result = validate(experts, views, load_ratings(path))
    by_name = {a.name: a for a in result.agreements}
    assert by_name["severity"].r == pytest.approx(1.0)
    assert by_name["location, ROUGE-L"].r == pytest.approx(1.0)
    assert by_name["change"].r is None  # one item
    assert by_name["all, phrases by ROUGE-L"].items == 5
    assert by_name["all, phrases by ROUGE-L"].r > 0.9
    assert by_name["location, BLEU-4"].items == by_name["similarity, ROUGE-L"].items == 2
    assert result.unrated == 1
    text = render(result, top5())
    assert "Pearson" in text
    assert "1 ratings of cells" in text


def test_a_judge_is_counted_where_it_fails(tmp_path: Path):
    experts = load_experts(expert_json(tmp_path / "experts.json", list(REPORTS)))
    views = load_views(view_lines(tmp_path / "views.jsonl", list(REPORTS)))

    def judge(asked):
        return [None if o.attribute == "recommendation" else 0.5 for _, o in asked]

    result = validate(experts, views, (), judge)
    assert figures(result, top5()).similarity["location"]["judge"] == 0.5
    assert result.unjudged == 2
    assert "2 lists without a usable score" in render(result, top5())


def test_the_text_names_every_choice_behind_a_number(tmp_path: Path):
    result = found(tmp_path, list(REPORTS), list(REPORTS))
    text = render(result, top5())
    assert "@5 is the mean over: Pneumothorax, Pneumonia, Edema, Pleural Effusion, Consolidation" in text
    assert "undefined, left out of the means" in text.replace("\n   ", "")
    assert "as-released: accuracy, not F1" in text
    assert "undefined, counted as 0" in render(result, top5("released"), zero_division=True)
    assert max(map(len, text.splitlines())) <= 106


@pytest.mark.parametrize(
    ("file", "content", "problem"),
    [
        ("e.csv", "study_id,Edema\n1,1\n", "no column for Enlarged Cardiomediastinum"),
        ("e.json", json.dumps([{"study_id": 1, **dict.fromkeys(CONDITIONS, 2)}]), "must be 1, 0 or -1"),
        ("e.json", json.dumps([dict.fromkeys(CONDITIONS, 0)]), "no study id"),
        ("e.json", json.dumps([{"id": 1, **dict.fromkeys(CONDITIONS, 0)}] * 2), "stands twice"),
        ("e.json", '{"1": 2}', "neither a list of rows nor an object"),
        ("e.txt", "x", "not of a supported type"),
        (
            "e.json",
            json.dumps({"1": {c: {"presence": 1, "severity": ["tiny"]} for c in CONDITIONS}}),
            "severity must be one of",
        ),
    ],
)
def test_an_expert_file_that_cannot_be_used_says_why(tmp_path: Path, file: str, content: str, problem: str):
    path = tmp_path / file
    path.write_text(content)
    with pytest.raises(BadInput, match=problem):
        load_experts(path)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("1,Edema,change,0.7", "0, 0.5 or 1"),
        ("1,Edema,colour,1", "attribute must be"),
        ("1,Rash,change,1", "no CLEAR condition"),
    ],
)
def test_a_rating_that_cannot_be_used_says_why(tmp_path: Path, row: str, problem: str):
    path = tmp_path / "ratings.csv"
    path.write_text(f"study_id,condition,attribute,rating\n{row}\n")
    with pytest.raises(BadInput, match=problem):
        load_ratings(path)


def test_a_rating_is_kept_as_it_is(tmp_path: Path):
    path = tmp_path / "ratings.jsonl"
    row = {"study_id": 7, "condition": "Edema", "attribute": "first occurrence", "rating": 0.5}
    path.write_text(json.dumps(row))
    assert load_ratings(path) == (Rating("7", "Edema", "first_occurrence", 0.5),)


def test_conditions_that_only_experts_call_positive_count_as_nothing_said(tmp_path: Path):
    experts = load_experts(expert_json(tmp_path / "experts.json", ["101", "103"]))
    silent = {id: view(read(parse("FINDINGS: The study is limited.", id))) for id in ("101", "103")}
    numbers = figures(validate(experts, silent), top5())
    assert numbers.accuracy["severity"]["micro"] is None
    assert numbers.accuracy["severity"]["all expert positives"] == 0
    assert numbers.accuracy["severity"]["expert positives"] == 2
    assert numbers.similarity["recommendation"]["ROUGE-L, all expert positives"] == 1  # the experts say N/A


def votes_of(tmp_path: Path, *labels: dict[str, int]):
    files = []
    for n, one in enumerate(labels):
        path = tmp_path / f"reader{n}.csv"
        row = {c: one.get(c, -1) for c in CONDITIONS}
        path.write_text("\n".join([",".join(["study_id", *row]), ",".join(["101", *map(str, row.values())])]))
        files.append(path)
    return vote([load_experts(path) for path in files])


def test_the_majority_of_annotators_is_the_label(tmp_path: Path):
    found = votes_of(tmp_path, {"Edema": 1, "Fracture": 0}, {"Edema": 1, "Fracture": 1}, {"Edema": 0})
    cells = found.experts["101"].table.conditions
    assert cells["Edema"].presence == "positive"
    assert found.unresolved == (("101", "Fracture"),)
    assert cells["Fracture"].presence == "unclear"
    assert "all agree on 11 of 13 labels; Fleiss' kappa" in vote_summary(found)
    saved = found.rows()
    assert saved[0]["Fracture"] == "?"
    assert saved[0]["Edema"] == "1"


def test_a_cell_without_a_majority_is_not_scored(tmp_path: Path):
    found = votes_of(tmp_path, {"Edema": 1, "Fracture": 0}, {"Edema": 1, "Fracture": 1})
    views = {"101": view(read(parse("FINDINGS: Rib fracture. Pulmonary edema.", "101")))}
    counts = validate(found.experts, found.without_open(views)).counts
    assert counts.get("presence/Fracture/positive/fp", 0) == 0
    assert counts["presence/Edema/positive/tp"] == 1


def test_studies_that_differ_in_a_few_conditions_are_listed_for_another_look(tmp_path: Path):
    experts = load_experts(expert_json(tmp_path / "experts.json", list(REPORTS)))
    views = load_views(view_lines(tmp_path / "views.jsonl", list(REPORTS)))
    rows = differing(experts, views)
    assert all(row["experts"] != row["reader"] for row in rows)
    assert {row["study_id"] for row in rows} == {"103", "104"}
