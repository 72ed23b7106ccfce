"""`overread review`: start the app, make studies, invite people, export, back up."""

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
    folder: Annotated[Path | None, argument("Folder of the review; created if missing.")] = None,
    demo: Annotated[bool, option("Start a demo with invented reports and four accounts.", "--demo")] = False,
    host: Annotated[str, option("Address to listen on (default: this machine only).")] = "127.0.0.1",
    port: Annotated[int, option("Port; 0 picks a free one.")] = 8737,
    name: Annotated[list[str] | None, option("Additional host names under which it is reached.")] = None,
    database: Annotated[
        str | None,
        option("postgresql://user@host/name (default: SQLite in the folder). Remembered in the folder."),
    ] = None,
    certificate: Annotated[
        Path | None, option("TLS certificate (PEM), for addresses beyond this machine.")
    ] = None,
    key: Annotated[Path | None, option("Its key (PEM).")] = None,
    images: Annotated[
        Path | None,
        option(
            "Folder of images shown beside the reports, named by report id: ID.png, or several in a folder ID."
        ),
    ] = None,
    browser: Annotated[bool, option("Open it in a browser.", "--open/--no-open")] = True,
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
    kind: Annotated[
        str,
        argument(
            "What people do: correct a view (clear, lunguage, timeline, radsem, pairs, srrg, longitudinal) "
            "or a slice of the corpus (notation), judge, compare, terms (a table of terms), or ratings (answers dealt "
            "by build clear-review)."
        ),
    ],
    reports: Annotated[
        Path,
        argument(
            "Reports, or references; any file `overread read` takes. For notation, a notation file or a folder."
        ),
    ],
    candidate: Annotated[
        list[Path] | None,
        option("Candidates, one file per system (pairs, judge, compare).", "--candidate", "-c"),
    ] = None,
    name: Annotated[str | None, option("Name of the study (default: the file name).")] = None,
    views: Annotated[
        Path | None,
        option(
            "Suggestions written by `overread read`, e.g. with --by llm (default: overread's own reading)."
        ),
    ] = None,
    blank: Annotated[
        bool, option("No suggestions: annotators start with an empty sheet.", "--blank")
    ] = False,
    check: Annotated[
        bool, option("Check suggestions against the text a second time and mark doubtful ones.", "--check")
    ] = False,
    metric: Annotated[list[str] | None, option("Metrics shown after a judgement.", "--metric", "-m")] = None,
    overlap: Annotated[int, option("Annotators per item.", min=1)] = 2,
    repeats: Annotated[float, option("Share of items that each annotator sees twice.", min=0, max=1)] = 0.0,
    seed: Annotated[int, option("Random seed of assignment, order and sides.")] = 0,
    instructions: Annotated[Path | None, option("A text file with instructions.")] = None,
    readers: Annotated[int, option("Print this many invitations for annotators.", min=0)] = 0,
    curators: Annotated[int, option("Print this many invitations for curators.", min=0)] = 0,
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
    output: Annotated[Path, option("Folder to write to.", "-o", "--output", callback=a_folder)] = Path(
        "review-export"
    ),
    only: Annotated[list[str] | None, option("Only these files.")] = None,
    back: Annotated[
        Path | None,
        option(
            "For a notation study: the file or folder it was made from. Corrected reports are "
            "written back, the rest is left unchanged, and nothing else is exported."
        ),
    ] = None,
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
def import_command(
    folder: Folder, archive: Annotated[Path, argument("study.zip exported from another review.")]
) -> None:
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
    role: Annotated[str, argument("reader, curator or admin.")],
    number: Annotated[int | None, option("Number of the study; not for admin.", "--study")] = None,
    hours: Annotated[float, option("How many hours the link is valid.", min=0.1)] = 72.0,
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
def backup_command(
    folder: Folder, output: Annotated[Path, argument("File to write, such as review.backup.zip.")]
) -> None:
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
    backup: Annotated[Path, argument("A file that `overread review backup` wrote.")],
    database: Annotated[str | None, option("PostgreSQL URL (default: SQLite in the folder).")] = None,
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
