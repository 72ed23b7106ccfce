"""Frames, columns, lazy tables and arrays of other libraries are scored as what they hold, or answered in words."""

import pytest

import overread

TEXTS = ["FINDINGS: Small left pleural effusion.", "FINDINGS: No pneumothorax.", "FINDINGS: Large mass."]
DRAWS = {"metrics": "rouge-l", "resamples": 5, "shuffles": 5}


def same(references, candidates, **more):
    return overread.score(references, candidates, **DRAWS, **more)["rouge-l"]


@pytest.fixture
def pandas():
    return pytest.importorskip("pandas")


def test_series_are_joined_by_their_index(pandas):
    one = pandas.Series(TEXTS, index=["a", "b", "c"])
    assert same(one, one.sort_values()) == 1.0
    assert same(pandas.Series(TEXTS), pandas.Series(TEXTS).sample(frac=1, random_state=3)) == 1.0
    assert same(pandas.Series(TEXTS), TEXTS) == 1.0
    assert same(pandas.Series(TEXTS), {"ours": pandas.Series(TEXTS)[::-1]}) == 1.0
    found = overread.score(one, one.drop("b"), **DRAWS)
    assert found.summary.notes["candidate"] == {"no candidate": 1}


def test_series_without_ids_that_tell_apart(pandas):
    twice = pandas.Series(TEXTS, index=["a", "a", "b"])
    assert same(twice, twice) == 1.0
    with pytest.raises(overread.OverreadError, match="index of the candidates holds 'a' twice"):
        same(pandas.Series(TEXTS), twice)
    with pytest.raises(overread.OverreadError, match="an index of their own, the other side is a list"):
        same(pandas.Series(TEXTS)[::-1], TEXTS)


def test_a_missing_text_of_a_series_is_counted(pandas):
    some = pandas.Series([*["No edema.", "Clear lungs."], None])
    assert overread.score(pandas.Series(TEXTS), some, **DRAWS).summary.notes["candidate"] == {
        "empty candidate": 1
    }


def test_ids_in_the_index_of_a_frame(pandas):
    frame = pandas.DataFrame({"report": TEXTS}, index=["a", "b", "c"])
    assert same(frame, frame[::-1]) == 1.0
    assert [r.id for r in overread.score(frame, frame, **DRAWS).rows] == ["a", "b", "c"]


def test_numpy_strings():
    numpy = pytest.importorskip("numpy")
    assert same(numpy.array(TEXTS), numpy.array(TEXTS)) == 1.0
    assert same(numpy.array(TEXTS, dtype=object), [numpy.str_(t) for t in TEXTS]) == 1.0
    assert same([{"id": n, "text": numpy.str_(t)} for n, t in enumerate(TEXTS)], TEXTS) == 1.0
    with pytest.raises(overread.OverreadError, match="an array of 2 dimensions"):
        same(numpy.array([TEXTS]), TEXTS)


def test_polars_lazy_and_columns():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"id": ["a", "b", "c"], "text": TEXTS})
    assert same(frame.lazy(), frame) == 1.0
    assert same(frame["text"], TEXTS) == 1.0


def test_arrow_arrays_readers_and_batches():
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"id": ["a", "b", "c"], "text": TEXTS})
    assert same(table["text"], arrow.array(TEXTS)) == 1.0
    assert same(table.to_reader(), table.to_batches()[0]) == 1.0
    assert same([arrow.scalar(t) for t in TEXTS], TEXTS) == 1.0


def test_whatever_speaks_arrow():
    arrow = pytest.importorskip("pyarrow")

    class Relation:
        """As DuckDB's: columns, a stream, nothing else."""

        columns = ("id", "text")

        def __arrow_c_stream__(self, requested_schema=None):
            return arrow.table({"id": ["a", "b", "c"], "text": TEXTS}).__arrow_c_stream__(requested_schema)

    class Pairs:
        """Nothing but a stream."""

        def __arrow_c_stream__(self, requested_schema=None):
            table = arrow.table({"reference": TEXTS, "candidate": TEXTS})
            return table.__arrow_c_stream__(requested_schema)

    assert same(Relation(), Relation()) == 1.0
    assert overread.score(Pairs(), **DRAWS)["rouge-l"] == 1.0


