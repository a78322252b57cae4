"""A live table, clause by clause, at every game. After each act `Felt` also folds and checks the record."""

from dataclasses import fields
from itertools import pairwise

import pytest

from feltlab.core.amounts import MAX_WAGER_CENTS
from feltlab.core.game import MAX_SEATS, Game
from feltlab.core.limits import Limits
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.event import HOUSE_ACTOR, Draft, Event
from feltlab.pit.seats import ROUND_PHASES, Phase, Timers
from feltlab.pit.table import MAX_MISSED_ROUNDS
from feltlab.pit.view import view
from feltlab.shuffling.machine import COLOURS, FAULTS, MAIN
from feltlab.shuffling.models import SHOE
from feltlab.values import replace_unchecked
from tests.support.felt import BY_HAND, MONEY, Felt, keeps_its_word, kinds, refused, wagers

ALL = tuple(GAMES.values())
RUMMY = GAMES["triple-shot-rummy"]
every_game = pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
every_phase = pytest.mark.parametrize("phase", [phase for phase in Phase if phase != Phase.CLOSED])
WITH_A_PAUSE = {"triple-shot-bonus"}  # the only game in which the dealer settles all seats before the end


def until(felt: Felt, phase: Phase, seats: tuple[int, ...] = (0,)) -> Felt:
    """Rounds until the table is in a phase; a game that never comes to it has nothing to show."""
    if phase == Phase.PAYING and felt.game.name not in WITH_A_PAUSE:
        pytest.skip("The dealer settles all seats at the end only.")
    return felt.until(phase, seats)


def test_a_table_opens_once_with_a_seat_for_everyone_whom_the_deck_serves() -> None:
    for game in ALL:
        felt = Felt(game)
        assert felt.phase == Phase.BETTING
        assert felt.round == 1
        assert felt.places == (None,) * min(MAX_SEATS, game.seats)
        assert kinds(felt.record.events) == ["opened", "shuffled", "standing"]
        assert refused(felt, "open", "boss", 1) == "table-1 is open already."


# -- Seats and bankrolls ----------------------------------------------------------------------------


@every_game
def test_a_seat_is_taken_by_one_player_for_at_least_the_minimum(game: Game) -> None:
    felt = Felt(game)
    assert kinds(felt.sit("ann", 0, 500)) == ["seated"]
    assert refused(felt, "sit", "bob", 0, 500) == "Seat 1 is taken."
    assert refused(felt, "sit", "bob", 1, 499).startswith("A seat is bought for at least the minimum wager")
    assert refused(felt, "sit", "bob", 1, MAX_WAGER_CENTS + 1).startswith("A bankroll may be at most")
    assert (felt.chips, felt.meters.drop) == (500, 500)


@pytest.mark.parametrize("cents", [0, -1, True, 500.0, "500", None])
def test_a_buy_in_is_a_whole_number_of_cents(cents: object) -> None:
    felt = Felt(RUMMY)
    assert refused(felt, "sit", "ann", 0, cents).startswith("A buy-in is a whole number of cents")
    felt.sit("ann", 0, 1000)
    assert refused(felt, "buy", "ann", 0, cents).startswith("A buy-in is a whole number of cents")


@pytest.mark.parametrize("seat", [-1, MAX_SEATS, True, 1.0, "1", None])
def test_a_seat_that_the_table_does_not_have_is_refused(seat: object) -> None:
    felt = Felt(RUMMY)
    for act, *more in (("sit", 500), ("buy", 500), ("leave",), ("wager", {}), ("ready",), ("choose", "fold")):
        assert refused(felt, act, "ann", seat, *more).startswith("table-1 has seats 1 to ")


@every_game
def test_nobody_acts_for_a_seat_that_is_empty_or_of_somebody_else(game: Game) -> None:
    felt = Felt(game)
    felt.sit("ann", 0, MONEY)
    for act, *more in (("buy", 500), ("leave",), ("wager", wagers(game)), ("ready",), ("choose", "fold")):
        assert refused(felt, act, "bob", 0, *more) == "Seat 1 is not yours."
        assert refused(felt, act, "bob", 1, *more) == "Seat 2 is empty."


