"""Every task by a good, a mediocre and a hostile model, over a real socket: what comes back, and what is never lost."""

import json
from functools import partial
from importlib.resources import files
from pathlib import Path

import pytest
from tests.llm.stand_in import good, hostile, mediocre

from overread.errors import AskFailed
from overread.llm import Client, Failure, Settings
from overread.reader import read
from overread.report import parse
from overread.systems.registry import system

TEXTS = [
    "FINDINGS: Small left pleural effusion. No pneumothorax. The heart is enlarged.\nIMPRESSION: Small effusion.",
    "FINDINGS: The left pleural effusion has increased. Stable cardiomegaly. The lungs are clear.",
]
REPORTS = [parse(text, f"r{n}", patient="p", study=str(n), day=float(n)) for n, text in enumerate(TEXTS)]
TASKS = ("lunguage", "radsem", "clear", "srrg", "longitudinal")


def asked(name, server, tmp_path, temper, **changes):
    from importlib import import_module

    server.behave = temper
    usual = {
        "base_url": server.url, "model": ("small",), "wait": 0.01, "attempts": 1,
        "cache_file": str(tmp_path / "answers.sqlite"),
    }  # fmt: skip
    with Client(Settings(**usual | changes)) as client:
        return import_module(system(name).by_llm).views(client, REPORTS), client


@pytest.mark.parametrize("name", TASKS)
def test_a_good_model_gives_what_it_said(name, server, tmp_path):
    views, client = asked(name, server, tmp_path, good)
    assert not client.failures
    by_rules = [system(name).by_rules(read(report)) for report in REPORTS]
    assert size(name, views) == pytest.approx(size(name, by_rules), abs=3)


@pytest.mark.parametrize("temper", [good, mediocre, hostile])
def test_three_labels_of_every_temper(temper, server, tmp_path):
    views, _ = asked("clear", server, tmp_path, temper, three_labels=True)
    assert all(isinstance(view, Failure) for view in views) == (temper is hostile)


@pytest.mark.parametrize("name", TASKS)
def test_a_mediocre_model_is_told_and_what_it_invents_is_dropped(name, server, tmp_path):
    views, _ = asked(name, server, tmp_path, mediocre)
    kept = [view for view in views if not isinstance(view, Failure)]
    assert kept
    told = json.dumps([str(view) for view in kept])
    assert "zorgle" not in told
    assert "kidney" not in told


@pytest.mark.parametrize("name", TASKS)
def test_a_hostile_model_costs_rows_and_never_the_run(name, server, tmp_path):
    views, client = asked(name, server, tmp_path, hostile)
    assert len(views) == len(REPORTS)
    if name == "longitudinal":  # nonsense leaves a sentence as it is, and is counted
        assert all(view.unusable for view in views)
        assert not any(s.longitudinal for view in views for s in view.sentences)
    else:
        assert all(isinstance(view, Failure) for view in views)
    assert {failure.kind for failure in client.failures} <= {"unusable", "refused"}
    assert not any("email" in failure.reason for failure in client.failures)


# ---- what comes after reading: matching, following, judging, building levels
LADDER = parse(
    "FINDINGS: The heart is enlarged. The left lung has nodules. Right pleural effusion. No pneumothorax. "
    "The liver has a cyst. Scoliosis of the spine. The aorta is tortuous.",
    "r",
)


def matching(client, alt=False):
    from overread.systems.radsem.match_by_llm import tags

    atoms = [system("radsem").by_rules(read(report)) for report in REPORTS]
    return tags(client, [(atoms[0], atoms[0])], alt)


def following(client):
    from overread.systems.lunguage.follow_by_llm import History, follow
    from overread.systems.lunguage.schema import StudyView

    views = [
        StudyView(str(n), float(n), system("lunguage").by_rules(read(report)))
        for n, report in enumerate(REPORTS)
    ]
    return follow(client, [History("p", tuple(views))])


def judging(client):
    from overread.systems.clear.by_llm import judged
    from overread.systems.clear.outcomes import outcomes

    table = system("clear").by_rules(read(REPORTS[0]))
    cells = [o for o in outcomes(table, table) if o.attribute == "location"]
    return judged(client, [("r0", cell) for cell in cells])


