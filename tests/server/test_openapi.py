"""The published OpenAPI is true: real answers have exactly the fields of their models."""

import types
import typing
from collections import defaultdict

import pytest
from pydantic import BaseModel

from feltlab.games import GAMES
from feltlab.pit.roles import Role
from feltlab.pit.seats import Timers
from feltlab.server.actions import ACTIONS
from feltlab.server.approval_models import ApprovalAnswer
from feltlab.server.models import (
    AccountAnswer,
    GameAnswer,
    HealthAnswer,
    LayoutAnswer,
    SeatAnswer,
    SessionAnswer,
    TableAnswer,
    TableSummary,
    TimersRequest,
)
from tests.support.running import SECRET, WAR, Client, open_waiting_table


class Fields:
    """Compares answers with models, and remembers which fields of each model were sent."""

    def __init__(self):
        self.sent = defaultdict(set)

    def check(self, model, data):
        model.model_validate(data)
        self._compare(model, data)

    def _compare(self, model, data):
        assert data.keys() <= model.model_fields.keys(), model
        required = {name for name, field in model.model_fields.items() if field.is_required()}
        assert required <= data.keys(), model
        self.sent[model] |= data.keys()
        for name, value in data.items():
            for part in models_in(model.model_fields[name].annotation):
                for item in value if isinstance(value, list) else [value]:
                    self._compare(part, item)

    def missing(self):
        return {
            model.__name__: missing
            for model, sent in self.sent.items()
            if (missing := model.model_fields.keys() - sent)
        }


def models_in(annotation):
    """The models that a field's type names, in lists and unions too."""
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        return [annotation] if issubclass(annotation, BaseModel) else []
    return [model for part in typing.get_args(annotation) for model in models_in(part)]


@pytest.fixture
def fields():
    return Fields()


def test_a_field_too_many_or_too_few_is_found(fields):
    seat = {"seat": 1, "player": "", "cards": [], "reading": "", "groups": []}
    fields.check(SeatAnswer, seat)
    assert fields.missing()["SeatAnswer"] >= {"yours", "choices"}
    with pytest.raises(AssertionError):
        fields.check(SeatAnswer, seat | {"colour": "red"})
    with pytest.raises(ValueError, match="reading"):
        fields.check(SeatAnswer, {"seat": 1, "player": "", "cards": [], "groups": []})


async def views_of_a_round(house, name, game):
    """The answers to every action of a round, and what a stranger sees after each."""
    dealer, player, stranger = await house.as_(Role.DEALER), await house.guest(), Client(house)
    table = f"tables/{name}"
    await player.at(name, "sit", seat=1, cents=50_000)
    wagers = {spot.name: 1000 for spot in game.wagers[: game.rules.GAMES_PER_HAND]}
    asked = {"wager": {"wagers": wagers}, "ready": {}}
    for act, more in asked.items():
        yield (await player.at(name, act, key=act, seat=1, round=1, **more)).json()
    yield (await player.at(name, "ready", key="ready", seat=1, round=1)).json()  # repeated
    while (view := (await player.get(table)).json())["round"] == 1:
        yield view
        yield (await stranger.get(table)).json()
        if view["phase"] == "choosing":
            (choices,) = [seat["choices"] for seat in view["seats"] if "choices" in seat]
            choice = next(one["choice"] for one in choices if not one["barred"])
            await player.at(name, "choose", seat=1, round=1, choice=choice)
        else:
            assert (await dealer.post(f"{table}/advance")).status_code == 200, view["phase"]
    yield (await player.get(table)).json()


@pytest.mark.parametrize("game", GAMES)
async def test_views_have_the_fields_of_their_model(house, fields, game):
    await open_waiting_table(house, game)
    async for view in views_of_a_round(house, "waiting", GAMES[game]):
        fields.check(TableAnswer, view)
    assert fields.missing() in (
        {},
        {"SeatAnswer": {"choices", "position"}},
    )  # a round may end without a choice


async def test_other_answers_have_the_fields_of_their_models(house, fields):
    boss, ann = await house.as_(Role.ADMINISTRATOR), Client(house)
    fields.check(SessionAnswer, (await ann.post("session/guest")).json())
    guest = await house.guest()
    fields.check(SessionAnswer, (await guest.get("session")).json())
    await guest.at(f"{WAR}-1", "sit", seat=1, cents=99_000)
    for _ in range(2):
        fields.check(SessionAnswer, (await guest.post("refill", key="r")).json())
    made = await boss.post("accounts", name="dora", password=SECRET, role="dealer")
    fields.check(AccountAnswer, made.json())
    changed = await boss.http.patch("/api/accounts/dora", json={"reset_password": True})
    fields.check(AccountAnswer, changed.json())
    for account in (await boss.get("accounts")).json():
        fields.check(AccountAnswer, account)
    for path, model in {"games": GameAnswer, "tables": TableSummary, "approvals": ApprovalAnswer}.items():
        answers = (await boss.get(path)).json()
        assert answers
        for answer in answers:
            fields.check(model, answer)
    for game in GAMES:
        fields.check(LayoutAnswer, (await guest.get(f"games/{game}")).json())
    fields.check(HealthAnswer, (await guest.get("health")).json())
    assert fields.missing() == {}


def test_a_table_is_opened_with_a_timer_for_each_phase():
    assert TimersRequest().model_dump() == vars(Timers())


async def test_every_action_has_its_request_in_the_schema(house):
    schema = (await Client(house).http.get("/openapi.json")).json()
    for name, action in ACTIONS.items():
        operation = schema["paths"][f"/api/tables/{{name}}/{name}"]["post"]
        assert operation["description"] == action.summary
        answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
        assert answer["$ref"].endswith("/StaffTableAnswer")
        if action.model.model_fields:
            body = operation["requestBody"]["content"]["application/json"]["schema"]
            assert body["$ref"].endswith(f"/{action.model.__name__}")
        else:
            assert "requestBody" not in operation
    assert (
        schema["components"]["schemas"]["TableAnswer"]["properties"].keys() == TableAnswer.model_fields.keys()
    )
