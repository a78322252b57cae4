"""What a server works out before anybody asks: which questions, and in which order."""

from feltlab.games import GAMES
from feltlab.web.pages.lab.setting import Setting
from feltlab.workers.preparation import order_games, prepare_games

WAR, STUD = GAMES["casino-war"], GAMES["big-raise-stud"]


class Recorder:
    """Stands for a trainer and for a lab: writes down what is prepared."""

    def __init__(self) -> None:
        self.asked: list[tuple] = []

    async def prepare(self, asked, **question):
        self.asked.append((asked, question))

    async def prepare_daily(self, day):
        self.asked.append(day)


async def test_all_cards_come_before_the_pages_and_pages_are_asked_as_visitors_ask():
    made = Recorder()
    await prepare_games([STUD, WAR], made, made, "2026-01-02")
    assert made.asked[:3] == [(STUD, {}), (WAR, {}), "2026-01-02"]
    pages = made.asked[3:]
    for game, asked in ((STUD, pages[:5]), (WAR, pages[5:])):
        assert [kind for kind, _ in asked] == ["proof", "costs", "card", "mistakes", "rows"]
        question = Setting(game, {}).question
        assert asked[0][1] == {**question, "strategy": "optimal"}
        assert all(details == question for _, details in asked[1:])


def test_games_that_are_played_come_first():
    assert order_games([WAR, STUD], [STUD.name]) == [STUD, WAR]
    assert order_games([WAR, STUD], []) == [WAR, STUD]
