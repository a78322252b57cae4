"""The true clients of requests that another process of the same server has forwarded."""

from starlette.types import ASGIApp, Receive, Scope, Send


class InnerAddresses:
    """Takes the client from the headers where the connection has no address: nobody else can connect so."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and scope.get("client") is None:
            scope = {**scope, **_read_client(scope)}
        await self._app(scope, receive, send)


def _read_client(scope: Scope) -> Scope:
    """The client and the scheme that the forwarding process has named."""
    named = dict(scope["headers"])
    scheme = named.get(b"x-forwarded-proto", b"http").decode("latin-1")
    if scope["type"] == "websocket":
        scheme = {"http": "ws", "https": "wss"}.get(scheme, scheme)
    return {"client": (named.get(b"x-forwarded-for", b"").decode("latin-1"), 0), "scheme": scheme}