@every_game
def test_one_player_has_one_seat_or_two_adjacent_ones_where_the_house_allows_it(game: Game) -> None:
    felt = Felt(game)
    felt.sit("ann", 1, 500)
    assert "only one seat at this table, not seats 2 and 3" in refused(felt, "sit", "ann", 2, 500)
    for option in (option for option in game.rules.OPTIONS if option.second_seat):
        felt = Felt(game.with_options({option.name: "yes"}))
        felt.sit("ann", 1, MONEY)
        assert "only if they are adjacent, not seats 2 and 4" in refused(felt, "sit", "ann", 3, 500)
        felt.sit("ann", 2, MONEY)
        assert "You may hold two seats only" in refused(felt, "sit", "ann", 0, 500)
        felt.dealt((1, 2))
        felt.over()


@every_game
def test_chips_are_bought_between_rounds(game: Game) -> None:
    felt = Felt(game, timers=BY_HAND).wagered()
    assert kinds(felt.buy("player 0", 0, 1)) == ["bought"]
    assert refused(felt, "buy", "player 0", 0, MAX_WAGER_CENTS - MONEY).startswith(
        "A bankroll may be at most"
    )
    felt.no_more_bets()
    assert refused(felt, "buy", "player 0", 0, 500) == "Chips are bought between rounds."


@every_game
def test_who_leaves_between_rounds_takes_all_chips_and_the_wagers(game: Game) -> None:
    felt = Felt(game).wagered((0, 2))
    (left,) = felt.leave("player 0", 0)
    assert (left.kind, left.data["player"], left.data["cents"]) == ("left", "player 0", MONEY)
    assert felt.places[0] is None
    assert felt.bettors == [2]


# -- Betting ----------------------------------------------------------------------------------------


@every_game
def test_wagers_keep_to_the_limits_the_step_and_the_bankroll(game: Game) -> None:
    felt = Felt(game, Limits(500, 2000, 100))
    felt.sit("ann", 0, 5000)
    good = wagers(game)
    spot = next(iter(good))
    for cents, sentence in ((400, "must be at least"), (2100, "may be at most"), (550, "must be a multiple")):
        assert sentence in refused(felt, "wager", "ann", 0, dict.fromkeys(good, cents))
    for wrong in (True, 500.0, "500", None, -500, 0):
        assert "must be" in refused(felt, "wager", "ann", 0, good | {spot: wrong})
    assert "is not a wager" in refused(felt, "wager", "ann", 0, {"nothing": 500})
    felt.wager("ann", 0, good)
    rich = Felt(game)
    rich.sit("ann", 0, 500 * len(good))
    assert "you have" in refused(rich, "wager", "ann", 0, wagers(game, units=2))
    rich.wager("ann", 0, good)
    assert rich.places[0].bankroll == 0


@every_game
def test_wagers_are_replaced_and_taken_back(game: Game) -> None:
    felt = Felt(game).wagered()
    felt.wager("player 0", 0, wagers(game, units=3))
    assert felt.places[0].wagers == wagers(game, units=3)
    felt.wager("player 0", 0, {})
    assert (felt.places[0].bankroll, felt.bettors) == (MONEY, [])
    assert refused(felt, "no_more_bets") == "Nobody has placed a wager."
    assert felt.table.time_is_up() is felt.table


@every_game
def test_no_bet_is_taken_after_no_more_bets(game: Game) -> None:
    felt = Felt(game, timers=BY_HAND).wagered((0, 1))
    felt.no_more_bets()
    while felt.phase != Phase.BETTING:
        for more in (wagers(game, units=2), {}):
            assert refused(felt, "wager", "player 0", 0, more) == "No more bets: the round is on."
        assert refused(felt, "ready", "player 0", 0) == "The round is on already."
        assert "the round is on" in refused(felt, "no_more_bets")
        assert refused(felt, "drill", "boss", "jam").startswith("A drill is possible only")
        felt.time_is_up()


@every_game
def test_the_round_begins_when_every_seat_is_ready_and_some_wager_stands(game: Game) -> None:
    felt = Felt(game, timers=BY_HAND)
    for seat, who in enumerate(("ann", "bob")):
        felt.sit(who, seat, MONEY)
        assert kinds(felt.ready(who, seat)) == ["ready"]
    assert refused(felt, "ready", "bob", 1) == "Seat 2 is ready already."
    felt.wager("ann", 0, wagers(game))
    assert not felt.places[0].ready, "who bets again is asked again"
    assert kinds(felt.ready("ann", 0)) == ["ready", "no-more-bets"]
    assert felt.playing == (0,)


