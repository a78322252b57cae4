"""The account of a progressive's money at the cage."""

ACCOUNT_PREFIX = "jackpot:"  # no name of a person contains a colon
FUNDS = "jackpot funds"  # why the cage issues money to such an account


def account_of(link: str) -> str:
    return ACCOUNT_PREFIX + link
