"""What a language model is asked for: small answers, one to each prompt."""

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct

from overread.systems.longitudinal.diseases import keywords
from overread.systems.longitudinal.schema import Progression

if TYPE_CHECKING:
    Keyword = str
else:  # the table is the list, and the schema shows it to the model
    Keyword = Literal[keywords()]


class Comparison(Struct, frozen=True, forbid_unknown_fields=True):
    """Does the sentence compare with an earlier picture?"""

    compares: bool


class Diseases(Struct, frozen=True, forbid_unknown_fields=True):
    """The keywords it compares, the main one first."""

    diseases: Annotated[list[Keyword], Meta(max_length=10)]


class MainDisease(Struct, frozen=True, forbid_unknown_fields=True):
    """The keyword that it is most about, as the paper asks."""

    disease: Keyword

    @property
    def diseases(self) -> list[Keyword]:
        return [self.disease]


class Trend(Struct, frozen=True, forbid_unknown_fields=True):
    """Which way one of them went."""

    progression: Progression
