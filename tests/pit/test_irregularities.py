"""Irregularities at a table: recorded, decided, drilled; wrong payments corrected on both sides."""

import re
from pathlib import Path

import pytest

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.ledger import Ledger
from feltlab.pit.history import list_rounds
from feltlab.pit.irregularities.actions import decisions_now, record_irregularity
from feltlab.pit.irregularities.corrections import correct_payment, load_payment
from feltlab.pit.irregularities.drills import end_drill, start_drill
from feltlab.pit.irregularities.hands import cards_due
from feltlab.pit.irregularities.incident import FAULT_CLAUSES, load_incident
from feltlab.pit.irregularities.kinds import (
    describe_decision,
    find_clause,
    find_clause_by_beginning,
    irregularity_kind,
    irregularity_kinds,
)
from feltlab.pit.pit import Pit
from feltlab.pit.recorded_round import load_round
from feltlab.pit.replay import replay_round
from feltlab.pit.replay_steps import describe_steps
from feltlab.pit.seats import Phase, Timers
from feltlab.pit.verify import verify
from tests.support.at_random import STAFF
from tests.support.felt import BY_HAND, Felt, kinds
from tests.support.insider import Events, rewrite_ledger
from tests.support.irregular import record

RUMMY = GAMES["triple-shot-rummy"]


def refusal(felt: Felt, *words, **named) -> str:
    before, events = felt.table, len(felt.record.events)
    with pytest.raises(Refused) as refused:
        felt.act(lambda table: record_irregularity(table, "sue", *words, **named))
    assert (felt.table, len(felt.record.events)) == (before, events)
    return str(refused.value)


# -- Kinds -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", irregularity_kinds(), ids=lambda kind: kind.name)
def test_every_kind_has_a_clause_in_every_rule_sheet(game: str, kind) -> None:
    clause = find_clause(kind.name, GAMES[game])
    assert clause.text.startswith(kind.clause)
    assert clause.source


def test_every_decision_is_described_and_every_kind_can_be_drilled() -> None:
    for kind in irregularity_kinds():
        assert all(describe_decision(name).endswith(".") for name in kind.decisions)
        assert kind.drill.startswith("Assume")


def test_an_unknown_kind_or_decision_is_refused() -> None:
    with pytest.raises(Refused, match="the kinds are wrong-count, exposed-card"):
        irregularity_kind("rain")
    felt = Felt(RUMMY).until(Phase.CHOOSING)
    assert refusal(felt, "wrong-count", "dealer", "play-on", 4) == (
        "'play-on' is not a decision on wrong number of cards; possible is void."
    )


# -- Recording ---------------------------------------------------------------------------------------


HANDS = [(game, hand) for game in GAMES.values() for hand in ("seat 1", "seat 2", *game.shared_areas)]


@pytest.mark.parametrize(("game", "hand"), HANDS, ids=str)
@pytest.mark.parametrize("by", [-1, 1])
def test_a_wrong_number_of_cards_voids_the_round_in_one_write(game, hand: str, by: int) -> None:
    felt = Felt(game).until(Phase.CHOOSING, (0, 1))
    settled = felt.meters.win + felt.win_in_round
    due, money = cards_due(felt.deal)[hand], felt.chips
    drafts = record(felt, "wrong-count", hand, "void", due + by)
    noted, void = drafts[:2]
    assert kinds(drafts)[:3] == ["irregularity", "void", "order"]
    assert (noted.data["found"], noted.data["due"], noted.data["hand"]) == (due + by, due, hand)
    assert f"instead of {due}" in void.data["reason"]
    assert (felt.phase, felt.bettors) == (Phase.BETTING, [])
    assert (felt.chips, felt.meters.win) == (money, settled)


def test_the_record_names_the_player_of_the_hand() -> None:
    felt = Felt(RUMMY).until(Phase.CHOOSING, (0, 2))
    (noted, *_) = record(felt, "exposed-card", "seat 3", "void")
    assert (noted.data["player"], noted.data["clause"], noted.data["drill"]) == ("player 2", "11.4", False)


