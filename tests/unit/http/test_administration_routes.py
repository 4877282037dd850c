"""The store, users, the configuration, the pipeline and the log over HTTP."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from lastvalue.broker.administration.cluster_requests import Cluster, NotAllowedNowError
from lastvalue.broker.administration.log_requests import LogTail
from lastvalue.broker.administration.pipeline_requests import Pipeline, RestartRefusedError
from lastvalue.gateway.gateway_server import GatewayServer
from lastvalue.http.gateway_settings import GatewaySettings
from lastvalue.server.broker_server import BrokerServer, ServerOptions
from lastvalue.server.users import Users

ANN, BOB = httpx.BasicAuth("ann", "a"), httpx.BasicAuth("bob", "b")


class Lines(LogTail):
    """A line more whenever somebody asks."""

    def __init__(self) -> None:
        self._asked = 1

    def newest(self) -> int:
        return self._asked

    def lines(self, after: int, level: str, event: str) -> list[dict[str, Any]]:
        self._asked += 1
        return [
            {"number": each, "level": level, "event": event} for each in range(after + 1, self._asked + 1)
        ]


class OnePart(Pipeline):
    def state(self) -> dict[str, Any]:
        return {"state": "running", "parts": [{"name": "feed", "from": ["csv"], "to": ["q"]}]}

    def restart(self, name: str) -> None:
        if name != "feed":
            raise RestartRefusedError(f"no part {name!r}")


class OneFollower(Cluster):
    """A leader, which has handed over once it was asked to."""

    def __init__(self) -> None:
        self.handed_over: list[bool] = []

    def state(self) -> dict[str, Any]:
        follower = {"address": "two:5672", "process": "b", "records_unsent": 3}
        return {"role": "leader", "term": 4, "leader": "one:5672", "followers": [follower]}

    def step_down(self, *, alone: bool) -> None:
        if self.handed_over:
            raise NotAllowedNowError("this broker follows another one; two:5672 leads")
        self.handed_over.append(alone)


@pytest.fixture(scope="module")
def users_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file of users, written once: a password takes 50 ms."""
    users = Users(tmp_path_factory.mktemp("users") / "users.toml")
    users.put("ann", "a", ("all *", "all $*"))
    users.put("bob", "b", ("browse prices",))
    return users.path.read_text()


