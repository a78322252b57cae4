"""The money of a pit: the balances of the cage, and the links of the progressives."""

from dataclasses import dataclass

from feltlab.ledger.event import CAGE_CHAIN, JACKPOT_CHAIN, Draft, Event, now
from feltlab.pit.cage import Cage
from feltlab.pit.jackpots.book import JackpotBook
from feltlab.values import build_unchecked


@dataclass
class Money:
    """Both sums of events together, because one write may move money in both."""

    cage: Cage
    jackpots: JackpotBook

    def number_of(self, chain: str) -> int:
        """The number of the last event of a chain that is followed here."""
        return self.cage.number if chain == CAGE_CHAIN else self.jackpots.number

    def follow(self, event: Event) -> None:
        if event.chain == CAGE_CHAIN:
            self.cage.after(event)
        elif event.chain == JACKPOT_CHAIN:
            self.jackpots = self.jackpots.after(event)

    def expect(self, drafts: tuple[Draft, ...]) -> None:
        """Follow drafts that are on their way to the ledger. Their moment is not known yet, so it is now."""
        at = now()
        for draft in drafts:
            if draft.chain in (CAGE_CHAIN, JACKPOT_CHAIN):
                number = self.number_of(draft.chain) + 1
                whose = {"chain": draft.chain, "number": number, "kind": draft.kind, "round": draft.round}
                self.follow(build_unchecked(Event, **whose, at=at, data=draft.data, digest=""))

    def copy(self) -> "Money":
        return Money(self.cage.copy(), self.jackpots)
