"""The matrix of roles and operations is what the documents say, for every operation."""

from tests.support.role_matrix import (
    DOCUMENT,
    NOBODY,
    OPEN_TO_ALL,
    list_operations,
    list_routes,
    render,
    sessions_of_another_house,
    try_all,
    trying,
)


def test_every_operation_is_tried_or_open_to_everyone():
    tried = {(one.method, one.path) for one in list_operations()}
    left = {route for route in list_routes() if route not in tried and not route[1].endswith(".json")}
    assert {path for _, path in left if not OPEN_TO_ALL.fullmatch(path)} == set()


async def test_each_role_may_do_exactly_what_the_page_says(tmp_path):
    async with trying(tmp_path) as tried:
        found = await try_all(tried)
    told = "docs/pit/roles.md differs; `python -m tests.support.role_matrix` writes it again."
    assert render(found) == DOCUMENT.read_text(encoding="utf-8"), told


async def test_a_member_of_another_house_is_nobody_here(tmp_path):
    async with trying(tmp_path / "house") as tried:
        before = [await tried.may(NOBODY, one) for one in list_operations()]
        state, register = tried.house.state(), tried.house.pit.approvals
        async for client in sessions_of_another_house(tried, tmp_path):
            for one, nobody in zip(list_operations(), before, strict=True):
                if one.path not in (
                    "/api/session/guest",
                    "/api/session",
                    "/api/accounts",
                    "/api/accounts/claim",
                ):
                    assert await tried.send(client, one, NOBODY) == nobody, (client.name, one)
        assert (tried.house.state(), tried.house.pit.approvals) == (state, register)
