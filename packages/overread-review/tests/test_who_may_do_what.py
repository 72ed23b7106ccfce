"""Every route × every role × other people's objects; CSRF, sessions, uploads, headers."""

import re
from pathlib import Path

import httpx
import pytest
from fastapi.routing import APIRoute
from sqlalchemy import select, text, update

from house import (
    PASSWORD,
    REPORT,
    Browserless,
    assignments,
    person,
    report_items,
    running,
    study,
)
from overread_review.site.app import MODULES
from overread_review.site.sessions import GUESSES
from overread_review.store.tables import Invitation, Item, Login, Proposal, ahead
from overread_review.work.studies import invite

ROLES = ("nobody", "stranger", "reader", "fellow", "curator", "admin")
"""A stranger has an account and no study; a fellow reads in the same study; both curators are of this study alone."""

OPEN = {"/login", "/invite/{token}", "/health"}
EVERYONE = {"/", "/me", "/me/password", "/logout"}
MAY = {
    "/studies/{study}": {"reader", "fellow", "curator", "admin"},
    "/studies/{study}/next": {"reader", "fellow", "curator", "admin"},
    "/studies/{study}/instructions": {"reader", "fellow", "curator", "admin"},
    "/studies/{study}/agreement": {"curator", "admin"},
    "/studies/{study}/exports": {"curator", "admin"},
    "/studies/{study}/exports/{name}": {"curator", "admin"},
    "/studies/{study}/settings": {"curator", "admin"},
    "/studies/{study}/close": {"curator", "admin"},
    "/studies/{study}/assign": {"curator", "admin"},
    "/studies/{study}/invite": {"curator", "admin"},
    "/studies/{study}/withdraw/{person}": {"curator", "admin"},
    "/studies/{study}/audit": {"admin"},
    "/work/{assignment}": {"reader"},
    "/api/work/{assignment}": {"reader"},
    "/api/work/{assignment}/images/{number}": {"reader"},
    "/api/work/{assignment}/submit": {"reader"},
    "/api/work/{assignment}/reopen": {"reader"},
    "/api/work/{assignment}/words": {"reader"},
    "/api/work/{assignment}/opinion": {"reader"},
    "/items/{item}": {"curator", "admin"},
    "/api/items/{item}": {"curator", "admin"},
    "/api/items/{item}/images/{number}": {"curator", "admin"},
    "/api/items/{item}/submit": {"curator", "admin"},
    "/api/items/{item}/reopen": {"curator", "admin"},
}
CHANGES_FOR_CURATORS = {("POST", "/studies/{study}/instructions")}
ROUTES = [
    (method, route.path)
    for module in MODULES
    for route in module.router.routes
    if isinstance(route, APIRoute)
    for method in sorted(route.methods)
]