@every_game
def test_the_round_begins_when_the_last_who_was_not_ready_leaves(game: Game) -> None:
    felt = Felt(game, timers=BY_HAND).wagered((0, 1))
    felt.ready("player 0", 0)
    assert kinds(felt.leave("player 1", 1)) == ["left", "no-more-bets"]


# -- Timers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("timer", [timer.name for timer in fields(Timers)])
@pytest.mark.parametrize("seconds", [-1, 3601, float("nan")])
def test_a_timer_has_its_bounds(timer: str, seconds: float) -> None:
    with pytest.raises(Refused, match=f"The timer of {timer} must be between 0 and 3,600 seconds."):
        Timers(**{timer: seconds})


@every_game
@pytest.mark.parametrize("seconds", [None, 5.0])
def test_a_phase_with_a_timer_waits_for_it_and_one_without_waits_for_nobody(
    game: Game, seconds: float | None
) -> None:
    """The table knows no clock: it waits until it is told that time is up."""
    for phase in (Phase.NO_MORE_BETS, Phase.DEALING, Phase.REVEAL, Phase.SETTLING):
        timers = Timers(**{phase.replace(" ", "_"): seconds}, choosing=0)
        assert timers.of(phase) == seconds
        felt = Felt(game, timers=timers)
        felt.dealt()
        assert felt.phase == phase
        while felt.phase == phase:  # cards may be dealt several times in a round
            felt.time_is_up()
        assert felt.phase == Phase.BETTING


@every_game
def test_without_time_to_bet_the_first_wager_begins_the_round(game: Game) -> None:
    felt = Felt(game, timers=Timers(betting=0, choosing=0))
    felt.sit("ann", 0, MONEY)
    assert kinds(felt.wager("ann", 0, wagers(game)))[:2] == ["wagered", "no-more-bets"]
    assert (felt.phase, felt.round) == (Phase.BETTING, 2)


@every_game
def test_without_time_to_choose_the_house_rule_plays(game: Game) -> None:
    felt = Felt(game, timers=Timers(choosing=0))
    for _ in range(30):
        chose = [draft.data for draft in felt.dealt((0, 1)) if draft.kind == "chose"]
        assert felt.phase == Phase.BETTING
        for made in chose:
            assert (made["player"], made["cents"], made["why"]) == (HOUSE_ACTOR, 0, "Time is up.")


@every_game
def test_the_clock_closes_the_betting_for_those_who_have_bet(game: Game) -> None:
    felt = Felt(game, timers=BY_HAND).wagered((0, 2))
    felt.sit("idle", 1, 500)
    felt.time_is_up()
    assert (felt.phase, felt.playing) == (Phase.NO_MORE_BETS, (0, 2))


@every_game
def test_phases_follow_one_another(game: Game) -> None:
    felt = Felt(game, timers=BY_HAND).until(Phase.CHOOSING, (0, 1))
    felt.over()
    round = felt.round - 1
    came = [event.kind for event in felt.record.events if event.round == round]
    chose = [kind for kind in came if kind == "chose"]
    middle = ["no-more-bets", "dealt", "choosing", *chose, "revealed"]
    ends = [kind for kind in came if kind in {*middle, "settled"}]
    if game.name in WITH_A_PAUSE:
        assert ends[:2] == middle[:2]
        assert ends[-2:] == ["revealed", "settled"]
        assert {*ends[2:-2]} <= {"dealt", "choosing", "chose"}
    else:
        assert ends == [*middle, "settled"]


# -- The round --------------------------------------------------------------------------------------


@every_game
def test_only_the_seat_in_turn_chooses_and_only_what_is_open(game: Game) -> None:
    felt = Felt(game, timers=BY_HAND).wagered((1, 2, 3))
    felt.no_more_bets()
    assert refused(felt, "choose", "player 1", 1, "fold").startswith("No choice is open: ")
    felt.until(Phase.CHOOSING, (1, 2, 3))
    while felt.phase == Phase.CHOOSING:
        turn = felt.turn
        for seat in {1, 2, 3} - {turn}:
            sentence = f"It is the turn of seat {turn + 1}, not of seat {seat + 1}."
            assert refused(felt, "choose", f"player {seat}", seat, game.choices[0].name) == sentence
        names = {"", "sing", *(choice.name for choice in game.choices)}
        for choice in names - set(felt.rounds[turn].choices):
            assert "cannot be chosen here" in refused(felt, "choose", f"player {turn}", turn, choice)
        drafts = felt.choose(f"player {turn}", turn, felt.rounds[turn].choices[0])
        assert kinds(drafts)[0] == "chose"
    # It depends on the cards whether the dealer has wagers to settle before the end.
    why = "wagers are being settled" if felt.phase == Phase.PAYING else "the round is over"
    assert refused(felt, "choose", "player 1", 1, "fold") == f"No choice is open: {why}."


