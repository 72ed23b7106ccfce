"""Published weights: which there are, how they come to a folder, and what the folder holds."""

from overread.weights.folder import (
    FOLDER,
    Published,
    held,
    known,
    models_folder,
    published,
    use_models,
    weights_hash,
)

__all__ = ["FOLDER", "Published", "held", "known", "models_folder", "published", "use_models", "weights_hash"]