def building(client):
    from overread.validation.ladder import chains_by_llm as chains

    made, failed = chains(client, [LADDER])
    return [*made, *failed]


def labelling(client):
    from overread.systems.srrg.by_llm import label_lines

    return label_lines(client, ["Small left pleural effusion.", "No pneumothorax.", "The heart is enlarged."])


def asking_about_diseases(client):
    from overread.systems.longitudinal.by_llm import ask_them

    view = system("longitudinal").by_rules(read(REPORTS[1]))
    return ask_them(client, [(view, view)])


def injecting(client):
    from overread.validation.injection.changes import inject_by_llm

    made, failed = inject_by_llm(client, [REPORTS[0]])
    return [*made, *failed]


def correcting(client):
    from overread.systems.fineradscore.by_llm import score, views

    try:
        return [score(client, "fineradscore", *views(client, REPORTS))]
    except AskFailed:  # the runner makes a failed pair of it
        return client.failures


def translating(client):
    from overread.validation.translation import by_llm

    found = by_llm(client, [GERMAN_REPORT])
    return [*found.reports, *client.failures]


GERMAN_REPORT = parse(
    "BEFUND: Kleiner Pleuraerguss links. Rundherd von 2,5 cm im rechten Oberlappen. Kein Pneumothorax.", "g"
)
LATER = {
    "correcting": correcting,
    "translating": translating,
    "matching": matching,
    "matching for the alternative": partial(matching, alt=True),
    "following": following,
    "judging": judging,
    "building levels": building,
    "labelling lines": labelling,
    "asking about each disease": asking_about_diseases,
    "injecting errors": injecting,
}


def later(name, server, tmp_path, temper):
    server.behave = temper
    settings = Settings(
        base_url=server.url,
        model=("small",),
        wait=0.01,
        attempts=1,
        cache_file=str(tmp_path) + "-answers.sqlite",
    )
    with Client(settings) as client:
        return LATER[name](client), client


@pytest.mark.parametrize("name", LATER)
@pytest.mark.parametrize("temper", [good, mediocre])
def test_a_good_model_and_one_that_is_told_finish_every_later_task(name, temper, server, tmp_path):
    found, client = later(name, server, tmp_path, temper)
    assert found
    assert not any(isinstance(one, Failure) for one in found)
    assert not client.failures


@pytest.mark.parametrize("name", LATER)
def test_a_hostile_model_fails_every_later_task_in_words(name, server, tmp_path):
    found, client = later(name, server, tmp_path, hostile)
    assert found
    assert all(isinstance(one, Failure) for one in found if not isinstance(one, float))
    assert client.failures
    assert not any("email" in failure.reason for failure in client.failures)


# ---- one prompt at a time: every prompt that ships, and each temper
PACKAGE = Path(str(files("overread")))
SHIPPED = sorted(p for folder in ("systems", "validation") for p in (PACKAGE / folder).rglob("prompts/*.md"))
AS_IN_THE_PAPERS = {
    "clear/labels": {"three_labels": True},
    "longitudinal/disease": {"one_disease": True},
    "lunguage/relations": {"whole_report": True},
}
"""Prompts that a setting chooses."""

LATER_STAGES = {
    "clear/judge": "judging",
    "fineradscore/corrections": "correcting",
    "lunguage/follow": "following",
    "lunguage/regroup": "following",
    "radsem/match": "matching",
    "radsem/match-alt": "matching for the alternative",
    "validation/inject": "injecting errors",
    "validation/levels": "building levels",
    "validation/prose": "building levels",
    "validation/translate": "translating",
}
MENDING = {"lunguage/regroup", "srrg/mend"}
"""Asked only where an answer before was not good enough."""

COUNTED = {"lunguage/regroup", "srrg/mend"}
"""What stays wrong here is no failed report: leftovers are counted, lines refused."""


def named(prompt):
    return f"{prompt.parts[-3]}/{prompt.stem}"


def run_with(prompt, temper, server, tmp_path):
    """The task that asks this prompt, of a model with this temper there and of a good one everywhere else."""
    own, name = longest_line(prompt), named(prompt)
    others = mediocre if name in MENDING else good
    answered = []

    def behave(ask):
        if own not in ask.text:
            return others(ask)
        answered.append(ask)
        return temper(ask)

    if name in LATER_STAGES:
        found, client = later(LATER_STAGES[name], server, tmp_path / "later", behave)
    else:
        found, client = asked(name.split("/")[0], server, tmp_path, behave, **AS_IN_THE_PAPERS.get(name, {}))
    return found, client, answered


