"""`feltlab serve`: open a pit, prepare it, and serve it until a signal arrives."""

import asyncio
import gc
import logging
import os
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import uvicorn
import uvloop
from fastapi import FastAPI

from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.database import Unreachable
from feltlab.ledger.event import HOUSE_ACTOR
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.ledger.signed_tip import check_key
from feltlab.ledger.terms import InUse
from feltlab.ledger.vault import Vault
from feltlab.ledger.witnesses import check_place
from feltlab.pit.accounts import ADMIN
from feltlab.pit.custody.requests import plan_two_persons
from feltlab.pit.custody.second_factor import SecondFactors
from feltlab.pit.pit import VAULT_FILE, Pit
from feltlab.progressives.catalogue import all_progressives
from feltlab.server.clients.allowance import Allowance, count_connections
from feltlab.server.clients.logs import set_up_logs
from feltlab.server.connection import LimitedHttp, LimitedWebSocket
from feltlab.server.forwarding.inner_addresses import InnerAddresses
from feltlab.server.guard import ALL_ADDRESSES
from feltlab.server.network import Network, check_open_files
from feltlab.server.responses import sentence_of
from feltlab.server.sessions import access_token
from feltlab.web.app import app
from feltlab.web.entrance import Entrance
from feltlab.web.page import compile_templates
from feltlab.web.pages.lab.waiting import work_of
from feltlab.web.pages.school.office import close_school, office_of
from feltlab.web.pages.train import current_day, trainer_of
from feltlab.web.server_options import ServerOptions
from feltlab.web.worker_processes import OPEN, serve_workers
from feltlab.workers.expectation import prove_expectation
from feltlab.workers.preparation import order_games, prepare_games
from feltlab.workers.rehearsal import rehearse_deferred, rehearse_or_defer

SHUTDOWN_SECONDS = 1  # for requests in progress when the server stops
MAX_MESSAGE_BYTES = 16 * 1024  # of a WebSocket
TURN_SECONDS = 0.25  # between two attempts of a server that stands by
STANDING_BY = "Another server runs this pit; this one stands by at"
LOCAL = Network()
Say = Callable[[str], None]


class Server(uvicorn.Server):
    """Reports when it is open, and stops quietly: a signal is the usual end of a server, not a failure."""

    def __init__(self, config: uvicorn.Config, opened: Callable[[], None] = lambda: None) -> None:
        super().__init__(config)
        self._opened = opened

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._opened()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(sign, self.stop)
        try:
            yield
        finally:
            for sign in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(sign)

    def stop(self) -> None:
        """End the server; a second call ends it at once."""
        logging.getLogger("uvicorn.error").disabled = True  # a request that is cut short is no error now
        self.force_exit, self.should_exit = self.should_exit, True


def serve(options: ServerOptions, say: Say, must_say: Say) -> None:
    """Serve until a signal arrives; refuses an unusable folder or address before anything starts."""
    options.check_sharing()
    check_open_files()
    set_up_logs()
    for path in options.witnesses:
        check_place(path)
    ensure_private_folder(options.place)
    with options.network.open_socket() as opened:
        if options.workers > 1:
            serve_workers(serve_socket, opened, options, say, must_say)
            return
        if options.shared and not options.address:
            options = replace(options, address=_own_address(options.network, opened))
        serve_socket(opened, options, say, must_say)


def serve_socket(
    opened: socket.socket,
    options: ServerOptions,
    say: Say,
    must_say: Say,
    inner: socket.socket | None = None,
) -> None:
    """Serve the connections of a socket; those of the inner one come from processes of this server."""
    books = (options.place, options.ledger, options.house, options.lost_key)
    sharing = (options.witnesses, options.address, options.shared, options.accept_unsigned)
    open_pit = partial(Pit, *books, prove_expectation, *sharing, own_writer=True)
    pit = _open_or_stand_by(open_pit) if options.standby else open_pit()
    try:
        if rehearse_or_defer():
            say("The rules are compiled in the background, once; the pit opens meanwhile.")
        opening = Opening(options, say, must_say, inner)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(opening.run(pit, open_pit, opened))
    except LedgerDown as error:
        raise Refused(sentence_of(error)) from None
    finally:
        if pit:
            pit.ledger.close()


