"""Batches keep the columns that are not ours when asked to, as the engines do."""

import pytest

from overread.scale.batch import read_batch, score_batch

arrow = pytest.importorskip("pyarrow", reason="needs overread[parquet]")


def test_views_keep_partition_keys():
    table = arrow.table(
        {"id": ["a", "b"], "report": ["No edema.", "Mass."], "split": ["x", "y"], "view": ["PA", "L"]}
    )
    made = read_batch(table, "radsem", keep=True)
    assert made.column_names == ["id", "view", "failed", "split"]
    assert made["split"].to_pylist() == ["x", "y"]
    assert read_batch(table, "radsem").column_names == ["id", "view", "failed"]


def test_every_row_has_the_columns_of_its_pair():
    table = arrow.table({
        "id": ["a", "b"], "reference": ["Edema.", "Mass."], "candidate": ["Edema.", "Edema."], "split": [1, 2],
    })  # fmt: skip
    made = score_batch(table, ["rouge-l", "rouge-1"], keep=True)
    assert made["id"].to_pylist() == ["a", "a", "b", "b"]
    assert made["split"].to_pylist() == [1, 1, 2, 2]
    assert made["split"].type == arrow.int64()


def test_spark_is_told_the_types_of_what_is_carried():
    from types import SimpleNamespace as Named

    from overread.scale.on_spark import VIEW_KINDS, with_others

    def field(name, kind):
        return Named(name=name, dataType=Named(simpleString=lambda: kind))

    frame = Named(
        schema=Named(fields=[field("id", "string"), field("text", "string"), field("part", "bigint")])
    )
    assert with_others(VIEW_KINDS, frame, None) == f"{VIEW_KINDS}, `part` bigint"
