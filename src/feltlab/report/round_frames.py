"""A round as a sequence of pictures: the table each time the dealer has something to do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from feltlab.core.cards import FACE_DOWN, Cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import BOARD, BURNT, DEALER
from feltlab.core.settlement import Settled
from feltlab.text import capitalised, dollars, listing


@dataclass(frozen=True)
class Frame:
    """The table at a moment of a round."""

    title: str  # 'Settle what is decided'
    actions: tuple[str, ...]  # since the frame before, in order
    game: Game
    hands: tuple[Cards, ...]  # by seat, as its player sees them
    shared: Mapping[str, Cards]  # the cards of areas that all seats share, as they lie on the table
    chips: tuple[Mapping[str, int], ...]  # by seat, the cents on each spot
    paid: tuple[tuple[int, Settled], ...] = ()  # the wagers that the dealer settles now, in order


def show_round(deals: Sequence[Deal]) -> Iterator[Frame]:
    """The frames of a round; `deals` are its states before the first choice and after each."""
    wagers = tuple(seat.wagers for seat in deals[0].seats)
    empty = {name: Cards() for name in deals[0].game.shared_areas}
    calls = tuple(f"The dealer says: “{call}”" for call in deals[0].calls)
    yield Frame("The wagers are down", calls, deals[0].game, (Cards(),) * len(wagers), empty, wagers)
    yield from _RoundWalk(deals).walk()


class _RoundWalk:
    """Deals the round again, stopping wherever the dealer settles."""

    def __init__(self, deals: Sequence[Deal]) -> None:
        self.deal = replace(deals[0], settled=0)
        self.choices = [
            (before.turn, after.seats[before.turn].chosen[-1])
            for before, after in pairwise(deals)
            if before.turn is not None
        ]
        self.actions: list[str] = []
        self.cards_told = self.payments_told = 0

    def walk(self) -> Iterator[Frame]:
        self._tell_news()
        yield self._frame("The cards are dealt")
        while not self.deal.over:
            if self.deal.due:
                yield self._settle()
            else:
                yield from self._choose()

    def _settle(self) -> Frame:
        paid = tuple(payment for payment in self.deal.due if has_money(payment[1]))
        title = "Settle" if self.deal.ends else "Settle what is decided"
        frame = replace(self._frame(title), paid=paid, actions=tuple(map(_describe_payment, paid)))
        self.payments_told += len(self.deal.due)
        self.deal = self.deal.settle_due()
        self._tell_news()
        return frame

    def _choose(self) -> Iterator[Frame]:
        """The choices up to the next card that all seats share, or to the next payment."""
        before = _shared_cards(self.deal)
        while self.deal.turn is not None and self.choices and _shared_cards(self.deal) == before:
            seat, choice = self.choices.pop(0)
            self._choose_one(seat, choice)
        shown = "The choices are made" if self.deal.turn is None else "The choices of this street are made"
        if self.deal.turn is not None and _shared_cards(self.deal) != before:
            shown += ", and the next cards are turned up"
        yield self._frame(shown if self.deal.game.streets or self.deal.turn is None else "The choices")

    def _choose_one(self, seat: int, choice: str) -> None:
        cents = self.deal.rounds[seat].cost(choice)
        staked = f" and puts down {dollars(cents)}" if cents else ""
        self.actions.append(
            f"Position {self.deal.positions[seat]} chooses {choice.replace('-', ' ')}{staked}."
        )
        self.deal = self.deal.choose(seat, choice)
        self._tell_news()

    def _tell_news(self) -> None:
        """Say who has received cards since the last time, and what the dealer has settled on the way."""
        receivers = dict.fromkeys(who for who, _ in self.deal.dealt[self.cards_told :])
        self.cards_told = len(self.deal.dealt)
        self.actions += (f"Cards to {_describe_receiver(self.deal, who)}." for who in receivers)
        paid = self.deal.payments[self.payments_told :]
        self.payments_told += len(paid)
        self.actions += (_describe_payment(payment) for payment in paid if has_money(payment[1]))

    def _frame(self, title: str) -> Frame:
        deal, actions = self.deal, tuple(_join_receivers(self.actions))
        self.actions = []
        chips = tuple(deal.on_felt(seat) for seat in range(len(deal.seats)))
        hands = tuple(round.view.player for round in deal.rounds)
        return Frame(title, actions, deal.game, hands, _shared_cards(deal), chips)


def _shared_cards(deal: Deal) -> dict[str, Cards]:
    """The cards that all seats share, each face up if a seat sees it."""
    views = [round.view.areas for round in deal.rounds]
    found = {}
    for name in deal.game.shared_areas:
        longest = max((view[name] for view in views), key=len)
        found[name] = Cards(
            next((view[name][n] for view in views if n < len(view[name]) and view[name][n] >= 0), FACE_DOWN)
            for n in range(len(longest))
        )
    return found


def _describe_receiver(deal: Deal, who: int) -> str:
    shared = {BURNT: "the burned cards", BOARD: "the board", DEALER: "the dealer"}
    return shared.get(who) or f"position {deal.positions[who]}"


def _join_receivers(actions: Sequence[str]) -> Iterator[str]:
    """Actions with cards to several receivers, one after the other, in one line."""
    receivers: list[str] = []
    for action in (*actions, ""):
        if action.startswith("Cards to "):
            receivers.append(action.removeprefix("Cards to ").removesuffix("."))
            continue
        if receivers:
            yield f"Cards to {listing(receivers)}."
            receivers = []
        if action:
            yield action


def _describe_payment(payment: tuple[int, Settled]) -> str:
    seat, paid = payment
    does = describe_result(paid)
    return f"Position {seat + 1}, {paid.spot.title}: {paid.outcome} ({paid.why}). {capitalised(does)}."


def has_money(paid: Settled) -> bool:
    """Is there a stake or a payment? A bonus that is not won has neither."""
    return bool(paid.staked or paid.net)


def describe_result(paid: Settled) -> str:
    """The dealer's part of a settled wager: 'pay $10', 'take $5', 'push'."""
    if paid.net > 0:
        return f"pay {dollars(paid.net)}"
    return f"take {dollars(-paid.net)}" if paid.net < 0 else {"refund": "return it"}.get(paid.result, "push")
