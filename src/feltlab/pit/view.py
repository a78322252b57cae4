"""The view of a table: plain data that a client may see.

Cards come from `Round.view` alone, which holds the cards that the rules show to a player. A seat's own
client gets those; every other client gets the backs of that seat's cards until the dealer shows all hands.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from feltlab.core.cards import FACE_DOWN, RANKS, SUITS, SYMBOLS, Cards
from feltlab.core.choices import name_choice
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import Choice, Spot
from feltlab.core.limits import most_cents
from feltlab.core.position import write_position
from feltlab.core.round import Round
from feltlab.games.card_groups import CardGroup, group_cards
from feltlab.games.data import printed_lines
from feltlab.pit.live_table import GRACE_SECONDS
from feltlab.pit.players.names import call_player
from feltlab.pit.players.presence import AWAY_SECONDS, EVERYBODY, SOLO_AWAY_SECONDS, Company
from feltlab.pit.players.solo import PRACTICE
from feltlab.pit.seats import REQUEST_HOLDS, ROUND_PHASES, Phase, Place
from feltlab.pit.shufflers.seeding import why_no_seed
from feltlab.pit.shufflers.seeds import SealedSeed, SeatSeed
from feltlab.pit.table import Table
from feltlab.shuffling.card_names import CARD_NAMES
from feltlab.text import listing
from feltlab.values import remember

_CARD = re.compile(rf"\b([{RANKS}])([{SUITS}])\b")  # in a reading
DRILL_HOLDS = "A drill of the staff holds the round; it goes on soon, and your wagers are safe."
DEALT_FACE_DOWN = "face-down"  # the value of an option: the last cards, until they are paid
NO_SHARED: Mapping[str, Any] = {"dealer": [], "board": [], "dealer_reading": "", "dealer_groups": []}
NO_HAND: Mapping[str, Any] = {"cards": [], "reading": "", "groups": []}
PHASES_WITHOUT_CARDS = (Phase.NO_MORE_BETS, Phase.CLOSED)
PHASES_WITH_OPEN_HANDS = (Phase.REVEAL, Phase.SETTLING, Phase.BETTING)


def view(table: Table, viewer: str = "", company: Company = EVERYBODY) -> dict[str, Any]:
    """The table as this viewer may see it; a viewer without a seat sees no hand before all are shown."""
    dealt = _deal_shown(table)
    return {
        "table": table.name,
        "game": table.game.name,
        "title": table.game.title,
        "phase": table.phase,
        "stage": table.stage,
        "round": table.round,
        "limits": vars(table.limits),
        "commitment": table.commitment,
        "seeds": _seeds(table),
        "no_seed": why_no_seed(table),
        "deck": table.shuffle.deck if table.shuffle else "",
        "shuffler": table.machines.in_use,
        "waits": _why_waiting(table),
        "held": DRILL_HOLDS if table.is_held else REQUEST_HOLDS if table.hold else "",
        "calls": _calls(table),
        "turn": table.turn + 1 if table.phase == Phase.CHOOSING and table.turn is not None else None,
        "awaits": awaited_numbers(table, company),
        "seats": _seats(table, dealt, viewer, company),
        **_shared_cards(dealt),
        "payments": _payments(table, dealt, viewer) if dealt else [],
        "void": table.void_reason or (table.last_void_reason if table.phase == Phase.BETTING else ""),
        "shown": _round_shown(table, dealt),
        "timers": vars(table.timers),
        "closes": bool(table.closes),
        **_privacy(table, viewer),
    }


def _seeds(table: Table) -> list[dict[str, Any]]:
    """The seats with a seed for these cards, its digest, and whether it is revealed."""
    seeds: tuple[SealedSeed | SeatSeed, ...] = (*table.sealed_seeds, *table.seeds)
    return [
        {"seat": one.seat + 1, "digest": one.digest, "revealed": isinstance(one, SeatSeed)} for one in seeds
    ]


def _why_waiting(table: Table) -> str:
    """The reason why a table cannot deal yet, or ''."""
    if table.awaited_seeds:
        seats = listing(one.seat + 1 for one in table.awaited_seeds)
        return f"Before the first card, the table waits for the sealed seeds of seats {seats}."
    return table.machines.why_waiting if table.phase == Phase.BETTING else ""


def _privacy(table: Table, viewer: str) -> dict[str, Any]:
    """The owner of the table, and for how many seconds a player may be away."""
    return {
        "private": table.is_private,
        "shared": table.is_shared,
        "own": table.is_private and table.owner == viewer,
        "practice": PRACTICE if table.practice else "",
        "grace": GRACE_SECONDS if _is_clocked(table) else SOLO_AWAY_SECONDS,
        "away": SOLO_AWAY_SECONDS if table.is_solo else AWAY_SECONDS,
    }


def _shared_cards(dealt: Deal | None) -> Mapping[str, Any]:
    """The cards of the dealer and of the board, as all seats see them."""
    return remember(dealt, "shared", lambda: _describe_shared(_dealer_round(dealt))) if dealt else NO_SHARED


def _describe_shared(round: Round) -> dict[str, Any]:
    return {
        "dealer": _card_names(round.view.dealer),
        "board": _card_names(round.view.board),
        "dealer_reading": _spell_cards(round.dealer_reading),
        "dealer_groups": _dealer_groups(round),
    }


def _is_clocked(table: Table) -> bool:
    """Whether a choice has a clock."""
    return not table.is_solo and table.timers.choosing is not None


def awaited_numbers(table: Table, company: Company) -> list[int]:
    """The seats that the table waits for: to choose, or to be ready once somebody has wagered."""
    if table.phase == Phase.CHOOSING and table.turn is not None:
        return [table.turn + 1]
    is_awaiting = table.phase == Phase.BETTING and table.bettors
    return [seat + 1 for seat in table.awaited_seats(company.absent)] if is_awaiting else []


def summary(table: Table) -> dict[str, Any]:
    """The table in a list of tables."""
    return {
        "table": table.name,
        "game": table.game.name,
        "title": table.game.title,
        "options": dict(table.game.options),
        "phase": table.phase,
        "round": table.round,
        "limits": vars(table.limits),
        "seats": len(table.places),
        "taken": sum(place is not None for place in table.places),
        "private": table.is_private,
        "practice": table.practice,
    }


def _deal_shown(table: Table) -> Deal | None:
    """The deal whose cards are on the table."""
    return None if table.phase in PHASES_WITHOUT_CARDS else table.deal or table.last_deal


def _round_shown(table: Table, dealt: Deal | None) -> int | None:
    """The number of the round whose cards and payments are on the table: between rounds, the one before."""
    return None if dealt is None else table.round - (table.phase == Phase.BETTING)


def _calls(table: Table) -> list[str]:
    """The dealer's calls in this round."""
    deal = table.deal
    return list(deal.calls) if deal and table.phase != Phase.BETTING else []


