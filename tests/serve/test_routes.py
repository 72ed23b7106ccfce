"""What a server answers is what the library says."""

import json

import msgspec
import pytest

import overread
from overread.runner.measures import DEFAULT
from overread.systems.registry import SYSTEMS, system

EFFUSION = "FINDINGS: Small left pleural effusion. No pneumothorax."


def test_views_are_those_of_the_library(server):
    answer = server.post("/read", {"id": "s1", "text": EFFUSION, "as": list(SYSTEMS)}).json()
    reading = overread.read(overread.parse(EFFUSION, "s1"))
    for name in SYSTEMS:
        assert answer["views"][name] == json.loads(msgspec.json.encode(system(name).by_rules(reading)))


def test_many_reports_come_back_in_order_and_one_that_fails_fails_alone(server):
    reports = [{"id": str(n), "text": EFFUSION if n != 3 else "x" * 6000} for n in range(20)]
    found = server.post("/read", {"reports": reports, "as": ["clear"]}).json()["reports"]
    assert [one["id"] for one in found] == [str(n) for n in range(20)]
    assert "5,000 characters" in found[3]["failed"]
    assert all("views" in one for n, one in enumerate(found) if n != 3)


def test_sections_are_taken_as_they_are(server):
    answer = server.post("/read", {"sections": {"findings": "Small left effusion."}, "as": ["radsem"]}).json()
    assert answer["views"]["radsem"]["atoms"][0]["text"] == "Small left effusion."


def test_a_pair_has_every_default_metric_with_signature_and_details(server):
    body = {"id": "p", "reference": EFFUSION, "candidate": "FINDINGS: No pleural effusion."}
    scores = server.post("/score", body).json()["scores"]
    assert tuple(scores) == DEFAULT
    expected = overread.score([EFFUSION], [body["candidate"]], metrics=DEFAULT, resamples=1, shuffles=1)
    for name in DEFAULT:
        assert scores[name]["value"] == expected.values(name)[0]
        assert scores[name]["signature"] == expected.ranking(name).signature
    assert scores["radsem"]["detail"]["contradicted"]
    assert "detail" not in server.post("/score", {**body, "details": False}).json()["scores"]["radsem"]


def test_rewards_are_those_of_the_library_and_undefined_is_null(server):
    references = [EFFUSION, EFFUSION, ""]
    candidates = ["FINDINGS: Small left effusion.", [{"role": "assistant", "content": EFFUSION}], ""]
    body = {"references": references, "candidates": candidates, "metrics": {"radsem": 2, "rouge-l": 1}}
    found = server.post("/rewards", body).json()
    texts = [candidates[0], EFFUSION, ""]
    radsem = overread.rewards(references, texts, "radsem", undefined=-1)
    rouge = [*overread.rewards(references[:2], texts[:2], "rouge-l"), None]
    assert found["components"] == {"radsem": [radsem[0], 1.0, None], "rouge-l": rouge}
    assert found["rewards"] == [pytest.approx((2 * radsem[0] + rouge[0]) / 3), 1.0, None]
    alone = server.post("/rewards", {"references": references[2:], "candidates": [""]}).json()
    assert alone["rewards"] == [None]
    assert "overread" in alone["why"][0]


FOREIGN = "FINDINGS: Dystelectasis in both lower fields."
"""Words that the network knows and the rules do not."""

REFERENCE = "FINDINGS: Atelectasis."


def test_a_request_chooses_who_labels_and_the_signature_says_so(server):
    read = {"text": FOREIGN, "as": ["srrg"]}
    named = {
        who: server.post("/read", {**read, "labels": who}).json()["views"]["srrg"]["utterances"][0]["labels"]
        for who in ("rules", "vote")
    }
    assert [one["label"] for one in named["rules"]] == ["No Finding"]
    assert [one["label"] for one in named["vote"]] == ["Atelectasis"]
    pair = {"reference": REFERENCE, "candidate": FOREIGN, "metrics": ["f1-srr", "rouge-l"]}
    scores = server.post("/score", {**pair, "labels": "vote"}).json()["scores"]
    expected = overread.score([REFERENCE], [FOREIGN], ["f1-srr", "rouge-l"], labels="vote", resamples=1)
    for name in ("f1-srr", "rouge-l"):
        assert scores[name]["value"] == expected.values(name)[0]
        assert scores[name]["signature"] == expected.ranking(name).signature
    rewards = {"references": [REFERENCE], "candidates": [FOREIGN], "metric": "f1-srr", "labels": "vote"}
    assert server.post("/rewards", rewards).json()["rewards"] == [scores["f1-srr"]["value"]]
    clash = server.post("/read", {**read, "labels": "vote", "definitions": "coded"})
    assert "--labels rules" in clash.text
    assert server.post("/read", {**read, "labels": "model:/etc"}).status_code == 422


