"""A server on a network: TLS, proxies, names, files, and sessions that end where they were made."""

import asyncio
import json
import resource
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from feltlab.errors import Refused
from feltlab.server.guard import Guard
from feltlab.server.models import Malformed
from feltlab.server.network import Network, check_open_files
from feltlab.server.request_json import parse_json
from feltlab.web.serve import MAX_MESSAGE_BYTES, Server, uvicorn_config
from tests.support.running import listening as listening_house
from tests.support.running import running, watching


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answers with the scheme and the client of a request."""
    body = json.dumps({"scheme": scope["scheme"], "client": scope["client"][0]}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def listening(network: Network) -> AsyncIterator[int]:
    """The port of a server that answers with what it knows of a request."""
    opened = asyncio.Event()
    with network.open_socket() as place:
        server = Server(uvicorn_config(Guard(echo, "", network), network), opened.set)
        task = asyncio.create_task(server.serve(sockets=[place]))
        await opened.wait()
        try:
            yield place.getsockname()[1]
        finally:
            server.should_exit = True
            await task


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate of 127.0.0.1 that signs itself, and its key."""
    key, name = (
        ec.generate_private_key(ec.SECP256R1()),
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "x")]),
    )
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), False)
        .sign(key, hashes.SHA256())
    )
    (tmp_path / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (tmp_path / "key.pem").write_bytes(key.private_bytes(pem, pkcs8, plain))
    return tmp_path / "cert.pem", tmp_path / "key.pem"


async def test_a_server_with_a_certificate_speaks_https(certificate: tuple[Path, Path]) -> None:
    network = Network(port=0, certificate=certificate[0], key=certificate[1])
    assert network.scheme == "https"
    trusting = ssl.create_default_context(cafile=str(certificate[0]))
    async with listening(network) as port, httpx.AsyncClient(verify=trusting, trust_env=False) as client:
        answer = await client.get(f"https://127.0.0.1:{port}/")
        assert answer.json()["scheme"] == "https"
        with pytest.raises(httpx.TransportError):
            await client.get(f"http://127.0.0.1:{port}/")


@pytest.mark.parametrize(
    ("proxies", "client", "scheme"),
    [
        ((), "127.0.0.1", "http"),
        (("10.0.0.0/8",), "127.0.0.1", "http"),
        (("127.0.0.1",), "203.0.113.7", "https"),
    ],
)
async def test_only_a_named_proxy_says_who_its_client_is(
    proxies: Sequence[str], client: str, scheme: str
) -> None:
    forwarded = {"x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https", "host": "felt.example"}
    network = Network(port=0, proxies=tuple(proxies), names=("Felt.example",))
    async with listening(network) as port, httpx.AsyncClient(trust_env=False) as http:
        answer = await http.get(f"http://127.0.0.1:{port}/", headers=forwarded)
        assert answer.json() == {"scheme": scheme, "client": client}
        stranger = await http.get(f"http://127.0.0.1:{port}/", headers={"host": "evil.example"})
        assert stranger.status_code == 421


async def test_two_hosts_are_refused() -> None:
    async with listening(Network(port=0)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
        answer = await reader.read()
        writer.close()
    assert b" 400 " in answer.splitlines()[0]
    assert b"one Host header" in answer


@pytest.mark.parametrize("name", ["", "http://felt.example/", "a b", "-"])
def test_a_name_that_no_server_has_is_refused(name: str) -> None:
    with pytest.raises(Refused, match="not the name of a server"):
        Network(names=(name,))


def test_too_few_open_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    check_open_files()
    monkeypatch.setattr(resource, "getrlimit", lambda _: (64, 64))
    with pytest.raises(Refused, match="needs 150 open files, and 64 are allowed"):
        check_open_files()


def test_a_key_of_another_certificate_is_refused(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    other = ec.generate_private_key(ec.SECP256R1())
    pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (tmp_path / "other.pem").write_bytes(other.private_bytes(pem, pkcs8, serialization.NoEncryption()))
    with pytest.raises(Refused, match="not a certificate and its key"):
        Network(certificate=certificate[0], key=tmp_path / "other.pem")


# -- Sizes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /" + b"a" * (8 * 1024 - 1) + b" HTTP/1.1\r\nhost: localhost\r\n", 200),
        (b"GET /" + b"a" * (8 * 1024) + b" HTTP/1.1\r\nhost: localhost\r\n", 414),
        (b"GET /?" + b"a" * (8 * 1024) + b" HTTP/1.1\r\nhost: localhost\r\n", 414),
        (b"GET / HTTP/1.1\r\nhost: localhost\r\n" + b"a: b\r\n" * 98, 200),
        (b"GET / HTTP/1.1\r\nhost: localhost\r\n" + b"a: b\r\n" * 99, 431),
        (b"GET / HTTP/1.1\r\nhost: localhost\r\na: " + b"b" * 65_536 + b"\r\n", 431),
    ],
    ids=["address", "long address", "long query", "headers", "many headers", "large head"],
)
async def test_heads_over_the_stated_size_are_refused(head: bytes, status: int) -> None:
    async with listening(Network(port=0)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head + b"connection: close\r\n\r\n")
        answer = await reader.read()
        writer.close()
    assert int(answer.split()[1]) == status


@pytest.mark.parametrize("opened", ["[", '{"a":'])
@pytest.mark.parametrize("depth", [17, 1_000, 10_000])
def test_json_that_is_nested_too_deeply_is_refused(opened: str, depth: int) -> None:
    closed = "]" if opened == "[" else "}"
    assert parse_json(opened * 15 + "[]" + closed * 15)
    with pytest.raises(Malformed):
        parse_json(opened * depth + "[]" + closed * depth)


async def test_a_message_over_the_stated_size_ends_the_socket(tmp_path: Path) -> None:
    async with running(tmp_path) as house, listening_house(house) as port:
        guest = await house.guest()
        async with watching(port, "casino-war-1", guest.session) as web:
            await web.recv()
            await web.send(" " * MAX_MESSAGE_BYTES)
            assert "error" in json.loads(await web.recv())
            await web.send(" " * (MAX_MESSAGE_BYTES + 1))
            await asyncio.wait_for(web.wait_closed(), 60)
            assert web.close_code == 1009