def _seats(table: Table, dealt: Deal | None, viewer: str, company: Company) -> list[dict[str, Any]]:
    newcomers = _seats_of_newcomers(table, dealt) if dealt else set()
    rounds = {n: round for n, round in table.rounds.items() if n not in newcomers} if dealt else {}
    seats = enumerate(table.places)
    return [_seat_view(table, n, place, rounds.get(n), viewer, company) for n, place in seats]


def _seat_view(
    table: Table, n: int, place: Place | None, round: Round | None, viewer: str, company: Company
) -> dict[str, Any]:
    if place is None and round is None:
        return {"seat": n + 1, "player": "", **NO_HAND}
    seat: dict[str, Any] = {"seat": n + 1, "player": place.player if place else ""}
    mine = place is not None and place.player == viewer
    if round:
        hand = _hand(table, n, round, mine)
        seat |= remember(round, (mine, hand), lambda: _describe_hand(round, hand, mine))
    else:
        seat |= NO_HAND
    if place:
        seat |= {
            "yours": mine,
            "name": call_player(place.player),
            "present": n not in company.absent,
            "said": dict(company.said).get(n, ""),
            "bankroll": place.bankroll,
            "wagers": dict(place.wagers),
            "staked": place.on_felt,
            "stakes": _stakes(table, n, round, place),
            "ready": place.ready,
            "jackpot": place.jackpot_cents,
            "leaves": place.leaves,
            "last": dict(place.last),
        }
        if mine and n == table.turn and table.phase == Phase.CHOOSING:
            seat["choices"] = _choices(table, n)
            seat["position"] = write_position(table.rounds[n])
    return seat


