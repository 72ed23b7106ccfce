"""Every verb: quiet, JSON and plain text on demand; what was written and what to do next; completion; differences."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.as_typed import overread

from overread import examples
from overread.cli.main import command
from overread.cli.terminal.help import SERVERS

OVERREAD = str(Path(sys.executable).with_name("overread"))


def run(*arguments, **environment):
    return subprocess.run(
        [OVERREAD, *map(str, arguments)], capture_output=True, text=True, env={**os.environ, **environment}
    )


def verbs(found, path=()):
    for name, child in getattr(found, "commands", {}).items():
        yield from verbs(child, (*path, name))
    if path and (not getattr(found, "commands", {}) or found.invoke_without_command):
        yield path, found


VERBS = {" ".join(path): verb for path, verb in verbs(command())}


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_is_quiet_plain_and_machine_readable_on_demand(name):
    path, verb = name.split(), VERBS[name]
    have = {option for one in verb.params for option in one.opts}
    assert {"--quiet", "--no-color"} <= have
    assert "--json" in have or path[-1] in SERVERS


@pytest.fixture(scope="module")
def example():
    with examples.folder() as place:
        yield place


@pytest.fixture(scope="module")
def scored(example, tmp_path_factory):
    place = tmp_path_factory.mktemp("cli") / "results"
    systems = [example / f"{name}.jsonl" for name in examples.SYSTEMS]
    done = overread(
        "score", example / "references.jsonl", *systems, "--metrics", "clear,bleu-4", "--shuffles", 200,
        "--resamples", 100, "-o", place,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return place, done


def test_a_citable_line_stands_under_the_table(scored):
    _, done = scored
    last = done.stdout.strip().splitlines()[-1]
    assert last.startswith("metrics:clear,bleu-4|by:network(clear)|")
    assert "|draws:100/200/0|version:" in last


def test_what_was_written_and_what_to_do_next(scored):
    place, done = scored
    assert f"→ {place / 'report.html'}" in done.stderr
    assert f"next: overread compare {place} ANOTHER-FOLDER" in done.stderr


def test_three_systems_keep_their_differences(scored):
    place, done = scored
    head, first, *others = done.stdout.splitlines()[:4]
    assert "− steady" in head
    metric, baseline, own, _, scored_items = first.split()  # nothing is held against itself
    assert (metric, baseline, scored_items) == ("clear", "steady", "44")
    for name, line in zip(("fluent", "hasty"), others, strict=True):
        system, value, _, _, difference, p = line.split()
        assert system == name
        assert float(difference) == pytest.approx(float(value) - float(own), abs=0.0011)
        assert 0 < float(p) < 0.05
    other = overread("compare", place, "--baseline", "hasty", "-m", "bleu-4")
    assert "− hasty" in other.stdout
    assert other.stdout.strip().splitlines()[-1].startswith("metrics:bleu-4|words:plain")
    wrong = overread("compare", place, "--baseline", "hastey")
    assert wrong.returncode == 2
    assert "Did you mean 'hasty'?" in wrong.stderr


def test_a_baseline_that_is_none_is_said_before_anything_is_scored(example, tmp_path):
    files = [example / "references.jsonl", example / "steady.jsonl", example / "hasty.jsonl"]
    done = overread("score", *files, "-m", "bleu-4", "--baseline", "hastey", "-o", tmp_path / "out")
    assert done.returncode == 2
    assert "Did you mean 'hasty'?" in done.stderr
    assert not (tmp_path / "out").exists()


def test_quiet_leaves_the_result_alone(scored, example):
    place, _ = scored
    again = overread("compare", place, "--quiet", "-m", "clear")
    assert again.stderr == ""
    assert "steady" in again.stdout


def test_quiet_still_says_what_is_lost(tmp_path):
    (tmp_path / "r.csv").write_text("id,report\n1,Small left effusion.\n")
    done = overread("read", tmp_path / "r.csv", "--max-characters", 5, "--quiet")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "more than --max-characters 5" in line


def test_json_of_a_verb_without_its_own(tmp_path):
    done = overread("cache", "--json", XDG_CACHE_HOME=str(tmp_path))
    found = json.loads(done.stdout)
    assert found["lines"][0].startswith("No answers are kept yet")
    assert done.stderr == ""


def test_json_of_lexicon_config_and_lint(tmp_path):
    assert json.loads(overread("lexicon", "effusion", "--json").stdout)["rows"]
    assert json.loads(overread("config", "--json").stdout)["settings"]
    (tmp_path / "s.txt").write_text("Findings:\n\nPleura:\nSmall effusion compared to prior\n")
    faults = [json.loads(line) for line in overread("lint", tmp_path / "s.txt", "--json").stdout.splitlines()]
    assert {"missing-bullet", "comparison"} <= {fault["rule"] for fault in faults}


def test_no_colour_in_a_pipe_nor_when_asked(scored):
    place, _ = scored
    for options in ((), ("--no-color",)):
        done = overread("compare", place, "-m", "clear", *options, FORCE_COLOR="1" if options else "")
        assert "\x1b[" not in done.stdout


def test_line_files_and_pair_files(tmp_path):
    (tmp_path / "refs.txt").write_text("Small left effusion.\nClear lungs.\n")
    (tmp_path / "ours.txt").write_text("Small right effusion.\nThe lungs are clear.\n")
    lines = overread(
        "score", tmp_path / "refs.txt", tmp_path / "ours.txt", "-m", "clear", "-o", tmp_path / "a", "--json"
    )
    assert json.loads(lines.stdout)["reports"] == 2
    (tmp_path / "pairs.csv").write_text("reference,prediction\nSmall left effusion.,Small right effusion.\n")
    pairs = overread("score", tmp_path / "pairs.csv", "-m", "clear", "-o", tmp_path / "b", "--json")
    assert json.loads(pairs.stdout)["reports"] == 1


def test_follow_shows_tables_in_a_terminal_and_lines_in_a_pipe(tmp_path):
    studies = [
        {"id": f"P{n:02}-{day}", "patient": f"P{n:02}", "study": day, "day": day, "report": "Left effusion."}
        for n in range(1, 12)
        for day in (0, 31)
    ]
    reports = tmp_path / "reports.jsonl"
    reports.write_text("".join(json.dumps(study) + "\n" for study in studies))
    lines = overread("follow", reports, "--quiet").stdout.splitlines()
    assert len(lines) == 11
    assert json.loads(lines[0])["patient"] == "P01"
    shown = in_a_terminal("follow", str(reports))
    assert "P01: " in shown
    assert "day 31" in shown
    assert "The first 10 of 11 patients; -o FILE writes all." in shown


def in_a_terminal(*arguments):
    """What a person sees: the command with a pseudo-terminal on its standard output."""
    import pty

    main, other = pty.openpty()
    done = subprocess.Popen(
        [OVERREAD, *arguments],
        stdout=other,
        stderr=other,
        env={**os.environ, "COLUMNS": "150", "TERM": "dumb"},
    )
    os.close(other)
    found = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:
            break
        if not part:
            break
        found += part
    done.wait()
    return found.decode()


def test_help_lists_every_command_under_a_task_with_its_whole_summary():
    from overread.cli.terminal.help import TASKS

    shown = overread("--help", COLUMNS="100").stdout
    assert "..." not in shown.split("Score reports:")[1]
    for task, names in TASKS.items():
        own = shown.split(f"\n{task}:\n")[1].split("\n\n")[0]
        assert [line.split()[0] for line in own.splitlines() if line[2] != " "] == list(names)


@pytest.mark.parametrize("name", VERBS)
def test_examples_stand_on_lines_of_their_own(name):
    import typer

    verb = VERBS[name]
    examples = [line.strip() for line in (verb.help or "").splitlines() if line.startswith("    overread ")]
    context = typer.Context(verb, info_name=name)
    lines = [line.strip() for line in verb.get_help(context).splitlines()]
    assert [one for one in examples if one not in lines] == []


def test_options_stand_under_their_topics():
    heads = [
        line
        for line in overread("score", "--help").stdout.splitlines()
        if line.endswith(":") and line[0] != " "
    ]
    assert heads == [
        "Arguments:",
        "Options:",
        "Many reports:",
        "Input files:",
        "Language model (--by llm):",
    ]


def test_completion_knows_verbs_and_metrics():
    views = run(_OVERREAD_COMPLETE="complete_bash", COMP_WORDS="overread read --as rad", COMP_CWORD="3")
    assert views.stdout.split() == ["radsem"]
    words = run(_OVERREAD_COMPLETE="complete_bash", COMP_WORDS="overread sc", COMP_CWORD="1").stdout.split()
    assert words == ["score"]
    found = run(
        _OVERREAD_COMPLETE="complete_bash", COMP_WORDS="overread score --metrics radsem", COMP_CWORD="3"
    ).stdout.split()
    assert {"radsem", "radsem-alt"} <= set(found)


def test_a_verb_that_is_asked_for_is_made_alone_and_as_it_is_among_the_others():
    alone = command("score")
    assert list(alone.commands) == ["score"]
    assert [one.opts for one in alone.commands["score"].params] == [one.opts for one in VERBS["score"].params]
    group = command("validate")
    assert list(group.commands) == ["validate"]
    assert {f"validate {name}" for name in group.commands["validate"].commands} <= set(VERBS)
    everything = set(command().commands)
    assert len(everything) > 10
    for asked in ("skore", "--help", "review"):
        assert set(command(asked).commands) == everything
