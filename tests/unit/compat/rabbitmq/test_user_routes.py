"""Users and permissions by RabbitMQ's management API."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from lastvalue.server.users import Users

BOB = httpx.BasicAuth("bob", "b")
EVE = httpx.BasicAuth("eve", "geheim ✓")
PERMISSION = "/api/permissions/%2F"
ALL = {"configure": ".*", "write": ".*", "read": ".*"}


def opened(path: Path) -> Users:
    users = Users(path)
    users.load()
    return users


def in_file(path: Path) -> dict[str, tuple[str, ...]]:
    return opened(path).rules()


async def test_a_user_is_made_permitted_and_removed(admin: httpx.AsyncClient, users_file: Path) -> None:
    made = await admin.put("/api/users/eve", json={"password": "geheim ✓", "tags": "monitoring"})
    assert made.status_code == 201
    shown = (await admin.get("/api/users/eve")).json()
    assert (shown["name"], shown["tags"], shown["password_hash"]) == ("eve", ["monitoring"], "")
    assert [each["name"] for each in (await admin.get("/api/users/without-permissions")).json()] == [
        "bob",
        "eve",
    ]
    assert (await admin.get("/api/users/eve/permissions")).json() == []
    assert (await admin.get(f"{PERMISSION}/eve")).status_code == 404
    # One who is new may do nothing on any name.
    assert (await admin.put("/api/queues/%2F/q", json={})).status_code == 201
    assert (await admin.get("/api/queues", auth=EVE)).json() == []
    given = {"configure": "^$", "write": "^(q|a\\..*)$", "read": ".*"}
    assert (await admin.put(f"{PERMISSION}/eve", json=given)).status_code == 201
    assert (await admin.put(f"{PERMISSION}/eve", json=given)).status_code == 204
    shown = (await admin.get(f"{PERMISSION}/eve")).json()
    assert shown == {
        "user": "eve",
        "vhost": "/",
        "configure": "",
        "write": "^(a\\..*|q)$",
        "read": ".*",
    }
    assert in_file(users_file)["eve"] == (
        "administer $broker",
        "write q",
        "write a.*",
        "read,browse,manage *",
    )
    assert (await admin.delete(f"{PERMISSION}/eve")).status_code == 204
    assert in_file(users_file)["eve"] == ("administer $broker",)
    assert (await admin.delete("/api/users/eve")).status_code == 204
    assert (await admin.get("/api/users/eve")).status_code == 404
    assert (await admin.delete("/api/users/eve")).status_code == 404


async def test_a_password_changes_and_rules_without_a_word_there_stay(
    admin: httpx.AsyncClient, users_file: Path
) -> None:
    assert (await admin.put("/api/users/bob", json={"password": "new", "tags": []})).status_code == 204
    assert (await admin.get("/api/whoami", auth=BOB)).status_code == 401
    assert (await admin.get("/api/whoami", auth=httpx.BasicAuth("bob", "new"))).status_code == 200
    assert in_file(users_file)["bob"] == ("browse prices", "administer $connections")
    assert (await admin.put("/api/users/ann", json={"tags": "administrator"})).status_code == 204
    assert in_file(users_file)["ann"] == ("all *", "all $*")
    promoted = {"password_hash": "", "tags": ["administrator"]}
    assert (await admin.put("/api/users/bob", json=promoted)).status_code == 204
    assert in_file(users_file)["bob"] == ("browse prices", "administer $connections", "administer $*")
    assert not opened(users_file).check("bob", "new")


async def test_who_may_do_everything_is_an_administrator_with_all_permissions(
    admin: httpx.AsyncClient,
) -> None:
    shown = (await admin.get("/api/users/ann/permissions")).json()
    assert shown == [{"user": "ann", "vhost": "/", **ALL}]
    for path in ("/api/permissions", "/api/vhosts/%2F/permissions"):
        assert (await admin.get(path)).json() == shown
    tags = {each["name"]: each["tags"] for each in (await admin.get("/api/users")).json()}
    assert tags == {"ann": ["administrator"], "bob": []}


async def test_several_users_are_removed_at_once(admin: httpx.AsyncClient, users_file: Path) -> None:
    for name in ("u1", "u2"):
        await admin.put(f"/api/users/{name}", json={"password": "x", "tags": ""})
    removed = await admin.post("/api/users/bulk-delete", json={"users": ["u1", "nobody", "u2"]})
    assert removed.status_code == 204
    assert sorted(in_file(users_file)) == ["ann", "bob"]


async def test_permissions_on_another_name_of_the_host_give_nobody_more(
    admin: httpx.AsyncClient, users_file: Path
) -> None:
    assert (await admin.put("/api/permissions/prod/ann", json=ALL)).status_code == 204
    refused = await admin.put("/api/permissions/prod/bob", json=ALL)
    assert (refused.status_code, "one virtual host" in refused.json()["detail"]) == (400, True)
    assert (await admin.delete("/api/permissions/prod/ann")).status_code == 400
    assert in_file(users_file) == {
        "ann": ("all *", "all $*"),
        "bob": ("browse prices", "administer $connections"),
    }


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "field"),
    [
        ("PUT", "/api/users/eve", {"password": ""}, 400, "password"),
        ("PUT", "/api/users/eve", {"password": "\x00"}, 400, "password"),
        ("PUT", "/api/users/eve", {"password": 5}, 400, "password"),
        (
            "PUT",
            "/api/users/eve",
            {"password_hash": "kI3GCqW5JLMJ"},
            400,
            "SCRAM",
        ),
        ("PUT", "/api/users/eve", {"password": "x", "tags": "policymaker"}, 400, "policymaker"),
        ("PUT", "/api/users/%20eve", {"password": "x", "tags": ""}, 400, "not a user name"),
        ("PUT", f"{PERMISSION}/bob", {"configure": "a.b", "write": "", "read": ""}, 400, "configure"),
        ("PUT", f"{PERMISSION}/bob", {"write": "", "read": ""}, 400, "configure"),
        ("PUT", f"{PERMISSION}/nobody", ALL, 404, "nobody"),
        ("POST", "/api/users/bulk-delete", {"user": ["ann"]}, 400, "user"),
    ],
)
async def test_what_is_wrong_is_named_and_changes_nothing(
    admin: httpx.AsyncClient,
    users_file: Path,
    method: str,
    path: str,
    body: dict[str, Any],
    status: int,
    field: str,
) -> None:
    before = in_file(users_file)
    refused = await admin.request(method, path, json=body)
    assert (refused.status_code, field in refused.json()["detail"]) == (status, True), refused.text
    assert in_file(users_file) == before


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/users", None),
        ("GET", "/api/users/bob", None),
        ("PUT", "/api/users/bob", {"password": "x", "tags": "administrator"}),
        ("DELETE", "/api/users/ann", None),
        ("POST", "/api/users/bulk-delete", {"users": ["ann"]}),
        ("GET", "/api/permissions", None),
        ("PUT", f"{PERMISSION}/bob", ALL),
        ("DELETE", f"{PERMISSION}/ann", None),
        ("POST", "/api/definitions", {"users": [{"name": "bob", "tags": "administrator"}]}),
    ],
)
async def test_who_may_not_administer_permissions_neither_sees_nor_changes_users(
    admin: httpx.AsyncClient, users_file: Path, method: str, path: str, body: dict[str, Any] | None
) -> None:
    before = in_file(users_file)
    refused = await admin.request(method, path, json=body, auth=BOB)
    assert (refused.status_code, "$permissions" in refused.json()["detail"]) == (401, True)
    assert in_file(users_file) == before


async def test_without_a_users_file_there_are_no_users(http: httpx.AsyncClient) -> None:
    assert (await http.get("/api/users")).json() == []
    refused = await http.put("/api/users/eve", json={"password": "x", "tags": ""})
    assert (refused.status_code, "--users-file" in refused.json()["detail"]) == (400, True)
