"""Strange requests, generated from the description of the API: none of them breaks the server."""

import asyncio
import threading
from contextlib import AsyncExitStack, suppress

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks as openapi

from feltlab.pit.roles import Role
from tests.support.running import WAR, listening, running

pytestmark = pytest.mark.slow
EXAMPLES = 4  # of each operation, in each way; a thousand and more in all, each sent by five roles
ROLES = ("nobody", Role.GUEST, Role.SUPERVISOR, Role.AUDITOR, Role.ADMINISTRATOR)
CHECKS = [
    not_a_server_error,
    openapi.status_code_conformance,
    openapi.content_type_conformance,
    openapi.response_schema_conformance,
]
KNOWN = {"name": f"{WAR}-1", "game": WAR, "number": 1}


class Background:
    """A house on a port, in a loop and thread of its own."""

    def __init__(self, folder):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.stack = AsyncExitStack()
        self.house = self.run(self.stack.enter_async_context(running(folder)))
        self.address = f"http://127.0.0.1:{self.run(self.stack.enter_async_context(listening(self.house)))}"

    def run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(600)

    def headers(self, role):
        if role == "nobody":
            return {}
        client = self.run(self.house.guest() if role is Role.GUEST else self.house.as_(role))
        return {"Authorization": f"Bearer {client.session}"}

    def close(self):
        self.run(self.stack.aclose())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


@pytest.fixture(scope="module")
def background(tmp_path_factory):
    made = Background(tmp_path_factory.mktemp("pit"))
    yield made
    made.close()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=str)
def test_no_request_breaks_the_server_or_its_description(background, mode):
    """Every role sends each request: making one up takes far longer than sending it."""
    schema = schemathesis.openapi.from_dict(background.house.app.openapi())
    session, roles = requests.Session(), [background.headers(role) for role in ROLES]
    session.trust_env = False
    for operation in schema.get_all_operations():
        for known in ({}, KNOWN):
            fuzz(background, operation.ok(), mode, known, session, roles)
    cage = background.house.pit.cage
    assert cage.issued == sum(cage.balances.values()) + cage.at_tables


def fuzz(background, operation, mode, known, session, roles):
    wanted = {name: value for name, value in known.items() if f"{{{name}}}" in operation.path}
    if known and not wanted:
        return
    strategy = operation.as_strategy(generation_mode=mode, **({"path_parameters": wanted} if wanted else {}))

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy)
    def sent(case):
        case.headers.pop("Authorization", None)
        for headers in roles:
            case.call_and_validate(background.address, session, headers, checks=CHECKS, timeout=60)

    with suppress(Unsatisfiable):  # nothing can be wrong with a request that has no parts
        sent()
