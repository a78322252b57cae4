"""Random play in a pit, for ledgers in which everything happens that can."""

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from unittest.mock import patch

from feltlab.core.game import Game
from feltlab.core.limits import STANDARD_LIMITS
from feltlab.digests import sha256_hex
from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_ACTOR
from feltlab.pit.accounts import ADMIN
from feltlab.pit.cage import REFILL_BELOW_CENTS
from feltlab.pit.custody.confirmed_acts import hold_for_request
from feltlab.pit.custody.requests import VOID, plan_request
from feltlab.pit.irregularities.actions import record_irregularity
from feltlab.pit.irregularities.corrections import correct_payment, load_payment
from feltlab.pit.irregularities.drills import end_drill, start_drill
from feltlab.pit.irregularities.hands import cards_due
from feltlab.pit.irregularities.kinds import WRONG_COUNT, irregularity_kind, irregularity_kinds
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit
from feltlab.pit.recorded_round import load_round
from feltlab.pit.roles import Role
from feltlab.pit.seats import Phase, Timers
from feltlab.pit.shufflers.seeding import reveal_seed, seal_seed, why_no_seed
from feltlab.pit.table import Table
from feltlab.shuffling import machine as shuffler
from feltlab.shuffling.models import find_model, fitting_modes

PLAYERS = ("ann", "bob", "cyd", "dee")
ROUNDS_PER_SEED = 4  # every fourth round the seats add seeds, if its cards are fresh
STAFF = {"sue": Role.SUPERVISOR, "dan": Role.DEALER}


async def played(folder: Path, rounds: Mapping[str, int], seed: int) -> None:
    """A ledger of so many rounds by game; the same seed gives the same play and the same cards."""
    drawn = Random(f"{seed} cards")
    salts = SimpleNamespace(token_hex=lambda size: drawn.randbytes(size).hex())
    draw = lambda count: map(drawn.randrange, range(count, 1, -1))  # noqa: E731
    with patch.multiple(shuffler, secrets=salts, draw_descending=draw):
        await _played(folder, rounds, seed)


