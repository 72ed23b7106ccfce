"""Every command on every page: its options exist, and it runs on small files of the names the page uses."""

import re
import shlex
import sys
from functools import cache
from pathlib import Path

import pytest
from tests.cli.as_typed import overread
from tests.docs import files

from overread.cli.main import command, main

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(page for page in DOCS.rglob("*.md") if page.name != "cli.md")]
ELSEWHERE = {  # a command that begins so -> where it runs instead
    "overread demo": "tests/cli/test_score_command.py",
    "overread convert": "tests/formats/test_format_pages.py",
    "overread validate injected reports.jsonl": "tests/validation/test_injected_errors.py, and docs/validate.md",
    "overread review": "packages/overread-review/tests, which start it and sign in",
    "overread corpus agree out/readers": "packages/overread-review/tests/test_notation_is_corrected.py",
    "overread serve": "tests/serve, which start it and ask",
    "overread validate srr training/": "the written utterances themselves: tests/systems/srrg/test_srr_model.py",
    "overread train": "needs torch: tests/cli/test_lint_train_and_build_srr.py",
    "overread validate experts 50_samples": "needs ReXVal's own files: tests/validation",
    "overread validate laws": "tests/laws",
    "overread models get": "reaches a hub or a folder of weights: tests/cli/test_models_get.py",
    "overread batch": "sends to an endpoint: tests/llm/test_batch_files.py",
    "overread bench": "tests/bench, on a small corpus",
}
TOLD = dict.fromkeys(
    ("overread errors", "overread lint", "overread validate gaming", "overread corpus diff"), (0, 1)
)
"""Commands whose exit code says that something was found."""


def commands_of(page):
    """Of a console what stands after its prompt: the rest is output."""
    for kind, block in re.findall(r"```(sh|console)\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            typed = line.startswith("$ ") or kind == "sh"
            line = line.strip().removeprefix("$ ").removeprefix("uv run ")
            if typed and line.startswith("overread "):
                yield line


@cache
def whole_command():
    return command()


def verb_of(words):
    found, path = whole_command(), []
    while words and words[0] in getattr(found, "commands", {}):
        path.append(words[0])
        found = found.commands[words.pop(0)]
    return found, path


@pytest.mark.parametrize("page", [p for p in PAGES if any(commands_of(p))], ids=lambda p: p.name)
def test_every_option_that_is_shown_exists(page):
    for line in commands_of(page):
        words = shlex.split(line, comments=True)
        verb, path = verb_of(words[1:])
        known = {"--help", "--version", "--install-completion"} | {
            name
            for own in (verb, *getattr(verb, "commands", {}).values())  # a group may pass options on
            for one in own.params
            for name in (*one.opts, *one.secondary_opts)
        }
        used = [word.split("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)]
        assert [word for word in used if word not in known] == [], f"{' '.join(path)} in {page.name}"


def runs_elsewhere(page, line):
    by_name = any(line.startswith(known) for known in ELSEWHERE)
    return by_name or "--by llm" in line or "formats" in page.parts or page.name == "formats.md"


RUN = [page for page in PAGES if any(not runs_elsewhere(page, line) for line in commands_of(page))]


@pytest.mark.parametrize("page", RUN, ids=lambda p: p.name)
def test_every_command_of_a_page_runs_one_after_the_other(page, tmp_path, monkeypatch, capsys):
    files.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    for name, value in {
        **files.ENVIRONMENT,
        "XDG_CACHE_HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
    }.items():
        monkeypatch.setenv(name, value)
    for line in commands_of(page):
        if runs_elsewhere(page, line):
            continue
        code = run(monkeypatch, line)
        seen = capsys.readouterr()
        fine = next((codes for known, codes in TOLD.items() if line.startswith(known)), (0,))
        assert code in fine, f"{line}: {seen.err[-600:]}"
        assert (seen.out + seen.err).strip(), f"{line} says nothing"


def run(monkeypatch, line):
    """As a shell would, on one processor."""
    for name, value in files.ENVIRONMENT.items():
        line = line.replace(f"${name}", value)
    monkeypatch.setattr(sys, "argv", shlex.split(line.replace("-j 8", "-j 1"), comments=True))
    with pytest.raises(SystemExit) as left:
        main()
    return left.value.code or 0


SHOWN = [page for page in PAGES if re.search(r"```console\n\$[^\n]*\n[^$`]", page.read_text("utf-8"))]


@pytest.mark.parametrize("page", SHOWN, ids=lambda p: p.name)
def test_output_that_is_shown_is_what_the_command_prints(page, tmp_path):
    """Tables that a page shows under their name are the files; an ellipsis leaves out the last lines of a block."""
    text = page.read_text("utf-8")
    files.write(tmp_path)
    for name, table in re.findall(r'```csv title="([\w.]+)"\n(.*?)```', text, re.DOTALL):
        (tmp_path / name).write_text(table, "utf-8")
    for line, shown in re.findall(r"```console\n\$ overread ([^\n]*)\n([^`$][^`]*)```", text, re.DOTALL):
        done = overread(*shlex.split(line), cwd=tmp_path, COLUMNS="100")
        lines = [one.rstrip() for one in shown.removesuffix("…\n").splitlines()]
        assert [one.rstrip() for one in done.stdout.splitlines()][: len(lines)] == lines, (
            f"{line}: {page.name}"
        )
