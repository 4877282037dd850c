"""The part of Docker's HTTP API with which clients' tests start a broker; each container of it is ours."""

import json
import tempfile
import threading
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any, Self

import trustme
import uvicorn
from log_servers import free_ports
from served_broker import HOST, ServedBroker
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from waiting import wait_until

from lastvalue.server.users import Users

USER = PASSWORD = "guest"
LARGEST_BYTES = 64 * 1024 * 1024
PORT, TLS_PORT = "5672/tcp", "5671/tcp"


class Container:
    """A broker with one user, TLS and a store, which can be stopped and started again on its ports."""

    def __init__(self, folder: Path) -> None:
        self.ports = dict(zip((PORT, TLS_PORT), free_ports(2), strict=True))
        certificate, users = folder / "server.pem", folder / "users.toml"
        issued = trustme.CA().issue_cert("localhost", HOST)
        issued.private_key_and_cert_chain_pem.write_to_path(certificate)
        Users(users).put(USER, PASSWORD, None)
        self._running = ExitStack()
        self._arguments = (
            *("--port", str(self.ports[PORT]), "--tls-port", str(self.ports[TLS_PORT])),
            *("--tls-certificate", str(certificate), "--users-file", str(users)),
            *("--store", str(folder / "store"), "--max-message-size", str(LARGEST_BYTES)),
        )

    def start(self) -> None:
        """Start the broker, and wait until it listens."""
        self._broker = self._running.enter_context(ServedBroker(*self._arguments))
        self._broker.announced("amqps")

    def stop(self) -> None:
        """End the broker at once; nothing if it does not run."""
        self._running.close()

    def control(self, command: str) -> None:
        """Do what `rabbitmqctl` does; `stop_app` lets the broker close its connections."""
        if command == "start_app":
            self.start()
        else:
            self._broker.stop()
            self.stop()

    def described(self) -> dict[str, Any]:
        """What Docker says about it."""
        ports = {name: [{"HostIp": HOST, "HostPort": str(port)}] for name, port in self.ports.items()}
        return {"State": {"Running": True}, "NetworkSettings": {"Ports": ports}}


class ContainerEngine:
    """The containers, and the answers to requests about them; images are there without being pulled."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._containers: dict[str, Container] = {}
        self._names = count(1)

    def answer(self, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Do what a request asks for; the answer's body."""
        match [method, *path.strip("/").split("/")]:
            case ["POST", "containers", "create"]:
                return {"Id": self._create()}
            case ["POST", "containers", name, "start"]:
                self._containers[name].start()
            case ["POST", "containers", name, "kill" | "stop"]:
                self._containers[name].stop()
            case ["GET", "containers", name, "json"]:
                return self._containers[name].described()
            case ["POST", "containers", name, "exec"]:
                self._containers[name].control(body["Cmd"][1])
                return {"Id": name}
            case ["GET", "exec", _, "json"]:
                return {"Running": False, "ExitCode": 0}
        return {}

    def _create(self) -> str:
        name = f"container{next(self._names)}"
        folder = self._folder / name
        folder.mkdir()
        self._containers[name] = Container(folder)
        return name

    def stop(self) -> None:
        """End what the tests have left."""
        for container in self._containers.values():
            container.stop()


class DockerHost:
    """Serves an engine over HTTP inside its `with` block.

    Attributes:
        url: what DOCKER_HOST has to be for it.
    """

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory()
        self._engine = engine = ContainerEngine(Path(self._folder.name))

        async def answer(request: Request) -> JSONResponse:
            body = await request.body()
            asked = json.loads(body) if body else {}
            return JSONResponse(
                await run_in_threadpool(engine.answer, request.method, request.url.path, asked)
            )

        routes = [Route("/{path:path}", answer, methods=["GET", "POST", "DELETE"])]
        (port,) = free_ports(1)
        self.url = f"tcp://{HOST}:{port}"
        config = uvicorn.Config(Starlette(routes=routes), host=HOST, port=port, log_level="error")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        wait_until(lambda: self._server.started)
        return self

    def __exit__(self, *_fault: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._engine.stop()
        self._folder.cleanup()
