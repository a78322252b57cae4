"""Actions at a table, the same by HTTP and by WebSocket: a request becomes a function Table -> Table.

`LiveTable.act` runs that function under the table's lock and writes its events before anybody sees them.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from feltlab.errors import Refused
from feltlab.pit.irregularities.actions import record_irregularity
from feltlab.pit.irregularities.drills import end_drill, start_drill
from feltlab.pit.jackpots.bets import close_bets
from feltlab.pit.jackpots.desk import act_on_links, build_bet
from feltlab.pit.live_table import LiveTable, TableChange
from feltlab.pit.roles import Forbidden, Permission, Role
from feltlab.pit.shufflers.seeding import reveal_seed, seal_seed
from feltlab.pit.table import Table
from feltlab.server import models, shuffler_models
from feltlab.server.api.jackpot_models import CountBets, JackpotBet
from feltlab.server.auth import Auth
from feltlab.server.idempotency import bind_key, do_once
from feltlab.server.irregularity_models import EndDrill, RecordIrregularity
from feltlab.server.models import RequestModel
from feltlab.server.sessions import Session
from feltlab.server.solo_models import Say


class Action(NamedTuple):
    """An action at a table: its request, who may do it, what it does, and a sentence for the documentation.

    Its function takes the table, the account that acts and the request. Seats of requests count from 1.
    """

    model: type[RequestModel]
    permission: Permission
    change: Callable[[Table, str, Any], Table]
    summary: str


def _advance(table: Table, account: str, request: models.Advance) -> Table:
    _check_moment(table, request)
    if not table.waits_for_dealer:
        raise Refused("The table does not wait for its dealer.")
    if table.is_held:
        raise Refused("A drill holds the round until a supervisor has recorded it or ended it.")
    return table.time_is_up()


def _check_moment(table: Table, request: models.Advance) -> None:
    """Refuse a request that was meant for another phase, or for another stage of settling."""
    if request.phase not in (None, table.phase):
        raise Refused(f"The table is in the phase {table.phase.value!r}, not in {request.phase!r}.")
    if request.stage not in (None, table.stage):
        raise Refused(f"The table is at stage {table.stage} of the round, not at {request.stage}.")


PLAY, DEAL, SUPERVISE = Permission.PLAY, Permission.DEAL, Permission.SUPERVISE
ACTIONS: Mapping[str, Action] = {
    "sit": Action(
        models.Sit,
        PLAY,
        lambda table, by, r: table.sit(by, r.seat - 1, r.cents),
        "Take a seat with chips bought from my balance.",
    ),
    "buy": Action(
        models.Buy,
        PLAY,
        lambda table, by, r: table.buy(by, r.seat - 1, r.cents),
        "Buy more chips, between rounds.",
    ),
    "leave": Action(
        models.Leave,
        PLAY,
        lambda table, by, r: table.leave(by, r.seat - 1),
        "Leave with all chips; after the round, if I have wagers in it.",
    ),
    "wager": Action(
        models.Wager,
        PLAY,
        lambda table, by, r: table.wager(by, r.seat - 1, r.wagers),
        "Replace the wagers of my seat by these.",
    ),
    "ready": Action(
        models.Ready,
        PLAY,
        lambda table, by, r: table.ready(by, r.seat - 1),
        "Say that I have nothing more to bet.",
    ),
    "seal-seed": Action(
        shuffler_models.SealSeed,
        PLAY,
        lambda table, by, r: seal_seed(table, by, r.seat - 1, r.digest),
        "Seal a seed of my own for the cards: its SHA-256, while bets are open.",
    ),
    "reveal-seed": Action(
        shuffler_models.RevealSeed,
        PLAY,
        lambda table, by, r: reveal_seed(table, by, r.seat - 1, r.seed),
        "Reveal my sealed seed, after the bets have closed and before the first card.",
    ),
    "choose": Action(
        models.Choose,
        PLAY,
        lambda table, by, r: table.choose(by, r.seat - 1, r.full_choice),
        "Make my choice, when it is my seat's turn.",
    ),
    "no-more-bets": Action(
        models.NoMoreBets,
        DEAL,
        lambda table, by, r: close_bets(table, by, None),
        "Close the betting, as the dealer.",
    ),
    "count-bets": Action(
        CountBets,
        DEAL,
        lambda table, by, r: close_bets(table, by, r.bets),
        "Close the betting with my count of the bets on the progressive, which the sensors must confirm.",
    ),
    "advance": Action(
        models.Advance,
        DEAL,
        _advance,
        "End a phase that waits for the dealer.",
    ),
    "close": Action(
        models.CloseTable,
        SUPERVISE,
        lambda table, by, r: table.close(by, r.why),
        "Close the table, now or after the round in play.",
    ),
    "void": Action(
        models.VoidRound,
        SUPERVISE,
        lambda table, by, r: table.void(by, r.reason),
        "Void the round in play: every wager goes back.",
    ),
    "drill": Action(
        models.DrillFault,
        SUPERVISE,
        lambda table, by, r: start_drill(table, by, r.fault),
        "Make the shuffler fail in this round, or hold the round until an irregularity is recorded.",
    ),
    "end-drill": Action(
        EndDrill,
        SUPERVISE,
        lambda table, by, r: end_drill(table, by, r.why),
        "End the drill of an irregularity without its record, so that the round goes on.",
    ),
    "irregularity": Action(
        RecordIrregularity,
        SUPERVISE,
        lambda table, by, r: record_irregularity(table, by, r.kind, r.hand, r.decision, r.found, r.note),
        "Record an irregularity of the round in play, and do what was decided.",
    ),
    "select-mode": Action(
        shuffler_models.SelectMode,
        SUPERVISE,
        lambda table, by, r: table.select_mode(by, r.mode, r.shuffler),
        "Set a shuffler to a mode that fits the game, between rounds.",
    ),
    "consult-guide": Action(
        shuffler_models.ConsultGuide,
        DEAL,
        lambda table, by, r: table.consult_guide(by, r.fault),
        "Confirm that I consulted the guide about the fault that the shuffler shows.",
    ),
    "replacement-step": Action(
        shuffler_models.ConfirmStep,
        DEAL,
        lambda table, by, r: table.confirm_step(by, r.step),
        "Confirm the next of the seven steps in which a shuffler is replaced.",
    ),
    "test-shuffler": Action(
        shuffler_models.TestShuffler,
        SUPERVISE,
        lambda table, by, r: table.test_shuffler(by, r.shuffler, r.passed, r.note),
        "Record the test of a shuffler that is out of service; one that passes is the stand-by again.",
    ),
    "deal-by-hand": Action(
        shuffler_models.DealByHand,
        SUPERVISE,
        lambda table, by, r: table.deal_by_hand(by, r.why),
        "Go on by hand, where the rules allow it and both shufflers are out of service.",
    ),
}
FINISHING = ("leave", "ready", "reveal-seed", "choose")  # actions by which a round comes to its end
SAY = "say"  # changes nothing at the table, and is not on the ledger
JACKPOT = "jackpot"  # rests on the progressives too, not on the table alone
SOCKET_ACTIONS = tuple(name for name, action in ACTIONS.items() if action.permission is not SUPERVISE)


async def perform(
    live: LiveTable,
    session: Session,
    name: str,
    request: RequestModel,
    key: str | None,
    check_room: Callable[[], None],
) -> bool:
    """Act at a table; returns whether the request repeats one that was acted on before.

    `check_room` refuses a client that has no room left on the ledger; what is under way is finished all the
    same.
    """
    if name != "leave":  # a seated account may leave even if its role has changed since
        session.role.check(ACTIONS[name].permission)
    if ACTIONS[name].permission is DEAL:
        check_may_deal(live, session)
    bound = bind_key(session.account, key, live.table.name, name, request.model_dump())
    change = build_change(name, session.account, request)

    async def act() -> None:
        if name not in FINISHING:
            check_room()
        if isinstance(request, models.Wager | models.Ready):
            wagers = request.wagers if isinstance(request, models.Wager) else None
            await live.act_within_limits(session.account, request.seat - 1, wagers, change, bound)
        else:
            await live.act(change, bound)

    repeated = await do_once(live.books.ledger, bound, act)
    if hasattr(request, "seat"):
        live.note_action(session.account)
    return repeated


async def bet_on_progressive(
    live: LiveTable, session: Session, request: JackpotBet, key: str | None, check_room: Callable[[], None]
) -> bool:
    """Put the bet of a seat on the progressive, or take it back; returns whether the request repeats one."""
    session.role.check(PLAY)
    bound = bind_key(session.account, key, live.table.name, JACKPOT, request.model_dump())
    bet = build_bet(live.books, session.account, request.seat - 1, request.on)

    def change(table: Table) -> Table:
        _check_round(table, request.round)
        return bet(table)

    async def act() -> None:
        check_room()
        await act_on_links(live, change, bound)

    repeated = await do_once(live.books.ledger, bound, act)
    live.note_action(session.account)
    return repeated


def check_may_deal(live: LiveTable, session: Session) -> None:
    """Refuse a dealer without a certificate for the table's game, where the house requires one."""
    if refusal := find_refusal(live, session):
        raise Forbidden(refusal)


