"""Help and flags of parameters: every parameter has some, and every row of the table is somebody's."""

import inspect

import pytest
from tests.cli.test_every_verb import VERBS

from overread.cli.terminal.options import EVERY_VERB, option_descriptions


def parameters(name: str) -> set[str]:
    """Of the function behind a verb, without what is gathered from flags."""
    return set(inspect.signature(inspect.unwrap(VERBS[name].callback)).parameters)


@pytest.mark.parametrize("name", VERBS)
def test_every_parameter_says_what_it_is(name):
    assert not [one.name for one in VERBS[name].params if not getattr(one, "help", None)]


def test_every_row_is_of_a_parameter():
    rows = option_descriptions()
    for verb, parameter in rows:
        if verb in ("columns", "llm"):
            takers = [name for name in VERBS if verb in parameters(name)]
            assert any(parameter in {one.name for one in VERBS[name].params} for name in takers), parameter
        elif verb != EVERY_VERB:
            assert parameter in parameters(verb), (verb, parameter)
        else:
            users = [
                name for name in VERBS if parameter in parameters(name) and (name, parameter) not in rows
            ]
            assert users, parameter


def test_no_row_repeats_the_one_for_every_verb():
    rows = option_descriptions()
    assert not [
        key for key, row in rows.items() if key[0] != EVERY_VERB and row == rows.get((EVERY_VERB, key[1]))
    ]