def test_a_right_number_of_cards_is_no_irregularity() -> None:
    felt = Felt(RUMMY).until(Phase.CHOOSING)
    assert refusal(felt, "wrong-count", "dealer", "void", 3) == (
        "The dealer has 3 cards, as the rules give it."
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("wrong-count", "dealer", "void"), "Say how many cards were found: a number from 0 to 100."),
        (("wrong-count", "dealer", "void", -1), "Say how many cards were found: a number from 0 to 100."),
        (("exposed-card", "dealer", "void", 4), "No number of cards belongs to this: card seen too early."),
        (
            ("exposed-card", "seat 2", "void"),
            "'seat 2' is not a hand of this round; its hands are seat 1 and dealer.",
        ),
        (
            ("exposed-card", "moon", "void"),
            "'moon' is not a hand of this round; its hands are seat 1 and dealer.",
        ),
        (
            ("wrong-payment", "seat 1", "correct"),
            "A wrong payment is not recorded in its round; it is corrected once the round is over.",
        ),
    ],
)
def test_bad_records_are_refused_in_one_sentence(words, sentence: str) -> None:
    assert refusal(Felt(RUMMY).until(Phase.CHOOSING), *words) == sentence


def test_nothing_is_recorded_before_cards_or_after_the_round() -> None:
    felt = Felt(RUMMY, timers=BY_HAND)
    words = ("exposed-card", "dealer", "void")
    assert refusal(felt, *words) == "No card has been dealt in this round: bets are still taken."
    felt.until(Phase.NO_MORE_BETS)
    assert refusal(felt, *words) == "No card has been dealt in this round yet."
    felt.until(Phase.SETTLING)
    assert refusal(felt, *words) == "The round is over; only a wrong payment can still be corrected."
    felt.until(Phase.BETTING)
    felt.close("sue")
    assert refusal(felt, *words) == "The table is closed."


def test_the_same_irregularity_is_recorded_once_in_a_round() -> None:
    felt = Felt(RUMMY).until(Phase.CHOOSING)
    record(felt, "wrong-seat", "dealer", "play-on")
    assert refusal(felt, "wrong-seat", "dealer", "void") == (
        "Card out of turn or to the wrong seat, dealer: this is on record for the round already."
    )
    record(felt, "wrong-seat", "seat 1", "play-on")  # another hand
    felt.over()
    record(felt.until(Phase.CHOOSING), "wrong-seat", "dealer", "play-on")  # another round


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_a_card_seen_too_early_is_decided_as_the_clause_says(game) -> None:
    """Void while a seat has yet to choose; otherwise the round continues."""
    clause = find_clause("exposed-card", game).number
    felt, hand = Felt(game, timers=BY_HAND).until(Phase.CHOOSING), game.shared_areas[-1]
    assert refusal(felt, "exposed-card", hand, "play-on") == (
        f"Clause {clause}: a seat has yet to choose, so the decision on card seen too early is void, "
        "not play-on."
    )
    felt.until(Phase.REVEAL)
    assert refusal(felt, "exposed-card", hand, "void") == (
        f"Clause {clause}: no seat has yet to choose, so the decision on card seen too early is play-on, "
        "not void."
    )
    record(felt, "exposed-card", hand, "play-on")
    assert [*decisions_now(felt.table, "wrong-seat")] == ["play-on", "void"]


def test_between_two_stages_a_seat_may_have_yet_to_choose() -> None:
    """Triple Shot Bonus settles War before anybody plays, and Blackjack after everybody has."""
    felt = Felt(GAMES["triple-shot-bonus"], timers=BY_HAND)
    seen = set()
    while seen != {True, False}:
        felt.until(Phase.PAYING)
        spots = {spot for _, spot, *_ in felt.paid}
        due = "play-on" if "blackjack" in spots else "void"
        assert decisions_now(felt.table, "exposed-card") == (due,)
        seen.add("blackjack" in spots)
        felt.time_is_up()


# -- Drills ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
@pytest.mark.parametrize("kind", [kind.name for kind in irregularity_kinds() if kind.is_of_round_in_play])
def test_a_drill_holds_the_round_until_it_is_recorded(game, kind: str) -> None:
    felt, hand = Felt(game, timers=Timers(choosing=0)).wagered(), game.shared_areas[-1]
    felt.act(lambda table: start_drill(table, "sue", kind))
    felt.no_more_bets()
    assert (felt.phase, felt.is_held) == (Phase.REVEAL, True)
    felt.time_is_up()
    assert felt.phase == Phase.REVEAL
    found = cards_due(felt.deal)[hand] + 1 if kind == "wrong-count" else None
    decision = irregularity_kind(kind).decisions[-1]
    (noted, *_) = record(felt, kind, hand, decision, found)
    assert noted.data["drill"]
    assert (felt.phase, felt.rehearsal) == (Phase.BETTING, "")


