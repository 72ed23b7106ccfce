"""RadSEM: cases with the report rewritten as atomic sentences, and the ladder of five corrupted levels.

From the ladder the references are read unless --text names a level (L1 … L5).
"""

from overread.sources.layout import Layout

CASES = Layout(
    "RadSEM cases",
    frozenset({"examined_area", "examined_type"}),
    {
        "id": ("name", "case_name", "id"),
        "text": ("rewritten_report", "english_report", "report"),
    },
)
LADDER = Layout(
    "RadSEM ladder",
    frozenset({"reference", "l1", "l2", "l3", "l4", "l5"}),
    {"text": ("reference",)},
)
