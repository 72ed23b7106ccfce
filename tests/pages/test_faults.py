"""What is wrong with a candidate, from whichever metric knows best: kinds, words, gravity, one line."""

import re
from pathlib import Path

import pytest

import overread.pages
from overread.pages.faults.fault import CLASS_OF, CLASSES
from overread.pages.faults.sources import SOURCES, candidate_verdict, source
from overread.pages.render import card, cards
from overread.report import parse
from overread.runner.measures import DEFAULT, names
from overread.runner.run.pairs import Pair
from overread.runner.run.scorer import Scorer
from overread.runner.settings import Settings

REFERENCE = (
    "FINDINGS: Small left pleural effusion has decreased. Small right apical pneumothorax. Enlarged heart."
)
CANDIDATE = "FINDINGS: Small left pleural effusion has increased. No pneumothorax. Old rib fracture."


def found_by(metric, *more, reference=REFERENCE, candidate=CANDIDATE):
    unit = Scorer(Settings((metric, *more)))(Pair(0, parse(reference, "1"), {"s": parse(candidate, "1")}))
    return candidate_verdict(unit.candidates["s"].opened())


@pytest.mark.parametrize("metric", SOURCES)
def test_every_source_sees_the_gravest_things(metric):
    found = found_by(metric, "f1-srr-statuses")
    kinds = {(fault.finding, CLASS_OF[fault.kind]) for fault in found.faults}
    assert ("pneumothorax", "missed") in kinds
    assert any("effusion" in name and kind == "change" for name, kind in kinds)
    assert any("fracture" in name and kind == "invented" for name, kind in kinds)
    assert "pneumothorax" in found.line
    assert found.gravity > 0


@pytest.mark.parametrize("metric", SOURCES)
def test_words_are_where_they_are_said_to_be(metric):
    for fault in found_by(metric).faults:
        for text, spans in ((REFERENCE, fault.reference), (CANDIDATE, fault.candidate)):
            for start, end in spans:
                assert text[start:end].strip()


@pytest.mark.parametrize(
    ("reference", "candidate", "ours", "theirs"),
    [
        ("Large right pneumothorax.", "Large left pneumothorax.", "right", "left"),
        ("Severe cardiomegaly. No effusion.", "Mild cardiomegaly. No effusion.", "Severe", "Mild"),
        ("ETT tip 4 cm above the carina.", "ETT tip in the right main bronchus.",
         "4 cm above the carina", "in the right main bronchus"),
        ("Small effusion, which has decreased.", "Small effusion, which has increased.", "decreased", "increased"),
    ],
)  # fmt: skip
def test_the_words_that_differ_are_pointed_at(reference, candidate, ours, theirs):
    found = found_by("overread", "lunguage", reference=reference, candidate=candidate)
    marked = [{text[a:b] for f in found.faults if f.exact for a, b in getattr(f, side)}
              for text, side in ((reference, "reference"), (candidate, "candidate"))]  # fmt: skip
    assert ours in marked[0]
    assert theirs in marked[1]


def test_a_denied_finding_is_contradicted_and_an_organ_is_named():
    fault = next(f for f in found_by("overread", "f1-srr-statuses").faults if f.finding == "pneumothorax")
    assert fault.colour == "contradicted"
    assert fault.organ == "Pleura"
    assert fault.level in ("critical", "significant")


def test_the_ledger_is_asked_first():
    assert source({"clear": {}, "overread": {}, "lunguage": {}}) == "overread"
    assert source({"bleu-4": None}) is None


def test_a_kind_belongs_to_one_class():
    kinds = [kind for own in CLASSES.values() for kind in own]
    assert len(kinds) == len(set(kinds))


def test_every_metric_has_a_card_and_no_card_is_idle():
    assert [name for name in names() if card(name) is None] == []
    assert all(any(name.startswith(own) for name in names()) for own in cards())
    assert all(card(name).deaf for name in DEFAULT)


# ---- colours: systems and verdicts never share one, and nobody needs colour to tell them apart

STYLE = (Path(overread.pages.__file__).parent / "templates" / "page.css").read_text("utf-8")


def colours(scheme):
    pairs = re.findall(
        r"--(s\d|matched|partial|missed|invented|contradicted): light-dark\((#\w{6}), (#\w{6})\)", STYLE
    )
    return {name: (light, dark)[scheme] for name, light, dark in pairs}


def hue_and_strength(colour):
    import colorsys

    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    hue, _, strength = colorsys.rgb_to_hls(red, green, blue)
    return hue * 360, strength


def contrast(one, two):
    def light(colour):
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((light(one), light(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_systems_are_cool_and_verdicts_are_not(scheme):
    found = colours(scheme)
    assert len(found) == 11
    for name, colour in found.items():
        hue, strength = hue_and_strength(colour)
        cool = 175 <= hue <= 270 or strength < 0.15
        assert cool == name.startswith("s"), (name, hue)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_everything_can_be_read_on_its_ground(scheme):
    ground = ("#ffffff", "#181c25")[scheme]
    for name, colour in colours(scheme).items():
        assert contrast(colour, ground) >= (3 if name.startswith("s") else 4.5), name


def test_without_colour_verdicts_differ_by_line_and_sign_and_systems_by_shape():
    styles = re.findall(r"mark\.(missed|invented|contradicted) \{[^}]*border-bottom-style: (\w+)", STYLE)
    assert len({style for _, style in styles}) == 3
    signs = re.findall(r'\.k\.(\w+)::before \{ content: "(.)"', STYLE)
    assert len({sign for _, sign in signs}) == 7
    script = (Path(overread.pages.__file__).parent / "templates" / "script" / "base.js").read_text("utf-8")
    shapes = re.search(r"const SHAPES = \[(.*)\];", script)[1].split('", "')
    assert len(set(shapes)) == 6