@pytest.mark.parametrize(("seconds", "phase"), [(0, Phase.BETTING), (3, Phase.BETTING), (None, Phase.REVEAL)])
def test_a_drill_that_is_recorded_goes_on_whatever_the_clock_says(seconds, phase: Phase) -> None:
    """The clock of the phase has run out meanwhile, and nobody starts it again; a dealer is waited for."""
    felt = Felt(RUMMY, timers=Timers(choosing=0, reveal=seconds)).wagered()
    felt.act(lambda table: start_drill(table, "sue", "exposed-card"))
    felt.no_more_bets()
    assert felt.phase == Phase.REVEAL
    felt.time_is_up()
    record(felt, "exposed-card", "dealer", "play-on")
    assert felt.phase == phase


def test_a_drill_is_set_once_and_while_bets_are_open() -> None:
    felt = Felt(RUMMY)
    felt.act(lambda table: start_drill(table, "sue", "exposed-card"))
    with pytest.raises(Refused, match=r"^A drill of exposed-card is under way already\.$"):
        felt.act(lambda table: start_drill(table, "sue", "wrong-count"))
    with pytest.raises(Refused, match="is not a fault or an irregularity to drill"):
        felt.act(lambda table: start_drill(table, "sue", "fire"))
    felt.until(Phase.CHOOSING)
    with pytest.raises(Refused, match="only while bets are open"):
        felt.act(lambda table: start_drill(table, "sue", "wrong-count"))


def test_another_irregularity_during_a_drill_waits_for_its_end() -> None:
    felt = Felt(RUMMY)
    felt.act(lambda table: start_drill(table, "sue", "exposed-card"))
    felt.until(Phase.CHOOSING)
    assert refusal(felt, "wrong-count", "dealer", "void", found=4) == (
        "A drill of exposed-card is under way, not of wrong-count: record that, or if something real has "
        "happened, end the drill first (end-drill, or its button on the page)."
    )
    (ended,) = felt.act(lambda table: end_drill(table, "sue", "A real one."))
    assert (ended.kind, ended.data["kind"], ended.data["by"]) == ("drill-ended", "exposed-card", "sue")
    (noted, *_) = record(felt, "wrong-count", "dealer", "void", 4)
    assert not noted.data["drill"]
    with pytest.raises(Refused, match=r"^No drill of an irregularity is under way\.$"):
        felt.act(lambda table: end_drill(table, "sue"))


@pytest.mark.parametrize("kind", irregularity_kinds(), ids=lambda kind: kind.name)
def test_a_drill_that_is_ended_lets_the_round_go_on(kind) -> None:
    felt = Felt(RUMMY, timers=Timers(choosing=0)).wagered()
    felt.act(lambda table: start_drill(table, "sue", kind.name))
    felt.no_more_bets()
    assert (felt.phase, felt.is_held) == (Phase.REVEAL if kind.is_of_round_in_play else Phase.SETTLING, True)
    felt.time_is_up()
    assert felt.is_held
    felt.act(lambda table: end_drill(table, "sue"))
    assert (felt.phase, felt.rehearsal, felt.round) == (Phase.BETTING, "", 2)


def test_a_drill_outlasts_a_void_round_and_ends_with_the_table() -> None:
    """The drill belongs to the round that is dealt next; its end is on record, whatever ends it."""
    felt = Felt(RUMMY)
    felt.act(lambda table: start_drill(table, "sue", "wrong-payment"))
    felt.until(Phase.CHOOSING)
    felt.void("sue", "A fire alarm.")
    assert (felt.phase, felt.rehearsal) == (Phase.BETTING, "wrong-payment")
    assert "drill-ended" in kinds(felt.close("sue"))
    assert felt.rehearsal == ""


# -- On a ledger -------------------------------------------------------------------------------------


