"""No client is sent a card that it may not see yet: every byte of whole rounds is searched.

Two players, a spectator, a dealer and an auditor watch a table that stops in every phase. What each of them
is sent, by WebSocket and by every address that can be read, is held against the cards that are hidden from it
at that moment.
"""

import asyncio
import re
from collections import Counter

import orjson
import pytest

from feltlab.core.cards import Cards, name
from feltlab.games import GAMES
from feltlab.pit.roles import Role
from feltlab.pit.seats import Phase
from feltlab.pit.view import view
from tests.support.running import Client, House, listening, open_waiting_table, running, watching

NAME = "waiting"
CARD = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs]|10[cdhs]|Jk)(?![A-Za-z0-9])")
PATHS = ("tables", f"tables/{NAME}", f"tables/{NAME}/rounds", f"tables/{NAME}/rounds/1", "games", "session")
STAFF = ("events", "ledger/heads", f"tables/{NAME}/meters", "slips", "approvals")
OFTEN = 100
OPEN = (Phase.REVEAL, Phase.SETTLING)


LINK = re.compile(r'position\\*": *\\*"(.*?)\\*"')  # also in JSON within HTML within JSON
TOKEN = re.compile(r'"csrf": *"[^"]*"')  # random letters, which name a card now and then


def hidden(table, player):
    """Cards that this player may not see now, by the rules alone and not by the view."""
    order = Counter(table.shuffle.order[table.start :])
    return order - seen_by(table, player)


def seen_by(table, player):
    if table.deal is None or table.phase in (Phase.NO_MORE_BETS, Phase.CLOSED, Phase.BETTING):
        return Counter()
    own = table.game.own_places  # what lies open for one seat lies open for all
    shared = {pair for round in table.deal.rounds for pair in enumerate(round.seen[own:])}
    found = Counter(card for _, card in shared if card >= 0)
    for n, seat in enumerate(table.playing):
        if table.places[seat].player == player or table.phase in OPEN:
            found += Counter(card for card in table.deal.rounds[n].view.player if card >= 0)
    return found


def shown(text):
    """The cards that a text names, anywhere in it; the link to a decision may name them a second time."""
    text = TOKEN.sub("", text)
    named = Counter(CARD.findall(LINK.sub("", text)))
    return named + Counter(set(CARD.findall(" ".join(LINK.findall(text)))) - set(named))


