"""Print docs/metrics.md: a card per metric, from the same file as the page's Method tab, with a value of each."""

import overread
from overread.pages.render import cards

FIELDS = {
    "Formula": "formula",
    "Range and direction": "range",
    "Empty cases": "empty",
    "Blind to": "deaf",
    "Variants": "variants",
    "Cost": "cost",
    "Source": "paper",
    "Published": "published",
}
REFERENCE = "Small left pleural effusion has increased. No pneumothorax. The heart is enlarged."
CANDIDATES = {
    "the same in other words": "The small left effusion is larger. No pneumothorax is seen. Cardiomegaly.",
    "the wrong side": "Small right pleural effusion has increased. No pneumothorax. The heart is enlarged.",
}
SHOWN = {"bleu": "bleu-4", "rouge": "rouge-l", "meteor": "meteor-stem"}
"""Cards of families → the metric whose value is shown."""

OFFLINE = (
    "overread",
    "lunguage",
    "radsem",
    "clear",
    "f1-srr",
    "f1-srr-statuses",
    "longitudinal",
    "srr-headers",
)
"""Cards whose metric needs no model of others and no second report, besides those of `SHOWN`."""


def main() -> None:
    print("# Metric cards\n")
    print("What each metric measures, is blind to and costs on one core; the blind spots are measured in")
    print(
        "[Which metric should I use?](which-metric.md). Published figures are their authors', on other reports.\n"
    )
    print("The examples score two candidates against one reference, *" + REFERENCE + "*\n")
    for name, text in CANDIDATES.items():
        print(f"- {name}: *{text}*")
    print()
    values = examples()
    for name, card in cards().items():
        print(f"## {card.title}\n\n`{name}` · [more]({card.page})\n\n| property | |\n|---|---|")
        for title, field in FIELDS.items():
            if value := getattr(card, field):
                print(f"| {title} | {value.replace('|', chr(92) + '|')} |")
            if title == "Range and direction" and name in values:
                print(f"| Example | {values[name]} |")
        print()


def examples() -> dict[str, str]:
    """The card's name → its values on the two candidates."""
    metrics = {**{name: name for name in OFFLINE}, **SHOWN}
    scores = overread.score(
        [REFERENCE], {name: [text] for name, text in CANDIDATES.items()}, metrics=list(metrics.values())
    )
    return {card: told(metric if card != metric else "", scores[metric]) for card, metric in metrics.items()}


def told(metric: str, values: dict[str, float | None]) -> str:
    """
    >>> told("bleu-4", {"the wrong side": 0.5})
    '`bleu-4`: the wrong side 0.50'
    """
    shown = "; ".join(f"{name} {'undefined' if v is None else f'{v:.2f}'}" for name, v in values.items())
    return f"`{metric}`: {shown}" if metric else shown


if __name__ == "__main__":
    main()