def _describe_hand(round: Round, hand: Cards, mine: bool) -> dict[str, Any]:
    """A hand as far as it is face up; only its own player reads it in words."""
    groups = _player_groups(round, hand)
    return {
        "cards": _card_names(hand),
        "reading": _spell_cards(_read_hand(round, groups)) if mine else "",
        "groups": _describe_groups(groups, len(hand)),
    }


def _seats_of_newcomers(table: Table, dealt: Deal) -> set[int]:
    """The seats whose cards and payments on the table belong to a player who has left."""
    held = {seat.position - 1: seat.player for seat in dealt.seats}
    return {n for n, player in held.items() if (place := table.places[n]) and place.player != player}


def _hand(table: Table, n: int, round: Round, mine: bool) -> Cards:
    held = round.view.player
    face_up = len(held) if mine else _cards_face_up(table, n, len(held))
    if face_up == len(held):
        return held
    return Cards((*held[:face_up], *[FACE_DOWN] * len(held[face_up:])))


def _read_hand(round: Round, groups: Sequence[CardGroup]) -> str:
    """The player's hand in words; when the round is over, what each group of its cards came to."""
    if not round.over:
        return round.player_reading
    if len(groups) == 1:
        return groups[0].reading
    return "; ".join(f"{group.title}: {group.reading}" for group in groups)


def _player_groups(round: Round, hand: Cards) -> tuple[CardGroup, ...]:
    """The groups among the cards of a hand that this viewer sees, for the wagers that are made."""
    if not hand or FACE_DOWN in hand:
        return ()
    left_out = {spot.title for spot in round.game.spots if not round.staked(spot)}
    found = group_cards(round.game, Cards((*hand, *_cards_shown(round.view.board))), round.chosen)
    return tuple(group for group in found if group.title not in left_out)


def _dealer_groups(round: Round) -> list[dict[str, Any]]:
    """The groups of the dealer's cards once all are face up, for the wagers that they decide."""
    hand = round.view.dealer
    if not hand or FACE_DOWN in hand:
        return []
    left_out = {spot.title for spot in round.game.spots if not spot.reads_dealer}
    found = group_cards(round.game, Cards((*hand, *_cards_shown(round.view.board))), None)
    return _describe_groups([group for group in found if group.title not in left_out], len(hand))


def _cards_shown(cards: Cards) -> list[int]:
    return [card for card in cards if card >= 0]


def _describe_groups(groups: Sequence[CardGroup], own: int) -> list[dict[str, Any]]:
    """Groups with the positions of their cards in the hand and on the board."""
    return [
        {
            "title": group.title if len(groups) > 1 else "",
            "reading": _spell_cards(group.reading),
            "cards": [n for n in group.cards if n < own],
            "board": [n - own for n in group.cards if n >= own],
        }
        for group in groups
    ]


def _cards_face_up(table: Table, n: int, held: int) -> int:
    """The number of a seat's cards that all see.

    Where the house deals the last cards face down, they are turned up when they are paid.
    """
    if table.phase not in PHASES_WITH_OPEN_HANDS:
        return 0
    deal = table.deal
    if table.phase != Phase.REVEAL or deal is None or DEALT_FACE_DOWN not in table.game.options.values():
        return held
    *_, (cards_before_the_last, _), _ = [(0, ()), *deal.stages]
    seat = table.playing.index(n)
    return sum(to == seat for to, _ in deal.dealt[:cards_before_the_last])