def test_a_server_is_set_up_with_a_labeller(start):
    with start("--workers", "1", "--labels", "model") as server:
        found = server.post("/read", {"text": FOREIGN, "as": ["srrg", "clear"]}).json()["views"]["srrg"]
        assert [one["label"] for one in found["utterances"][0]["labels"]] == ["Atelectasis"]
        metrics = {one["name"]: one for one in server.client.get("/metrics").json()["metrics"]}
        assert "|labels:model-" in metrics["f1-srr"]["signature"]
        coded = server.post("/read", {"text": FOREIGN, "as": ["clear"], "definitions": "coded"})
        assert coded.status_code == 200


def test_errors_are_those_of_the_library(server):
    pair = {"reference": "Large right pneumothorax.", "candidate": "Small left pneumothorax."}
    found = server.post("/errors", pair).json()
    expected = overread.errors(pair["reference"], pair["candidate"])
    assert found == json.loads(msgspec.json.encode(expected))
    assert found["errors"][0]["correction"] == "write Large instead of Small"


def test_judgements_are_those_of_the_library(server):
    pairs = [["The heart is enlarged.", "There is cardiomegaly."], ["No edema.", "Edema."]]
    found = server.post("/judge", {"pairs": pairs}).json()["judgements"]
    assert found == [json.loads(msgspec.json.encode(overread.judge(*pair))) for pair in pairs]


def test_lines_in_lines_out_in_order(server):
    lines = [json.dumps({"id": str(n), "reference": EFFUSION, "candidate": "Clear.", "metrics": ["rouge-l"]})
             for n in range(200)]  # fmt: skip
    lines[7] = '{"id": "7", "reference": 5}'
    lines[8] = "not json"
    answer = server.client.post(
        "/score", content="\n".join(lines).encode(), headers={"Content-Type": "application/x-ndjson"}
    )
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert len(found) == 200
    assert found[7] == {"id": "7", "failed": "reference: Expected `str`, got `int`"}
    assert "failed" in found[8]
    assert [one["id"] for one in found if "answer" in one] == [str(n) for n in range(200) if n not in (7, 8)]


def test_explain_metrics_version_and_telemetry(server):
    record = server.post("/explain", {"text": "No edema."}).json()
    assert record["findings"][0]["status"] == "negative"
    metrics = {one["name"]: one for one in server.client.get("/metrics").json()["metrics"]}
    assert metrics["radsem"]["signature"].startswith("radsem|by:network|")
    assert server.client.get("/version").json() == {"overread": overread.__version__}
    told = server.client.get("/telemetry").text
    assert 'overread_requests_total{route="/explain",status="200"}' in told
    assert "overread_item_seconds_count" in told


TRAINERS = ("/get_reward", "/verify", "/seed_session", "/aggregate_metrics")