def _open_or_stand_by(open_pit: Callable[[], Pit]) -> Pit | None:
    """The pit, or None while another server runs its ledger."""
    try:
        return open_pit()
    except InUse:
        return None


def ensure_private_folder(folder: Path) -> Path:
    """The folder, created for its owner alone if it is missing; an existing folder keeps its permissions."""
    try:
        if not folder.exists():
            folder.mkdir(parents=True, mode=0o700)
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK) or not folder.is_dir():
            raise Refused(f"{folder} is not a folder that you may read and write.")
    except OSError as error:
        raise Refused(f"{folder} cannot be used: {error.strerror or error}.") from None
    return folder


@dataclass(frozen=True)
class Opening:
    """How a server opens its pit, and what it says about it."""

    options: ServerOptions
    say: Say
    must_say: Say
    inner: socket.socket | None  # for other processes of this server

    async def run(self, pit: Pit | None, open_pit: Callable[[], Pit], opened: socket.socket) -> None:
        """Serve a pit until a signal arrives; without one, stand by until it can be opened."""
        options, network = self.options, self.options.network
        token = "" if network.is_local else access_token(options.place / "access.token")
        address = _describe_address(network, opened.getsockname()[1], token)
        entrance = Entrance(options.ledger, network, token)
        sentence = f"{OPEN if pit else STANDING_BY} {address}"
        config = uvicorn_config(InnerAddresses(entrance), network, options.allowance)
        server = Server(config, lambda: self.say(sentence))
        sockets = [opened, self.inner] if self.inner else [opened]
        if pit:
            await self._serve(pit, entrance, token, server, lambda: server.serve(sockets=sockets))
            return
        await asyncio.to_thread(_check_keys, options.place, options.ledger)
        await asyncio.to_thread(_warm_up)
        serving = asyncio.create_task(server.serve(sockets=[opened]))

        async def go_on() -> None:
            self.say(f"{OPEN} {address}")
            await serving

        if pit := await _take_turn(open_pit, serving):
            await self._serve(pit, entrance, token, server, go_on)

    async def _serve(
        self, pit: Pit, entrance: Entrance, token: str, server: Server, serve: Callable[[], Awaitable[None]]
    ) -> None:
        try:
            await self._start(pit)
            made = await self._make_app(pit, token)
            entrance.open(pit, made)
            pit.when_failed = server.stop
            pit.run(_compile_and_prepare(made, pit, self.options.prepare))
            pit.run(made.state.auth.disk.watch(pit.note))
            tune_garbage_collection()
            try:
                await serve()
            finally:
                await close_school(made)
            if pit.failure:
                raise Refused(pit.failure)
        finally:
            await pit.stop()

    async def _start(self, pit: Pit) -> None:
        """Start the pit, with its demonstration and its administrator if they are due."""
        if self.options.new_password:
            await asyncio.to_thread(_reset_admin_password, pit, self.must_say)
        await pit.start()
        if drafts := plan_two_persons(pit.ledger, self.options.two_persons):
            await pit.note(*drafts)
        if self.options.demo:
            await pit.demo()
            await pit.jackpots.demonstrate(all_progressives().values())
        await _create_administrator(pit, self.must_say)

    async def _make_app(self, pit: Pit, token: str) -> FastAPI:
        made = app(
            pit,
            token=token,
            network=self.options.network,
            allowance=self.options.allowance,
            require_second_factor=self.options.require_second_factor,
        )
        if self.options.require_certificate:
            office = await asyncio.to_thread(office_of, made)
            pit.books.may_deal = office.has_certificate
        return made


def _check_keys(folder: Path, place: str) -> None:
    """Refuse to stand by with keys that do not open the cards of the ledger, or do not sign it."""
    vault = Vault.open(folder / VAULT_FILE)
    with Ledger.open(place, writer=False) as ledger:
        sealed = list(ledger.sealed_records())
    if sealed and not any(map(vault.opens, sealed)):
        raise Refused(
            f"{folder / VAULT_FILE} does not open the cards of this ledger; copy the other server's keys."
        )
    with Ledger.open(place, writer=False) as ledger, ledger.reading() as connection:
        check_key(connection, folder)