@every_game
def test_a_raise_that_the_bankroll_does_not_cover_is_barred(game: Game) -> None:
    felt = Felt(game, timers=Timers())
    stake = sum(wagers(game).values())
    for _ in range(1000):
        felt.sit("ann", 0, stake)
        felt.wager("ann", 0, wagers(game))
        felt.no_more_bets()
        choices = felt.rounds[0].choices if felt.turn == 0 else ()
        dear = [c for c in choices if felt.rounds[0].cost(c) > felt.places[0].bankroll]
        if dear:
            break
        felt.leave("ann", 0)
        felt.over()
    for choice in dear:
        sentence = refused(felt, "choose", "ann", 0, choice)
        assert sentence.startswith(f"To {choice} you need $")
        shown = {each["choice"]: each["barred"] for each in view(felt.table, "ann")["seats"][0]["choices"]}
        assert shown[choice] == sentence
    felt.time_is_up()  # the house rule costs nothing


def test_what_a_stage_has_won_pays_for_a_raise_in_the_same_round() -> None:
    game = GAMES["triple-shot-bonus"]
    felt = Felt(game, timers=Timers())
    for _ in range(1000):
        felt.sit("ann", 0, sum(wagers(game).values()))
        felt.wager("ann", 0, wagers(game))
        felt.no_more_bets()
        has_won = felt.places[0].bankroll > wagers(game)["war"]  # a tie at War returns half
        if felt.turn == 0 and "double" in felt.rounds[0].choices and has_won:
            break
        felt.leave("ann", 0)
        felt.over()
    won = felt.places[0].bankroll
    (paid,) = (p for p in view(felt.table, "ann")["payments"] if p["spot"] == "war")
    assert (paid["result"], paid["staked"] + paid["net"]) == ("win", won)
    drafts = felt.choose("ann", 0, "double")
    assert drafts[0].data["cents"] == wagers(game)["blackjack"]


@every_game
def test_a_raise_may_not_exceed_the_maximum(game: Game) -> None:
    """First wagers are so low that their raises are within it; one is over where the maximum came down."""
    table = Felt(game).until(Phase.CHOOSING).table
    lower = replace_unchecked(table, limits=Limits(100, 200, 100))
    for choice in table.rounds[0].choices:
        puts = game.puts(game.choice(choice), 0)
        assert table.why_barred(0, choice) == ""
        assert bool(lower.why_barred(0, choice)) == bool(puts)
        if puts:
            with pytest.raises(Refused, match=f"To {choice} you would exceed the maximum, \\$2, on"):
                lower.choose("player 0", 0, choice)


@every_game
def test_who_leaves_in_a_round_is_played_by_the_house_rule_and_paid_after_it(game: Game) -> None:
    for phase in (Phase.NO_MORE_BETS, Phase.DEALING, Phase.CHOOSING):
        felt = Felt(game, timers=BY_HAND).until(phase, (0, 1))
        drafts = felt.leave("player 0", 0)
        assert drafts[0].kind == "leaving"
        assert refused(felt, "leave", "player 0", 0) == "Seat 1 leaves after this round already."
        bankroll = felt.places[0].bankroll
        while felt.phase in ROUND_PHASES:
            assert felt.turn != 0 or felt.phase != Phase.CHOOSING
            drafts += felt.time_is_up()
        for made in (draft.data for draft in drafts if draft.kind == "chose" and draft.data["seat"] == 1):
            assert (made["player"], made["why"], made["cents"]) == (HOUSE_ACTOR, "The player left.", 0)
        assert felt.places[0].bankroll >= bankroll
        (left,) = (draft for draft in felt.time_is_up() if draft.kind == "left")
        assert left.data["player"] == "player 0"
        assert felt.places[0] is None


@every_game
def test_who_is_not_in_the_round_leaves_at_once(game: Game) -> None:
    felt = Felt(game, timers=BY_HAND).until(Phase.CHOOSING)
    felt.sit("late", 3, 500)
    assert kinds(felt.leave("late", 3)) == ["left"]
    felt.until(Phase.SETTLING)
    assert kinds(felt.leave("player 0", 0)) == ["left"]
    assert view(felt.table)["payments"], "what was paid is still shown"
    felt.time_is_up()
    assert felt.phase == Phase.BETTING