def test_relations_of_duckdb():
    duckdb, arrow = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    known = arrow.table({"id": ["a", "b", "c"], "reference": TEXTS, "candidate": TEXTS})
    with duckdb.connect() as database:
        database.register("known", known)
        one, other = (
            database.sql(f"SELECT id, {side} AS text FROM known") for side in ("reference", "candidate")
        )
        assert same(one, other) == 1.0
        assert same(other.df(), one.arrow()) == 1.0  # in this order: its reader is read before the next query
        assert overread.score(database.sql("SELECT * FROM known"), **DRAWS)["rouge-l"] == 1.0


class Dataset:
    """As Hugging Face's, formatted as something else than rows."""

    def __init__(self, rows, plain=False):
        self.rows, self.plain, self.column_names = rows, plain, list(rows[0])

    def with_format(self, kind):
        return Dataset(self.rows, kind is None)

    def __iter__(self):
        return iter(self.rows if self.plain else [object() for _ in self.rows])

    def __len__(self):
        return len(self.rows)


class DatasetDict(dict):
    column_names: dict = {}  # noqa: RUF012
    with_format = None


def test_formatted_data_sets_and_splits():
    rows = Dataset([{"id": str(n), "text": text} for n, text in enumerate(TEXTS)])
    assert same(rows, rows) == 1.0
    pairs = Dataset([{"reference": text, "prediction": text} for text in TEXTS])
    assert overread.score(pairs, **DRAWS)["rouge-l"] == 1.0
    for given in ((DatasetDict(test=rows), rows), (rows, DatasetDict(test=rows)), (DatasetDict(test=pairs),)):
        with pytest.raises(overread.OverreadError, match=r"DatasetDict with the splits test; choose one"):
            overread.score(*given, **DRAWS)


def test_columns_are_named_by_arguments_and_so_are_complaints(tmp_path):
    rows = [{"accession": n, "body": text} for n, text in enumerate(TEXTS)]
    named = {"id": "accession", "text": "body"}
    assert same(rows, rows, columns=named) == 1.0
    theirs = [{"key": n, "words": text} for n, text in enumerate(TEXTS)]
    assert same(rows, theirs, columns=named, candidate_columns={"id": "key", "text": "words"}) == 1.0
    with pytest.raises(
        overread.OverreadError, match=r"no column with report text; name it with columns=\{'text': …\}"
    ):
        same(rows, rows)
    (tmp_path / "a.csv").write_text("accession,body\n1,Edema.\n")
    assert same(tmp_path / "a.csv", tmp_path / "a.csv", columns=named) == 1.0


def test_a_table_of_pairs_with_columns_of_any_name(tmp_path):
    rows = [{"truth": text, "ours": text, "theirs": "Edema.", "age": 70} for text in TEXTS]
    wanted = {"columns": {"text": "truth"}, "candidate_columns": {"text": ["ours", "theirs"]}}
    found = overread.score(rows, **DRAWS, **wanted)
    assert list(found.ranking("rouge-l").systems) == ["ours", "theirs"]
    (tmp_path / "a.csv").write_text("truth,ours,theirs\nEdema.,Edema.,Clear.\n")
    assert found.ranking("rouge-l").systems["ours"].value == 1.0
    assert list(overread.score(tmp_path / "a.csv", **DRAWS, **wanted).ranking("rouge-l").systems) == [
        "ours",
        "theirs",
    ]


def test_a_metric_is_asked_as_evaluate_asks():
    assert overread.Metric("rouge-l").compute(predictions=TEXTS, references=TEXTS) == {"rouge-l": 1.0}


@pytest.mark.parametrize("kind", [None, "numpy", "pandas", "arrow", "polars"])
def test_a_real_data_set_in_every_format(kind):
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    made = datasets.Dataset.from_dict(
        {"id": ["a", "b"], "report": ["No edema.", "Clear lungs."]}
    ).with_format(kind)
    assert overread.score(made, made, metrics=["rouge-l"], resamples=1).values("rouge-l") == [1.0, 1.0]


@pytest.mark.parametrize("kind", ["relation", "reader"])
def test_a_real_duckdb(kind):
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")

    connections = [duckdb.connect(), duckdb.connect()]  # one holds one open result

    def asked(number):
        found = connections[number].sql(
            "select * from (values ('a', 'No edema.'), ('b', 'Clear lungs.')) as t(id, report)"
        )
        return found if kind == "relation" else found.arrow()

    assert overread.score(asked(0), asked(1), metrics=["rouge-l"], resamples=1).values("rouge-l") == [
        1.0,
        1.0,
    ]
