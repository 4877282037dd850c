"""The session of a browser as a resource: /session."""

import time
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator
from starlette.requests import Request
from starlette.responses import Response

from lastvalue.http.broker_access import CSRF_HEADER, BrokerAccess, access_of, address_of
from lastvalue.http.caller import Caller
from lastvalue.http.problems import Problem
from lastvalue.http.sessions import LIFETIME_S, Session
from lastvalue.protocols.scram_credential import prepared_password

session_routes = APIRouter(prefix="/session", tags=["session"])


class Credentials(BaseModel):
    """A user and a password of the broker, or a token."""

    model_config = ConfigDict(extra="forbid")

    user: str | None = Field(None, min_length=1, max_length=255)
    password: SecretStr = Field(SecretStr(""), max_length=1024)
    token: SecretStr | None = Field(None, min_length=1, max_length=65_536)

    @model_validator(mode="after")
    def _one_of_both(self) -> "Credentials":
        if (self.user is None) == (self.token is None):
            raise ValueError("a session needs either user and password, or a token")
        return self


@session_routes.post("", status_code=HTTPStatus.CREATED)
async def log_in(request: Request, response: Response, credentials: Credentials) -> dict[str, Any]:
    """Begin a session with a user and a password, or a token; the answer sets its cookie."""
    access = access_of(request)
    token = credentials.token
    caller = Caller(
        credentials.user,
        prepared_password(credentials.password.get_secret_value()),
        None if token is None else token.get_secret_value(),
        address=address_of(request),
    )
    secret, session = await access.sessions.begin(caller)
    _set_cookie(response, access, secret, round(LIFETIME_S))
    return _document(session)


@session_routes.get("")
async def show_session(request: Request) -> dict[str, Any]:
    """Who the caller is, and its session; without credentials `user` is null where the broker serves that."""
    access = access_of(request)
    session = access.session_of(request)
    if session is not None:
        return _document(session)
    caller = access.identify(request)
    async with access.connections.use(caller):
        user = access.connections.user_of(caller)
        return {"user": user, "csrf_token": None, "csrf_header": CSRF_HEADER, "expires_in_s": None}


@session_routes.delete("", status_code=HTTPStatus.NO_CONTENT)
async def log_out(request: Request, response: Response) -> None:
    """End the session; its cookie is worth nothing from then on."""
    access = access_of(request)
    access.identify(request)
    session = access.session_of(request)
    if session is None:
        raise Problem(HTTPStatus.NOT_FOUND, "the request has no session that could end")
    await access.sessions.end(session)
    _set_cookie(response, access, "", 0)


def _document(session: Session) -> dict[str, Any]:
    return {
        "user": session.caller.user,
        "csrf_token": session.csrf_token,
        "csrf_header": CSRF_HEADER,
        "expires_in_s": max(0, round(session.ends_s - time.monotonic())),
    }


def _set_cookie(response: Response, access: BrokerAccess, secret: str, age_s: int) -> None:
    response.set_cookie(
        access.settings.session_cookie,
        secret,
        max_age=age_s,
        path="/",
        secure=access.settings.is_secure,
        httponly=True,
        samesite="strict",
    )
