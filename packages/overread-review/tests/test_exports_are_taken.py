"""What a study exports is taken by the commands it is meant for."""

import csv
import json
from functools import cache
from io import StringIO

import msgspec
import pytest
from click.testing import CliRunner
from sqlalchemy import select

from house import person, study
from overread.cli.main import command
from overread.llm.prompt import bank_for, load_examples
from overread.sources import load_source
from overread_review.exports.archive import import_study, study_archive
from overread_review.exports.catalogue import export, exports
from overread_review.exports.words import propose
from overread_review.sheets.sheet import Row
from overread_review.store.tables import Assignment, Audit, Study
from overread_review.work.agreement import agreement
from overread_review.work.answers import desk, submit
from overread_review.work.decisions import case, decide
from overread_review.work.items import Files, make_items

REPORTS = [
    {
        "id": "p1-1", "patient": "p1", "study": "1", "day": 0,
        "text": "FINDINGS: Small left pleural effusion. No pneumothorax. Big heart.\nIMPRESSION: Left effusion.",
    },
    {
        "id": "p1-2", "patient": "p1", "study": "2", "day": 3,
        "text": "FINDINGS: The left pleural effusion has increased. No pneumothorax.\nIMPRESSION: Larger effusion.",
    },
]  # fmt: skip
CANDIDATES = [{**one, "text": one["text"].replace("left", "right")} for one in REPORTS]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Items of every kind, read once."""
    folder = tmp_path_factory.mktemp("reports")
    for name, rows in (("references", REPORTS), ("ours", CANDIDATES), ("theirs", REPORTS)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    reports, ours, theirs = (folder / f"{name}.jsonl" for name in ("references", "ours", "theirs"))
    files = {
        "pairs": Files(reports, (ours,)),
        "judge": Files(reports, (ours, theirs), metrics=("bleu-4",)),
        "compare": Files(reports, (ours, theirs)),
        "ranking": Files(reports, (ours, theirs, reports)),
    }
    return cache(lambda kind: make_items(SHEETS.get(kind, kind), files.get(kind, Files(reports))))


SHEETS = {"ranking": "compare"}


@pytest.fixture
def finished(sqlite_store, made):
    """A study of a kind that two readers have handed in, changed by `change(reader, rows)`."""

    def make(kind, change=lambda reader, rows: None, **settings):
        people = [person(sqlite_store, f"{kind}-{n}") for n in (1, 2)]
        number = study(sqlite_store, SHEETS.get(kind, kind), made(kind), people, **settings)
        with sqlite_store.writing() as session:
            for reader, who in enumerate(people):
                for id in list(session.scalars(select(Assignment.id).where(Assignment.person == who))):
                    at = desk(session, id)
                    rows = at.rows
                    change(reader, rows)
                    submit(session, at, 0, rows, 5.0)
        return number

    return make


def exported(store, number, name):
    with store.reading() as session:
        found = session.get_one(Study, number)
        return export(found, name, True).content(session, found)


def run(*arguments):
    ran = CliRunner().invoke(command(), [str(one) for one in arguments])
    assert ran.exit_code == 0, ran.output
    return ran.output


def written(tmp_path, store, number, name):
    path = tmp_path / name
    path.write_bytes(exported(store, number, name))
    return path


@pytest.mark.parametrize("kind", ["lunguage", "timeline"])
def test_findings_and_timelines_go_to_validate_structuring(kind, finished, sqlite_store, tmp_path):
    gold = written(tmp_path, sqlite_store, finished(kind), "gold.jsonl")
    told = json.loads(run("validate", "structuring", gold, "--json"))
    if kind == "lunguage":
        assert told["reports"] == 2
        assert told["triplets"]["fp"] == told["triplets"]["fn"] == 0
    else:
        assert told["patients"] == 1
        assert told["entity_groups"]["fn"] == 0


@pytest.mark.parametrize(("kind", "verb"), [("radsem", "sentences"), ("srrg", "template")])
def test_sentences_and_structured_reports_go_to_validate(kind, verb, finished, sqlite_store, tmp_path):
    """Handed in as they were suggested: everything agrees."""
    number = finished(kind)
    gold, reports = (
        written(tmp_path, sqlite_store, number, name) for name in ("gold.jsonl", "reports.jsonl")
    )
    told = json.loads(run("validate", verb, gold, "--reports", reports, "--json"))
    assert told["reports"] == 2
    assert (told["sentences"] if kind == "radsem" else told["all"]["found"])["f1"] == 1.0


def test_clear_tables_go_to_validate_clear(finished, sqlite_store, tmp_path):
    number = finished("clear")
    experts, gold = (
        written(tmp_path, sqlite_store, number, name) for name in ("experts.jsonl", "gold.jsonl")
    )
    assert "1.000" in run("validate", "clear", experts, gold)


def test_comparing_sentences_go_to_validate_longitudinal(finished, sqlite_store, tmp_path):
    gold = written(tmp_path, sqlite_store, finished("longitudinal"), "gold.jsonl")
    assert "2 reports" in run("validate", "longitudinal", gold)


def test_pairs_go_to_tags_check_and_score(finished, sqlite_store, tmp_path):
    gold = written(tmp_path, sqlite_store, finished("pairs"), "gold.jsonl")
    run("tags", "check", gold)
    assert "radsem" in run("tags", "score", gold)


@pytest.mark.parametrize("kind", ["clear", "lunguage", "radsem", "srrg", "longitudinal", "timeline", "pairs"])
def test_reports_go_to_read(kind, finished, sqlite_store, tmp_path):
    path = written(tmp_path, sqlite_store, finished(kind), "reports.jsonl")
    assert len(list(load_source(path))) == 2


@pytest.mark.parametrize("kind", ["clear", "lunguage", "radsem", "srrg", "longitudinal"])
def test_examples_fit_the_prompts(kind, finished, sqlite_store, tmp_path):
    from overread.systems.clear.by_llm import ANSWERS, Labels, Presence
    from overread.systems.longitudinal.by_llm import Comparison, Diseases, Trend
    from overread.systems.lunguage.asking import SectionFindings
    from overread.systems.radsem.by_llm import Rewritten as Atoms
    from overread.systems.srrg.by_llm import Labelling
    from overread.systems.srrg.by_llm import Rewritten as Template

    asked = {
        "clear/presence": Presence, "clear/labels": Labels, "radsem/atoms": Atoms,
        "lunguage/structure": SectionFindings,
        "srrg/structure": Template, "longitudinal/compares": Comparison, "longitudinal/diseases": Diseases,
        **{f"clear/{attribute}": answer for attribute, answer in ANSWERS.items()},
        "srrg/label": Labelling, "longitudinal/progression": Trend,
    }  # fmt: skip
    examples = load_examples(written(tmp_path, sqlite_store, finished(kind), "bank.jsonl"))
    stages = {one.stage for one in examples}
    assert stages
    assert all(stage.startswith(kind) for stage in stages)
    for stage in stages:
        assert bank_for(stage, asked[stage], examples).examples
    assert {one.patient for one in examples} == {"p1"}


def judged(reader, rows):
    next(row for row in rows if row.kind == "overall").values["rating"] = str(4 - reader)
    rows.append(
        Row(
            "n1",
            "error",
            "accepted",
            True,
            {"category": "wrong location", "significance": "significant", "words": "right"},
            {"words": [(1, 16, 21)]},
        )
    )


def test_judgements_go_out_as_rexvals_two_tables(finished, sqlite_store, tmp_path):
    number = finished("judge", judged)
    samples = written(tmp_path, sqlite_store, number, "samples.csv")
    assert load_source(samples).table.layout.startswith("ReXVal")
    assert {one.id for one in load_source(samples)} == {"0", "1"}
    rows = list(csv.DictReader(StringIO(exported(sqlite_store, number, "errors.csv").decode())))
    assert len(rows) == 2 * 2 * 2 * 6 * 2  # studies, systems, raters, categories, significances
    counted = [row for row in rows if row["num_errors"] != "0"]
    assert {(row["error_category"], row["clinically_significant"]) for row in counted} == {("3", "True")}
    assert len(counted) == 8
    assert {row["rater_index"] for row in rows} == {"0", "1"}


def test_preferences_name_systems_whatever_the_side(finished, sqlite_store):
    def prefer_a(reader, rows):
        rows[0].values["better"] = "A"

    number = finished("compare", prefer_a, repeats=0.5)
    rows = list(csv.DictReader(StringIO(exported(sqlite_store, number, "preferences.csv").decode())))
    assert {row["side"] for row in rows if row["place"] == "1"} == {"A"}
    assert sum(row["repeat"] == "1" for row in rows) == 2 * 2  # one repeat each, two systems
    (wins,) = csv.DictReader(StringIO(exported(sqlite_store, number, "wins.csv").decode()))
    assert (wins["system"], wins["against"]) == ("ours", "theirs")
    assert int(wins["wins"]) + int(wins["losses"]) == 4


def test_three_systems_are_ranked_with_ties(finished, sqlite_store):
    """A first, B and C tied: by letter, whichever system a reader had under it."""

    def rank(reader, rows):
        for row, place in zip(rows, "122", strict=True):
            row.values["rank"] = place

    number = finished("ranking", rank, repeats=0.5)
    rows = list(csv.DictReader(StringIO(exported(sqlite_store, number, "preferences.csv").decode())))
    assert {row["system"] for row in rows} == {"ours", "theirs", "references"}
    assert len(rows) == 2 * (2 + 1) * 3  # readers, items and a repeat, systems
    assert {row["side"] for row in rows if float(row["place"]) == 1} == {"A"}
    assert {row["side"] for row in rows if float(row["place"]) == 2} == {"B", "C"}
    shown = {tuple(row["system"] for row in rows[n : n + 3]) for n in range(0, len(rows), 3)}
    assert len({frozenset(order) for order in shown}) == 1
    wins = list(csv.DictReader(StringIO(exported(sqlite_store, number, "wins.csv").decode())))
    assert len(wins) == 3  # pairs of systems
    assert sum(int(one["wins"]) + int(one["losses"]) for one in wins) == 2 * 4
    assert (
        sum(int(one["ties"]) for one in wins) == 4
    )  # the repeats say how sure a reader is, and do not count
    found = {one.of: one for one in agreed(sqlite_store, number).measures}
    assert found["Place (1 best; ties allowed)"].scale == "ordinal"


def test_what_was_changed_from_the_suggestion_is_kept(finished, sqlite_store):
    def change(reader, rows):
        if reader == 0:
            next(r for r in rows if r.values["condition"] == "Edema").values["level"] = "likely present"

    lines = [
        json.loads(line)
        for line in exported(sqlite_store, finished("clear", change), "answers.jsonl").splitlines()
    ]
    first = [one for one in lines if one["changed"]["to"]]
    for one in first:
        assert one["changed"]["from"]["c5"]["values"]["level"] == "neutral"
        assert one["changed"]["to"]["c5"]["values"]["level"] == "likely present"
    assert len(first) == 2
    assert len({one["reader"] for one in first}) == 1
    assert "Clear-1" not in str(lines)  # readers are numbers


def test_open_disagreements_are_not_gold_until_decided(finished, sqlite_store):
    def change(reader, rows):
        rows[4].values["level"] = "likely present" if reader else "likely absent"

    number = finished("clear", change)
    assert exported(sqlite_store, number, "gold.jsonl") == b""
    curator = person(sqlite_store, "cora")
    with sqlite_store.writing() as session:
        from overread_review.store.tables import Item

        found = session.get_one(Study, number)
        item = session.scalar(select(Item).where(Item.study == number).order_by(Item.number))
        at = case(session, item, found)
        rows = at.rows
        assert rows[4].state == "suggested"
        rows[4].values["level"] = "likely present"
        decide(session, at, curator, 0, rows)
    (line,) = exported(sqlite_store, number, "gold.jsonl").splitlines()
    assert json.loads(line)["conditions"]["Edema"]["presence"] == "positive"


def test_words_proposed_are_rows_that_the_lexicon_takes(finished, sqlite_store, tmp_path):
    number = finished("lunguage")
    with sqlite_store.writing() as session:
        at = desk(session, session.scalar(select(Assignment.id).where(Assignment.study == number)))
        propose(
            session,
            at,
            "larger" if "Larger" in at.parts[0].text else "small left",
            "severity",
            "",
            "odd",
        )
        propose(session, at, "effusion", "findings", "Pleural effusion", "")
        with pytest.raises(Exception, match="words of this report"):
            propose(session, at, "unicorn", "findings", "", "")
    path = written(tmp_path, sqlite_store, number, "lexicon.tsv")
    assert "review of" in path.read_text()
    (tmp_path / "r.txt").write_text("Small left effusion.")
    run("read", tmp_path / "r.txt", "--lexicon", path)


def test_a_study_travels_whole(finished, sqlite_store, tmp_path):
    from overread_review.store.connect import open_store

    number = finished("lunguage")
    before = exported(sqlite_store, number, "gold.jsonl"), exported(sqlite_store, number, "answers.jsonl")
    with sqlite_store.reading() as session:
        archive = study_archive(session, session.get_one(Study, number))
        lines = len(list(session.scalars(select(Audit).where(Audit.study == number))))
    elsewhere = open_store(f"sqlite:///{tmp_path / 'other.sqlite'}")
    person(elsewhere, "somebody")  # numbers differ over there
    with elsewhere.writing() as session:
        taken = import_study(session, archive).id
    assert (exported(elsewhere, taken, "gold.jsonl"), exported(elsewhere, taken, "answers.jsonl")) == before
    with elsewhere.reading() as session:
        assert len(list(session.scalars(select(Audit).where(Audit.study == taken)))) == lines + 1
    elsewhere.close()


@pytest.mark.parametrize("spoilt", [b"", b"PK\x03\x04 not a zip", "cut", "swapped"])
def test_a_damaged_archive_changes_nothing(spoilt, finished, sqlite_store):
    from overread.errors import BadInput

    number = finished("clear")
    with sqlite_store.reading() as session:
        whole = study_archive(session, session.get_one(Study, number))
    content = {"cut": whole[: len(whole) // 2], "swapped": without_a_line(whole)}.get(spoilt, spoilt)
    with pytest.raises(BadInput), sqlite_store.writing() as session:
        import_study(session, content)
    with sqlite_store.reading() as session:
        assert len(list(session.scalars(select(Study)))) == 1


def without_a_line(whole):
    from io import BytesIO
    from zipfile import ZipFile

    out = BytesIO()
    with ZipFile(BytesIO(whole)) as source, ZipFile(out, "w") as copy:
        for name in source.namelist():
            content = source.read(name)
            copy.writestr(name, content.split(b"\n", 1)[1] if name == "items.jsonl" else content)
    return out.getvalue()


def test_agreement_of_each_kind(finished, sqlite_store):
    def differ(reader, rows):
        if reader:
            rows[0].values["status"] = "negative"
            rows[1].state = "rejected"

    number = finished("lunguage", differ)
    with sqlite_store.reading() as session:
        found = agreement(session, session.get_one(Study, number))
    table = {one.of: one for one in found.measures}
    assert 0 < table["Findings found by both"].f1.value < 1
    status = table["Status"]
    assert status.alpha.value < 1
    for found_so in (status.cohen, status.fleiss):
        assert found_so.low <= found_so.value <= found_so.high < 1.0001
    assert table["Finding: words marked"].alpha.value == 1
    assert [reader.items for reader in found.readers] == [2, 2]
    assert msgspec.json.encode(found)


def agreed(store, number):
    with store.reading() as session:
        return agreement(session, session.get_one(Study, number))


def test_judges_have_an_icc(finished, sqlite_store):
    def more_or_less(reader, rows):
        judged(reader, rows)
        if reader and len(rows[0].values["part"]) and rows[0].id == "overall":
            rows.append(Row("n2", "error", "accepted", True, {**rows[-1].values}, {"words": [(1, 0, 8)]}))

    found = {one.of: one for one in agreed(sqlite_store, finished("judge", more_or_less)).measures}
    assert found["Errors found by both"].f1.value == pytest.approx(2 * 4 / (2 * 4 + 4))
    assert found["All errors"].units == 4
    errors = found["All errors"].icc
    assert errors.low <= errors.value <= errors.high
    assert found["Rating (1 poor, 5 excellent)"].scale == "ordinal"


def test_repeats_are_compared_with_oneself(finished, sqlite_store):
    def by_side(reader, rows):
        rows[0].values["better"] = "A"

    readers = agreed(sqlite_store, finished("compare", by_side, repeats=1.0)).readers
    assert [one.repeats for one in readers] == [2, 2]
    assert [one.same for one in readers] == [0.0, 0.0]  # always A, and the sides were turned


def test_names_stay_with_administrators(finished, sqlite_store):
    number = finished("clear")
    with sqlite_store.reading() as session:
        found = session.get_one(Study, number)
        assert {one.name for one in exports(found, True)} - {one.name for one in exports(found, False)} == {
            "audit.jsonl", "study.zip",
        }  # fmt: skip
