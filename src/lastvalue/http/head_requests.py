"""HEAD, wherever there is GET [RFC 9110 §9.3.2]."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAsGet:
    """Answers HEAD as it would answer GET, without the content."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._application(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                # The answer is complete, by which an endless content ends: its reader is gone.
                await send({"type": "http.response.body"})

        await self._application({**scope, "method": "GET"}, receive, send_head)