def _warm_up() -> None:
    """Load the games and the templates, which take most of a start, before this server has to take over."""
    for game in GAMES.values():
        assert game.digest
    compile_templates()


async def _take_turn(open_pit: Callable[[], Pit], serving: asyncio.Task[None]) -> Pit | None:
    """The pit, once the server at work has ended; None if this server is told to end before."""
    while not serving.done():
        opening = asyncio.create_task(asyncio.to_thread(_open_or_stand_by, open_pit))
        await asyncio.wait((opening, serving), return_when=asyncio.FIRST_COMPLETED)
        pit = await _open_unless_down(opening)
        if pit and serving.done():
            await asyncio.to_thread(pit.ledger.close)
        elif pit:
            return pit
        await asyncio.sleep(TURN_SECONDS)
    await serving
    return None


async def _open_unless_down(opening: asyncio.Task[Pit | None]) -> Pit | None:
    """The pit that was opened; None while its database cannot be reached, which a later look may change."""
    try:
        return await opening
    except Unreachable:
        return None


async def _compile_and_prepare(made: FastAPI, pit: Pit, prepare: bool) -> None:
    """Have the rules compiled; then, if asked for, the answers of pages worked out before anybody asks."""
    await rehearse_deferred()
    if prepare:
        played = [live.table.game.name for live in pit.public_tables]
        games = order_games(GAMES.values(), played)
        await prepare_games(games, trainer_of(made), work_of(made), current_day())


def tune_garbage_collection() -> None:
    """Make Python collect garbage seldom, and never among the objects that exist now.

    Tables make many values and hardly a cycle; a full collection stops every table for a tenth of a
    second. A server calls this when it is ready.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _reset_admin_password(pit: Pit, say: Say) -> None:
    """Give the administrator a new password and no second factor, for somebody who has lost them."""
    made = pit.accounts.reset_password(ADMIN, by=HOUSE_ACTOR)
    factors = SecondFactors(pit.ledger, pit.books.vault)
    if factors.has(ADMIN):
        pit.ledger.append_blocking(factors.reset(ADMIN, by=HOUSE_ACTOR))
    say(f"The new password of {made.account.name} is {made.password}; it will not be shown again.")


async def _create_administrator(pit: Pit, say: Say) -> None:
    """Create the administrator at the first start, and show the password once."""
    made = await asyncio.to_thread(pit.accounts.ensure_administrator)
    if made:
        say(f"Administrator: {made.account.name}, password {made.password}; it will not be shown again.")


def _own_address(network: Network, opened: socket.socket) -> str:
    """Where other servers on this machine reach this one; others need --address."""
    if network.host in ALL_ADDRESSES:
        raise Refused("--shared needs --address: the URL at which the other servers reach this one.")
    host = f"[{network.host}]" if ":" in network.host else network.host
    return f"{network.scheme}://{host}:{opened.getsockname()[1]}"


def _describe_address(network: Network, port: int, token: str) -> str:
    """Where clients reach this server: by its first name where it listens at every address."""
    host = network.names[0] if network.names and network.host in ALL_ADDRESSES else network.host
    url = f"{network.scheme}://{f'[{host}]' if ':' in host else host}:{port}/"
    shown = f"{url}?token={token}" if token else url
    return f"{shown} (press Ctrl+C to stop)."


def uvicorn_config(
    served: object, network: Network = LOCAL, allowance: Allowance | None = None
) -> uvicorn.Config:
    counts = count_connections(allowance or Allowance(), network.proxies)
    return uvicorn.Config(
        served,  # type: ignore[arg-type]
        http=partial(LimitedHttp, counts=counts),  # type: ignore[arg-type]
        ws=LimitedWebSocket,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        proxy_headers=bool(network.proxies),
        forwarded_allow_ips=list(network.proxies),
        ssl_certfile=network.certificate,
        ssl_keyfile=network.key,
    )
