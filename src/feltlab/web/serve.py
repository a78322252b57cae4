"""`feltlab serve`: open a pit, prepare it, and serve it until a signal arrives."""

import asyncio
import gc
import logging
import os
import signal
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
import uvloop
from platformdirs import user_data_dir

from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_ACTOR, Entry
from feltlab.ledger.ledger import LedgerDown
from feltlab.ledger.witnesses import check_place
from feltlab.pit.accounts import ADMIN
from feltlab.pit.approvals import DEMO, House
from feltlab.pit.pit import Pit
from feltlab.server.auth import Allowance
from feltlab.server.connection import LimitedHttp, LimitedWebSocket
from feltlab.server.network import Network, check_open_files
from feltlab.server.responses import sentence_of
from feltlab.server.sessions import access_token
from feltlab.web.app import app
from feltlab.workers.expectation import prove_expectation
from feltlab.workers.rehearsal import rehearse_deferred, rehearse_or_defer

SHUTDOWN_SECONDS = 1  # for requests in progress when the server stops
MAX_MESSAGE_BYTES = 16 * 1024  # of a WebSocket
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
            loop.add_signal_handler(sign, self._stop)
        try:
            yield
        finally:
            for sign in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(sign)

    def _stop(self) -> None:
        logging.getLogger("uvicorn.error").disabled = True  # a request that is cut short is no error now
        self.force_exit, self.should_exit = self.should_exit, True


def serve(
    network: Network,
    folder: Path | None,
    database: str | None,
    demo: bool,
    say: Say,
    must_say: Say,
    allowance: Allowance | None = None,
    house: House = DEMO,
    new_password: bool = False,
    lost_key: bool = False,
    witnesses: Iterable[Path] = (),
) -> None:
    """Serve until a signal arrives; refuses an unusable folder or address before anything starts."""
    check_open_files()
    for path in witnesses:
        check_place(path)
    place = ensure_private_folder(folder or Path(user_data_dir("feltlab")))
    with network.open_socket() as opened:
        pit = Pit(place, database, house, lost_key, prove_expectation, witnesses)
        try:
            if rehearse_or_defer():
                say("The rules are compiled in the background, once; the pit opens meanwhile.")
            if new_password:
                _reset_admin_password(pit, must_say)
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(_run(pit, opened, network, demo, say, must_say, allowance))
        except LedgerDown as error:
            raise Refused(sentence_of(error)) from None
        finally:
            pit.ledger.close()


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


async def _run(
    pit: Pit,
    opened: socket.socket,
    network: Network,
    demo: bool,
    say: Say,
    must_say: Say,
    allowance: Allowance | None,
) -> None:
    await pit.start()
    try:
        if demo:
            await pit.demo()
        token = "" if network.is_local else access_token(pit.folder / "access.token")
        await _create_administrator(pit, must_say)
        address = _opening_sentence(network, opened.getsockname()[1], token)
        made = app(pit, token=token, network=network, allowance=allowance)
        pit.run(rehearse_deferred())
        tune_garbage_collection()
        await Server(uvicorn_config(made, network), lambda: say(address)).serve(sockets=[opened])
    finally:
        await pit.stop()


def tune_garbage_collection() -> None:
    """Make Python collect garbage seldom, and never among the objects that exist now.

    Tables make many values and hardly a cycle; a full collection stops every table for a tenth of a
    second. A server calls this when it is ready.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _reset_admin_password(pit: Pit, say: Say) -> None:
    """Give the administrator a new password, for somebody who has lost it and may start the server."""
    made = pit.accounts.reset_password(ADMIN, by=HOUSE_ACTOR)
    pit.ledger.append_blocking(Entry(made.drafts))
    say(f"The new password of {made.account.name} is {made.password}; it will not be shown again.")


async def _create_administrator(pit: Pit, say: Say) -> None:
    """Create the administrator at the first start, and show the password once."""
    made = await asyncio.to_thread(pit.accounts.ensure_administrator)
    if made:
        await pit.note(*made.drafts)
        say(f"Administrator: {made.account.name}, password {made.password}; it will not be shown again.")


def _opening_sentence(network: Network, port: int, token: str) -> str:
    host = network.host
    url = f"{network.scheme}://{f'[{host}]' if ':' in host else host}:{port}/"
    shown = f"{url}?token={token}" if token else url
    return f"The pit is open at {shown} (press Ctrl+C to stop)."


def uvicorn_config(served: object, network: Network = LOCAL) -> uvicorn.Config:
    return uvicorn.Config(
        served,  # type: ignore[arg-type]
        http=LimitedHttp,
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
