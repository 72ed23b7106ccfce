"""The whole way over HTTP: invitation, account, correction, disagreement, decision, gold that `validate` takes."""

import json
import re

from click.testing import CliRunner

from house import REPORT, Browserless, invited, person, running, study, work_of
from overread.cli.main import command
from overread_review.work.items import Files, make_items


def row(sheet, condition):
    return next(one for one in sheet["rows"] if one["values"]["condition"] == condition)


def test_two_readers_and_a_curator_make_gold(store, tmp_path):
    reports = tmp_path / "reports.jsonl"
    reports.write_text(json.dumps({"id": "r1", "text": REPORT}) + "\n")
    admin = person(store, "admin", admin=True)
    number = study(store, items=make_items("clear", Files(reports)), curators=[admin])
    with running(store) as address:
        curator = Browserless(address)
        curator.sign_in("admin")
        first, second = (invited(curator, address, number, name) for name in ("ada", "ben"))

        api = work_of(first, number)
        sheet = first.client.get(api).json()
        assert row(sheet, "Pleural Effusion")["values"]["level"] == "confidently present"
        row(sheet, "Pleural Effusion")["values"]["severity"] = "moderate"
        saved = first.send("PUT", api, {"version": 0, "rows": sheet["rows"], "seconds": 4}).json()
        assert saved == {"version": 1, "complaints": []}
        done = first.send("POST", f"{api}/submit", {"version": 1, "rows": sheet["rows"], "seconds": 1})
        assert done.json()["next"] == f"/studies/{number}"

        api = work_of(second, number)
        sheet = second.client.get(api).json()
        assert (
            row(sheet, "Pleural Effusion")["values"]["severity"] == "mild"
        )  # nothing of the first reader shows
        second.send("POST", f"{api}/submit", {"version": 0, "rows": sheet["rows"]})

        assert curator.client.get(f"/studies/{number}/exports/gold.jsonl").text == ""  # they differ: open
        item = re.search(r'href="/items/(\d+)"', curator.client.get(f"/studies/{number}").text)[1]
        api = f"/api/items/{item}"
        case = curator.client.get(api).json()
        assert case["readers"] == ["Reader 1", "Reader 2"]
        votes = {vote["values"]["severity"] for vote in case["votes"]["c10"]}
        assert votes == {"mild", "moderate"}
        row(case, "Pleural Effusion")["values"]["severity"] = "moderate"
        assert curator.send("POST", f"{api}/submit", {"version": 0, "rows": case["rows"]}).status_code == 200
        assert set(curator.client.get(api).json()["readers"]) == {"Ada", "Ben"}
        gold = curator.client.get(f"/studies/{number}/exports/gold.jsonl").text

    line = json.loads(gold)
    assert line["conditions"]["Pleural Effusion"]["severity"] == "moderate"
    assert line["conditions"]["Pneumothorax"]["presence"] == "negative"
    (tmp_path / "gold.jsonl").write_text(gold)
    experts = {
        "id": "r1",
        **{name: 1 if cell["presence"] == "positive" else 0 for name, cell in line["conditions"].items()},
    }
    (tmp_path / "experts.jsonl").write_text(json.dumps(experts))
    ran = CliRunner().invoke(
        command(), ["validate", "clear", str(tmp_path / "experts.jsonl"), str(tmp_path / "gold.jsonl")]
    )
    assert ran.exit_code == 0, ran.output