class Played:
    """A pit with a table of Triple Shot Rummy at which two players have finished rounds."""

    def __init__(self, pit: Pit) -> None:
        self.pit, self.live = pit, pit.table("triple-shot-rummy-1")

    async def act(self, change) -> None:
        await self.live.act(change)

    async def sit(self, player: str, seat: int) -> None:
        await self.pit.give(lambda cage: cage.plan_welcome(player))
        await self.act(lambda table: table.sit(player, seat, 50_000))

    async def begin(self) -> None:
        for seat, player in enumerate(("ann", "bob")):
            await self.act(
                lambda t, p=player, s=seat: t.wager(p, s, {"ante": 1000, "pair-plus": 500}).ready(p, s)
            )

    async def play(self) -> int:
        """Play a round; returns its number."""
        number = self.live.table.round
        await self.begin()
        for seat, player in enumerate(("ann", "bob")):
            await self.act(lambda table, p=player, s=seat: table.choose(p, s, "play"))
        return number

    async def correct(self, round: int, seat: int, spot: str, by: int, reason: str = "A dispute.") -> int:
        """Correct a payment by some cents, upwards if the pay table allows it; returns the difference."""
        wrong = load_payment(self.pit.ledger, self.live.table.name, round, seat, spot)
        more = by if wrong.net + by <= wrong.most else -by
        change = (wrong.net, wrong.net + more, reason)
        await self.act(lambda table: correct_payment(table, "sue", wrong, *change))
        return more


async def begun(folder: Path) -> Played:
    pit = Pit(folder)
    await pit.start()
    await pit.demo()
    made = pit.accounts.ensure_administrator()
    await pit.note(*made.drafts)
    for name, role in STAFF.items():
        await pit.note(*pit.accounts.create(name, "a long password", role, "admin").drafts)
    await pit.open_table("triple-shot-rummy-2", RUMMY, "house", STANDARD_LIMITS, Timers())
    played = Played(pit)
    played.live = pit.table("triple-shot-rummy-2")
    await played.sit("ann", 0)
    await played.sit("bob", 1)
    return played


async def test_a_correction_at_the_seat_has_both_sides(tmp_path: Path) -> None:
    played = await begun(tmp_path)
    number = await played.play()
    table = played.live.table
    ann, win = table.place(0).bankroll, table.meters.win
    more = await played.correct(number, 0, "ante", 700)
    table = played.live.table
    assert (table.place(0).bankroll, table.meters.win) == (ann + more, win - more)
    round = load_round(played.pit.ledger, table.name, number)
    assert (round.win, round.marks) == (win - more, ["corrected"])
    assert round.win == -round.net_of(0) - round.net_of(1)
    (listed,) = list_rounds(played.pit.ledger, table.name, 10)
    assert (listed["corrected"], listed["marks"]) == (more, ["corrected"])
    await played.pit.stop()
    check_sound(tmp_path, corrections=1)


async def test_a_player_who_has_left_is_corrected_at_the_cage(tmp_path: Path) -> None:
    played = await begun(tmp_path)
    number = await played.play()
    await played.act(lambda table: table.leave("bob", 1))
    balance, win = played.pit.cage.balance("bob"), played.live.table.meters.win
    wrong = load_payment(played.pit.ledger, played.live.table.name, number, 1, "ante")
    paid = await played.correct(number, 1, "ante", -(wrong.net + 1000) or 300)
    assert played.pit.cage.balance("bob") == balance + paid
    assert played.live.table.meters.win == win - paid
    moved = [e for e in played.pit.ledger.events("cage") if e.kind in ("from-table", "to-table")][-1]
    assert (moved.data["account"], moved.data["cents"]) == ("bob", abs(paid))
    await played.pit.stop()
    check_sound(tmp_path, corrections=1)


async def test_a_correction_of_a_closed_table_survives_a_restart(tmp_path: Path) -> None:
    played = await begun(tmp_path)
    number = await played.play()
    await played.act(lambda table: table.close("sue"))
    win = played.live.table.meters.win
    more = await played.correct(number, 0, "ante", 700)
    await played.pit.stop()
    pit = Pit(tmp_path)
    await pit.start()
    assert pit.table(played.live.table.name).table.meters.win == win - more
    await pit.open_table(played.live.table.name, RUMMY, "house", STANDARD_LIMITS, Timers())
    await pit.stop()
    check_sound(tmp_path, corrections=1)


