"""The images of an item, for whoever may see its texts; addresses hold numbers, never names of files."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import fastapi
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import FileResponse

from overread.errors import BadInput
from overread.runner.results.columns import TYPES
from overread_review.site.access import CuratedItem, Own

router = APIRouter()
Number = Annotated[int, fastapi.Path(ge=1)]


@router.get("/api/work/{assignment}/images/{number}")
def of_work(request: Request, own: Own, number: Number) -> FileResponse:
    return image(request, own.item.content, number)


@router.get("/api/items/{item}/images/{number}")
def of_item(request: Request, judged: CuratedItem, number: Number) -> FileResponse:
    return image(request, judged.item.content, number)


def image(request: Request, content: Mapping[str, Any], number: int) -> FileResponse:
    for count, (_, path) in enumerate(images_of(request.app.state.images, content), 1):
        if count == number and path.is_file():
            return FileResponse(path, media_type=TYPES[path.suffix.lower()])
    raise HTTPException(404, "There is no such image.")


def shown_images(request: Request, content: Mapping[str, Any], source: str) -> list[dict[str, Any]]:
    """What the editor shows: the text an image stands beside, and its address."""
    found = images_of(request.app.state.images, content)
    return [
        {"part": part, "source": f"{source}/images/{number}"} for number, (part, _) in enumerate(found, 1)
    ]


Images = Mapping[str, tuple[Path, ...]]
"""The id of a report → its images. Only files that were found in the folder can ever be asked for."""


def find_images(folder: Path) -> Images:
    """The folder's images by report: `ID.png`, and every image in a folder `ID`."""
    found: dict[str, list[Path]] = {}
    try:
        for path in sorted(folder.iterdir()):
            inside = sorted(path.iterdir()) if path.is_dir() else [path]
            shown = [one for one in inside if one.suffix.lower() in TYPES and one.is_file()]
            if shown:
                found.setdefault(path.name if path.is_dir() else path.stem, []).extend(shown)
    except OSError as error:
        raise BadInput(f"Cannot read the images in {folder}: {error.strerror}.") from error
    if not found:
        raise BadInput(
            f"{folder} holds no images. Name each by the id of its report (ID.png, or several in a folder ID); "
            f"{', '.join(name.removeprefix('.') for name in TYPES)} are shown. Convert DICOM files first."
        )
    return {id: tuple(paths) for id, paths in found.items()}


def images_of(images: Images, content: Mapping[str, Any]) -> Iterator[tuple[int, Path]]:
    """An item's images, each with the number of the text that it belongs to.

    >>> known = {"a": (Path("a.png"),), "b": (Path("b.png"),)}
    >>> [(part, path.name) for part, path in images_of(known, {"id": "b", "text": "No edema."})]
    [(0, 'b.png')]
    >>> studies = [{"report": "x"}, {"report": "a"}]
    >>> [(part, path.name) for part, path in images_of(known, {"patient": "p", "studies": studies})]
    [(1, 'a.png')]
    """
    ids = [one.get("report") for one in content["studies"]] if "studies" in content else [content.get("id")]
    for part, id in enumerate(ids):
        for path in images.get(str(id), ()):
            yield part, path
