"""Print docs/metrics.md: a card per metric, from the same file as the page's Method tab."""

from overread.pages.method import cards

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


def main() -> None:
    print("# Metric cards\n")
    print("What each metric measures, is blind to and costs on one core; the blind spots are measured in")
    print(
        "[Which metric should I use?](which-metric.md). Published figures are their authors', on other reports.\n"
    )
    for name, card in cards().items():
        print(f"## {card.title}\n\n`{name}` · [more]({card.page})\n\n| property | |\n|---|---|")
        for title, field in FIELDS.items():
            if value := getattr(card, field):
                print(f"| {title} | {value.replace('|', chr(92) + '|')} |")
        print()


if __name__ == "__main__":
    main()
