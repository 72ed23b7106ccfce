"""CheXbert from a folder that `overread models get chexbert` wrote: a BERT and fourteen heads, without its package.

Each of thirteen conditions is blank, positive, negative or uncertain; No Finding is blank or positive.
"""

from pathlib import Path
from typing import Any

from overread.errors import BadInput
from overread.extras import pinned, require

NAMES = (
    *("Enlarged Cardiomediastinum", "Cardiomegaly", "Lung Opacity", "Lung Lesion", "Edema", "Consolidation"),
    *("Pneumonia", "Atelectasis", "Pneumothorax", "Pleural Effusion", "Pleural Other", "Fracture"),
    *("Support Devices", "No Finding"),
)
TOKENS = 512
POSITIVE, UNCERTAIN = 1, 3


class CheXbert:
    """The labeller; it answers as the package f1chexbert does, so that either can be used."""

    target_names = NAMES

    def __init__(self, folder: Path) -> None:
        self.torch = require("torch", "models")
        transformers = require("transformers", "models")
        place = str(folder)
        try:
            config = transformers.BertConfig.from_pretrained(**pinned(place))
            self.tokenizer = transformers.BertTokenizer.from_pretrained(**pinned(place))
            held = require("safetensors.torch", "models").load_file(folder / "model.safetensors")
            self.bert = transformers.BertModel(config)
            self.bert.load_state_dict(
                {k[5:]: v for k, v in held.items() if k.startswith("bert.")}, strict=False
            )
            self.heads = [
                (held[f"linear_heads.{n}.weight"], held[f"linear_heads.{n}.bias"]) for n in range(len(NAMES))
            ]
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise BadInput(
                f"{folder} holds no CheXbert ({type(error).__name__}). `overread models get chexbert` writes one."
            ) from error
        self.bert.eval()

    def classes(self, text: str) -> list[int]:
        """The class of each condition: 0 blank, 1 positive, 2 negative, 3 uncertain."""
        tokens: Any = self.tokenizer(
            " ".join(text.split()), truncation=True, max_length=TOKENS, return_tensors="pt"
        )
        with self.torch.inference_mode():
            first = self.bert(**tokens).last_hidden_state[:, 0]
            return [int((first @ weight.T + bias).argmax()) for weight, bias in self.heads]

    def get_label(self, report: str) -> list[int]:
        """1 where a condition is positive or uncertain."""
        return [int(one in (POSITIVE, UNCERTAIN)) for one in self.classes(report)]