def test_no_two_prompts_are_taken_for_each_other():
    assert len({longest_line(p) for p in SHIPPED}) == len(SHIPPED) >= 25


@pytest.mark.parametrize("prompt", SHIPPED, ids=named)
@pytest.mark.parametrize("temper", [pytest.param(good, marks=pytest.mark.slow), mediocre])
def test_every_prompt_is_answered_by_a_good_model_and_by_one_that_is_told(prompt, temper, server, tmp_path):
    found, client, answered = run_with(prompt, temper, server, tmp_path)
    assert answered
    assert any(not isinstance(one, Failure) for one in found)
    assert not client.failures
    assert "zorgle" not in str(found)


@pytest.mark.parametrize("prompt", SHIPPED, ids=named)
def test_no_prompt_lets_a_hostile_answer_through(prompt, server, tmp_path):
    found, client, answered = run_with(prompt, hostile, server, tmp_path)
    assert answered
    assert found
    assert client.failures or named(prompt) in COUNTED
    assert {failure.kind for failure in client.failures} <= {"unusable", "refused", "disagreement"}
    assert not any(word in str(found) for word in ("email", "delete everything", "all of them"))


def test_a_good_model_reads_the_same_trends_as_the_rules(server, tmp_path):
    """The stand-in answers the question it is asked, not the worked examples before it."""
    views, _ = asked("longitudinal", server, tmp_path, good)
    by_rules = [system("longitudinal").by_rules(read(report)) for report in REPORTS]

    def trends(found):
        return [(i.disease, i.progression) for view in found for s in view.sentences for i in s.items]

    assert trends(views) == trends(by_rules)
    assert {"worsened", "no change"} <= {way for _, way in trends(views)}


def test_a_good_model_asked_about_each_disease_finds_its_way(server, tmp_path):
    (found,), _ = later("asking about each disease", server, tmp_path / "ways", good)
    assert {disease: set(ways) for disease, ways in found.items()} == {
        "pleural effusion": {"worsened"},
        "enlarged cardiac silhouette": {"no change"},
    }


def longest_line(prompt):
    """Words that only this prompt has: its longest line without a blank to fill."""
    body = prompt.read_text("utf-8").split("---\n")[2]
    return max((line for line in body.splitlines() if "{{" not in line), key=len)


def size(name, views):
    field = {
        "lunguage": "findings",
        "radsem": "atoms",
        "clear": "conditions",
        "srrg": "utterances",
        "longitudinal": "sentences",
    }
    return sum(len(getattr(view, field[name])) for view in views)


def test_five_shipped_examples_stand_before_the_question(server, tmp_path):
    asked("lunguage", server, tmp_path, good)
    text = server.asks[0].body["messages"][1]["content"]
    assert text.count("Right reply:") == 5
    assert text.index("Right reply:") < text.index("numbered sentences of the findings section")
    asked("lunguage", server, tmp_path, good, shots=0, cues=False)
    bare = server.asks[-1].body["messages"][1]["content"]
    assert "Right reply:" not in bare
    assert "cues: Small" not in bare


def test_a_text_is_never_among_its_own_examples(tmp_path):
    from overread.llm.prompt import Bank, Example

    own = Example("1. Small left pleural  effusion.", {"x": 1})
    other = Example("1. Small right pleural effusion is seen with atelectasis.", {"x": 2})
    assert Bank([own, other]).pick("1. small left pleural effusion", None, 5) == [other]


def test_a_setting_the_endpoint_refuses_is_learned_once(server, tmp_path):
    from tests.llm.conftest import Act

    def picky(ask):
        for name in ("max_tokens", "temperature"):
            if name in ask.body:
                error = {"error": {"message": "no", "param": name, "code": "unsupported_parameter"}}
                return Act(status=400, raw=json.dumps(error).encode())
        assert ask.body["max_completion_tokens"] == 900
        return good(ask)

    views, client = asked("radsem", server, tmp_path, picky, reply_tokens=900)
    assert not client.failures
    assert len(server.asks) == 4  # two refusals, then two reports
    assert len(views) == 2
