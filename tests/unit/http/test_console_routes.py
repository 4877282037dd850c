"""The console's files over HTTP."""

import re

import httpx
import pytest

from lastvalue.http.console_routes import CONTENT_SECURITY_POLICY, console_assets

LINKED = re.findall(r'(?:href|src)="([^"]+)"', console_assets()["index.html"].decode())


@pytest.mark.parametrize("path", ["/", "/console"])
async def test_the_console_has_one_address(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(path)
    assert (answer.status_code, answer.headers["location"]) == (308, "console/")


async def test_the_page_is_asked_for_each_time_and_runs_only_files_from_here(http: httpx.AsyncClient) -> None:
    answer = await http.get("/console/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    policy = answer.headers["content-security-policy"]
    assert policy == CONTENT_SECURITY_POLICY
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_page_has_no_script_or_style_of_its_own() -> None:
    page = console_assets()["index.html"].decode()
    assert re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=", page) is None
    assert len(LINKED) == 3


@pytest.mark.parametrize("name", LINKED)
async def test_what_the_page_names_is_kept_by_browsers(http: httpx.AsyncClient, name: str) -> None:
    answer = await http.get(f"/console/{name}")
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["missing.js", "..%2fgateway.py", "%2e%2e"])
async def test_there_is_nothing_else(http: httpx.AsyncClient, name: str) -> None:
    assert (await http.get(f"/console/{name}")).status_code == 404