@pytest.mark.parametrize(
    ("paid", "due", "reason", "sentence"),
    [
        (1, 500, "x", "was not"),
        (0, 0, "x", "nothing is wrong"),
        (0, -1001, "x", "$10 on ante comes to a net between -$10 and +$10, not to -$10.01."),
        (0, 1001, "x", "$10 on ante comes to a net between -$10 and +$10, not to +$10.01."),
        (0, 10**11, "x", "$10 on ante comes to a net between -$10 and +$10, not to +$1,000,000,000."),
        (0, -500, " ", "A correction needs a reason."),
    ],
)
async def test_wrong_corrections_are_refused(tmp_path: Path, paid: int, due: int, reason, sentence) -> None:
    """Amounts are relative to the payment on record, which chance decides."""
    played = await begun(tmp_path)
    number = await played.play()
    wrong = load_payment(played.pit.ledger, played.live.table.name, number, 0, "ante")
    due = due if abs(due) > 1000 else wrong.net + due if wrong.net + due >= -1000 else wrong.net + 500
    before = played.live.table
    with pytest.raises(Refused, match=re.escape(sentence)):
        await played.act(lambda table: correct_payment(table, "sue", wrong, wrong.net + paid, due, reason))
    assert played.live.table == before
    await played.pit.stop()


async def test_a_correction_twice_or_of_another_payment_is_refused(tmp_path: Path) -> None:
    played = await begun(tmp_path)
    number, table = await played.play(), played.live.table.name
    wrong = load_payment(played.pit.ledger, table, number, 0, "ante")
    more = await played.correct(number, 0, "ante", 700)
    again = load_payment(played.pit.ledger, table, number, 0, "ante")
    amounts = (wrong.net, wrong.net + more, "A dispute.")
    with pytest.raises(Refused, match=r"is on record, as sue corrected it\.$"):
        await played.act(lambda t: correct_payment(t, "sue", again, *amounts))
    with pytest.raises(Refused, match="paid nothing on 'moon' at seat 1"):
        load_payment(played.pit.ledger, table, number, 0, "moon")
    with pytest.raises(Refused, match="is not over"):
        load_payment(played.pit.ledger, table, number + 1, 0, "ante")
    await played.pit.stop()


async def test_more_than_a_seat_has_cannot_be_taken_from_it(tmp_path: Path) -> None:
    played = await begun(tmp_path)
    number = await played.play()
    wrong = load_payment(played.pit.ledger, played.live.table.name, number, 0, "pair-plus")
    won = await played.correct(number, 0, "pair-plus", wrong.most - wrong.net)
    assert wrong.net + won == 40 * 500  # the most that a straight flush pays
    await played.act(lambda table: table.wager("ann", 0, {"ante": 40_000}))
    await played.act(lambda table: table.leave("ann", 0))
    await played.act(lambda table: table.sit("ann", 0, 1_000))
    with pytest.raises(Refused, match=r"^ann has \$10 at seat 1, less than \$[0-9]+ to take\.$"):
        await played.correct(number, 0, "pair-plus", -won)
    await played.pit.stop()


async def test_a_drill_of_a_wrong_payment_moves_the_money_back(tmp_path: Path) -> None:
    played = await begun(tmp_path)
    old = await played.play()
    await played.act(lambda table: start_drill(table, "sue", "wrong-payment"))
    sentence = "A drill of wrong-payment is under way in round 2: correct a payment of that round"
    with pytest.raises(Refused, match=sentence):
        await played.correct(old, 0, "ante", 700)
    number = await played.play()
    before = played.live.table
    assert (before.phase, before.is_held, before.round) == (Phase.SETTLING, True, number)
    with pytest.raises(Refused, match=sentence):
        await played.correct(old, 0, "ante", 700)
    more = await played.correct(number, 0, "ante", 700)
    after = played.live.table
    assert (after.chips, after.meters, after.rehearsal) == (before.chips, before.meters, "")
    assert (after.phase, after.round) == (Phase.BETTING, number + 1)
    round = load_round(played.pit.ledger, after.name, number)
    assert [(made.cents, made.drill) for made in round.corrections] == [(more, True), (-more, True)]
    assert round.marks == ["drill"]
    await played.correct(number, 0, "ante", 300)  # a real one, after the drill
    await played.pit.stop()
    check_sound(tmp_path, corrections=3)


