"""Pickled weights turned into safetensors once, when they arrive; afterwards only numbers are loaded.

torch's own restricted reader (`weights_only`) opens the file: it builds tensors and plain containers and calls
nothing else. Releases before 2.6 could be led around it, so they are refused.
"""

from pathlib import Path
from typing import Any

from overread.errors import BadInput
from overread.extras import require

PICKLED = ("pytorch_model.bin", "chexbert.pth")
SAFE = "model.safetensors"


def as_safetensors(folder: Path) -> None:
    """Every pickled file of a fetched model as `model.safetensors`; nothing where there is none."""
    for name in PICKLED:
        if (folder / name).exists():
            tensors = tensors_in(folder / name)
            require("safetensors.torch", "models").save_file(tensors, folder / SAFE, {"format": "pt"})
            (folder / name).unlink()


def tensors_in(path: Path) -> dict[str, Any]:
    """The tensors of a checkpoint by name, each with memory of its own; the names as the network has them."""
    torch = require("torch", "models")
    if tuple(map(int, torch.__version__.split("+")[0].split(".")[:2])) < (2, 6):
        raise BadInput(
            f"{path.name} is a pickled file, which only torch 2.6 or later opens safely: update torch."
        )
    try:
        held = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        raise BadInput(
            f"{path.name} holds more than tensors, or did not come whole ({type(error).__name__}); it is not opened."
        ) from None
    held = held.get("model_state_dict", held) if isinstance(held, dict) else {}
    found = {k.removeprefix("module."): v for k, v in held.items() if isinstance(v, torch.Tensor)}
    if not found:
        raise BadInput(f"{path.name} holds no weights.")
    return {name: tensor.clone().contiguous() for name, tensor in found.items()}
