"""`overread models`: published weights in a folder of yours."""

import json
from pathlib import Path

import typer

from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note, wrote
from overread.errors import BadInput


@verb("models")
def show_models(context: typer.Context) -> None:
    """Download the published weights that the papers use for scoring."""
    if context.invoked_subcommand:
        return
    from overread.weights.folder import held, known

    for name, model in known().items():
        here = held(name)
        typer.echo(f"{name:<26}{model.title:<40}{here or '–'}")
        typer.echo(f"{'':<26}{model.paper}; {' and '.join(model.parts)}")


@verb("models get")
def get(
    names: list[str],
    to: Path,
    hub: str | None = None,
    copied: Path | None = None,
    pins: Path | None = None,
) -> None:
    """Download published weights into a folder, so that scores are on the published scale.

    Nothing is downloaded unless you name a hub, or a folder with copies. Every file is verified against the
    hub's hash and, with --pins, against those of an earlier download; pickled weights are converted to
    safetensors.

        overread models get medcpt biolord --to models --hub https://huggingface.co

        overread models get medcpt biolord srr-bert chexbert radgraph --to models --from copied/
    """
    from overread.weights.fetch import fetch
    from overread.weights.folder import PINS, published, read_pins
    from overread.weights.origins import Copied, Hub, Origin, parsed

    if (hub is None) == (copied is None):
        raise BadInput(
            "Say where the weights come from: --hub https://huggingface.co asks that hub, --from FOLDER takes what you "
            "copied. Without one of them nothing is fetched."
        )
    asked = [parsed(word) for word in names]
    for name, _ in asked:
        published(name)
    known = read_pins(pins) if pins else {}
    for name, commit in asked:
        if pins and name not in known:
            raise BadInput(f"{pins} has no pin for {name}.")
        origin: Origin = Hub(hub) if hub else Copied(copied or Path(), name)
        pin = fetch(name, to, origin, commit, known.get(name))
        told = ", ".join(f"{repository} at {one[:12]}" for repository, one in pin.commits.items())
        note(f"{name}: {len(pin.sha256)} files{f', {told}' if told else ''}")
        wrote(to / name, then=[published(name).use.replace("FOLDER", str(to))])
        if name == "radgraph":
            note(needs(to / name))
    note(f"The commits and hashes are in {to / PINS}; --pins takes it elsewhere. Or set OVERREAD_MODELS={to}")


def needs(place: Path) -> str:
    """RadGraph's settings name another encoder, which its package takes from the cache of transformers."""
    try:
        settings = json.loads((place / "radgraph-xl" / "config.json").read_text("utf-8"))
        encoder = settings["model"]["embedder"]["token_embedders"]["bert"]["model_name"]
    except (OSError, ValueError, KeyError, TypeError):
        return "radgraph: its archive has no config.json of the shape that the package radgraph 0.1.18 reads."
    return (
        f"radgraph: its package also loads {encoder}, which its config.json names. Offline, put a folder with it there "
        "instead of the name, in both places."
    )
