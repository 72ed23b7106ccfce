"""A server under 1 to 256 clients at once: each request is answered rightly, or refused with a time to come again."""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx
from serving import server

import overread
from drills.outcome import Outcome

CLIENTS = (1, 4, 16, 64, 256)
EACH = 4
"""Requests of one client."""

PATIENCE = 300.0
"""Seconds after which a request that was never answered counts as lost."""

REFERENCE = "FINDINGS: Small left pleural effusion. No pneumothorax. The heart is enlarged."


def body(number: int) -> dict[str, list[str]]:
    return {"references": [REFERENCE], "candidates": [f"Left effusion of {number} mm. Normal heart."]}


def clients(counts: tuple[int, ...] = CLIENTS) -> Outcome:
    outcome = Outcome(f"requests of {counts[0]} to {counts[-1]} clients at once")
    pairs = map(body, range(EACH))
    expected = [overread.rewards(one["references"], one["candidates"]) for one in pairs]
    with server("--workers", "2") as (url, _):
        for count in counts:
            with ThreadPoolExecutor(count) as pool:
                for answers in pool.map(partial(visit, url), [expected] * count):
                    for trouble in answers:
                        outcome.count(trouble and f"{count} clients: {trouble}")
        left = httpx.get(f"{url}/health").json()["in_queue"]
        outcome.count(f"{left} left in the queue" if left else None)
    return outcome


def visit(url: str, expected: list[list[float]]) -> list[str | None]:
    """What is wrong with each answer that one client gets."""
    with httpx.Client(base_url=url, timeout=PATIENCE) as client:
        return [asked(client, number, rewards) for number, rewards in enumerate(expected)]


def asked(client: httpx.Client, number: int, expected: list[float]) -> str | None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            answer = client.post("/rewards", json=body(number))
        except httpx.HTTPError as error:
            return type(error).__name__
        if answer.status_code == 429 and "Retry-After" in answer.headers:
            time.sleep(min(float(answer.headers["Retry-After"]), 5.0))
            continue
        if answer.status_code != 200:
            return f"status {answer.status_code}"
        return None if answer.json()["rewards"] == expected else "another answer than without load"
    return "refused for too long"
