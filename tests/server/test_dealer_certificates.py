"""A house may require a certificate before a dealer deals a game."""

from feltlab.pit.roles import Role
from tests.support.running import open_waiting_table, refused


async def test_a_dealer_without_a_certificate_may_not_deal_where_the_house_requires_one(house):
    await open_waiting_table(house)
    ann, dealer, boss = await house.guest(), await house.as_(Role.DEALER), await house.as_(Role.SUPERVISOR)
    await ann.at("waiting", "sit", seat=1, cents=20_000)
    await ann.at("waiting", "wager", seat=1, round=1, wagers={"primary": 1000})
    certified = set()
    house.pit.books.may_deal = lambda account, game: (account, game) in certified
    before = house.state()
    refused(await dealer.at("waiting", "no-more-bets"), 403, "certificate for Casino War")
    assert house.state() == before
    name = (await dealer.get("session")).json()["account"]
    certified.add((name, "casino-war"))
    assert (await dealer.at("waiting", "no-more-bets")).json()["phase"] == "no more bets"
    certified.clear()
    assert (await boss.at("waiting", "advance")).status_code == 200  # a supervisor needs none