async def _played(folder: Path, rounds: Mapping[str, int], seed: int) -> None:
    """In two parts, between which the server is stopped."""
    for part in range(2):
        pit = Pit(folder)
        await pit.start()
        await pit.demo()
        if not part:
            await _hired(pit)
        for player in PLAYERS:
            await pit.give(lambda cage, player=player: cage.plan_welcome(player))
        for game, number in rounds.items():
            await AtRandom(pit, f"{game}-1", Random(f"{seed} {part} {game}")).play((number + part) // 2)
        await pit.stop()


async def _hired(pit: Pit) -> None:
    """Who does at the tables what players may not."""
    made = pit.accounts.ensure_administrator()
    assert made
    await pit.note(*made.drafts)
    for name, role in STAFF.items():
        await pit.note(*pit.accounts.create(name, "a long password", role, ADMIN).drafts)


class AtRandom:
    """Somebody who does at one table whatever can be done."""

    def __init__(self, pit: Pit, table: str, random: Random) -> None:
        self.pit, self.random = pit, random
        self.live: LiveTable = pit.table(table)
        self.faults_to_come = 0

    @property
    def table(self) -> Table:
        return self.live.table

    async def play(self, rounds: int) -> None:
        for _ in range(rounds):
            await self._come_and_go()
            await self._bet()
            await self._begin()
            await self._choose()
            await self._end_drill()
            if self.random.random() < 0.05:
                await self._act(lambda table: table.with_alarm(self.random.choice(("", "It wins too much."))))
            if self.table.phase == Phase.CLOSED or self.random.random() < 0.05:
                await self._reopen()

    async def _act(self, change: Callable[[Table], Table]) -> None:
        await self.live.act(change)

    def _occupied(self) -> list[tuple[int, str]]:
        return [(seat, place.player) for seat, place in enumerate(self.table.places) if place]

    async def _come_and_go(self) -> None:
        wanted = self.random.randint(1, 3)
        for seat, player in self._occupied():
            place = self.table.places[seat]
            assert place
            if self.random.random() < 0.1 or place.bankroll < 5_000:
                await self._act(lambda table, player=player, seat=seat: table.leave(player, seat))
            elif self.random.random() < 0.1:
                cents = await self._money(player, 7_700)
                await self._act(lambda table, p=player, s=seat, c=cents: table.buy(p, s, c))
        while len(self._occupied()) < wanted:
            taken = self._occupied()
            player = self.random.choice([p for p in PLAYERS if p not in [who for _, who in taken]])
            free = [n for n in range(len(self.table.places)) if n not in [seat for seat, _ in taken]]
            seat = self.random.choice(free)
            cents = await self._money(player, 30_000)
            await self._act(lambda table, p=player, s=seat, c=cents: table.sit(p, s, c))

    async def _money(self, player: str, cents: int) -> int:
        """As much as the cage has for a player, after a refill where it gives one."""
        if self.pit.cage.balance(player) < REFILL_BELOW_CENTS:
            await self.pit.give(lambda cage: cage.plan_refill(player))
        return min(cents, self.pit.cage.balance(player))

    async def _bet(self) -> None:
        await self._serve_shuffler()
        if not self.faults_to_come and self.random.random() < 0.05:
            self.faults_to_come = self.random.choice((3, 6))  # one machine fails continually, or both
        if self.faults_to_come or self.random.random() < 0.1:
            fault = self.random.choice(self.table.shuffler.possible_faults)
            await self._act(lambda table: table.drill("sue", fault))
            self.faults_to_come = max(0, self.faults_to_come - 1)
        if self.random.random() < 0.1 and not self.table.rehearsal:
            kind = self.random.choice(irregularity_kinds()).name
            await self._act(lambda table: start_drill(table, "sue", kind))
        if self.random.random() < 0.15:
            await self._correct(self.table.round - 1)
        for seat, player in self._occupied():
            wagers = self._wagers(self.table.game)
            await self._act(lambda table, p=player, s=seat, w=wagers: table.wager(p, s, w))
            if self.table.round % ROUNDS_PER_SEED == 0 and not why_no_seed(self.table):
                digest = sha256_hex(f"the seed of {player}".encode())
                await self._act(lambda table, p=player, s=seat, d=digest: seal_seed(table, p, s, d))

    async def _serve_shuffler(self) -> None:
        """What has to be done before the next round, and what may be done."""
        while self.table.machines.why_waiting:
            step = self.table.machines.step + 1
            if self.table.machines.is_stuck:
                await self._act(lambda table: table.deal_by_hand("sue", "Both machines are out."))
            elif self.table.machines.is_replacing:
                await self._act(lambda table, step=step: table.confirm_step("dan", step))
            else:
                await self._act(lambda table: table.consult_guide("dan"))
        if not self.faults_to_come and self.random.random() < 0.2:
            await self._test_shufflers()
        if self.random.random() < 0.1:
            await self._select_mode()

    async def _test_shufflers(self) -> None:
        for name in ("main", "backup"):
            if self.table.machines[name].out:
                await self._act(lambda table, name=name: table.test_shuffler("sue", name))

    async def _select_mode(self) -> None:
        for name in ("main", "backup"):
            machine = self.table.machines[name]
            modes = fitting_modes(find_model(machine.model), self.table.game)
            for mode in set(modes) - {machine.mode}:
                await self._act(lambda table, mode=mode, name=name: table.select_mode("sue", mode, name))

    def _wagers(self, game: Game) -> dict[str, int]:
        """What the game takes, found by trying."""
        while True:
            most = min(len(game.wagers), game.rules.GAMES_PER_HAND)
            spots = self.random.sample(game.wagers, self.random.randint(1, most))
            steps = {spot.name: math.lcm(game.step(spot), 100) for spot in spots}
            wagers = {
                name: max(math.ceil(500 / step), self.random.randint(1, 12)) * step
                for name, step in steps.items()
            }
            wagers |= {spot.name: wagers[spot.equals] for spot in spots if spot.equals in wagers}
            try:
                game.check_wagers(wagers)
            except Refused:
                continue
            return wagers

    async def _begin(self) -> None:
        await self._close_bets()
        for one in self.table.awaited_seeds:
            if self.random.random() < 0.9:
                p, s = one.player, one.seat
                await self._act(lambda table, p=p, s=s: reveal_seed(table, p, s, f"the seed of {p}"))
        if self.table.awaited_seeds:  # they come too late, and the round is void
            await self._act(Table.time_is_up)

    async def _close_bets(self) -> None:
        match self.random.randint(0, 2):
            case 0:
                await self._act(lambda table: table.no_more_bets("dan"))
            case 1:
                await self._act(Table.time_is_up)
            case _:
                for seat, player in self._occupied():
                    await self._act(lambda table, p=player, s=seat: table.ready(p, s))

    async def _choose(self) -> None:
        while self.table.phase == Phase.CHOOSING:
            seat = self.table.turn
            assert seat is not None
            place = self.table.places[seat]
            assert place
            chance = self.random.random()
            if chance < 0.05:
                await self._act(lambda table: table.void("sue", "A card fell to the floor."))
            elif chance < 0.08 and not self.table.was_held:
                await self._hold()
            elif self.random.random() < 0.05:
                await self._record_irregularity(self.random.choice(irregularity_kinds()[:3]).name)
            elif chance < 0.15:
                await self._act(Table.time_is_up)
            elif chance < 0.2:
                await self._act(lambda table, p=place.player, s=seat: table.leave(p, s))
            elif chance < 0.23 and not self.table.closes:
                await self._act(lambda table: table.close("sue", "For the night."))
            else:
                choices = self.table.rounds[seat].choices
                choice = self.random.choice([c for c in choices if not self.table.why_barred(seat, c)])
                await self._act(lambda t, p=place.player, s=seat, c=choice: t.choose(p, s, c))

    async def _hold(self) -> None:
        """Ask for a void that nobody confirms: it holds the round until the clock ends the hold."""
        asks = {"table": self.table.name, "round": self.table.round, "fields": {"reason": "A doubt."}}
        asked = plan_request(self.pit.ledger, VOID, "sue", asks)
        await self._act(lambda table: hold_for_request(table, asked))
        await self._act(Table.time_is_up)

    async def _end_drill(self) -> None:
        """Record the irregularity for which a drill holds the round, or end the drill."""
        if self.table.phase == Phase.REVEAL and self.random.random() < 0.8:
            await self._record_irregularity(self.table.rehearsal)
        elif self.table.phase == Phase.SETTLING:
            await self._correct(self.table.round)
        if self.table.is_held:
            await self._act(lambda table: end_drill(table, "sue", "Enough."))

    async def _record_irregularity(self, kind: str) -> None:
        assert self.table.deal
        hand, due = self.random.choice(list(cards_due(self.table.deal).items()))
        decision = self.random.choice(irregularity_kind(kind).decisions)
        found = due + self.random.choice((-1, 1)) if kind == WRONG_COUNT else None
        with suppress(Refused):  # on record already
            await self._act(lambda table: record_irregularity(table, "sue", kind, hand, decision, found))

    async def _correct(self, number: int) -> None:
        """Correct a payment of a round, at the player's seat or account."""
        with suppress(Refused):
            round = load_round(self.pit.ledger, self.table.name, number)
            if round.payments:
                paid = self.random.choice(round.payments)
                wrong = load_payment(self.pit.ledger, self.table.name, round.round, paid.seat, paid.spot)
                due = self.random.choice((wrong.net + 500, -paid.staked))
                await self._act(lambda t: correct_payment(t, "sue", wrong, wrong.net, due, "A dispute."))

    async def _reopen(self) -> None:
        if self.table.phase != Phase.CLOSED:
            await self._act(lambda table: table.close("sue", "For a break."))
        await self._test_shufflers()
        await self.pit.open_table(self.table.name, self.table.game, HOUSE_ACTOR, STANDARD_LIMITS, Timers())
