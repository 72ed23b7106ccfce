"""The one network: it reads sections, relates two statements, and labels utterances.

Tokens go through the encoder once. Whatever comes after is small. For reading: a tag for mentions and one for each kind
of attribute or cue, a score for each attribute beside each mention and for each two mentions, a few answers about each
mention, and what a sentence is for. For two statements: what they are to each other; for a text and a claim: whether it
is said; for a sentence beside another report: how wrong it is, and which of its words are. For an utterance: which of the SRR labels are spoken of, and with which status.
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch
from encoder import PLACES, WIDTH, WORDS, Layer, unseen
from torch import Tensor, nn

KINDS, CATEGORIES, RELATIONS, PURPOSES, LABELS, FAULTS = 18, 6, 3, 11, 56, 13
SLOTS = (3, 2, CATEGORIES, 2)
"""Answers about a mention: status (absent, present, not said to be either), certainty, category, and whether the noun
stands for several."""

FACTS = (4, 5)
"""What else is known of the finding words of some texts: side and change. Asked in training alone."""

TAGS = 3
"""Outside, first, inside: for mentions and for each kind of attribute."""

PAIR_HEADS = (3, 3, 5)
"""Answers about two texts: the relation of two statements; whether a text says a claim; how wrong a sentence is beside
the report it should agree with (said, and four levels of significance)."""

INNER = 128
NEAR = (0, 1, 2, 3, 5, 8, 13, 21, 40)
"""Bounds of the distances, in tokens, that are told apart."""


class Bilinear(nn.Bilinear):
    """The same as torch has, in two products; torch holds every pair of inputs of every row at once."""

    def __init__(self, width: int, answers: int) -> None:
        super().__init__(width, width, answers)

    def forward(self, one: Tensor, other: Tensor) -> Tensor:
        turned = torch.einsum("ni,kij->nkj", one, self.weight.to(one.dtype))
        return (turned * other[:, None]).sum(-1) + self.bias


class Network(nn.Module):
    width = WIDTH

    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.build()
        width = self.width
        self.tags = nn.Linear(width, TAGS * (1 + KINDS))
        self.mention = nn.Linear(2 * width, INNER)
        self.attribute = nn.Linear(2 * width, INNER)
        self.kind = nn.Embedding(KINDS, INNER)
        self.fits = Bilinear(INNER, 1)
        self.far = nn.Embedding(KINDS * (2 * len(NEAR) + 2), 1)
        self.one, self.other = (nn.Linear(2 * width, INNER) for _ in range(2))
        self.related = Bilinear(INNER, RELATIONS)
        self.apart = nn.Embedding(2 * len(NEAR) + 2, RELATIONS)
        self.hidden = nn.Linear(2 * width, width)
        self.slots = nn.Linear(width, sum(SLOTS))
        self.facts = nn.Linear(width, sum(FACTS))
        self.purpose = nn.Linear(2 * width, PURPOSES)
        self.pair = nn.Linear(2 * width, sum(PAIR_HEADS))
        self.faults = nn.Linear(width, FAULTS)
        self.asked = nn.Linear(width, LABELS, bias=False)
        self.spoken = nn.Linear(width, LABELS)
        self.heard = nn.Linear(width, width)
        self.status = nn.Linear(width, 3)
        self.lean = nn.Parameter(torch.zeros(LABELS, 3))

    def build(self, layers: Iterable[Layer] | None = None) -> None:
        """The encoder: its tables of words, places and segments, and its layers."""
        self.words = nn.Embedding(WORDS, self.width)
        self.places = nn.Embedding(PLACES, self.width)
        self.segments = nn.Embedding(2, self.width)
        self.norm = nn.LayerNorm(self.width, eps=1e-12)
        self.layers = nn.ModuleList(layers or (Layer() for _ in range(6)))

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Of two statements or a text and a claim: three scores each; and the vectors of the tokens."""
        x = self.encoded(ids, mask, segments)
        kept = mask.to(x.dtype)[:, :, None]
        mean = (x * kept).sum(1) / kept.sum(1)
        return self.pair(self.drop(torch.cat([x[:, 0], mean], dim=1))), x

    def encoded(self, ids: Tensor, mask: Tensor, segments: Tensor | None = None) -> Tensor:
        place = torch.arange(ids.shape[1], device=ids.device)
        of = torch.zeros_like(ids) if segments is None else segments
        x = self.drop(self.norm(self.words(ids) + self.segments(of) + self.places(place)))
        hidden = self.unheard(x, mask)
        for layer in self.layers:
            x = layer(x, hidden)
        return x

    def unheard(self, x: Tensor, mask: Tensor) -> Tensor:
        """What is added to the scores of attention."""
        return unseen(mask, x)

    def ends(self, x: Tensor, window: Tensor, first: Tensor, last: Tensor) -> Tensor:
        """First and last token of each span, side by side."""
        return self.drop(torch.cat([x[window, first], x[window, last - 1]], dim=-1))

    def slots_of(self, spans: Tensor) -> tuple[Tensor, Tensor]:
        inner = self.drop(nn.functional.gelu(self.hidden(spans)))
        return self.slots(inner), self.facts(inner)

    def labels_of(self, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Is each label spoken of, and with which status? Every label looks at the words with a query of its own."""
        scores = self.asked(x).transpose(1, 2) + unseen(mask, x)[:, 0]
        found = self.drop(torch.softmax(scores, dim=-1) @ x)
        spoken = (found * self.spoken.weight).sum(-1) + self.spoken.bias
        return spoken, self.status(self.drop(nn.functional.gelu(self.heard(found)))) + self.lean

    def fit(self, attributes: Tensor, kinds: Tensor, mentions: Tensor, distance: Tensor) -> Tensor:
        """Does the attribute belong to the mention? One score for each row."""
        a = nn.functional.gelu(self.attribute(attributes)) + self.kind(kinds)
        m = nn.functional.gelu(self.mention(mentions))
        return (self.fits(a, m) + self.far(kinds * (2 * len(NEAR) + 2) + distance)).squeeze(-1)

    def relate(self, one: Tensor, other: Tensor, distance: Tensor) -> Tensor:
        """Evidence, associate, same as: three scores for each row."""
        a, b = (nn.functional.gelu(f(x)) for f, x in ((self.one, one), (self.other, other)))
        return self.related(a, b) + self.apart(distance)


def steps(distance: Tensor) -> Tensor:
    """Signed distances in tokens as numbers of their step; another window is the last step."""
    bounds = torch.tensor(NEAR, device=distance.device)
    step = torch.bucketize(distance.abs(), bounds, right=True)
    return torch.where(distance < 0, step + len(NEAR) + 1, step)


def begin(model: Network, folder: Path) -> None:
    """The weights from a folder as it ships: what the file holds in eight bits, as numbers again, and the heads beside it."""
    from exact import read

    state = model.state_dict()
    for name, value in read(folder / "network.onnx").items():
        state[name][: len(value)] = torch.tensor(value)
    with np.load(folder / "heads.npz") as heads:
        state |= {name: torch.from_numpy(heads[name].astype(np.float32)) for name in heads.files}
    model.load_state_dict(state)
