"""Tables for notebooks; every text is escaped."""

from collections.abc import Iterable
from html import escape

LEFT = " style='text-align:left'"


def html_table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table whose first column stands out.

    >>> html_table(["finding"], [["<b>"]]).partition("<tbody>")[2]
    "<tr><th style='text-align:left'>&lt;b&gt;</th></tr></tbody></table>"
    """
    head = "".join(f"<th{LEFT}>{escape(name)}</th>" for name in columns)
    body = "".join(
        f"<tr><th{LEFT}>{escape(first)}</th>{''.join(f'<td{LEFT}>{escape(one)}</td>' for one in rest)}</tr>"
        for first, *rest in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