def numbers(data):
    """Every list of numbers in some data, however deep, but for the places of cards in a hand."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from numbers(value) if not key.endswith("groups") else ()
    elif isinstance(data, list):
        if len(data) >= 3 and all(type(value) is int for value in data):
            yield data
        for value in data:
            yield from numbers(value)


def check(text, table, player):
    """Nothing hidden is in a text: no card by name, no order as numbers, no salt."""
    assert table.shuffle.salt not in text or table.spent
    data = orjson.loads(text)
    if isinstance(data, dict) and data.get("phase", "choosing") != "choosing":
        assert data["turn"] is None, "who will be asked tells of cards to come"
    for given in numbers(data):
        assert not contained(given, list(table.shuffle.order)), "numbers in the order of the shuffle"
    assert str(Cards(table.shuffle.order[table.start : table.start + 4])) not in text or table.spent
    over = isinstance(data, dict) and data.get("shuffle", table.shuffle.name) != table.shuffle.name
    if not table.spent and not over:  # a round of an earlier shuffle may be shown with every card
        named, known = shown(text), seen_names(table, player) + old(table)
        assert not named - known, f"{named - known} in {text}"


def seen_names(table, player):
    """The names of seen cards. A card of which the deck has only one may be named often, as by a reason."""
    copies = Counter(table.game.deck.cards)
    seen = seen_by(table, player).items()
    return Counter({name(card): count if copies[card] > 1 else OFTEN for card, count in seen})


def old(table):
    """Cards of rounds that are over, which anyone may know; a card of a round is named a few times."""
    gone = Counter(map(name, table.shuffle.order[: table.start]))
    if table.last_deal:
        gone += Counter(name(card) for _, card in table.last_deal.dealt)
    return Counter(dict.fromkeys(gone, OFTEN))


def contained(part, whole):
    return any(whole[at : at + len(part)] == part for at in range(len(whole)))


class Watcher:
    """A client on a socket, each message of which is checked when it comes."""

    def __init__(self, house: House, client: Client, web) -> None:
        self.house, self.client, self.web, self.messages = house, client, web, 0

    async def caught_up(self):
        """Read until the view of the table as it is now has come, and check all of it."""
        live = self.house.pit.tables[NAME]
        while True:
            text = await asyncio.wait_for(self.web.recv(), 60)
            self.messages += 1
            check(text, live.table, self.client.name)
            if orjson.loads(text).get("version") == live.version:
                return


async def read_all(house, client):
    """Every address that can be read, checked against the table as it is now."""
    table = house.pit.tables[NAME].table
    for path in PATHS + (STAFF if client.name.startswith("the-") else ()):
        found = await client.get(path)
        check(found.text, table, client.name)


@pytest.mark.parametrize("game", GAMES)
async def test_no_client_is_sent_a_card_that_it_may_not_see(tmp_path, game):
    async with running(tmp_path) as house, listening(house) as port:
        live = await open_waiting_table(house, game)
        players = [await house.guest(), await house.guest()]
        others = [await house.guest(), await house.as_(Role.DEALER), await house.as_(Role.AUDITOR)]
        sockets = [await watching(port, NAME, client.session) for client in players + others]
        watchers = [Watcher(house, *pair) for pair in zip(players + others, sockets, strict=True)]
        for seat, player in enumerate(players, 1):
            await player.at(NAME, "sit", seat=seat, cents=50_000)
        phases = Counter()
        for _ in range(4):
            await play_round(house, live, players, others[1], watchers, phases)
        assert {Phase.NO_MORE_BETS, Phase.DEALING, Phase.REVEAL, Phase.SETTLING, Phase.BETTING} <= set(phases)
        assert all(watcher.messages > 20 for watcher in watchers)
        for web in sockets:
            await web.close()


async def play_round(house, live, players, dealer, watchers, phases):
    game, round = live.table.game, live.table.round
    wagers = {spot.name: 1000 for spot in game.wagers[: game.rules.GAMES_PER_HAND]}

    async def stopped():
        phases[live.table.phase] += 1
        await asyncio.gather(*(watcher.caught_up() for watcher in watchers))
        await asyncio.gather(*(read_all(house, watcher.client) for watcher in watchers))

    for seat, player in enumerate(players, 1):
        await player.at(NAME, "wager", seat=seat, round=round, wagers=wagers)
    await dealer.at(NAME, "no-more-bets")
    await stopped()
    while live.table.round == round:
        if live.table.phase == Phase.CHOOSING:
            await choose(live, players)
        else:
            assert (await dealer.at(NAME, "advance")).status_code == 200
        await stopped()


async def choose(live, players):
    """Any choice that can be paid, another one each time."""
    table = live.table
    open_ = [one for one in table.rounds[table.turn].choices if not table.why_barred(table.turn, one)]
    choice = open_[live.version % len(open_)]
    found = await players[table.turn].at(
        NAME, "choose", seat=table.turn + 1, round=table.round, choice=choice
    )
    assert found.status_code == 200, found.text


# -- The search itself ------------------------------------------------------------------------------


def test_the_search_finds_cards_however_they_are_written():
    assert shown('{"a":["As","##"],"b":"1:Td dealer:Jk"}') == Counter({"As": 1, "Td": 1, "Jk": 1})
    assert shown('{"deck":"As it is, the Ace; 2 cards, 3dec"}') == Counter({"As": 1})
    assert list(numbers({"a": {"b": [1, 2, 3]}, "c": [[4, 5, 6]]})) == [[1, 2, 3], [4, 5, 6]]


async def test_a_card_that_leaks_would_be_found(tmp_path):
    """The view of the other player, sent to the wrong client, fails the search."""
    async with running(tmp_path) as house:
        live = await open_waiting_table(house, "high-five-poker")
        ann, bob, dealer = await house.guest(), await house.guest(), await house.as_(Role.DEALER)
        for seat, player in enumerate((ann, bob), 1):
            await player.at(NAME, "sit", seat=seat, cents=50_000)
            await player.at(NAME, "wager", seat=seat, round=1, wagers={"ante": 1000})
        for act in ("no-more-bets", "advance", "advance"):
            await dealer.at(NAME, act)
        table = live.table
        assert len(hidden(table, ann.name)) > 40
        check(orjson.dumps(view(table, ann.name)).decode(), table, ann.name)
        for leak in (
            view(table, bob.name),
            list(table.shuffle.order)[3:9],
            {"salt": table.shuffle.salt},
            {"rest": str(Cards(table.shuffle.order[-3:]))},
            {"next": name(table.deal.rest[0])},
        ):
            with pytest.raises(AssertionError):
                check(orjson.dumps(leak).decode(), table, ann.name)
