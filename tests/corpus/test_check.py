"""The corpus as a whole: nothing stands twice, nothing is copied."""

from overread.corpus.files import check_files, folded_sentences

LONG = "The aorta is a little wider than one would like at this age."


def files(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text)
    return sorted(folder.glob("*.txt"))


def report(id, *sentences):
    return f"# {id}\n" + "".join(f"F {one}\n~ summary\n" for one in sentences)


def test_an_id_in_two_files(tmp_path):
    _, found = check_files(files(tmp_path, one=report("a", "Fine."), two=report("a", "Good.")))
    assert [str(one) for one in found] == ["two.txt:1: the report id a also stands in one.txt"]


def test_two_files_of_one_name(tmp_path):
    (tmp_path / "dev").mkdir()
    paths = files(tmp_path, one=report("a", "Fine.")) + files(tmp_path / "dev", one=report("b", "Good."))
    _, found = check_files(paths)
    assert [one.problem for one in found] == [f"another file has this name: {paths[0]}"]


def test_a_long_sentence_twice_numbers_and_capitals_aside(tmp_path):
    again = "1. the aorta is a little wider than one would like at this age"
    _, found = check_files(files(tmp_path, one=report("a", LONG), two=report("b", again, "Fine.")))
    assert [str(one) for one in found] == ["two.txt:2: this sentence also stands in report a"]


def test_short_sentences_may_stand_twice(tmp_path):
    assert check_files(files(tmp_path, one=report("a", "Fine."), two=report("b", "Fine.")))[1] == []


def test_reports_that_are_nearly_the_same(tmp_path):
    same = "Lungs fine.", "Heart fine.", "Bones fine."
    _, found = check_files(files(tmp_path, one=report("a", *same), two=report("b", *same, "Pleura fine.")))
    assert [str(one) for one in found] == ["two.txt:1: nearly the same report as a"]


def test_sentences_of_texts_that_are_not_ours(tmp_path):
    foreign = tmp_path / "foreign.md"
    foreign.write_text(f"Normal. {LONG} Fine.")
    _, found = check_files(files(tmp_path, one=report("a", LONG)), frozenset(folded_sentences(foreign)))
    assert [one.problem for one in found] == ["this sentence stands in a text that is not ours"]