def references_in(value):
    if isinstance(value, dict):
        yield from [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        value = list(value.values())
    for one in value if isinstance(value, list) else ():
        yield from references_in(one)


def test_the_openapi_page_is_whole_and_typed(server):
    page = server.client.get("/openapi.json").json()
    schemas = page["components"]["schemas"]
    assert {ref.rpartition("/")[2] for ref in references_in(page)} <= set(schemas)
    assert "HTTPValidationError" not in schemas
    for route, methods in page["paths"].items():
        for method, about in methods.items():
            (kind, answer), *_ = about["responses"]["200"]["content"].items()
            assert answer["schema"].get("$ref") or kind == "text/plain", route
            sent = about.get("requestBody", {}).get("content", {})
            assert all(one["schema"].get("$ref") for one in sent.values()), route
            wanted = {"401", "413", "415", "422", "429", "503"} if method == "post" else {"401"}
            assert wanted <= set(about["responses"]), route
    assert {one["name"] for one in page["paths"]["/verify"]["post"]["parameters"]} == {"metric"}
    assert "radsem" in schemas["ScoreBody"]["properties"]["metrics"]["anyOf"][0]["items"]["enum"]
    assert list(page["components"]["securitySchemes"]) == ["bearer", "key"]
    assert "text/plain" in page["paths"]["/telemetry"]["get"]["responses"]["200"]["content"]


def test_answers_are_what_the_page_says(server):
    from overread.serve.openapi import ANSWERS

    pair = {"reference": EFFUSION, "candidate": EFFUSION}
    asked = {
        "/read": {"text": EFFUSION, "as": list(SYSTEMS)}, "/score": pair, "/errors": pair,
        "/rewards": {"references": [EFFUSION], "candidates": [EFFUSION]}, "/explain": {"text": EFFUSION},
        "/judge": {"pairs": [["Clear lungs.", "No opacity."]]},
        "/get_reward": {"query": ["a"], "prompts": [], "labels": ["a"]},
        "/verify": {"reference": EFFUSION, "response": {"output": []}}, "/seed_session": {},
        "/aggregate_metrics": {"verify_responses": []},
    }  # fmt: skip
    for route, shape in ANSWERS.items():
        answer = server.post(route, asked[route]) if route in asked else server.client.get(route)
        assert answer.status_code == 200, route
        msgspec.json.decode(answer.content, type=shape)


def test_every_refusal_has_one_shape(server):
    for answer, status in (
        (server.client.get("/nowhere"), 404),
        (server.client.get("/read"), 405),
        (server.client.post("/health"), 405),
        (server.client.post("/read", content=b"x", headers={"content-type": "text/plain"}), 415),
        (server.post("/read", {"text": 7}), 422),
    ):
        assert answer.status_code == status
        assert list(answer.json()) == ["error"], status


def test_the_openapi_page_has_an_example_for_every_post(server):
    paths = server.client.get("/openapi.json").json()
    for route, methods in paths["paths"].items():
        if "post" in methods and route not in TRAINERS:
            content = methods["post"]["requestBody"]["content"]["application/json"]
            name = content["schema"].get("$ref", "").rpartition("/")[2]
            schema = paths["components"]["schemas"][name] if name else content["schema"]
            assert "example" in content or schema["examples"], route


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("/score", {"reference": "a"}, 422, "field `candidate`"),
        (
            "/score",
            {"reference": "a", "candidate": "b", "definitions": "W0RDS"},
            422,
            "definitions: it must be one",
        ),
        ("/score", {"reference": "a", "candidate": "b", "metrics": ["radsm"]}, 422, "Did you mean 'radsem'?"),
        ("/score", {"reference": "a", "candidate": "b", "metrics": ["lunguage-sequential"]}, 422, "one pair"),
        ("/rewards", {"references": ["a"], "candidates": []}, 422, "1 references but 0 candidates"),
        ("/rewards", {"references": [], "candidates": [], "metrics": {}}, 422, "needs a metric"),
        ("/rewards", {"references": [], "candidates": [], "metrics": {"radsem": -1}}, 422, "larger than 0"),
        (
            "/rewards",
            {"references": [], "candidates": [], "metric": "clear", "metrics": {"clear": 1}},
            422,
            "not both",
        ),
        ("/rewards", {"references": [], "candidates": [], "undefined": False}, 422, "undefined: "),
        ("/score", {"reference": "a", "candidate": "b", "details": 0}, 422, "details: "),
        ("/get_reward", {"query": [], "labels": [], "prompts": {}}, 422, "lists of texts"),
        ("/read", {"reports": [{"text": "a"}] * 2049}, 413, "at most 2048"),
        ("/read", {"text": "a", "as": ["nothing"]}, 422, "No system is called"),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(server, path, body, status, says):
    answer = server.post(path, body)
    assert (answer.status_code, says in answer.json()["error"]) == (status, True), answer.text


def test_what_was_sent_is_not_sent_back_in_errors(server):
    answer = server.post("/score", {"reference": ["PATIENTWORDS"], "candidate": 5})
    assert answer.status_code == 422
    assert "PATIENTWORDS" not in answer.text


def test_trainers_that_ask_a_server(server):
    asked = {"query": ["Say: " + EFFUSION], "prompts": ["Say: "], "labels": [EFFUSION]}
    answer = server.post("/get_reward?metric=radsem:1,rouge-l:1", asked).json()
    logs = {"radsem": [1.0], "rouge-l": [1.0], "no_reference": [0.0], "uncut": [0.0]}
    assert answer == {"rewards": [1.0], "scores": [1.0], "extra_logs": logs}
    missing = server.post("/get_reward?metric=rouge-l", asked | {"labels": [None]})
    assert (missing.status_code, missing.json()["extra_logs"]["no_reference"]) == (200, [1.0])
    assert server.post("/seed_session", {"anything": 1}).json() == {}
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": EFFUSION}]}
    rollout = {
        "responses_create_params": {"input": []},
        "response": {"output": [said]},
        "reference": EFFUSION,
    }
    verified = server.post("/verify", rollout).json()
    assert verified["reward"] == 1.0
    assert verified["response"] == rollout["response"]
    run = server.post(
        "/aggregate_metrics", {"verify_responses": [verified, verified | {"reward": 0.0}]}
    ).json()
    assert run["agent_metrics"] == {"mean/reward": 0.5, "mean/overread_overread": 1.0}
    assert server.post("/verify", {"response": {"output": []}}).status_code == 422
