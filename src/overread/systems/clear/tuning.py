"""CLEAR's questions with their right answers, as chats to fine-tune a model on: the words that `--by llm` sends."""

from collections.abc import Iterator
from typing import Any

import msgspec

from overread.llm import Item, Prompt, load_prompt
from overread.llm.dialogue import opening, question_text
from overread.llm.structured import schema_of
from overread.reader import read
from overread.report import Report
from overread.systems.clear.by_llm import ANSWERS, PACKAGE, Asked, Presence, item, spoken, terms
from overread.systems.clear.by_rules import view
from overread.systems.clear.schema import CHOICES, CONDITIONS, Table, attributes_of

Chat = dict[str, Any]


def chats(report: Report, table: Table | None, by_rules: bool) -> Iterator[Chat]:
    """One chat about presence, and one for each attribute of each positive condition; none without a table."""
    known = view(read(report)) if by_rules else table
    if known is None:
        return
    text = spoken(report)
    prompt = load_prompt(PACKAGE, "presence")
    asked = Item(report.id, {"report": text, "conditions": ", ".join(CONDITIONS)})
    seen: Chat = {
        str(c): {"level": cell.level, "mentioned": cell.mentioned} for c, cell in known.conditions.items()
    }
    yield chat(prompt, asked, Presence, seen)
    for condition in known.positive():
        cell = known.conditions[condition]
        for attribute in attributes_of(condition):
            value = getattr(cell, attribute)
            answer = {"answer": value or "N/A"} if attribute in CHOICES else {"phrases": list(value)}
            prompt = load_prompt(PACKAGE, attribute)
            question = item(prompt, Asked(0, condition, attribute), report, text, terms())
            yield chat(prompt, question, ANSWERS[attribute], answer)


def chat(prompt: Prompt, asked: Item, output: type[Any], answer: Chat) -> Chat:
    messages = opening(question_text(prompt, asked.inputs, ()), schema_of(output))
    reply = {"role": "assistant", "content": msgspec.json.encode(answer).decode()}
    return {"messages": [*messages, reply], "stage": prompt.name, "id": asked.id}