@every_game
def test_the_dealer_calls_absent_wagers_by_the_numbers_of_the_table(game: Game) -> None:
    called = [spot for spot in game.wagers if spot.called and not game.is_required(spot)]
    felt = Felt(game, timers=BY_HAND).wagered((2, 4))
    for spot in called:
        fewer = {name: cents for name, cents in wagers(game).items() if name != spot.name}
        if fewer:
            felt.wager("player 4", 4, fewer)
            (draft,) = felt.no_more_bets()
            assert draft.data["calls"] == ["No more bets.", f"No {spot.title}, position 5."]
            assert view(felt.table)["calls"] == draft.data["calls"]
            felt.over().wagered((2, 4))
    felt.no_more_bets()
    assert view(felt.table)["calls"] == ["No more bets."]


@every_game
def test_payments_go_from_right_to_left_once_for_each_stage(game: Game) -> None:
    felt = Felt(game, timers=BY_HAND).until(Phase.REVEAL, (0, 2, 3))
    (settled,) = felt.time_is_up()
    payments, seats = settled.data["payments"], (1, 3, 4)
    assert {seat for seat, *_ in payments} == {*seats}
    assert [paid["seat"] for paid in view(felt.table)["payments"]] == [seat for seat, *_ in payments]
    for (seat, spot, *_), (at, paid) in zip(payments, felt.deal.payments, strict=True):
        assert felt.playing[at] + 1 == seat
        assert paid.spot.name == spot
    last = [(paid.result != "refund", -at) for at, paid in felt.deal.payments[len(felt.paid) :]]
    assert last == sorted(last)
    for seat in seats:
        back = sum(staked + net for at, _, _, staked, net in payments if at == seat)
        early = settled.data.get("before", {}).get(str(seat), 0)
        assert settled.data["returned"][str(seat)] + early == back


@every_game
def test_meters_count_rounds_hands_handle_and_win(game: Game) -> None:
    felt = Felt(game, timers=Timers(choosing=0))
    for _ in range(5):
        felt.dealt((0, 1))
    stake = sum(wagers(game).values())
    assert (felt.meters.rounds, felt.meters.hands, felt.meters.voids) == (5, 10, 0)
    assert (felt.meters.drop, felt.meters.handle) == (2 * MONEY, 10 * stake)
    assert felt.meters.win == 2 * MONEY - felt.chips


# -- Shuffles ---------------------------------------------------------------------------------------


@every_game
def test_a_shuffle_is_committed_to_before_bets_close_and_revealed_when_it_is_spent(game: Game) -> None:
    felt = Felt(game, timers=Timers(choosing=0))
    for _ in range(40):
        assert felt.commitment == felt.shuffle.commitment
        assert view(felt.table)["commitment"] == felt.commitment
        felt.dealt(range(4))
    felt.close("boss")
    assert keeps_its_word(felt.record.events) == felt.cycles
    assert not felt.record.secrets, "what is revealed leaves the vault"


@every_game
def test_a_shoe_goes_on_until_the_cut_card_and_other_decks_alternate(game: Game) -> None:
    felt = Felt(game, timers=Timers(choosing=0))
    backs = []
    for _ in range(60):
        before, used, cut = felt.cycles, felt.used, len(game.deck) - game.behind_cut
        backs.append(felt.shuffle.deck)
        felt.dealt(range(4))
        if game.behind_cut == len(game.deck):
            assert (felt.cycles, felt.used) == (before + 1, 0)
        elif felt.cycles == before:
            assert used < felt.used < cut
        else:
            assert felt.used == 0
    if game.behind_cut == len(game.deck):
        assert set(pairwise(backs)) == {COLOURS, COLOURS[::-1]}
    else:
        assert {*backs} == {SHOE}
        assert 1 < felt.cycles < 60


def test_no_round_begins_with_too_few_cards_for_a_full_table() -> None:
    game = GAMES["casino-war"].with_options({"decks": "1"})
    felt = Felt(game, timers=Timers(choosing=0))
    for _ in range(30):
        left = len(game.deck) - felt.used
        assert left >= game.cards_needed(len(felt.places))
        felt.dealt(range(len(felt.places)))


