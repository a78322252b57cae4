"""The network of a server: where it listens, its names, and the protection of its connections."""

import re
import resource
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from pathlib import Path

from feltlab.errors import Refused
from feltlab.server.connection import SPARE_FILES

HOST_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")
MIN_CONNECTIONS = 50  # that the system's limit of open files must leave room for


@dataclass(frozen=True)
class Network:
    """The address of a server, and what is between it and its clients."""

    host: str = "127.0.0.1"
    port: int = 8700
    names: tuple[str, ...] = ()  # by which clients know it, besides its address
    certificate: Path | None = None  # for TLS, with the key of it
    key: Path | None = None
    proxies: tuple[str, ...] = ()  # addresses or networks whose word about a client is believed

    def __post_init__(self) -> None:
        """Refuse what cannot work, before anything starts."""
        if bool(self.certificate) != bool(self.key):
            raise Refused("--tls-cert and --tls-key must be given together.")
        for proxy in self.proxies:
            _check_proxy(proxy)
        for name in self.names:
            if not HOST_NAME.fullmatch(name):
                raise Refused(f"{name!r} is not the name of a server, like felt.example.")
        self._check_certificate()

    def _check_certificate(self) -> None:
        if not self.certificate or not self.key:
            return
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.certificate, self.key, "")
        except (OSError, ssl.SSLError) as error:
            why = error.reason if isinstance(error, ssl.SSLError) else error.strerror
            files = f"{self.certificate} and {self.key}"
            raise Refused(f"{files} are not a certificate and its key: {why or error}.") from None

    @property
    def is_local(self) -> bool:
        """Whether only this machine, or a proxy on it, can connect."""
        return is_loopback(self.host)

    @property
    def scheme(self) -> str:
        return "https" if self.certificate else "http"

    @contextmanager
    def open_socket(self) -> Iterator[socket.socket]:
        """A socket bound to the address; refuses one that is in use."""
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            family, kind, protocol, _, address = found[0]
        except (OSError, UnicodeError):
            raise Refused(f"{self.host!r} is not an address of this machine.") from None
        # Without the protocol's name asyncio keeps Nagle's algorithm, and small answers would wait.
        with socket.socket(family, kind, protocol) as opened:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                opened.bind(address)
            except PermissionError:
                raise Refused(f"You may not use port {self.port}; choose another one with --port.") from None
            except OSError as error:
                raise self._refuse_address(error) from None
            yield opened

    def _refuse_address(self, error: OSError) -> Refused:
        if error.errno == 98 or "in use" in (error.strerror or "").lower():
            return Refused(f"Port {self.port} is in use by another program; choose another one with --port.")
        return Refused(f"{self.host} port {self.port} cannot be used: {error.strerror or error}.")


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def check_open_files() -> None:
    """Refuse to start where the system allows too few open files for any use."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    needed = SPARE_FILES + MIN_CONNECTIONS
    if files != resource.RLIM_INFINITY and files < needed:
        raise Refused(
            f"A server needs {needed} open files, and {files} are allowed; raise it with ulimit -n."
        )


def _check_proxy(proxy: str) -> None:
    try:
        ip_network(proxy)
    except ValueError:
        raise Refused(f"{proxy!r} is not the address of a proxy, or a network like 10.0.0.0/8.") from None
