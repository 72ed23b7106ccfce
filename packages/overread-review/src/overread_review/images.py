"""Images beside the reports: a local folder in which an image, or a folder of images, is named by the report's id."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from overread.errors import BadInput
from overread.runner.results.columns import TYPES

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