# -- Faults -----------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_voids_the_round_and_after_the_guide_the_same_machine_goes_on(game: Game, fault: str) -> None:
    if fault not in Felt(game).shuffler.possible_faults:
        return
    felt = Felt(game, timers=BY_HAND).wagered((0, 1))
    felt.drill("boss", fault)
    drafts = felt.no_more_bets()
    assert kinds(drafts) == ["fault", "void", "order", "shuffled", "standing"]
    assert (drafts[0].data["shuffler"], drafts[0].data["fault"]) == (MAIN, fault)
    stake = sum(wagers(game).values())
    assert drafts[1].data["returned"] == {"1": stake, "2": stake}
    assert (felt.phase, felt.shuffler.name, felt.meters.voids) == (Phase.BETTING, MAIN, 1)
    assert [place.bankroll for place in felt.places[:2]] == [MONEY, MONEY]
    felt.wagered((0, 1))
    assert "its guide is consulted before the next round" in refused(felt, "no_more_bets")
    assert kinds(felt.consult_guide("dan")) == ["guide-consulted"]
    felt.no_more_bets()
    felt.over()
    assert (felt.meters.rounds, felt.shuffler.name, felt.machines.main.faults) == (1, MAIN, 1)
    assert keeps_its_word(felt.record.events) == felt.cycles - (not felt.spent)


def test_a_drill_lasts_one_round() -> None:
    felt = Felt(RUMMY).wagered()
    felt.drill("boss", "short deck")
    felt.void("boss", "Enough.")
    assert felt.shuffler.fault == ""
    assert len(felt.shuffle.order) == len(RUMMY.deck)
    felt.dealt()
    assert felt.meters.voids == 1
    felt.over()
    assert "is not a fault" in refused(felt, "drill", "boss", "fire")


# -- Void, closing, stopping ------------------------------------------------------------------------


@every_game
@every_phase
def test_a_supervisor_voids_a_round_in_any_phase_in_which_wagers_stand(game: Game, phase: Phase) -> None:
    felt = until(Felt(game, timers=BY_HAND).wagered((0, 2)), phase, (0, 2))
    assert refused(felt, "void", "boss", " ") == "A void round needs a reason."
    before = felt.chips
    if phase == Phase.SETTLING:
        assert refused(felt, "void", "boss", "Spill.") == "There is no wager to give back."
        return
    drafts = felt.void("boss", "Spill.")
    assert kinds(drafts)[0] == "void"
    assert (felt.phase, felt.chips, felt.meters.voids) == (Phase.BETTING, before, 1)
    assert felt.used == 0, "cards of a void round are not dealt from again"
    assert keeps_its_word(felt.record.events) == felt.cycles - 1


@every_game
@every_phase
def test_closing_waits_for_the_round_and_pays_everyone(game: Game, phase: Phase) -> None:
    felt = until(Felt(game, timers=BY_HAND).wagered((0, 2)), phase, (0, 2))
    drafts = felt.close("boss", "Night.")
    if phase in ROUND_PHASES:
        assert kinds(drafts) == ["closing"]
        assert view(felt.table)["closes"]
        assert "closes after this round already" in refused(felt, "close", "boss")
        felt.over()
    assert (felt.phase, felt.chips, felt.closes) == (Phase.CLOSED, 0, "")
    assert felt.paid_out == felt.bought - felt.meters.win
    assert keeps_its_word(felt.record.events) == felt.cycles
    for act, *words in (("close", "x"), ("stop", "x", "y"), ("void", "x", "y"), ("sit", "ann", 0, 500)):
        assert refused(felt, act, *words) == "table-1 is closed."


@every_game
@every_phase
def test_stopping_gives_all_wagers_back_at_once(game: Game, phase: Phase) -> None:
    felt = until(Felt(game, timers=BY_HAND).wagered((0, 2)), phase, (0, 2))
    before = felt.chips
    felt.stop("boss", "Fire.")
    assert (felt.phase, felt.chips) == (Phase.CLOSED, 0)
    assert felt.record.events[-1].kind == "closed"
    assert sum(event.data["cents"] for event in felt.record.events if event.kind == "left") == before


@every_game
def test_a_void_round_pays_out_who_is_leaving_and_closes_a_closing_table(game: Game) -> None:
    felt = Felt(game, timers=BY_HAND).until(Phase.CHOOSING, (0, 1))
    felt.leave(f"player {felt.turn}", felt.turn)
    if felt.phase in ROUND_PHASES:
        felt.close("boss")
        felt.void("boss", "Spill.")
        assert (felt.phase, felt.chips) == (Phase.CLOSED, 0)