def _stakes(table: Table, n: int, round: Round | None, place: Place) -> dict[str, int]:
    """The cents on each spot, raises included, without wagers that are settled while the round goes on."""
    if table.phase == Phase.BETTING or round is None:
        return dict(place.wagers)
    gone = {spot for seat, spot, *_ in table.paid if seat == n} if table.phase in ROUND_PHASES else ()
    stakes = ((spot.name, round.staked(spot)) for spot in table.game.spots if spot.name not in gone)
    return {name: cents for name, cents in stakes if cents}


def _spell_cards(reading: str) -> str:
    """A reading with its cards written with symbols: 10♥ instead of Th."""
    return _CARD.sub(lambda card: card[1].replace("T", "10") + SYMBOLS[SUITS.index(card[2])], reading)


def _choices(table: Table, seat: int) -> list[dict[str, Any]]:
    """The open choices with their cost, and why bankroll or limits forbid them."""
    round, bankroll = table.rounds[seat], table.place(seat).bankroll
    return [
        {
            "choice": choice.name,
            "key": choice.key,
            "help": choice.help,
            "kind": _kind_of(choice),
            "cents": (most := most_cents(round, choice, bankroll, table.limits)),
            "barred": table.why_barred(seat, name_choice(table.game, round.wagers, choice.name, most)),
            "house_rule": choice.house_rule,
            "any_amount": choice.any_amount,
            "step": table.limits.step if choice.any_amount else 0,
        }
        for choice in table.game.choices
        if choice.name in round.choices
    ]


def _kind_of(choice: Choice) -> str:
    """The kind of a choice: it gives a wager up, puts more down, or neither."""
    if choice.gives_up:
        return "gives-up"
    return "puts-down" if choice.puts else "goes-on"


def _dealer_round(dealt: Deal) -> Round:
    """A round that shows what all seats see of the cards that they share: that of the seat in turn.

    After the last choice it is the one that shows most: a seat that folded on an early street does not show
    the cards that were turned later.
    """
    if dealt.turn is not None:
        return dealt.rounds[dealt.turn]
    own = dealt.game.own_places
    return max(dealt.rounds, key=lambda round: sum(card >= 0 for card in round.seen[own:]))


def _payments(table: Table, dealt: Deal, viewer: str) -> list[dict[str, Any]]:
    """The wagers settled so far. While hands are hidden, only a seat's own player reads why."""
    hidden = table.phase not in PHASES_WITH_OPEN_HANDS
    settled = [*dealt.payments, *dealt.due]
    if table.phase in ROUND_PHASES:
        settled = settled[: len(table.paid)]
    newcomers = _seats_of_newcomers(table, dealt)
    return [
        {
            "seat": dealt.seats[seat].position,
            "spot": paid.spot.name,
            "outcome": paid.outcome,
            "result": paid.result,
            "staked": paid.staked,
            "net": paid.net,
            "why": "" if hidden and dealt.seats[seat].player != viewer else _spell_cards(paid.why),
        }
        for seat, paid in settled
        if dealt.seats[seat].position - 1 not in newcomers
    ]


def _card_names(cards: Cards) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


def layout(game: Game) -> dict[str, Any]:
    """The felt of a game: its spots with their pays, its choices and its options."""
    return {
        "game": game.name,
        "title": game.title,
        "summary": game.rules.SUMMARY,
        "options": dict(game.options),
        "digest": game.digest,
        "seats": game.seats,
        "areas": [{"area": area.name, "cards": area.cards} for area in game.areas],
        "streets": list(game.streets),
        "spots": [_spot(game, spot) for spot in game.spots],
        "choices": [
            {"choice": choice.name, "key": choice.key, "help": choice.help} for choice in game.choices
        ],
    }


def _spot(game: Game, spot: Spot) -> Mapping[str, Any]:
    lines = printed_lines(game, spot)
    return {
        "spot": spot.name,
        "title": spot.title,
        "raises": spot.raises,
        "bonus_on": spot.bonus_on,
        "equals": spot.equals,
        "fixed_cents": spot.fixed_cents,
        "required": game.is_required(spot),
        "step": game.step(spot) if not spot.follows else 0,
        "pays": [{"outcome": line.outcome, "result": line.result, "pays": str(line.pays)} for line in lines],
    }
