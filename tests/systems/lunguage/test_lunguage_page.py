"""The page on LUNGUAGE: its examples run, its metrics exist."""

import re
from pathlib import Path

from overread.systems.lunguage.metrics import metrics_with

PAGE = (Path(__file__).parents[3] / "docs" / "lunguage.md").read_text("utf-8")


def test_examples_run(capsys):
    scope = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(block, scope)
    shown = capsys.readouterr().out
    assert "effusion left decreased" in shown
    assert "severity lost" in shown
    assert "lunguage/structure" in shown


def test_metrics_are_named():
    names = [metric.name for metric in metrics_with()]
    assert {"lunguage", "lunguage-sequential"} <= set(re.findall(r"\| `([a-z-]+)` \|", PAGE)) & set(names)
    assert all(any(name.endswith(end) for name in names) for end in ("-strict", "-numeric"))
