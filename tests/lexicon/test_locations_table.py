"""The anatomy table: one tree of places, sides that agree with the words, enough forms to matter."""

import re
from collections import Counter

import pytest

from overread.lexicon.load import Row, form_table, table_text
from overread.lexicon.words import phrase, plurals

TOP_REGIONS = {"thorax", "abdomen", "pelvis", "head", "neck", "spine", "limb", "body"}


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return form_table("locations", table_text("locations"), "locations.tsv")


@pytest.fixture(scope="module")
def paths(rows: list[Row]) -> dict[str, tuple[str, ...]]:
    return {row.concept: row.path for row in rows}


@pytest.fixture(scope="module")
def by_form(rows: list[Row]) -> dict[str, Row]:
    return {row.form: row for row in rows}


def part_of(paths: dict[str, tuple[str, ...]], part: str, whole: str) -> bool:
    """Whether the chain of `part` begins with the chain of `whole` and `whole` itself."""
    chain = (*paths[whole], whole)
    return paths[part][: len(chain)] == chain


def says_side(form: str) -> str | None:
    """The side a form names in plain words, if it names one."""
    words = set(form.split())
    left, right = bool(words & {"left", "leftward"}), bool(words & {"right", "rightward"})
    if (left and right) or words & {"bilateral", "bilaterally", "both"}:
        return "both"
    return "left" if left else "right" if right else None


def stands_in(form: str, guard: str) -> bool:
    """Whether a longer phrase holds the form, in singular or plural, as whole words."""
    longer = phrase(guard)
    return any(f" {one} " in f" {longer} " and one != longer for one in (phrase(form), *plurals(form)))


def test_covers_more_than_the_published_vocabulary(rows: list[Row]) -> None:
    assert len(rows) >= 8000
    assert len({row.concept for row in rows}) >= 700


def test_ids_are_unique_and_of_this_table(rows: list[Row]) -> None:
    assert all(re.fullmatch(r"LO\d{4,}", row.id) for row in rows)
    assert [i for i, n in Counter(row.id for row in rows).items() if n > 1] == []


def test_a_form_means_one_place(rows: list[Row]) -> None:
    assert [f for f, n in Counter(row.form for row in rows).items() if n > 1] == []


def test_no_row_repeats_a_regular_plural(rows: list[Row]) -> None:
    made = {
        (row.concept, row.side, plural)
        for row in rows
        if row.role in ("noun", "zone")
        for plural in plurals(row.form)
    }
    repeated = [r.form for r in rows if r.role in ("noun", "zone") and (r.concept, r.side, r.form) in made]
    assert repeated == []


def test_concepts_are_lower_case_with_hyphens(rows: list[Row]) -> None:
    assert [r.concept for r in rows if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", r.concept)] == []


def test_every_concept_has_one_path(rows: list[Row], paths: dict[str, tuple[str, ...]]) -> None:
    assert [row.form for row in rows if row.path != paths[row.concept]] == []


def test_every_step_is_a_concept_on_its_own_chain(paths: dict[str, tuple[str, ...]]) -> None:
    for concept, path in paths.items():
        for depth, step in enumerate(path):
            assert step in paths, f"{concept}: {step} has no row"
            assert paths[step] == path[:depth], f"{concept}: {step} lies elsewhere"


def test_chains_start_at_a_top_region_and_never_return(
    paths: dict[str, tuple[str, ...]], rows: list[Row]
) -> None:
    directions = {row.concept for row in rows if row.role == "dir"}
    for concept, path in paths.items():
        chain = (*path, concept)
        assert len(set(chain)) == len(chain), f"cycle through {concept}"
        assert concept in directions or chain[0] in TOP_REGIONS, f"{concept} hangs nowhere"


def test_directions_have_no_place_and_places_have_no_direction(rows: list[Row]) -> None:
    directions = {row.concept for row in rows if row.role == "dir"}
    assert [row.form for row in rows if row.role == "dir" and row.path] == []
    assert [row.form for row in rows if row.concept in directions and row.role != "dir"] == []


def test_side_is_what_the_form_says(rows: list[Row]) -> None:
    assert [(r.form, r.side) for r in rows if (said := says_side(r.form)) and said != r.side] == []


def test_guards_contain_their_form(rows: list[Row]) -> None:
    stray = [(row.form, guard) for row in rows for guard in row.unless if not stands_in(row.form, guard)]
    assert stray == []


def test_radlex_ids_look_like_radlex(rows: list[Row]) -> None:
    assert [row.radlex for row in rows if not re.fullmatch(r"RID\d+|-", row.radlex)] == []
    assert sum(row.radlex != "-" for row in rows) > 200


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("lingula", "upper-lobe"),
        ("upper-lobe", "lung"),
        ("lower-lobe", "thorax"),
        ("carina", "trachea"),
        ("left-ventricle", "heart"),
        ("heart", "mediastinum"),
        ("aortic-arch", "thoracic-aorta"),
        ("costophrenic-angle", "pleura"),
        ("rib-7", "chest-wall"),
        ("t8", "thoracic-spine"),
        ("l4-l5", "spine"),
        ("humeral-head", "limb"),
        ("gastric-bubble", "abdomen"),
        ("hippocampus", "brain"),
        ("hepatic-segment-4", "liver"),
        ("pancreatic-tail", "abdomen"),
        ("ovary", "pelvis"),
        ("medial-meniscus", "knee"),
        ("supraspinatus", "shoulder"),
        ("vocal-cord", "neck"),
    ],
)
def test_part_lies_in_whole(paths: dict[str, tuple[str, ...]], part: str, whole: str) -> None:
    assert part_of(paths, part, whole)
    assert not part_of(paths, whole, part)


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("upper-lobe", "lower-lobe"),
        ("pleura", "lung"),
        ("heart", "lung"),
        ("rib", "spine"),
        ("stomach", "thorax"),
    ],
)
def test_neighbours_are_not_parts(paths: dict[str, tuple[str, ...]], here: str, there: str) -> None:
    assert not part_of(paths, here, there)


@pytest.mark.parametrize(
    ("form", "concept", "side"),
    [
        ("rul", "upper-lobe", "right"),
        ("left upper lobe", "upper-lobe", "left"),
        ("rml", "middle-lobe", "right"),
        ("lingular", "lingula", "left"),
        ("bibasilar", "lung-base", "both"),
        ("apices", "lung-apex", "-"),
        ("hila", "hilum", "-"),
        ("b/l", "bilateral", "both"),
        ("minor fissure", "minor-fissure", "right"),
        ("9th rib", "rib-9", "-"),
        ("l4/5", "l4-l5", "-"),
        ("hepatic", "liver", "-"),
        ("renal", "kidney", "-"),
        ("acl", "anterior-cruciate-ligament", "-"),
        ("menisci", "meniscus", "-"),
        ("ruq", "right-upper-quadrant", "right"),
    ],
)
def test_common_forms(by_form: dict[str, Row], form: str, concept: str, side: str) -> None:
    assert (by_form[form].concept, by_form[form].side) == (concept, side)
