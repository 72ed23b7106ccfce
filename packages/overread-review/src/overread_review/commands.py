"""`overread review`: start the app, make studies, invite people, export, back up."""

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from overread.cli.terminal.options import argument, option
from overread.cli.terminal.voice import open_page
from overread.errors import BadInput, UnknownName
from overread.whole import a_folder
from overread_review.place import SECRET, Place, private_file

if TYPE_CHECKING:
    from overread_review.store.connect import Store


class StartsByDefault(TyperGroup):
    """`overread review FOLDER` is `overread review start FOLDER`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h"):
            args = ["start", *args]
        return super().parse_args(ctx, args)


HELP = dict(
    row.rsplit("\t", 1) for row in (files("overread_review") / "options.tsv").read_text("utf-8").splitlines()
)
"""Verb and parameter → what it is for."""

app = typer.Typer(
    name="review",
    cls=StartsByDefault,
    no_args_is_help=True,
    help="Let people correct readings, rate candidates and compare systems blindly, in a local web app.\n\n"
    "`overread review FOLDER` starts it; `overread review --demo` opens a demo with invented reports.",
)
Folder = Annotated[Path, argument("Folder of the review.")]
StudyNumber = Annotated[int, argument("Number of the study, as in its address.")]


@app.command("start")
def start(
    folder: Annotated[Path | None, argument(HELP["start folder"])] = None,
    demo: Annotated[bool, option(HELP["start demo"], "--demo")] = False,
    host: Annotated[str, option(HELP["start host"])] = "127.0.0.1",
    port: Annotated[int, option(HELP["start port"])] = 8737,
    name: Annotated[list[str] | None, option(HELP["start name"])] = None,
    database: Annotated[str | None, option(HELP["start database"])] = None,
    certificate: Annotated[Path | None, option(HELP["start certificate"])] = None,
    key: Annotated[Path | None, option(HELP["start key"])] = None,
    images: Annotated[Path | None, option(HELP["start images"])] = None,
    browser: Annotated[bool, option(HELP["start browser"], "--open/--no-open")] = True,
) -> None:
    """Start the app. This is what `overread review FOLDER` does.

    overread review my-study

    overread review my-study --images images/

    overread review --demo
    """
    from overread_review.server import LOOPBACK, address_of, first_invitation, listen, serve
    from overread_review.site.images import find_images
    from overread_review.store.connect import open_store

    if folder is None and not demo:
        raise BadInput("Name a folder: overread review my-study (or overread review --demo).")
    if host not in LOOPBACK and certificate is None:
        typer.echo(
            f"Listening at {host} without TLS: passwords and reports travel in the clear. "
            "Give --certificate and --key, or put a proxy in front.",
            err=True,
        )
    shown = find_images(images) if images else {}
    place = Place(folder or Path("overread-review-demo")).prepare(database)
    store = open_store(place.url)
    listening = listen(host, port)
    address = address_of(host, listening, certificate is not None)
    link = first_invitation(store)
    hint = ""
    if demo:
        from overread_review.demo import HINT, show_demo

        hint, link = HINT, show_demo(store, typer.echo)
    if images:
        typer.echo(f"Images in {images} for {len(shown)} {'report' if len(shown) == 1 else 'reports'}")
    typer.echo(f"Review in {place.folder} at {address}; stop it with Ctrl-C")
    if link:
        typer.echo(f"{'Sign in' if demo else 'First administrator'}: {address}{link}")
    if browser:
        open_page(address + link)
    pair = (certificate, key or certificate) if certificate else None
    serve(place, store, listening, hosts=(host, *(name or ())), certificate=pair, hint=hint, images=shown)


@app.command("study")
def study(
    folder: Folder,
    kind: Annotated[str, argument(HELP["study kind"])],
    reports: Annotated[Path, argument(HELP["study reports"])],
    candidate: Annotated[list[Path] | None, option(HELP["study candidate"], "--candidate", "-c")] = None,
    name: Annotated[str | None, option(HELP["study name"])] = None,
    views: Annotated[Path | None, option(HELP["study views"])] = None,
    blank: Annotated[bool, option(HELP["study blank"], "--blank")] = False,
    check: Annotated[bool, option(HELP["study check"], "--check")] = False,
    metric: Annotated[list[str] | None, option(HELP["study metric"], "--metric", "-m")] = None,
    overlap: Annotated[int, option(HELP["study overlap"], min=1)] = 2,
    repeats: Annotated[float, option(HELP["study repeats"], min=0, max=1)] = 0.0,
    seed: Annotated[int, option(HELP["study seed"])] = 0,
    instructions: Annotated[Path | None, option(HELP["study instructions"])] = None,
    readers: Annotated[int, option(HELP["study readers"], min=0)] = 0,
    curators: Annotated[int, option(HELP["study curators"], min=0)] = 0,
) -> None:
    """Create a study from a file, and invitations to it.

    overread review study my-study clear reports.csv --readers 2 --curators 1

    overread review study my-study lunguage reports.csv --check

    overread review study my-study judge references.csv -c ours.csv -c theirs.csv -m radsem

    overread review study my-study notation corpus/train/w01-1.txt --readers 2

    overread review study my-study terms terms.csv --readers 3

    overread review study my-study ratings reports.csv -c review/set-1.csv --overlap 1
    """
    from overread_review.store.connect import open_store
    from overread_review.work.items import Files, make_items
    from overread_review.work.studies import create_study, dealing, invite

    if views is not None and blank:
        raise BadInput("--views and --blank exclude each other: with suggestions, or without.")
    files = Files(reports, tuple(candidate or ()), views, "", tuple(metric or ()), blank, check)
    items = make_items(kind, files)
    store = open_store(Place(folder).prepare().url)
    text = instructions.read_text("utf-8") if instructions else ""
    settings = dealing({"overlap": overlap, "repeats": repeats, "seed": seed})
    with store.writing() as session:
        made = create_study(session, name or reports.stem, kind, items, instructions=text, settings=settings)
        links = [
            (role, invite(session, role, made.id))
            for role, count in (("reader", readers), ("curator", curators))
            for _ in range(count)
        ]
        typer.echo(f"Study {made.id}, {made.name}: {len(items)} items")
    for role, token in links:
        typer.echo(f"{role}: /invite/{token}")


@app.command("export")
def export_command(
    folder: Folder,
    number: StudyNumber,
    output: Annotated[Path, option(HELP["export output"], "-o", "--output", callback=a_folder)] = Path(
        "review-export"
    ),
    only: Annotated[list[str] | None, option(HELP["export only"])] = None,
    back: Annotated[Path | None, option(HELP["export back"])] = None,
) -> None:
    """Export a study: gold annotations, tables, notation, few-shot examples, audit trail, archive.

    overread review export my-study 1 -o gold

    overread review export my-study 1 --back corpus/train/w01-1.txt
    """
    from overread_review.exports.catalogue import export, exports
    from overread_review.store.connect import open_store
    from overread_review.work.studies import study_called

    store = open_store(Place(folder).existing().url)
    if back is not None:
        notation_back(store, number, back)
        return
    output.mkdir(mode=0o700, parents=True, exist_ok=True)
    with store.reading() as session:
        found = study_called(session, number)
        chosen = [export(found, one, True) for one in only] if only else exports(found, True)
        for one in chosen:
            for name, content in one.written(session, found).items():
                (output / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                private_file(output / name).write_bytes(content)
                typer.echo(f"{output / name}  {one.about}")


def notation_back(store: "Store", number: int, place: Path) -> None:
    from overread_review.exports.notation import write_back
    from overread_review.work.studies import study_called

    with store.reading() as session:
        found = study_called(session, number)
        if found.sheet != "notation":
            raise BadInput(f"--back is for studies of notation; study {number} is one of {found.sheet}.")
        written = write_back(session, found, place)
    for path, count in written.items():
        typer.echo(f"{path}  {count} corrected")
    if not written:
        typer.echo("Nothing was corrected.")


@app.command("import")
def import_command(folder: Folder, archive: Annotated[Path, argument(HELP["import archive"])]) -> None:
    """Import a study that was exported elsewhere.

    overread review import my-study study.zip
    """
    from overread_review.exports.archive import import_study
    from overread_review.store.connect import open_store

    try:
        content = archive.read_bytes()
    except OSError as error:
        raise BadInput(f"Cannot read {archive}: {error.strerror}.") from error
    store = open_store(Place(folder).prepare().url)
    with store.writing() as session:
        made = import_study(session, content)
        typer.echo(f"Study {made.id}, {made.name}")


@app.command("invite")
def invite_command(
    folder: Folder,
    role: Annotated[str, argument(HELP["invite role"])],
    number: Annotated[int | None, option(HELP["invite number"], "--study")] = None,
    hours: Annotated[float, option(HELP["invite hours"], min=0.1)] = 72.0,
) -> None:
    """Print an invitation link; prepend the address of the app.

    overread review invite my-study reader --study 1
    """
    from overread_review.store.connect import open_store
    from overread_review.work.studies import invite, study_called

    if role not in ("reader", "curator", "admin"):
        raise UnknownName("role", role, ("reader", "curator", "admin"))
    if (role == "admin") == (number is not None):
        raise BadInput(
            "Readers and curators are invited to a study (--study NUMBER), administrators to none."
        )
    store = open_store(Place(folder).existing().url)
    with store.writing() as session:
        into = study_called(session, number).id if number is not None else None
        typer.echo(f"/invite/{invite(session, role, into, hours=hours)}")


@app.command("backup")
def backup_command(folder: Folder, output: Annotated[Path, argument(HELP["backup output"])]) -> None:
    """Back up everything to one file, even while the app is running.

    overread review backup my-study review.backup.zip
    """
    from overread_review.store.backup import back_up
    from overread_review.store.connect import open_store

    place = Place(folder).existing()
    counts = back_up(open_store(place.url), place.secret, output)
    typer.echo(
        f"{output}: {counts['studies']} studies, {counts['assignments']} assignments, {counts['audit']} lines of audit"
    )


@app.command("restore")
def restore_command(
    folder: Folder,
    backup: Annotated[Path, argument(HELP["restore backup"])],
    database: Annotated[str | None, option(HELP["restore database"])] = None,
) -> None:
    """Restore a backup into a new folder or an empty database.

    overread review restore new-folder review.backup.zip
    """
    from overread_review.store.backup import looked_through, restore
    from overread_review.store.connect import Store

    looked_through(backup)  # before anything is made
    new = not folder.exists()
    if not new and database is not None and any(folder.iterdir()):
        raise BadInput(f"{folder} is not empty. Name a new folder for a review on another database.")
    place = Place(folder).prepare(database)
    try:
        secret, counts = restore(Store(place.url), backup)
    except BadInput:
        if new:
            place.forget()
        raise
    place.write_private(SECRET, secret.hex())
    typer.echo(
        f"{folder}: {counts['studies']} studies, {counts['assignments']} assignments, {counts['audit']} lines of audit"
    )
