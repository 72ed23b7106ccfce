"""Colours of the page: systems and verdicts share none, all are readable, and none is needed to tell things apart."""

import re

import pytest

from overread.pages.render import asset

CSS = asset("page.css")
SYSTEMS = [f"s{n}" for n in range(6)]
VERDICTS = ["matched", "partial", "missed", "invented", "contradicted", "doubtful"]

WRONG = "wrong"
"""Single words inside a finding that differ: filled with the colour of a contradiction."""


def colours(scheme):
    pairs = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", CSS)
    return {name: light if scheme == "light" else dark for name, light, dark in pairs}


def luminance(colour):
    """As WCAG has it: linear light, weighted as the eye does."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, two):
    darker, lighter = sorted((luminance(one), luminance(two)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_systems_and_verdicts_never_share_a_colour(scheme):
    found = colours(scheme)
    own = [found[name] for name in (*SYSTEMS, *VERDICTS)]
    assert len(set(own)) == len(own)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_marks_stand_out_from_the_ground(scheme):
    found = colours(scheme)
    for ground in ("panel", "bg"):
        for name in ("ink", "muted", *VERDICTS):
            assert contrast(found[name], found[ground]) >= 4.5, (name, ground)
        for name in SYSTEMS:
            assert contrast(found[name], found[ground]) >= 3, (name, ground)


def test_every_verdict_has_a_sign_and_a_line_of_its_own():
    signs = dict(re.findall(r'\.k\.(\w+)::before \{ content: "(.)"; \}', CSS))
    assert set(signs) == {*VERDICTS, WRONG}
    assert len(set(signs.values())) == len(signs)
    lines = {kind: re.search(rf"mark\.{kind} \{{ ([^}}]+)\}}", CSS)[1] for kind in signs}
    assert len(set(lines.values())) == len(signs)


def test_every_system_has_a_shape_of_its_own():
    shapes = re.search(r"SHAPES = \[(.*?)\]", asset("script/base.js"), re.DOTALL)[1]
    paths = re.findall(r'"(M[^"]+)"', shapes)
    assert len(set(paths)) == len(SYSTEMS)