def find_refusal(live: LiveTable, session: Session) -> str:
    """The sentence that refuses a dealer without a certificate that the house requires, or ''."""
    game = live.table.game
    if session.role is not Role.DEALER or live.books.may_deal(session.account, game.name):
        return ""
    return f"{session.account} has no certificate for {game.title}, which this house requires."


def say_phrase(live: LiveTable, auth: Auth, session: Session, request: Say) -> None:
    """Say a polite phrase at the table."""
    session.role.check(PLAY)
    auth.allowance.phrases.admit(session.account)
    live.say(session.account, request.phrase)


def build_change(name: str, account: str, request: RequestModel) -> TableChange:
    """The change that an action makes to a table."""

    def change(table: Table) -> Table:
        _check_round(table, getattr(request, "round", None))
        if hasattr(request, "seat") and name != "sit":
            _check_own_seat(table, account, request.seat - 1)
        return ACTIONS[name].change(table, account, request)

    return change


def _check_round(table: Table, round: int | None) -> None:
    """Refuse an action that was meant for another round."""
    round = table.round if round is None else round
    if round < table.round:
        raise Refused(f"Round {round} is over; round {table.round} is in play.")
    if round > table.round:
        raise Refused(f"Round {round} has not begun; round {table.round} is in play.")


def _check_own_seat(table: Table, account: str, seat: int) -> None:
    place = table.places[seat] if seat < len(table.places) else None
    if place and place.player != account:
        raise Forbidden(f"Seat {seat + 1} is not yours.")
