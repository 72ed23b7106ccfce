"""ReXVal: fifty reference reports, each with the candidates four metrics liked best.

The references are read unless --text names a candidate column (radgraph, bertscore, s_emb, bleu).
"""

from overread.sources.layout import Layout

TABLE = Layout("ReXVal table", frozenset({"gt_report"}), {"id": ("study_number",), "text": ("gt_report",)})
