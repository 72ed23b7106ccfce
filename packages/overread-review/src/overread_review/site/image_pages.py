"""The images of an item, for whoever may see its texts; addresses hold numbers, never names of files."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Request
from fastapi.responses import FileResponse

from overread.runner.results.columns import TYPES
from overread_review.images import images_of
from overread_review.site.access import CuratedItem, Own

router = APIRouter()
Number = Annotated[int, Path(ge=1)]


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
