"""Exit status: 0 whole, 1 done with failed items, 2 not done, over 128 stopped; and no thread waits for nothing."""

import os
import signal
import subprocess
import sys

import pytest
from tests.cli.as_typed import overread

from overread.runner.run.process import one_thread_for_arithmetic

CLEAN = {name: value for name, value in os.environ.items() if "_NUM_THREADS" not in name}


@pytest.fixture
def folder(tmp_path):
    for name in ("refs", "ours"):
        (tmp_path / f"{name}.csv").write_text("id,report\n1,Clear lungs.\n2,Small left effusion.\n")
    return tmp_path


def test_whole_is_0_and_failed_items_are_1(folder):
    words = ("score", "refs.csv", "ours.csv", "-m", "rouge-l", "-o")
    assert overread(*words, "a", cwd=folder).returncode == 0
    found = overread(*words, "b", "--max-characters", "15", cwd=folder)
    assert found.returncode == 1
    assert "more than --max-characters 15" in found.stderr
    assert "Re-run the same command to retry failed items" in found.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("score", "refs.csv", "nowhere.csv"),
        ("score", "refs.csv", "ours.csv", "-m", "nonsense"),
        ("score", "refs.csv", "ours.csv", "-o", "/proc/nowhere/out"),
        ("score", "--nonsense"),
        ("compare", "nowhere"),
        ("read", "nowhere.csv"),
    ],
    ids=" ".join,
)
def test_not_done_is_2_in_a_few_words(folder, words):
    found = overread(*words, cwd=folder)
    assert found.returncode == 2
    assert "Traceback" not in found.stderr
    assert found.stderr.strip()


def test_a_fault_of_ours_is_2_too_and_quotes_nothing(folder, monkeypatch):
    def fall(*_, **__):
        raise ValueError("Marigold opacity")

    monkeypatch.setattr("overread.runner.run.run.summarised", fall)
    found = overread("score", "refs.csv", "ours.csv", "-m", "rouge-l", cwd=folder)
    assert found.returncode == 2
    assert "This should not happen: ValueError" in found.stderr
    assert "Marigold" not in found.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_stops_any_command_and_leaves_no_file(folder, number, code):
    slow = (
        "import time, overread.reader as r\n"
        "old = r.read\n"
        "def read(*a): print('reading', flush=True); time.sleep(900); return old(*a)\n"
        "r.read = read\n"
        "from overread.cli.main import main; main()"
    )
    words = [sys.executable, "-c", slow, "read", "refs.csv", "-o", "views.jsonl", "-q"]
    child = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=CLEAN)
    child.stdout.readline()
    child.send_signal(number)
    _, said = child.communicate(timeout=120)  # it would have read for a quarter of an hour
    assert child.returncode == code, said.decode()[-2000:]
    assert sorted(p.name for p in folder.iterdir()) == ["ours.csv", "refs.csv"]


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs /proc")
def test_arithmetic_has_one_thread():
    count = (
        "import os, sys; sys.argv = ['overread', '--version']\n"
        "from overread.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "import numpy as np; np.ones((300, 300)) @ np.ones((300, 300))\n"
        "print(len(os.listdir('/proc/self/task')), os.environ['OMP_NUM_THREADS'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", count], capture_output=True, text=True, check=True, env=CLEAN
    )
    assert done.stdout.split()[-2:] == ["1", "1"]


def test_arithmetic_has_as_many_threads_as_the_user_says(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    one_thread_for_arithmetic()
    assert os.environ["OMP_NUM_THREADS"] == "2"


def test_tables_are_not_searched_once_more_before_the_process_ends():
    code = (
        "import atexit, gc; from overread.cli.main import main; "
        "atexit.register(lambda: print('kept:', gc.get_freeze_count() > 10_000)); main()"
    )
    done = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "kept: True"
