"""Baselines by name. Looking one up imports nothing heavy and checks nothing; scoring does.

Those of `RECIPES` on words (`docs/statistics.md` says how each adds up over pairs; CIDEr must `fit` all references
first), the trained ones of `optional.EXTRAS`, and those that other packages register as `overread.metrics`.
"""

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from overread.baselines import meteor, optional, overlap
from overread.baselines.base import Baseline, Counts, Tokens, Value, mean, one_of_mean, over_tokens
from overread.baselines.tokenise import tokeniser
from overread.errors import BadInput, BrokenPlugin, OverreadError, UnknownName
from overread.plugins import Plugin, plugins, unusable


class Recipe(Struct, frozen=True):
    """A baseline that works on words, before it is told how to cut them."""

    title: str
    pair: Callable[[Tokens, Tokens], Value]
    corpus: Callable[[Counts], float | None] = mean
    tokenisation: str = "plain"


def _bleu(order: int) -> Recipe:
    return Recipe(
        f"BLEU-{order}", partial(overlap.bleu, order=order), partial(overlap.bleu_of_counts, order=order)
    )


def _cider_before_fit(reference: Tokens, candidate: Tokens) -> Value:
    raise OverreadError(
        "CIDEr weighs words by how rare they are in all the references: "
        "score with `baseline.fit(references)`, not with the baseline itself."
    )


RECIPES: dict[str, Recipe] = {
    **{f"bleu-{order}": _bleu(order) for order in (1, 2, 3, 4)},
    "bleu-4-radeval": Recipe("BLEU-4 (RadEval)", _bleu(4).pair, _bleu(4).corpus, tokenisation="whitespace"),
    "bleu-sacrebleu": Recipe(
        "BLEU (sacrebleu)", overlap.bleu_smoothed, overlap.smoothed_of_counts, tokenisation="13a"
    ),
    "rouge-1": Recipe("ROUGE-1", partial(overlap.rouge_n, n=1), tokenisation="rouge"),
    "rouge-2": Recipe("ROUGE-2", partial(overlap.rouge_n, n=2), tokenisation="rouge"),
    "rouge-l": Recipe("ROUGE-L", overlap.rouge_l, tokenisation="rouge"),
    "rouge-1-stem": Recipe("ROUGE-1 (stems)", partial(overlap.rouge_n, n=1), tokenisation="stemmed"),
    "rouge-2-stem": Recipe("ROUGE-2 (stems)", partial(overlap.rouge_n, n=2), tokenisation="stemmed"),
    "rouge-l-stem": Recipe("ROUGE-L (stems)", overlap.rouge_l, tokenisation="stemmed"),
    "rouge-l-coco": Recipe("ROUGE-L (COCO)", partial(overlap.rouge_l, beta=overlap.COCO_BETA)),
    "meteor-stem": Recipe("METEOR (stems)", meteor.pair_stem),
    "meteor": Recipe("METEOR", meteor.pair_wordnet),
    "meteor-coco": Recipe("METEOR (COCO)", meteor.pair_java, meteor.corpus_java),
    "cider": Recipe("CIDEr", _cider_before_fit),
}


OWN = (*RECIPES, *optional.EXTRAS)


def baseline_names() -> tuple[str, ...]:
    """Every baseline there is, built in or not."""
    return (*OWN, *(name for name in plugins("overread.metrics") if name not in OWN))


def lookup(name: str, tokenisation: str | None = None) -> Baseline:
    """The baseline called `name`, on words cut by `tokenisation` (its own default without one).

    >>> bleu_1 = lookup("bleu-1", tokenisation="r2gen")
    >>> round(bleu_1.score("No effusion.", "No effusion or scar.").value, 3)
    0.6
    """
    if name in optional.EXTRAS and tokenisation is not None:
        raise BadInput(f"{name!r} cuts words in its own way; leave the tokenisation {tokenisation!r} out.")
    if name in optional.EXTRAS:
        return optional.baseline(name)
    recipe = RECIPES.get(name)
    if recipe is None and name in plugins("overread.metrics"):
        return of_plugin(name)
    if recipe is None:
        raise UnknownName("baseline", name, baseline_names())
    words = tokenisation or recipe.tokenisation
    found = Baseline(
        name=name,
        title=recipe.title,
        tokenisation=words,
        score=partial(over_tokens, recipe.pair, tokeniser(words)),
        corpus=recipe.corpus,
    )
    return replace(found, fit=partial(_fit_cider, found)) if name == "cider" else found


def _fit_cider(unfit: Baseline, references: Iterable[str]) -> Baseline:
    """CIDEr with the word weights of these references, one text each."""
    words = tokeniser(unfit.tokenisation)
    documents = overlap.count_documents(words(text) for text in references)
    return replace(unfit, score=partial(over_tokens, partial(overlap.cider, documents=documents), words))


# ---- metrics that other packages register as `overread.metrics`
@cache
def of_plugin(name: str) -> Baseline:
    """The metric of that name, ready to use."""
    found: Baseline = plugins("overread.metrics")[name].load(checked_baseline)
    return found


def checked_baseline(plugin: Plugin, found: Any) -> Baseline:
    """A Baseline as it is; a function of two texts as one whose corpus score is the mean."""
    if isinstance(found, Baseline):
        if found.name != plugin.name:
            raise plugin.broken(f"its Baseline is called {found.name!r}; both must be the same")
        return found
    if not callable(found):
        raise plugin.broken(
            f"{plugin.entry.value} is neither a function of two texts nor an overread.baselines.Baseline"
        )
    return Baseline(plugin.name, plugin.name, "its own", of_function(plugin, found), mean)


def of_function(plugin: Plugin, function: Callable[[str, str], Any]) -> Callable[[str, str], Value]:
    """A number, None for undefined, or a whole Value."""

    def score(reference: str, candidate: str) -> Value:
        found = function(reference, candidate)
        if isinstance(found, Value):
            return found
        if found is None:
            return Value(None, f"{plugin.package} gives no value for this pair.")
        return one_of_mean(float(found))

    return score


def about(name: str) -> str:
    """One line for help pages: the first of the function's own description, else the title; and whose it is."""
    plugin = plugins("overread.metrics")[name]
    brought = plugin.entry.load()
    own = (getattr(brought, "__doc__", None) or "").strip().splitlines()
    told = of_plugin(name).title if isinstance(brought, Baseline) or not own else own[0].rstrip(".")
    return f"{told} (from {plugin.release})"


def broken() -> dict[str, BrokenPlugin]:
    """Registered metrics that cannot be used, and why."""
    return unusable("overread.metrics", of_plugin)