async def test_replay_and_incident_tell_what_was_recorded(tmp_path: Path) -> None:
    played = await begun(tmp_path)
    name, number = played.live.table.name, played.live.table.round
    await played.begin()
    note = "Found at the turn."
    await played.act(lambda t: record_irregularity(t, "sue", "wrong-count", "seat 2", "void", 4, note))
    replay = replay_round(load_round(played.pit.ledger, name, number))
    assert replay.same
    steps = [step.text for step in describe_steps(replay)]
    told = "sue records an irregularity, decided by clause 11.1: void. Seat 2 has 4 cards instead of 3."
    assert any(step.startswith(told) for step in steps)
    incident = load_incident(played.pit.ledger, name, number)
    (entry,) = incident.entries
    assert (entry.phase, incident.settled, len(incident.returned)) == ("choosing", (), 4)
    assert [hand for hand, _ in incident.hands] == ["seat 1", "seat 2", "dealer"]
    assert incident.house == played.pit.house.name
    assert (entry.by, entry.hand, entry.player, entry.found, entry.due) == ("sue", "seat 2", "bob", 4, 3)
    assert [(seat.put_down, seat.settled, seat.refunded) for seat in incident.money] == [(1500, 0, 1500)] * 2
    assert [event.kind for event in incident.events] == ["irregularity", "void"]
    on_record = {event.number: event.digest for event in played.pit.ledger.events(name)}
    assert all(on_record[event.number] == event.digest for event in incident.events)
    fine = await played.play()
    with pytest.raises(Refused, match="Nothing irregular is on record"):
        load_incident(played.pit.ledger, name, fine)
    await played.pit.stop()


async def test_a_replay_puts_each_irregularity_at_its_moment(tmp_path: Path) -> None:
    """Before and after a choice, and nothing that would have followed once the round is void."""
    played = await begun(tmp_path)
    name, number = played.live.table.name, played.live.table.round
    await played.begin()
    await played.act(lambda t: record_irregularity(t, "sue", "wrong-seat", "dealer", "play-on"))
    await played.act(lambda t: t.choose("ann", 0, "play"))
    await played.act(lambda t: record_irregularity(t, "sue", "wrong-count", "seat 2", "void", 4))
    steps = [step.text for step in describe_steps(replay_round(load_round(played.pit.ledger, name, number)))]
    first, chose, second, void = (
        next(n for n, text in enumerate(steps) if part in text)
        for part in (
            "The dealer: card out of turn",
            "chooses play",
            "Seat 2 has 4 cards",
            "The round is void",
        )
    )
    assert max(n for n, text in enumerate(steps[:first]) if text.startswith("Dealer:")) < first < chose
    assert (chose + 1, second + 1) == (second, void)
    await played.pit.stop()


async def test_a_replay_stops_where_the_round_was_void(tmp_path: Path) -> None:
    """War is settled before the second card, which a void at that moment keeps from falling."""
    bonus, bets = GAMES["triple-shot-bonus"], {"war": 500, "poker": 500, "blackjack": 500}
    pit = Pit(tmp_path)
    await pit.start()
    await pit.demo()
    await pit.open_table("bonus-2", bonus, "house", STANDARD_LIMITS, Timers(dealing=None, paying=None))
    live = pit.table("bonus-2")
    await pit.give(lambda cage: cage.plan_welcome("ann"))
    await live.act(lambda t: t.sit("ann", 0, 50_000).wager("ann", 0, bets))
    await live.act(lambda t: t.ready("ann", 0))
    await live.act(lambda t: t.time_is_up())  # War is taken or paid
    assert live.table.phase == Phase.PAYING
    await live.act(lambda t: record_irregularity(t, "sue", "wrong-seat", "dealer", "void"))
    steps = [*describe_steps(replay_round(load_round(pit.ledger, "bonus-2", 1)))]
    assert [step.about for step in steps if step.to == "1"] == ["cards", "payments", "returned"]
    assert all(len(step.cards) < 2 for step in steps)
    await pit.stop()


def check_sound(folder: Path, corrections: int) -> None:
    with Ledger.open(folder / "ledger.sqlite", writer=False) as ledger:
        report = verify(ledger)
    assert [str(problem) for problem in report.problems] == []
    assert report.corrections == corrections


# -- An insider --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def irregular_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with irregularities, a drill, and corrections at a seat and at the cage."""
    import asyncio

    async def fill(folder: Path) -> None:
        played = await begun(folder)
        await played.begin()
        await played.act(lambda t: record_irregularity(t, "sue", "wrong-seat", "dealer", "play-on"))
        await played.act(lambda t: record_irregularity(t, "sue", "wrong-count", "seat 1", "void", 2))
        number = await played.play()
        await played.correct(number, 0, "pair-plus", 700)
        await played.act(lambda table: table.leave("bob", 1))
        await played.correct(number, 1, "pair-plus", 300)
        await played.act(lambda table: start_drill(table, "sue", "wrong-payment"))
        last = played.live.table.round
        await played.act(lambda table: table.wager("ann", 0, {"ante": 1000}).ready("ann", 0))
        await played.act(lambda table: table.choose("ann", 0, "play"))
        await played.correct(last, 0, "play", 100)
        await played.pit.stop()

    folder = tmp_path_factory.mktemp("irregular")
    asyncio.run(fill(folder))
    return folder


