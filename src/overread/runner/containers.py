"""Containers of other libraries → dicts, lists and rows. None of those libraries is imported."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from overread.errors import BadInput
from overread.extras import require
from overread.report.passed_over import TOKENS
from overread.sources.columns import plain, usual_names

Cells = dict[str, Any]


def unpack_container(given: Any, name: str) -> Any:
    """The same as a dict, a list of texts or rows; what is none of the containers known here as it came.

    A pandas Series is id → text by its index; polars and Arrow columns and numpy arrays are lists.
    """
    if is_series(given):
        return by_index(given, name)
    if (rows := table_rows(given, name)) is not None:
        return rows
    if hasattr(given, "to_pylist"):  # a column of Arrow
        return list(given.to_pylist())
    if hasattr(given, "__array__") and hasattr(given, "tolist"):
        if getattr(given, "ndim", 1) != 1:
            raise BadInput(f"The {name} are an array of {given.ndim} dimensions; give one of texts.")
        return list(given.tolist())
    return given


def table_rows(given: Any, name: str) -> list[Cells] | None:
    """The rows of a table, told by what it can do; None for what is no table."""
    if isinstance(given, Mapping):
        if hasattr(given, "column_names") and hasattr(given, "with_format"):
            splits = [str(split) for split in given]
            raise BadInput(  # which is meant is not ours to guess
                f"The {name} are a DatasetDict with the splits {', '.join(splits)}; choose one, such as "
                f"[{splits[-1] if splits else 'test'!r}]."
            )
        return None
    if hasattr(given, "collect") and hasattr(given, "collect_schema"):  # a LazyFrame of polars
        given = given.collect()
    elif hasattr(given, "read_all") and hasattr(given, "schema"):  # a stream of batches
        given = given.read_all()
    if hasattr(given, "to_dicts"):  # polars
        return rows_of_cells(given.to_dicts())
    if hasattr(given, "columns") and hasattr(given, "to_pylist"):  # Arrow
        return rows_of_cells(given.to_pylist())
    if hasattr(given, "columns") and hasattr(given, "to_dict"):  # pandas
        return rows_of_cells(with_index(given))
    if hasattr(given, "column_names") and hasattr(given, "with_format"):  # a Dataset, however it is formatted
        return rows_of_cells(given.with_format(None))
    if is_stream(given) and (
        hasattr(given, "columns") or not isinstance(given, Iterable)
    ):  # DuckDB and others
        return rows_of_cells(require("pyarrow", "parquet").table(given).to_pylist())
    return None


def is_stream(given: Any) -> bool:
    """Does it hand itself over by Arrow's protocol?"""
    return hasattr(given, "__arrow_c_stream__")


def rows_of_cells(rows: Iterable[Mapping[Any, Any]]) -> list[Cells]:
    return [{str(column): plain_cell(value) for column, value in row.items()} for row in rows]


def plain_cell(value: Any) -> Any:
    """A plain value: None for what is missing, str for what only behaves like one.

    >>> plain_cell(float("nan")), plain_cell("Clear."), plain_cell(7)
    (None, 'Clear.', 7)
    """
    if value is None or is_missing(value):
        return None
    if isinstance(value, str):
        return str(value)
    return value.as_py() if hasattr(value, "as_py") else value  # a scalar of Arrow


def is_missing(value: Any) -> bool:
    """What pandas puts where a cell is empty: NaN, or NA.

    >>> is_missing(float("nan")), is_missing("nan"), is_missing(None)
    (True, False, False)
    """
    return (isinstance(value, float) and value != value) or type(value).__name__ in ("NAType", "NaTType")


def is_series(given: Any) -> bool:
    """A pandas Series, told by its index."""
    return hasattr(given, "index") and hasattr(given, "to_dict") and hasattr(given, "dtype")


def is_numbered(given: Any) -> bool:
    """Has it the index that pandas gives to what has none: 0, 1, 2 …?"""
    index = given.index
    return all(hasattr(index, part) for part in ("start", "step")) and (index.start, index.step) == (0, 1)


def by_index(given: Any, name: str) -> dict[str, Any]:
    """A Series as id → text; its labels must tell its texts apart."""
    ids = [str(label) for label in given.index]
    if len(set(ids)) < len(ids):
        twice = next(id for n, id in enumerate(ids) if id in ids[:n])
        raise BadInput(
            f"The index of the {name} holds {twice[:64]!r} twice; give each report an id of its own, or lists "
            "(`.to_list()`) to match by position."
        )
    return dict(zip(ids, map(plain_cell, given.to_list()), strict=True))


def with_index(frame: Any) -> list[Cells]:
    """Rows of a pandas frame; its index is the id where no column is one."""
    rows: list[Cells] = list(frame.to_dict("records"))
    known = usual_names()
    names = {plain(str(name)) for name in frame.columns}
    if names & set(known["id"]) or (names & set(known["patient"]) and names & set(known["study"])):
        return rows
    label = str(getattr(frame.index, "name", None) or "id")
    label = label if plain(label) in known["id"] else "id"
    return [{label: str(id), **row} for id, row in zip(frame.index, rows, strict=True)]


Completion = str | Sequence[Mapping[str, Any]] | Mapping[str, Any] | None
"""A text, or chat messages of which the assistant's last one counts; None is an empty report."""

THOUGHT = "</think>"


def answer_of(completion: Completion) -> str:
    """The text to be scored: no thinking aloud, no earlier turns, no special tokens at the end.

    >>> answer_of([{"role": "assistant", "content": "<think>Heart first.</think>Clear lungs."}])
    'Clear lungs.'
    >>> answer_of("<think>The heart seems")
    ''
    """
    return without_end_tokens(after_thought(text_said(completion)))


def text_said(completion: Completion) -> str:
    if isinstance(completion, str):
        return str(completion)
    if completion is None or is_missing(completion):
        return ""
    if isinstance(completion, Mapping):
        return content_of(completion)
    if not isinstance(completion, Sequence):
        raise BadInput(f"A completion is a {type(completion).__name__}; give a text or chat messages.")
    strange = next((one for one in completion if not isinstance(one, Mapping)), None)
    if strange is not None:
        raise BadInput(f"A completion holds a {type(strange).__name__} where a chat message was expected.")
    # a completion holds what the policy said, so who is not named is the assistant
    messages: list[Any] = list(completion)
    spoken = [one for one in messages if str(one.get("role", "assistant")) == "assistant"]
    return content_of(spoken[-1]) if spoken else ""


def content_of(message: Mapping[str, Any]) -> str:
    """The words of a message, whose content is a text or a list of parts."""
    content = message.get("content")
    if content is None or isinstance(content, str):
        return content or ""
    parts = content if isinstance(content, Sequence) else [content]
    return "".join(str(part.get("text") or "") for part in parts if isinstance(part, Mapping))


def after_thought(text: str) -> str:
    """What follows the thinking; nothing where the thinking never ends.

    >>> after_thought("Edema.</think> No edema.")
    'No edema.'
    """
    if THOUGHT in text:
        return text.rpartition(THOUGHT)[2].lstrip()
    return "" if text.lstrip().startswith("<think>") else text


def without_end_tokens(text: str) -> str:
    """The text before the special tokens that some trainers leave at its end, which metrics of words would count.

    >>> without_end_tokens("Clear lungs.<|im_end|><pad> <pad>"), without_end_tokens("Clear lungs. ")
    ('Clear lungs.', 'Clear lungs. ')
    """
    end = len(text)
    for token in reversed(list(TOKENS.finditer(text))):
        if text[token.end() : end].strip():
            break
        end = token.start()
    return text if end == len(text) else text[:end].rstrip()
