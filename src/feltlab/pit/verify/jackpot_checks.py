"""Checks of progressives: meters follow rules, claims follow cards, money moves at both ends."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from feltlab.errors import Refused
from feltlab.ledger.event import JACKPOT_CHAIN, Event
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.vault import Vault
from feltlab.pit.jackpots.account import FUNDS
from feltlab.pit.jackpots.book import JackpotBook
from feltlab.pit.jackpots.link import Commitment, Link
from feltlab.pit.jackpots.side import find_claims
from feltlab.pit.jackpots.triggers import Trigger, vault_name
from feltlab.pit.replay import Replay
from feltlab.text import dollars

RoundKey = tuple[str, int]  # table and round
Move = tuple[str, str, int]  # from and to which account, cents; money from nowhere is issued


class JackpotFollower:
    """Follows all links, and compares them with the tables, the cards and the cage."""

    def __init__(self) -> None:
        self.book = JackpotBook()
        self._bets: dict[RoundKey, list[Event]] = {}  # locked at tables, until their round is replayed
        self._won: dict[tuple[str, int, str], list[tuple[int, str]]] = {}  # by table, round and link
        self._replayed: list[tuple[Replay, int]] = []  # with the number of the event that ended the round
        self._moves: Counter[Move] = Counter()  # due in the cage in this moment, less those that it recorded
        self._unfed: Counter[tuple[str, int, str, int]] = Counter()  # table, round, link, seat

    def follow(self, event: Event) -> Iterator[str]:
        """Follow an event of the links, and yield what is wrong with it."""
        try:
            self.book = self.book.after(event)
        except Refused as refused:
            yield str(refused)
            self.book = replace(self.book, number=event.number)
        self._moves.update(self._due_moves(event))
        data = event.data
        if event.kind in ("fed", "must-hit"):
            self._unfed.subtract((data["table"], data["round"], data["link"], seat) for seat in data["seats"])
        if event.kind == "won":
            claims = [(seat, level) for seat, level in data["claims"]]
            self._won[data["table"], data["round"], data["link"]] = claims

    def _due_moves(self, event: Event) -> Iterator[Move]:
        """The moves of money that an event of a link needs in the cage."""
        data = event.data
        link = self.book.links.get(data.get("link", ""))
        account = link.account if link else ""
        if event.kind in ("link-opened", "funded"):
            yield "", account, data["cents"]
        elif event.kind == "must-hit":
            yield from ((account, hit["player"], hit["cents"]) for hit in data["hits"] if not hit["claim"])
        elif event.kind == "won":
            yield from ((account, player, sum(cents)) for _, player, _, *cents in data["paid"])
        elif event.kind == "claim-paid":
            yield account, data["player"], data["cents"]
        elif event.kind == "bets-returned":
            key = (data["table"], data["round"])
            bets = self._bets.pop(key, [])
            if rest := [bet for bet in bets if bet.data["link"] != data["link"]]:
                self._bets[key] = rest
            mine = (bet.data for bet in bets if bet not in rest)
            yield from ((account, bet["bettor"], bet["cents"]) for bet in mine)

    def follow_cage(self, event: Event) -> None:
        """Match a payment of the cage, or money that it issued to a link."""
        data = event.data
        if event.kind == "jackpot-paid":
            self._moves.subtract([(data["account"], data["to"], data["cents"])])
        elif event.kind == "issued" and data["why"] == FUNDS:
            self._moves.subtract([("", data["account"], data["cents"])])

    def follow_bet(self, event: Event) -> None:
        """Note a bet that a table locked."""
        self._bets.setdefault((event.chain, event.round), []).append(event)
        self._unfed[event.chain, event.round, event.data["link"], event.data["seat"]] += 1

    @property
    def is_waiting(self) -> bool:
        """Whether something is to be compared at the end of the transaction."""
        return bool(self._replayed or self._unfed or self._moves)

    def end_moment(self) -> Iterator[tuple[str, int, str]]:
        """At the end of a transaction, yield what is recorded at one end only: chain, number, sentence."""
        for replay, number in self._replayed:
            yield from ((replay.recorded.table, number, sentence) for sentence in self._check_claims(replay))
        yield from ((JACKPOT_CHAIN, self.book.number, sentence) for sentence in self._check_moves())
        self._replayed.clear()
        self._unfed.clear()
        self._moves.clear()

    def _check_moves(self) -> Iterator[str]:
        for (table, round, link, seat), count in self._unfed.items():
            if count:
                yield f"{link} and {table} disagree about the bet of seat {seat} in round {round}."
        for (source, to, cents), count in self._moves.items():
            if count:
                way = f"from {source or 'the house'} to {to}"
                yield f"the cage and the progressives disagree about {dollars(cents)} {way}."

    def check_secrets(self, ledger: Ledger, key: Path | None) -> Iterator[str]:
        """Hold the secret amounts that are still sealed against their commitments, and against the meters.

        A link goes on while it is verified: an amount that was revealed since is none of them.
        """
        later = ledger.events(JACKPOT_CHAIN, after=self.book.number, kinds=("must-hit",))
        revealed = {
            Trigger(hit["amount"], hit["salt"]).digest for event in later for hit in event.data["hits"]
        }
        for link in self.book.links.values():
            for meter, committed in link.commitments.items():
                if committed.digest not in revealed:
                    yield from _check_secret(ledger, key, link, meter, committed)

    def note_replay(self, replay: Replay, number: int) -> None:
        """Compare the claims of a round that was dealt again, once the whole transaction is read."""
        if (replay.recorded.table, replay.recorded.round) in self._bets:
            self._replayed.append((replay, number))

    def _check_claims(self, replay: Replay) -> Iterator[str]:
        """Compare the claims of a round that was dealt again with those on record."""
        round = replay.recorded
        if round.void or not replay.deals:
            return
        bets = self._bets.pop((round.table, round.round))
        dealt = {seat.position: hand for seat, hand in zip(round.seats, replay.deals[-1].rounds, strict=True)}
        for name in dict.fromkeys(bet.data["link"] for bet in bets):
            won = self._won.pop((round.table, round.round, name), [])
            seats = {bet.data["seat"] for bet in bets if bet.data["link"] == name}
            hands = {position - 1: hand for position, hand in dealt.items() if position in seats}
            due = find_claims(self.book.find(name).progressive, round.game, hands)
            if [(claim.seat + 1, claim.level) for claim in due] != won:
                yield f"round {round.round}: the hands claim other levels of {name} than the record says."


def _check_secret(
    ledger: Ledger, key: Path | None, link: Link, meter: str, committed: Commitment
) -> Iterator[str]:
    """Check the sealed amount of a meter; without the key only a missing one is found."""
    sealed = ledger.load_sealed(vault_name(link.name, committed.digest))
    if sealed is None:
        yield f"the sealed amount of {meter!r} of {link.name} is missing."
        return
    if key is None:
        return
    try:
        found = Trigger.from_bytes(Vault.open(key).unseal(sealed))
    except Refused:
        yield f"the sealed amount of {meter!r} of {link.name} does not open with the key of the vault."
        return
    if found.digest != committed.digest:
        yield f"the sealed amount of {meter!r} of {link.name} is not the one to which it committed."
    elif link.balances[meter].displayed >= found.amount and link.bets > committed.bets:
        yield f"{meter!r} of {link.name} is past its secret amount, and nobody has won it."
