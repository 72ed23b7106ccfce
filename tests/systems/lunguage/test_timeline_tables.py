"""The tables behind timelines name things that exist."""

from overread.lexicon.lexicon import lexicon
from overread.systems.lunguage.terms import courses, references, topics
from overread.systems.tables import lookup

PLACES = {row.concept for row in lexicon().rows if row.table == "locations"}
SAID = {row.concept for row in lexicon().rows if row.table not in ("findings", "locations")}
CONCEPTS = set(lexicon().concepts)


def test_topics_are_of_known_concepts_and_qualities():
    for concept, said in topics():
        assert concept in CONCEPTS | PLACES, concept
        assert said == "-" or said in SAID | PLACES, said


def test_special_rows_stand_before_general_ones():
    seen = set()
    for concept, said in topics():
        assert concept not in seen, f"{concept} {said} can never be reached"
        if said == "-":
            seen.add(concept)


def test_courses_are_of_topics_that_occur():
    kinds = {f"kind:{concept.kind}" for concept in lexicon().concepts.values()}
    known = CONCEPTS | set(topics().values()) | kinds
    assert not [topic for topic in courses() if topic not in known]
    assert {course.apart for course in courses().values()} <= {"none", "side", "route", "place"}


def test_references_and_zones_are_known():
    known = CONCEPTS | set(topics().values())
    assert not [t for t, others in references().items() if {t, *others} - known]
    assert not set(lookup("lunguage", "zones")) - PLACES
