"""`feltlab serve`: open a pit, prepare it, and serve it until a signal arrives."""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path

import uvicorn
import uvloop
from platformdirs import user_data_dir

from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_ACTOR, Entry
from feltlab.ledger.ledger import LedgerDown
from feltlab.pit.accounts import ADMIN
from feltlab.pit.approvals import DEMO, House
from feltlab.pit.pit import Pit, tune_garbage_collection
from feltlab.server.auth import Allowance
from feltlab.server.connection import LimitedHttp, LimitedWebSocket
from feltlab.server.responses import sentence_of
from feltlab.server.sessions import access_token
from feltlab.web.app import app
from feltlab.workers.expectation import prove_expectation
from feltlab.workers.rehearsal import rehearse_deferred, rehearse_or_defer

SHUTDOWN_SECONDS = 1  # for requests in progress when the server stops
MAX_MESSAGE_BYTES = 16 * 1024  # of a WebSocket
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
    host: str,
    port: int,
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
    place = ensure_private_folder(folder or Path(user_data_dir("feltlab")))
    with open_socket(host, port) as opened:
        pit = Pit(place, database, house, lost_key, prove_expectation, witnesses)
        try:
            if rehearse_or_defer():
                say("The rules are compiled in the background, once; the pit opens meanwhile.")
            if new_password:
                _reset_admin_password(pit, must_say)
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(_run(pit, opened, host, demo, say, must_say, allowance))
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


@contextmanager
def open_socket(host: str, port: int) -> Iterator[socket.socket]:
    """A socket bound to an address; refuses one that is in use."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise Refused(f"{host!r} is not an address of this machine.") from None
    # Without the protocol's name asyncio keeps Nagle's algorithm, and small answers would wait.
    with socket.socket(family, kind, protocol) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind(address)
        except PermissionError:
            raise Refused(f"You may not use port {port}; choose another one with --port.") from None
        except OSError as error:
            raise _refuse_address(host, port, error) from None
        yield opened


def _refuse_address(host: str, port: int, error: OSError) -> Refused:
    if error.errno == 98 or "in use" in (error.strerror or "").lower():
        return Refused(f"Port {port} is in use by another program; choose another one with --port.")
    return Refused(f"{host} port {port} cannot be used: {error.strerror or error}.")


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


async def _run(
    pit: Pit,
    opened: socket.socket,
    host: str,
    demo: bool,
    say: Say,
    must_say: Say,
    allowance: Allowance | None,
) -> None:
    await pit.start()
    try:
        if demo:
            await pit.demo()
        token = "" if is_loopback(host) else access_token(pit.folder / "access.token")
        await _create_administrator(pit, must_say)
        address = _opening_sentence(host, opened.getsockname()[1], token)
        made = app(pit, token=token, host=host, allowance=allowance)
        pit.run(rehearse_deferred())
        tune_garbage_collection()
        await Server(uvicorn_config(made), lambda: say(address)).serve(sockets=[opened])
    finally:
        await pit.stop()


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


def _opening_sentence(host: str, port: int, token: str) -> str:
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    shown = f"{url}?token={token}" if token else url
    return f"The pit is open at {shown} (press Ctrl+C to stop)."


def uvicorn_config(served: object) -> uvicorn.Config:
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
        proxy_headers=False,
    )