# -- What else is on record -------------------------------------------------------------------------


def test_an_alarm_is_written_once_and_again_when_it_is_over() -> None:
    felt = Felt(RUMMY)
    assert kinds(felt.with_alarm("Odd.")) == ["alarm"]
    assert felt.with_alarm("Odd.") == []
    felt.dealt()
    felt.over()
    assert felt.alarm == "Odd."
    felt.with_alarm("")
    assert felt.alarm == ""


def test_what_does_not_happen_at_a_table_is_refused() -> None:
    with pytest.raises(Refused, match="'rained' is not a kind of event at a table"):
        Felt(RUMMY).table.after(Event("table-1", 1, "rained", 0, "now", {}))


def test_a_table_in_a_log_shows_no_card() -> None:
    felt = Felt(RUMMY, timers=BY_HAND).until(Phase.CHOOSING)
    assert str(felt.shuffle.order) not in repr(felt.table)
    assert felt.shuffle.salt not in repr(felt.table)


def test_a_draft_is_what_was_told_to_the_ledger() -> None:
    (draft,) = Felt(RUMMY).sit("ann", 3, 500)
    assert draft == Draft("table-1", "seated", {"seat": 4, "player": "ann", "cents": 500}, 1)


# -- Seats that sit out ------------------------------------------------------------------------------


def test_who_sat_out_a_round_is_not_waited_for_and_leaves_after_some_more() -> None:
    felt = Felt(RUMMY)
    felt.sit("ann", 0, 100_000)
    felt.sit("bob", 1, 5_000)
    for n in range(MAX_MISSED_ROUNDS + 1):
        felt.wager("ann", 0, {"ante": 500})
        felt.ready("ann", 0)
        if not n:
            assert felt.phase is Phase.BETTING, "the first time, bob is waited for"
            felt.no_more_bets()
        while felt.phase is Phase.CHOOSING:
            felt.choose("ann", 0, "fold")
        assert felt.round == n + 2
    assert felt.places[1] is None
    assert felt.table.chips == felt.places[0].bankroll


def test_who_comes_back_is_waited_for_again() -> None:
    felt = Felt(RUMMY)
    for seat, player in enumerate(("ann", "bob")):
        felt.sit(player, seat, 10_000)
    felt.wager("ann", 0, {"ante": 500})
    felt.no_more_bets()
    felt.choose("ann", 0, "fold")
    felt.wager("bob", 1, {"ante": 500})
    felt.wager("ann", 0, {"ante": 500})
    felt.ready("ann", 0)
    assert felt.phase is Phase.BETTING
    felt.ready("bob", 1)
    assert felt.phase is Phase.CHOOSING


def test_why_a_round_was_void_is_told_until_the_next() -> None:
    felt = Felt(RUMMY)
    felt.sit("ann", 0, 10_000)
    felt.drill("sue", "jam")
    felt.wager("ann", 0, {"ante": 500})
    felt.ready("ann", 0)
    assert felt.phase is Phase.BETTING
    assert "JAM" in view(felt.table, "ann")["void"]


def test_while_a_stage_is_paid_no_card_of_the_next_is_shown() -> None:
    felt = Felt(GAMES["triple-shot-bonus"], timers=BY_HAND).until(Phase.PAYING)
    shown = view(felt.table, "player 0")
    assert [len(shown["seats"][0]["cards"]), len(shown["dealer"])] == [1, 1]
    assert {paid["spot"] for paid in shown["payments"]} >= {"war"}
    felt.time_is_up()
    shown = view(felt.table, "player 0")
    assert [len(shown["seats"][0]["cards"]), len(shown["dealer"])] == [2, 2]


@pytest.mark.parametrize("choice", ["insure", "insure=250", "insure=200"])
def test_the_most_for_insurance_is_one_choice_however_it_is_named(choice: str) -> None:
    """The act holds the round in play to the round on record."""
    felt = Felt(GAMES["triple-shot-bonus"])
    for _ in range(1000):
        felt.dealt()
        if felt.phase == Phase.CHOOSING and "insure" in felt.rounds[0].choices:
            break
        felt.over()
    felt.choose("player 0", 0, choice)
    assert felt.record.last_events("", ("chose",))[0].data["cents"] == (
        200 if choice == "insure=200" else 250
    )
