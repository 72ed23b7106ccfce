"""Print docs/metrics.md: a card per metric, from the same file as the page's Method tab."""

from overread.pages.method import cards

FIELDS = {
    "Formula": "formula",
    "Range and direction": "range",
    "Empty cases": "empty",
    "Does not hear": "deaf",
    "Variants": "variants",
    "Cost": "cost",
    "Source": "paper",
    "Published": "published",
}


def main() -> None:
    print("# Metric cards\n")
    print("Made by `make docs` from `src/overread/pages/cards.toml`, which the page's Method tab shows too.")
    print(
        "Published figures are their authors', on other reports; they were not run here. Costs are of one core.\n"
    )
    print("[Which metric should I use](which-metric.md) measures what each one hears.\n")
    for name, card in cards().items():
        print(f"## {card.title}\n\n`{name}` · [more]({card.page})\n\n| | |\n|---|---|")
        for title, field in FIELDS.items():
            if value := getattr(card, field):
                print(f"| {title} | {value.replace('|', chr(92) + '|')} |")
        print()


if __name__ == "__main__":
    main()
