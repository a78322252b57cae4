"""No browser receives a card that its player may not see yet: frames, answers and pages of whole rounds."""

import re
from collections import Counter

import orjson
import pytest

from feltlab.core.cards import name
from feltlab.games import GAMES
from feltlab.pit.roles import Role
from feltlab.pit.seats import Phase
from feltlab.web.card_faces import card_face
from tests.server.test_leaks import check, old, seen_by
from tests.support.at_table import Mouse
from tests.support.prepared import beginning
from tests.support.running import SLOW

RANK = "two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace"
SPOKEN = re.compile(rf"(?:{RANK}) of (?:clubs|diamonds|hearts|spades)|(?<=label=.)joker")
TOKENS = re.compile(r'"(?:csrf|session)": ?"[^"]*"')  # random text, which may look like a card
ROUNDS = 2
# First cards that give both players a choice, for games in which that is left to chance.
ASKS = {"casino-war": ["9d 9h 9c"], "triple-shot-bonus": ["5h 6c 9s 7d 8d 7h"]}
STOPS = {Phase.NO_MORE_BETS, Phase.DEALING, Phase.CHOOSING, Phase.REVEAL, Phase.SETTLING, Phase.BETTING}


class Ears:
    """Everything that a player's browser receives, compared with the table at that moment."""

    def __init__(self, page, live):
        self.page, self.live, self.frames, self.answers, self.pieces = page, live, [], [], 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._frame))
        page.on("requestfinished", self._answer)

    def _frame(self, frame):
        self.frames.append(frame)

    def _answer(self, request):
        if "/static/" not in request.url:
            self.answers.append(request)

    def caught_up(self, player):
        """Wait until the browser has received the present state of the table."""
        for _ in range(500):
            if any(orjson.loads(frame).get("version") == self.live.version for frame in self.frames):
                return self._checked(player)
            self.page.wait_for_timeout(20)
        raise AssertionError("The browser does not receive the present state of the table.")

    def _checked(self, player):
        table, who = self.live.table, player.place.player
        for frame in self.frames:
            check(frame, table, who)
        for answer in self.answers:
            check_text(answer.response().text(), table, who)
        self.pieces += len(self.frames) + len(self.answers)
        self.frames.clear()
        self.answers.clear()
        for path in ("", ".json", f"/rounds/{table.round}", f"/rounds/{table.round}.json"):
            found = self.page.request.get(f"/tables/{table.name}{path}", headers={"Accept": "text/html"})
            check_text(found.text(), table, who)
        check_spoken(self.page.content(), table, who)


def check_text(text, table, who):
    plain = TOKENS.sub("", " ".join(text.split()))
    check(orjson.dumps(plain).decode(), table, who)


def check_spoken(text, table, who):
    """The cards that a page names for screen readers are known to the player."""
    if not table.spent:
        known = Counter(map(name, seen_by(table, who))) + old(table)
        assert set(SPOKEN.findall(text.lower())) <= {card_face(card)["said"] for card in known}


SMOKE = ("casino-war", "mississippi-stud")  # of the fast part: drawn cards, and a board street by street


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.slow] * (game not in SMOKE)) for game in GAMES]
)
def test_no_browser_receives_a_card_that_its_player_may_not_see(new_page, open_table, place, shuffles, game):
    shuffles.extend(beginning(game, first) for first in ASKS.get(game, ()))
    live, dealer = open_table(game, SLOW), place.do(place.house.as_(Role.DEALER))
    pages = [new_page(), new_page()]
    ears = [Ears(page, live) for page in pages]
    players = [Mouse(page, live).sit(seat) for seat, page in enumerate(pages, 1)]
    phases = set()

    def stopped():
        phases.add(live.table.phase)
        for one, player in zip(ears, players, strict=True):
            one.caught_up(player)

    for number in range(1, ROUNDS + 1):
        for player in players:
            player.wager()
        wait_for_wagers(live, pages[0])
        place.do(dealer.at(live.table.name, "no-more-bets"))
        stopped()
        while live.table.round == number:
            step(live, players, place, dealer)
            stopped()
    assert phases == STOPS
    assert all(one.pieces > 20 for one in ears)


def wait_for_wagers(live, page):
    """Wait until the table has received all chips."""
    wanted = {spot.name: 1000 for spot in live.table.game.wagers}
    for _ in range(500):
        if all(place.wagers == wanted for place in live.table.places[:2]):
            return
        page.wait_for_timeout(20)
    raise AssertionError("The wagers do not arrive.")


def step(live, players, place, dealer):
    if live.table.phase != Phase.CHOOSING:
        assert place.do(dealer.at(live.table.name, "advance")).status_code == 200
        return
    version, page = live.version, players[live.table.turn].page
    choices = page.locator("#choices button:enabled")
    choices.first.wait_for()
    choices.nth(version % choices.count()).click()
    for _ in range(500):
        if live.version > version:
            return
        page.wait_for_timeout(20)
    raise AssertionError("The choice does not arrive.")


def test_a_planted_leak_is_found(new_page, open_table, place):
    live, dealer = open_table("high-five-poker", SLOW), place.do(place.house.as_(Role.DEALER))
    pages = [new_page(), new_page()]
    players = [Mouse(page, live).sit(seat) for seat, page in enumerate(pages, 1)]
    for player in players:
        player.wager()
    wait_for_wagers(live, pages[0])
    for act in ("no-more-bets", "advance", "advance"):
        place.do(dealer.at(live.table.name, act))
    pages[0].wait_for_selector("#choices button:enabled")
    ann, bob = (player.place.player for player in players)
    check_spoken(pages[0].content(), live.table, ann)
    with pytest.raises(AssertionError):
        check_spoken(pages[0].content(), live.table, bob)
    page = pages[0].request.get(f"/tables/{live.table.name}", headers={"Accept": "text/html"}).text()
    check_text(page, live.table, ann)
    with pytest.raises(AssertionError):
        check_text(page, live.table, bob)
