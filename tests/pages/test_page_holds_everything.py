"""report.html: one file, nothing fetched, the numbers of the summary, safe whatever the reports say."""

import gzip
import json
import re
import sys
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

import overread
from overread.pages import book
from overread.pages.build import page as page_of
from overread.pages.build import write_page
from overread.runner.results.summary import Draws
from overread.runner.run.folder import PAGE, Results
from overread.runner.run.job import Job
from overread.runner.run.run import run
from overread.runner.settings import Settings
from overread.sources import from_records, load_source


class Parsed(HTMLParser):
    """Elements, attributes, and the text of scripts."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.scripts, self.text = [], [], ""
        self.inside = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.inside = dict(attrs)
            self.scripts.append([self.inside, ""])

    def handle_endtag(self, tag):
        if tag == "script":
            self.inside = None

    def handle_data(self, data):
        if self.inside is not None:
            self.scripts[-1][1] += data
        else:
            self.text += data


@pytest.fixture(scope="module")
def page(finished):
    return Parsed((finished / PAGE).read_text(encoding="utf-8"))


def blobs(page, beginning):
    """Packed parts of the page in their order."""
    found = [(attrs["id"], text) for attrs, text in page.scripts if attrs.get("id", "").startswith(beginning)]
    return [json.loads(gzip.decompress(b64decode(text))) for _, text in found]


def details(page):
    """Id → reference, and per system its text and panels."""
    (book,), (texts,) = blobs(page, "book-"), blobs(page, "texts-")
    errors = [one for batch in blobs(page, "errors-") for one in batch]
    panels = [one for batch in blobs(page, "panels-") for one in batch]
    rank = {place: n for n, place in enumerate(book["order"])}
    systems = list(book["list"]["values"])
    return {
        id: {
            "reference": texts[place][0],
            "systems": {
                system: {
                    "text": texts[place][n],
                    "panels": {"errors": errors[place][system]["panel"], **panels[rank[place]][system]},
                }
                for n, system in enumerate(systems, 1)
            },
        }
        for place, id in enumerate(book["list"]["ids"])
    }


def test_nothing_is_fetched(page):
    for tag, attrs in page.elements:
        for name in ("src", "href", "action", "srcset", "poster", "data"):
            target = attrs.get(name) or "#"
            assert target.startswith(("#", "data:")), (tag, name, target)
    script = page.scripts[-1][1]
    assert not re.search(r"fetch\(|XMLHttpRequest|import\(|https?://(?!www\.w3\.org)", script)


def test_a_policy_allows_the_pages_own_script_and_style_and_nothing_else(page, finished):
    (policy,) = [a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    parts = dict(part.split(" ", 1) for part in policy.split("; "))
    assert parts["default-src"] == "'none'"
    script = page.scripts[-1][1]
    assert parts["script-src"] == f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
    assert parts["style-src"].startswith("'sha256-")
    assert "unsafe" not in policy
    assert not any(
        "style" in attrs or any(name.startswith("on") for name in attrs) for _, attrs in page.elements
    )


def test_no_path_of_this_machine_is_in_the_page(page, finished):
    whole = (finished / PAGE).read_text("utf-8") + json.dumps(
        [blobs(page, n) for n in ("book-", "texts-", "errors-")]
    )
    for place in (str(finished), str(Path(overread.__file__).parent), str(Path.home()), "/tmp/"):
        assert place not in whole


def test_every_number_of_the_summary_stands_on_the_page(page, finished):
    for ranking in Results(finished).summary.metrics:
        assert ranking.title in page.text
        for one in ranking.systems.values():
            assert f"{one.value:.3f}" in page.text


def test_odd_rows_are_told(page):
    assert "no candidate for P06-2" in page.text
    assert "no reference for P16-1" in page.text


def test_every_report_can_be_opened(page, finished):
    found = details(page)
    ids = [d.id for d in Results(finished).details() if d.unit == "report"]
    assert list(found) == ids
    assert len(found) == 44
    case = found["P01-2"]["systems"]["hasty"]
    assert set(case["panels"]) == {
        "errors", "lunguage", "radsem", "clear", "f1-srr-statuses", "longitudinal", "reading",
    }  # fmt: skip


def test_marks_lie_inside_their_text(page):
    for id, case in details(page).items():
        for told in case["systems"].values():
            for panel in told["panels"].values():
                for side, start, end, kind, _, label in panel["marks"]:
                    text = case["reference"] if side == "r" else told["text"]
                    assert 0 <= start < end <= len(text), (id, label)
                    assert kind in ("matched", "partial", "missed", "invented", "contradicted", "wrong")


def test_rows_and_marks_of_one_group_belong_together(page):
    for case in details(page).values():
        for told in case["systems"].values():
            for name, panel in told["panels"].items():
                if name == "errors":
                    continue  # words told alike are marked, and stand in no table
                rows = {group for table in panel["tables"] for _, group, _ in table["rows"]}
                assert {mark[4] for mark in panel["marks"]} <= rows


def test_the_same_run_gives_the_same_page(finished):
    before = (finished / PAGE).read_bytes()
    write_page(finished)
    assert (finished / PAGE).read_bytes() == before


def test_two_processes_draw_the_same_page(finished, monkeypatch):
    monkeypatch.setattr(book, "WORTH_A_POOL", 1)
    results = Results(finished)
    assert page_of(results, 2) == page_of(results)


def test_few_cases_are_drawn_here(finished):
    results = Results(finished)
    assert book.Book(results, list(results.summary.accounts), 2).jobs == 1


def test_no_report_can_break_out(tmp_path):
    evil = (
        "FINDINGS: </script><script>alert(1)</script><img src=x onerror=alert(2)> Left effusion 🫁 is small."
    )
    job = Job(
        from_records([{"id": "<i>1</i>", "text": evil}]),
        {"<b>evil</b>": from_records([{"id": "<i>1</i>", "text": evil}])},
        Settings(("clear", "rouge-l")),
        draws=Draws(resamples=10, shuffles=10),
    )
    run(job, tmp_path)
    found = Parsed(write_page(tmp_path).read_text(encoding="utf-8"))
    assert not any(tag == "img" for tag, _ in found.elements)
    assert "alert(1)" not in "".join(text for _, text in found.scripts)
    assert not any("onerror" in attrs for _, attrs in found.elements)
    assert "<b>evil</b>" in found.text


def test_one_system_and_one_word_metric(tmp_path):
    """No test, no panel, no patient: the page still stands."""
    job = Job(
        from_records([{"id": "1", "text": "Clear lungs."}]),
        {"ours": from_records([{"id": "1", "text": ""}])},
        Settings(("rouge-l",)),
        draws=Draws(resamples=10),
    )
    run(job, tmp_path)
    found = Parsed(write_page(tmp_path).read_text(encoding="utf-8"))
    assert not any(attrs.get("id") == "patient" for _, attrs in found.elements)
    assert "No metric of clinical content was scored" in found.text


def test_the_page_allows_its_own_style_and_script_and_nothing_else(page):
    """By hash, so that not even a script that got in through a report would run."""
    policy = next(a["content"] for t, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert not [
        attrs for _, attrs in page.elements if "style" in attrs or any(n.startswith("on") for n in attrs)
    ]


def test_no_place_on_this_machine_is_told(tmp_path):
    folder = tmp_path / "private-folder"
    folder.mkdir()
    for name in ("refs", "ours"):
        (folder / f"{name}.csv").write_text("id,report\n1,Clear lungs.\n")
    job = Job(
        load_source(folder / "refs.csv"),
        {"ours": load_source(folder / "ours.csv")},
        Settings(("rouge-l",)),
        draws=Draws(20, 20),
    )
    run(job, tmp_path / "out")
    text = write_page(tmp_path / "out").read_text(encoding="utf-8")
    assert "refs.csv (CSV table)" in text
    assert "private-folder" not in text
    assert str(tmp_path) not in text


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_nobody_else_may_read_what_is_written(tmp_path):
    from overread.whole import share

    job = Job(
        from_records([{"id": 1, "text": "Clear."}]),
        {"s": from_records([{"id": 1, "text": "Clear."}])},
        Settings(("rouge-l",)),
    )
    run(job, tmp_path / "out")
    write_page(tmp_path / "out")
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700
    assert {p.stat().st_mode & 0o777 for p in (tmp_path / "out").iterdir()} == {0o600}
    share(True)
    try:
        run(job, tmp_path / "shared")
    finally:
        share(False)
    (tmp_path / "usual").touch()
    usual = (tmp_path / "usual").stat().st_mode & 0o777
    assert {p.stat().st_mode & 0o777 for p in (tmp_path / "shared").iterdir()} == {usual}


def test_subgroups_have_a_table_of_their_own(tmp_path):
    rows = "".join(f"{n},{'F' if n % 3 else 'M'},Small left effusion.\n" for n in range(6))
    (tmp_path / "refs.csv").write_text("id,sex,report\n" + rows)
    texts = {str(n): "Small left effusion." if n % 3 else "No effusion." for n in range(6)}
    asked = {"metrics": "overread", "resamples": 20, "shuffles": 20, "output": tmp_path / "out"}
    overread.score(tmp_path / "refs.csv", texts, groups=["sex"], **asked)
    found = write_page(tmp_path / "out").read_text(encoding="utf-8")
    table = re.search(r'data-name="by sex".*?</table>', found, re.DOTALL)[0]
    lines = [
        re.sub(r"<[^>]+>|\s+", " ", row).split()
        for row in re.findall(r"<tr><th scope=\"row\">.*?</tr>", table)
    ]
    assert [(line[0], line[1], line[2]) for line in lines] == [("F", "4", "1.000"), ("M", "2", lines[1][2])]
    assert float(lines[1][2]) < 1
    with pytest.raises(overread.OverreadError, match="no column 'age'"):
        overread.score(tmp_path / "refs.csv", texts, groups=["age"], **asked)
    overread.score(tmp_path / "refs.csv", texts, **asked)
    assert 'data-name="by sex"' not in write_page(tmp_path / "out").read_text(encoding="utf-8")