def of_kind(events: Events, kind: str, number: int = 0) -> dict:
    return [event for event in events if event["kind"] == kind][number]


def forges_count(events: Events) -> None:
    of_kind(events, "irregularity", 1)["data"]["due"] = 1


def finds_nothing_wrong(events: Events) -> None:
    of_kind(events, "irregularity", 1)["data"] |= {"found": 3}


def decides_otherwise(events: Events) -> None:
    of_kind(events, "irregularity", 1)["data"]["decision"] = "play-on"


def does_not_void(events: Events) -> None:
    of_kind(events, "irregularity", 0)["data"]["decision"] = "void"


def names_another_hand(events: Events) -> None:
    of_kind(events, "irregularity", 0)["data"]["hand"] = "seat 7"


def is_no_supervisor(events: Events) -> None:
    of_kind(events, "irregularity", 0)["data"]["by"] = "dan"


def pretends_a_drill(events: Events) -> None:
    of_kind(events, "irregularity", 0)["data"]["drill"] = True


def unknown_kind(events: Events) -> None:
    of_kind(events, "irregularity", 0)["data"]["kind"] = "rain"


def recorded_twice(events: Events) -> None:
    place = events.index(of_kind(events, "irregularity", 0))
    events.insert(place, {**events[place], "data": dict(events[place]["data"])})


def house_side_missing(events: Events) -> None:
    of_kind(events, "corrected", 0)["data"]["house"] = 0


def pays_more_than_due(events: Events) -> None:
    of_kind(events, "corrected", 0)["data"] |= {"cents": 900, "house": -900}


def corrects_what_was_not_paid(events: Events) -> None:
    data = of_kind(events, "corrected", 0)["data"]
    data |= {"paid": data["paid"] + 100, "due": data["due"] + 100}


def corrects_to_anything(events: Events) -> None:
    data = of_kind(events, "corrected", 0)["data"]
    data |= {"due": 10**11, "cents": 10**11 - data["paid"], "house": data["paid"] - 10**11}


def corrects_another_round(events: Events) -> None:
    of_kind(events, "corrected", 0)["data"]["corrects"] = 999


def pays_another_player(events: Events) -> None:
    of_kind(events, "corrected", 0)["data"]["player"] = "mal"


def no_cage_side(events: Events) -> None:
    place = events.index(of_kind(events, "corrected", 1))
    del events[next(n for n in range(place, len(events)) if events[n]["chain"] == "cage")]


def no_table_side(events: Events) -> None:
    events.remove(of_kind(events, "corrected", 1))


def corrected_by_a_dealer(events: Events) -> None:
    of_kind(events, "corrected", 0)["data"]["by"] = "dan"


def keeps_the_drills_money(events: Events) -> None:
    events.remove(of_kind(events, "corrected", 3))


def hides_a_drill(events: Events) -> None:
    for number in (2, 3):
        of_kind(events, "corrected", number)["data"]["drill"] = False


def corrected_out_of_the_table(events: Events) -> None:
    of_kind(events, "corrected", 0)["data"]["at"] = "moon"


FORGERIES = {
    forges_count: "1 cards are recorded as due",
    finds_nothing_wrong: "which is no irregularity",
    decides_otherwise: "cannot be decided on wrong-count",
    does_not_void: "was decided as void, but the round went on",
    names_another_hand: "is not a hand of the round",
    is_no_supervisor: "dan",
    pretends_a_drill: "without one",
    unknown_kind: "cannot be followed",
    recorded_twice: "recorded twice",
    house_side_missing: "the player received +$7 and the house $0",
    pays_more_than_due: "the player received +$9 and the house -$9",
    corrects_what_was_not_paid: "on record it is",
    corrects_to_anything: "comes to a net between -$5 and +$200, not to +$1,000,000,000.",
    corrects_another_round: "not on record",
    pays_another_player: "mal",
    no_cage_side: "the cage did not record",
    no_table_side: "the table did not record",
    corrected_by_a_dealer: "dan",
    keeps_the_drills_money: "did not move it back",
    hides_a_drill: "hides that it was a drill",
    corrected_out_of_the_table: "moon",
}


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_a_forged_record_is_found(irregular_folder: Path, tmp_path: Path, forge) -> None:
    with Ledger.open(rewrite_ledger(irregular_folder, tmp_path, forge), writer=False) as ledger:
        report = verify(ledger)
    found = [str(problem) for problem in report.problems]
    assert any(FORGERIES[forge] in problem for problem in found), found


