"""`overread judge`: what two statements are to each other, or what a text says of a claim."""

from typing import Annotated

from overread.cli.terminal.options import argument, option


def judge(
    first: Annotated[str, argument("A statement; with --claim, a text.", metavar="STATEMENT")],
    second: Annotated[str, argument("Another statement; with --claim, a claim.", metavar="STATEMENT")],
    claim: Annotated[
        bool, option("Decide whether a text supports a claim, contradicts it, or does neither.", "--claim")
    ] = False,
    json: Annotated[bool, option("Probabilities as JSON.", "--json")] = False,
) -> None:
    """Compare two statements: do they mean the same, contradict each other, or neither?

    overread judge "The heart is enlarged." "There is cardiomegaly."

    overread judge --claim "The effusion has resolved." "There is an effusion."
    """
    import msgspec

    from overread.judge import judge as relation
    from overread.judge import verdict

    answer = (verdict if claim else relation)(first, second)._asdict()
    if json:
        print(msgspec.json.encode(answer).decode())
        return
    for name, probability in sorted(answer.items(), key=lambda one: -one[1]):
        print(f"{name:<9} {probability:.2f}")
