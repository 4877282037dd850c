"""The web console: /console/, pages that read and change what the other resources are.

Its files are built from `console/` and come with the package. A file whose name contains the hash of its
content is kept by browsers; the page that names it is asked for each time.
"""

import mimetypes
import re
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from typing import Final

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from lastvalue.http.problems import Problem

PAGE: Final = "index.html"
CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
_HASHED: Final = re.compile(r"-[0-9a-f]{12}\.\w+$")

console_routes = APIRouter(include_in_schema=False)


@console_routes.get("/")
@console_routes.get("/console")
async def lead_to_console() -> RedirectResponse:
    """Lead to the console, whose links are relative."""
    return RedirectResponse("console/", HTTPStatus.PERMANENT_REDIRECT)


@console_routes.get("/console/")
@console_routes.get("/console/{name}")
async def show_console(name: str = PAGE) -> Response:
    """A file of the console."""
    content = console_assets().get(name)
    if content is None:
        raise Problem(HTTPStatus.NOT_FOUND, f"the console has no file {name!r:.80}")
    kept = "public, max-age=31536000, immutable" if _HASHED.search(name) else "no-cache"
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    headers = {"Content-Security-Policy": CONTENT_SECURITY_POLICY, "Cache-Control": kept}
    return Response(content, headers=headers, media_type=media_type)


@cache
def console_assets() -> Mapping[str, bytes]:
    """The files of the console by their names."""
    folder = files("lastvalue.http") / "console_assets"
    return {each.name: each.read_bytes() for each in folder.iterdir()}