def test_the_ledger_that_is_forged_is_sound(irregular_folder: Path) -> None:
    check_sound(irregular_folder, corrections=4)


# -- Faults and plain voids --------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_every_rule_sheet_has_a_clause_for_a_fault_of_the_shuffler(game) -> None:
    assert find_clause_by_beginning(FAULT_CLAUSES, game)


async def test_a_fault_of_the_shuffler_and_a_plain_void_have_reports_too(tmp_path: Path) -> None:
    played = await begun(tmp_path)
    name, number = played.live.table.name, played.live.table.round
    await played.act(lambda table: table.wager("ann", 0, {"ante": 1000}))
    await played.act(lambda table: table.void("sue", "A spill."))
    await played.act(lambda table: start_drill(table, "sue", "jam"))
    await played.begin()
    (void,) = load_incident(played.pit.ledger, name, number).entries
    assert (void.kind, void.by, void.what, void.clause) == ("void", "sue", "A spill.", "")
    incident = load_incident(played.pit.ledger, name, number + 1)
    (fault,) = incident.entries
    assert (fault.kind, fault.by, fault.clause, incident.is_drill) == (
        "shuffler-fault",
        "house",
        "11.8",
        True,
    )
    assert "JAM" in fault.what
    await played.pit.stop()


# -- Between two stages ------------------------------------------------------------------------------

SHOT = GAMES["triple-shot-bonus"]


@pytest.mark.parametrize("by", [-1, 1])
def test_wagers_that_were_settled_before_an_irregularity_stay_settled(by: int) -> None:
    """War is taken and paid after one card each; what is void after that is the rest."""
    felt = Felt(SHOT, timers=BY_HAND).until(Phase.PAYING, (0, 1))
    before = {(seat, spot): net for seat, spot, _, _, net in felt.paid}
    assert {spot for _, spot in before} >= {"war"}
    bankrolls, on_felt = zip(*((place.bankroll, place.on_felt) for place in felt.places[:2]), strict=True)
    due = cards_due(felt.deal)["seat 1"]
    win = felt.meters.win
    noted, void, *_ = record(felt, "wrong-count", "seat 1", "void", due + by)
    assert (noted.data["due"], kinds([void])) == (due, ["void"])
    whole = [sum(pair) for pair in zip(bankrolls, on_felt, strict=True)]
    assert [place.bankroll for place in felt.places[:2]] == whole
    assert felt.meters.win == win - sum(before.values())


async def test_a_void_between_stages_is_sound_on_the_ledger(tmp_path: Path) -> None:
    played = await begun(tmp_path)
    await played.pit.open_table("shot-2", SHOT, "house", STANDARD_LIMITS, BY_HAND)
    played.live = played.pit.table("shot-2")
    for seat, player in enumerate(("cyd", "dee")):
        await played.sit(player, seat)
        wagers = {"war": 1000, "blackjack": 1000, "poker": 1000}
        await played.act(lambda t, p=player, s=seat, w=wagers: t.wager(p, s, w))
    await played.act(lambda table: table.no_more_bets("dan"))
    while played.live.table.phase != Phase.PAYING:
        await played.act(lambda table: table.time_is_up())
    number, due = played.live.table.round, cards_due(played.live.table.deal)["dealer"]
    await played.act(lambda t: record_irregularity(t, "sue", "wrong-count", "dealer", "void", due + 1))
    round = load_round(played.pit.ledger, "shot-2", number)
    assert replay_round(round).same, replay_round(round).sentences
    incident = load_incident(played.pit.ledger, "shot-2", number)
    assert {(seat.put_down, seat.refunded) for seat in incident.money} <= {(3000, 2000), (3000, 1000)}
    await played.correct(number, 0, "war", 700)  # a payment of a void round can be wrong too
    await played.pit.stop()
    check_sound(tmp_path, corrections=1)
