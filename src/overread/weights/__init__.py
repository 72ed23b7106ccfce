"""Published weights: which there are, how they come to a folder, and what the folder holds."""

from overread.weights.folder import FOLDER, held, models_folder, use_models, weights_hash
from overread.weights.published import Published, known, published

__all__ = ["FOLDER", "Published", "held", "known", "models_folder", "published", "use_models", "weights_hash"]
