"""`overread validate srr`: labels of utterances against people's."""

from pathlib import Path
from typing import Annotated

import typer


def validate_srr(
    gold: Annotated[
        Path,
        typer.Argument(help="Labelled utterances (JSONL), such as `overread build srr` writes, corrected."),
    ],
    labels: Annotated[
        str, typer.Option(help="Who labels: rules, or model:FOLDER for a classifier of `overread train srr`.")
    ] = "rules",
    space: Annotated[
        str, typer.Option(help="The label space a model was trained for; rules give all four.")
    ] = "leaves",
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
) -> None:
    """Four label spaces and four averages, exact match, Jaccard, and CheXbert's 14 classes through our map.

    overread validate srr utterances.jsonl
    """
    import msgspec

    from overread.errors import UnknownName
    from overread.systems.srrg.labels import space as named
    from overread.systems.srrg.training import load_utterances
    from overread.validation.srr import agreed, by_rules, render

    rows = load_utterances(gold)
    texts = [row.text for row in rows]
    if labels == "rules":
        found = agreed(rows, by_rules(texts))
    elif labels.startswith("model:"):
        from overread.systems.srrg.classifier import Classifier, as_label

        model = Classifier(labels.removeprefix("model:"), named(space).name)
        told = [[as_label(name) for name in sorted(one)] for one in model.predict(texts)]
        found = {space: agreed(rows, told)[space]}
    else:
        raise UnknownName("labeller", labels, ("rules", "model:FOLDER"))
    typer.echo(
        msgspec.json.format(msgspec.json.encode(found)).decode() if json else render(found, len(rows)),
        nl=json,
    )
