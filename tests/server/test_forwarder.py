"""A socket that arrives while its table changes servers waits for the next one."""

import pytest

from feltlab.server.forwarding import forwarder
from feltlab.server.forwarding.forwarder import Forwarder

SCOPE = {"type": "websocket", "path": "/api/tables/war/live", "headers": []}


class ChangingMembership:
    """A membership in whose eyes a table comes here after some looks at the leases."""

    def __init__(self, looks):
        self.looks = looks

    def is_changing_hands(self, table):
        return self.looks > 0

    def find_address(self, table):
        return ""

    async def look_soon(self):
        self.looks -= 1


async def serve(membership):
    """The looks that were left when the app was asked, and the kinds of messages that were sent."""
    asked, sent = [], []

    async def app(scope, receive, send):
        asked.append(membership.looks)

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message["type"])

    await Forwarder(app, membership, None)(dict(SCOPE), receive, send)
    return asked, sent


@pytest.fixture(autouse=True)
def _hurry(monkeypatch):
    monkeypatch.setattr(forwarder, "RETRY_SECONDS", 0.001)


async def test_a_socket_waits_until_its_table_is_here():
    assert await serve(ChangingMembership(3)) == ([0], [])


async def test_a_table_that_nobody_takes_over_is_refused_after_a_while(monkeypatch):
    monkeypatch.setattr(forwarder, "PATIENCE_SECONDS", 0.05)
    asked, sent = await serve(ChangingMembership(10**9))
    assert asked == []
    assert sent[0] == "websocket.http.response.start"