def may(role, method, path):
    if path in OPEN:
        return True
    if role == "nobody":
        return False
    if path in EVERYONE:
        return True
    if path.startswith("/admin"):
        return role == "admin"
    if (method, path) in CHANGES_FOR_CURATORS:
        return role in ("curator", "admin")
    return role in MAY[path]


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A site with a study, its people, and people of another study; signed in once each."""
    from overread_review.store.connect import open_store

    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('house') / 'review.sqlite'}")
    ids = {name: person(store, name, admin=name == "admin") for name in ROLES[1:]}
    number = study(store, "clear", report_items(2), [ids["reader"], ids["fellow"]], [ids["curator"]])
    outsiders = [person(store, f"outside-{n}") for n in (1, 2)]
    study(store, "clear", report_items(2), outsiders[:1], outsiders[1:])
    with store.reading() as session:
        item = session.scalar(select(Item.id).where(Item.study == number))
    picture = Path(__file__).parents[3] / "docs/pictures/cases.png"
    with running(store, images={f"r{n}": (picture,) for n in (1, 2)}) as address:
        people = {"nobody": Browserless(address)}
        for name in (*ROLES[1:], "outside-1", "outside-2"):
            people[name] = Browserless(address)
            assert people[name].sign_in(name).status_code == 303
        people["nobody"].token = people["nobody"].csrf("/login")
        yield {
            "people": people, "study": number, "store": store, "item": item, "person": ids["fellow"],
            "assignment": assignments(store, ids["reader"])[0].id, "address": address,
        }  # fmt: skip
    store.close()


def asked(house, who, method, path):
    filled = path.format(
        study=house["study"], item=house["item"], assignment=house["assignment"], person=house["person"],
        name="gold.jsonl", token="not-a-token", number=1,
    )  # fmt: skip
    one = house["people"][who]
    if method == "GET":
        return one.client.get(filled)
    if filled.startswith("/api/"):
        return one.send(method, filled, {"version": -1, "rows": []})
    return one.client.post(filled, data={"csrf": one.token})


def refused(reply):
    """Told to go away, or sent to sign in."""
    signs_in = reply.status_code == 303 and reply.headers["location"] == "/login"
    return reply.status_code in (401, 403, 404) or signs_in


DESTRUCTIVE = {
    "/logout",
    "/studies/{study}/close",
    "/admin/studies/{study}/delete",
    "/admin/people/{person}/disable",
}


def test_every_route_is_in_the_table():
    known = OPEN | EVERYONE | set(MAY)
    assert {path for _, path in ROUTES if not path.startswith("/admin")} == known
    assert len(ROUTES) >= 40


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("method", "path"), [r for r in ROUTES if r[1] not in OPEN], ids=lambda v: v)
def test_routes_are_for_those_they_are_for(method, path, role, house):
    if may(role, method, path):
        if path in DESTRUCTIVE or (path == "/studies/{study}/withdraw/{person}"):
            pytest.skip("allowed, and done in its own test")
        assert not refused(asked(house, role, method, path)), (method, path)
    else:
        assert refused(asked(house, role, method, path)), (method, path)


@pytest.mark.parametrize("who", ["outside-1", "outside-2"])
@pytest.mark.parametrize(
    ("method", "path"),
    [r for r in ROUTES if "{study}" in r[1] or "{item}" in r[1] or "{assignment}" in r[1]],
    ids=lambda v: v,
)
def test_readers_and_curators_of_another_study_find_nothing(method, path, who, house):
    reply = asked(house, who, method, path)
    assert refused(reply)
    assert REPORT[:20] not in reply.text


@pytest.mark.parametrize(("method", "path"), [r for r in ROUTES if r[0] != "GET"], ids=lambda v: v)
@pytest.mark.parametrize("token", ["", "wrong", "another's"])
def test_a_change_without_the_right_token_is_refused(method, path, token, house):
    role = "reader" if may("reader", method, path) and "work" in path else "admin"
    one = house["people"][role]
    kept, one.token = one.token, house["people"]["fellow"].token if token == "another's" else token
    try:
        assert asked(house, role, method, path).status_code == 403
    finally:
        one.token = kept


def test_a_reader_never_sees_names_of_others_nor_of_systems(visitor, sqlite_store):
    ids = [person(sqlite_store, name) for name in ("ada", "ben")]
    from overread_review.work.studies import NewItem

    content = {
        "id": "r1",
        "reference": "No edema.",
        "candidates": {"gpt-secret": "Edema.", "ours-secret": "No edema."},
    }
    number = study(sqlite_store, "compare", [NewItem("r1", content, {})], ids)
    with running(sqlite_store) as address:
        ada = visitor(address, "ada")
        work = assignments(sqlite_store, ids[0])[0].id
        pages = [
            "/",
            f"/studies/{number}",
            f"/studies/{number}/instructions",
            f"/work/{work}",
            f"/api/work/{work}",
        ]
        shown = " ".join(ada.client.get(path).text for path in pages)
    assert "Ben" not in shown
    assert "secret" not in shown


# ---- sessions and passwords
def test_cookies_are_signed_strict_and_hidden_from_scripts(house):
    one = Browserless(house["address"])
    set_cookie = one.sign_in("stranger").headers["set-cookie"]
    assert "HttpOnly" in set_cookie
    assert "samesite=strict" in set_cookie.lower()
    value = one.client.cookies["overread_review"]
    for forged in (value[:-1] + ("0" if value[-1] != "0" else "1"), value.split(".")[0], "x" + value):
        reply = httpx.get(f"{house['address']}/me", cookies={"overread_review": forged})
        assert reply.status_code == 303


def test_over_tls_the_cookie_is_for_tls_alone(sqlite_store):
    person(sqlite_store, "ada")
    with running(sqlite_store, https=True) as address:
        one = Browserless(address)
        form = one.client.get("/login")
        assert "Secure" in form.headers["set-cookie"]


def test_signing_out_ends_the_login_on_the_server(house):
    one = Browserless(house["address"])
    one.sign_in("stranger")
    kept = dict(one.client.cookies)
    assert one.post("/logout").status_code == 303
    assert httpx.get(f"{house['address']}/me", cookies=kept).status_code == 303


def test_an_idle_login_ends(visitor, sqlite_store):
    person(sqlite_store, "ada")
    with running(sqlite_store) as address:
        ada = visitor(address, "ada")
        with sqlite_store.writing() as session:
            session.execute(update(Login).values(seen=ahead(-13)))
        assert ada.client.get("/me").status_code == 303


def test_a_new_password_signs_out_everywhere_else(visitor, sqlite_store):
    person(sqlite_store, "ada")
    with running(sqlite_store) as address:
        here, there = visitor(address, "ada"), visitor(address, "ada")
        assert here.post("/me/password", old="wrong", password="a new password").status_code == 422
        assert here.post("/me/password", old=PASSWORD, password="short").status_code == 422
        assert here.post("/me/password", old=PASSWORD, password="a new password").status_code == 303
        assert here.client.get("/me").status_code == 200
        assert there.client.get("/me").status_code == 303
        assert there.sign_in("ada").status_code == 401
        assert there.sign_in("ada", "a new password").status_code == 303


def test_guessing_is_slowed_down(sqlite_store):
    person(sqlite_store, "ada")
    with running(sqlite_store) as address:
        one = Browserless(address)
        for _ in range(GUESSES):
            assert one.sign_in("ada", "a wrong guess").status_code == 401
        told = one.sign_in("ada")  # even the right one waits now
        assert told.status_code == 429
        assert int(told.headers["retry-after"]) > 0
        assert one.sign_in("nobody-here", "a wrong guess").status_code == 401


def test_passwords_are_argon2id(quick_hashing):
    kept = quick_hashing.hash("correct horse battery")
    assert kept.startswith("$argon2id$")
    assert "m=65536" in kept


def test_locked_people_and_deleted_studies_are_gone_at_once(visitor, sqlite_store):
    admin, ada = person(sqlite_store, "admin", admin=True), person(sqlite_store, "ada")
    number = study(sqlite_store, "clear", report_items(1), [ada], [admin])
    with running(sqlite_store) as address:
        boss, reader = visitor(address, "admin"), visitor(address, "ada")
        boss.post(f"/admin/studies/{number}/delete")
        assert reader.client.get(f"/studies/{number}").status_code == 404
        work = assignments(sqlite_store, ada)[0].id
        assert reader.client.get(f"/work/{work}").status_code == 404
        boss.post(f"/admin/studies/{number}/delete")  # and back
        assert reader.client.get(f"/work/{work}").status_code == 200
        boss.post(f"/admin/people/{ada}/disable")
        assert reader.client.get("/me").status_code == 303
        assert reader.sign_in("ada").status_code == 401


def test_invitations_are_used_once_and_grow_old(visitor, sqlite_store):
    number = study(sqlite_store, "clear", report_items(1))
    with sqlite_store.writing() as session:
        token, old = invite(session, "reader", number), invite(session, "reader", number)
        session.flush()
        newest = session.scalar(select(Invitation).order_by(Invitation.id.desc()))
        newest.expires = ahead(-1)
    with running(sqlite_store) as address:
        assert httpx.get(f"{address}/invite/{old}").status_code == 404
        for expected in (303, 404):
            one = Browserless(address)
            csrf = one.csrf(f"/invite/{token}") or one.csrf("/login")
            data = {"csrf": csrf, "login": f"new{expected}", "password": PASSWORD}
            assert one.client.post(f"/invite/{token}", data=data).status_code == expected
    with sqlite_store.reading() as session:
        assert token not in str([row.token for row in session.scalars(select(Invitation))])


# ---- what every reply carries, and uploads
def test_every_reply_is_guarded(house):
    for path in ("/login", "/static/editor.js", "/nowhere", "/health", f"/studies/{house['study']}"):
        headers = house["people"]["admin"].client.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    page = house["people"]["admin"].client.get(f"/studies/{house['study']}").text
    assert not re.search(r"<script(?! src=)|\son\w+=|style=", page)


def test_only_known_hosts_are_answered(house):
    assert httpx.get(f"{house['address']}/login", headers={"host": "evil.example"}).status_code == 400


def test_requests_that_are_too_large_are_cut_off(visitor, sqlite_store):
    person(sqlite_store, "admin", admin=True)
    with running(sqlite_store, largest=100_000) as address:
        boss = visitor(address, "admin")
        reply = boss.client.post(
            "/admin/import", data={"csrf": boss.token}, files={"archive": b"x" * 200_000}
        )
        assert reply.status_code == 413

        def endless():
            yield from (b"x" * 10_000 for _ in range(50))

        try:
            reply = boss.client.post("/login", content=endless(), headers={"content-type": "text/plain"})
            assert reply.status_code in (400, 403, 413, 500)
        except httpx.HTTPError:
            pass  # cut off
        assert boss.client.get("/health").status_code == 200


UPLOADS = {
    "a program": ("reports.exe", b"MZ"),
    "a page": ("reports.html", b"<script>alert(1)</script>"),
    "nothing": ("reports.csv", b""),
    "no columns": ("reports.csv", b"a,b\n1,2\n"),
    "broken lines": ("reports.jsonl", b"{not json\n"),
    "broken parquet": ("reports.parquet", b"PAR1 no"),
    "twice the same id": ("reports.csv", b"id,text\n1,Clear.\n1,Clear.\n"),
}


@pytest.mark.parametrize(("name", "content"), UPLOADS.values(), ids=UPLOADS)
def test_bad_uploads_are_told_and_change_nothing(name, content, house):
    boss = house["people"]["admin"]
    reply = boss.client.post(
        "/admin/studies", data={"csrf": boss.token, "kind": "clear"}, files={"reports": (name, content)}
    )
    assert reply.status_code == 422
    assert 'role="alert"' in reply.text
    assert "/tmp" not in reply.text


def test_an_upload_makes_a_study_and_its_name_is_no_path(house):
    boss = house["people"]["admin"]
    files = {"reports": ("../../etc/evil.csv", b"id,text\n1,FINDINGS: No effusion.\n")}
    reply = boss.client.post("/admin/studies", data={"csrf": boss.token, "kind": "radsem"}, files=files)
    assert reply.status_code == 303
    assert "<h1>evil</h1>" in boss.client.get(reply.headers["location"]).text


def test_logs_hold_no_report_text(caplog, capfd, visitor, sqlite_store):
    ada = person(sqlite_store, "ada")
    study(sqlite_store, "clear", report_items(1), [ada], overlap=1)
    with running(sqlite_store) as address:
        reader = visitor(address, "ada")
        work = assignments(sqlite_store, ada)[0].id
        with sqlite_store.engine.begin() as connection:
            connection.execute(
                text("UPDATE items SET suggestion = '{\"conditions\": 5}'")
            )  # a defect of ours
        reply = reader.client.get(f"/api/work/{work}")
    assert reply.status_code == 500
    printed = caplog.text + "".join(capfd.readouterr())
    assert "Traceback" not in printed
    assert "at clear.py" in printed  # the kind and place of the defect, for whoever mends it
    assert "pleural" not in printed
    assert "pleural" not in reply.text


def test_proposals_are_audited(sqlite_store, visitor):
    ada = person(sqlite_store, "ada")
    study(sqlite_store, "clear", report_items(1), [ada], overlap=1)
    with running(sqlite_store) as address:
        reader = visitor(address, "ada")
        path = f"/api/work/{assignments(sqlite_store, ada)[0].id}/words"
        assert (
            reader.send("POST", path, {"words": "pleural effusion", "table": "findings"}).status_code == 200
        )
        assert reader.send("POST", path, {"words": "unicorn", "table": "findings"}).status_code == 422
    with sqlite_store.reading() as session:
        assert [one.form for one in session.scalars(select(Proposal))] == ["pleural effusion"]


def test_nothing_is_ever_deleted():
    """No people, studies, items, answers or audit lines; failed sign-ins are forgotten after a day."""
    from pathlib import Path

    import overread_review as package

    found = [
        path.name
        for path in Path(package.__file__).parent.rglob("*.py")
        if re.search(r"session\.delete|delete\((?!Failure)[A-Z]", path.read_text("utf-8"))
    ]
    assert found == []