@pytest.fixture
async def http(users_text: str, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A gateway before a broker with a store, users, a configuration, a pipeline and a log."""
    users_file = tmp_path / "users.toml"
    users_file.write_text(users_text)
    config = tmp_path / "lastvalue.toml"
    config.write_text('[[queue]]\nname = "prices"\n')
    options = ServerOptions(
        port=0, users_file=users_file, anonymous=False, store=tmp_path / "store", snapshots=tmp_path
    )
    async with BrokerServer(options) as server:
        server.serve_configuration(config)
        server.broker.pipeline = OnePart()
        server.broker.log = Lines()
        server.broker.cluster = OneFollower()
        gateway = GatewayServer(GatewaySettings(url=f"amqp://127.0.0.1:{server.port}", port=0))
        serving = asyncio.create_task(gateway.serve())
        # Without the certificates of the system, which take 30 ms to read and are not needed.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        async with httpx.AsyncClient(base_url=gateway.url, auth=ANN, timeout=120, verify=context) as client:
            yield client
        gateway.stop()
        await serving


async def test_the_store_is_shown_and_a_snapshot_begun(http: httpx.AsyncClient, tmp_path: Path) -> None:
    await http.put("/queues/kept", json={"durable": True})
    shown = (await http.get("/store")).json()
    assert [segment["number"] for segment in shown["segments"]] == [1]
    assert shown["statistics"]["store_segments"] == 1
    assert shown["snapshot"] == {"state": "none"}
    begun = await http.post("/store/snapshots", json={"directory": str(tmp_path / "copy")})
    assert (begun.status_code, begun.json()["state"]) == (202, "running")


async def test_a_cluster_is_shown_and_handed_over(http: httpx.AsyncClient) -> None:
    shown = (await http.get("/cluster")).json()
    assert [shown[each] for each in ("role", "term", "leader")] == ["leader", 4, "one:5672"]
    assert shown["followers"] == [{"address": "two:5672", "process": "b", "records_unsent": 3}]
    assert (await http.post("/cluster/step-down", json={"alone": "x"})).status_code == 422
    assert (await http.post("/cluster/step-down", json={"alone": False})).status_code == 202
    refused = await http.post("/cluster/step-down", json={})
    assert (refused.status_code, refused.json()["detail"]) == (
        409,
        "this broker follows another one; two:5672 leads",
    )


async def test_a_broker_without_a_log_to_share_says_so(served: httpx.AsyncClient) -> None:
    for method, path in (("GET", "/cluster"), ("POST", "/cluster/step-down")):
        refused = await served.request(method, path)
        assert (refused.status_code, "shares no log" in refused.json()["detail"]) == (409, True)


async def test_rights_are_explained(http: httpx.AsyncClient) -> None:
    listed = (await http.get("/users")).json()
    assert listed["users"][1] == {"user": "bob", "rules": ["browse prices"]}
    asked = (await http.get("/rights", params={"user": "bob", "name": "prices"})).json()
    lacks = {each["verb"]: each["lacks"] for each in asked["verbs"]}
    assert (lacks["browse"], lacks["publish"]) == ("", "write 'prices'")
    own = (await http.get("/rights", params={"name": "prices"}, auth=BOB)).json()
    assert own["user"] == "bob"


async def test_users_are_made_changed_and_removed(http: httpx.AsyncClient, tmp_path: Path) -> None:
    path, eve = "/users/eve", httpx.BasicAuth("eve", "e")
    assert (await http.put(path, json={"password": "e", "rules": ["browse prices"]})).status_code == 201
    assert (await http.get("/session", auth=eve)).json()["user"] == "eve"
    assert (await http.put(path, json={"rules": ["read *"]})).status_code == 204
    assert (await http.put(path, json={"password": "f"})).status_code == 204
    users = Users(tmp_path / "users.toml")
    users.load()
    assert (users.check("eve", "f"), users.rules()["eve"]) == (True, ("read *",))
    assert (await http.delete(path)).status_code == 204
    assert (await http.delete(path)).status_code == 404


async def test_a_configuration_is_shown(http: httpx.AsyncClient, tmp_path: Path) -> None:
    shown = (await http.get("/configuration")).json()
    assert shown["file"] == str(tmp_path / "lastvalue.toml")
    assert shown["tables"] == {"queue": [{"name": "prices"}]}
    assert {"name": "anonymous", "value": "false", "from": "start"} in shown["settings"]


async def test_without_a_file_the_settings_alone_are_shown(served: httpx.AsyncClient) -> None:
    shown = (await served.get("/configuration")).json()
    assert (shown["file"], shown["hash"], shown["tables"]) == ("", "", {})
    origins = {each["name"]: each["from"] for each in shown["settings"]}
    assert (origins["port"], origins["max_message_size"]) == ("start", "default")
    refused = await served.post("/configuration", json={})
    assert (refused.status_code, "no configuration file" in refused.json()["detail"]) == (409, True)


async def test_a_configuration_is_compared_and_applied(http: httpx.AsyncClient) -> None:
    dry = (await http.post("/configuration", json={"dry_run": True})).json()["changes"]
    assert [(each["verdict"], each["done"]) for each in dry] == [("add", False)]
    assert (await http.get("/queues/prices")).status_code == 404
    done = (await http.post("/configuration", json={})).json()["changes"]
    assert [(each["line"], each["done"]) for each in done] == [("add queue 'prices'", True)]
    assert (await http.get("/queues/prices")).status_code == 200


async def test_a_pipeline_is_shown_and_a_part_begins_again(http: httpx.AsyncClient) -> None:
    assert (await http.get("/pipeline")).json()["parts"][0]["name"] == "feed"
    assert (await http.post("/pipeline/feed/restart")).status_code == 202
    refused = await http.post("/pipeline/other/restart")
    assert (refused.status_code, refused.json()["detail"]) == (409, "no part 'other'")


async def test_the_log_is_read_and_followed(http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastvalue.http.administration_routes.FOLLOW_S", 0.01)
    page = (await http.get("/log", params={"level": "error", "event": "audit"})).json()
    assert (page["lines"][0]["level"], page["lines"][0]["event"]) == ("error", "audit")
    numbers = []
    async with http.stream("GET", "/log/follow", params={"after": 1}) as answer:
        async for text in answer.aiter_lines():
            if text.startswith("data: "):
                numbers.append(json.loads(text.removeprefix("data: "))["number"])
            if len(numbers) == 3:
                break
    assert numbers == [2, 3, 4]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/store", None),
        ("POST", "/store/snapshots", {"directory": "/x"}),
        ("GET", "/cluster", None),
        ("POST", "/cluster/step-down", {}),
        ("GET", "/users", None),
        ("PUT", "/users/bob", {"rules": ["all *"]}),
        ("DELETE", "/users/ann", None),
        ("GET", "/rights?user=ann&name=q", None),
        ("POST", "/configuration", {"dry_run": True}),
        ("GET", "/pipeline", None),
        ("POST", "/pipeline/feed/restart", None),
        ("GET", "/log", None),
        ("GET", "/log/follow", None),
        ("POST", "/exchanges/amq.topic/route", {"key": "a"}),
    ],
)
async def test_who_lacks_the_right_is_refused(
    http: httpx.AsyncClient, method: str, path: str, body: dict[str, Any] | None
) -> None:
    refused = await http.request(method, path, json=body, auth=BOB)
    assert (refused.status_code, refused.json()["condition"]) == (403, "amqp:unauthorized-access")


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "fault"),
    [
        ("GET", "/log?level=loud", None, 422, "one of debug"),
        ("GET", "/log?after=-1", None, 422, "after"),
        ("GET", "/log/follow?level=loud", None, 422, "one of debug"),
        ("POST", "/configuration", {"dryrun": True}, 422, "dryrun"),
        ("PUT", "/users/eve", {"password": "e"}, 422, "rules"),
        ("PUT", "/users/eve", {"password": "e", "rules": ["reed x"]}, 422, "rules"),
        ("PUT", "/users/eve", {"pasword": "e"}, 422, "pasword"),
        ("PUT", "/users/eve", {}, 422, "rules"),
        ("PUT", "/users/eve", {"password": "\x00", "rules": []}, 422, "password"),
        ("POST", "/store/snapshots", {}, 422, "directory"),
        ("POST", "/store/snapshots", {"directory": "relative"}, 409, "begins with /"),
        ("POST", "/exchanges/amq.topic/route", {"key": 5}, 422, "key"),
        ("POST", "/exchanges/nosuch/route", {}, 404, "nosuch"),
    ],
)
async def test_what_is_wrong_is_named(
    http: httpx.AsyncClient, method: str, path: str, body: dict[str, Any] | None, status: int, fault: str
) -> None:
    refused = await http.request(method, path, json=body)
    assert refused.status_code == status
    assert fault in refused.json()["detail"]


async def test_where_a_message_would_go_is_explained(http: httpx.AsyncClient) -> None:
    await http.put("/queues/q", json={})
    binding = {"destination": "q", "key": "a.*"}
    assert (await http.post("/exchanges/amq.topic/bindings", json=binding)).status_code == 204
    told = (await http.post("/exchanges/amq.topic/route", json={"key": "a.b", "properties": {"x": 1}})).json()
    assert told["queues"] == ["q"]
    assert told["bindings"][0]["reason"] == "its pattern fits the routing key"
    missed = (await http.post("/exchanges/amq.topic/route", json={"key": "b"})).json()
    assert (missed["queues"], missed["bindings"][-1]["to"]) == ([], "nothing")
    assert (await http.get("/queues/q")).json()["published"] == 0
