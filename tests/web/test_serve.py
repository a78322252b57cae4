"""`feltlab serve` as a process: its start, its output and its end."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
import orjson
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.server.network import Network, is_loopback
from feltlab.web.serve import _describe_address, ensure_private_folder
from tests.support.command_line import refusal
from tests.support.processes import assert_end, descendants_of

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = DOCS / "pit" / "api.md"


def free_port():
    with socket.socket() as any_:
        any_.bind(("127.0.0.1", 0))
        return any_.getsockname()[1]


@contextmanager
def served(folder, *words, port=None):
    """A separate server: its process, its address and its output."""
    port = port or free_port()
    command = [
        sys.executable,
        "-m",
        "feltlab",
        "serve",
        "--port",
        str(port),
        "--data",
        str(folder),
        "--no-prepare",
        *words,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        said = []
        for line in process.stdout:
            said.append(line.strip())
            if "The pit is open at" in line:
                break
        else:
            pytest.fail(process.stderr.read())
        yield process, f"http://127.0.0.1:{port}", said
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("network", "address"),
    [
        (Network("0.0.0.0", names=("felt.example", "b.example")), "http://felt.example:8700/?token=t"),
        (Network("0.0.0.0"), "http://0.0.0.0:8700/?token=t"),
        (Network("10.0.0.1", names=("felt.example",)), "http://10.0.0.1:8700/?token=t"),
    ],
)
def test_the_printed_address_is_one_that_clients_can_use(network, address):
    assert _describe_address(network, 8700, "t").startswith(f"{address} ")


def answered(url, **options):
    return httpx.request(options.pop("method", "GET"), url, trust_env=False, **options)


def ended(process, sign):
    process.send_signal(sign)
    _, complaint = process.communicate(timeout=60)
    return process.returncode, complaint


@pytest.mark.slow
def test_a_pit_is_served_and_continues_after_a_restart(tmp_path):
    folder = tmp_path / "pit"
    with served(folder) as (process, url, said):
        (password,) = re.findall(r"Administrator: admin, password (\S+);", "\n".join(said))
        assert len(answered(f"{url}/api/tables").json()) == len(GAMES)
        assert folder.stat().st_mode & 0o777 == 0o700
        guest = answered(f"{url}/api/session/guest", method="POST").json()
        known = {"Authorization": f"Bearer {guest['session']}"}
        sat = answered(
            f"{url}/api/tables/casino-war-1/sit",
            method="POST",
            json={"seat": 1, "cents": 5000},
            headers=known,
        )
        assert sat.status_code == 200
        live = url.replace("http", "ws") + "/api/tables/casino-war-1/live"
        with connect(live, additional_headers=known, proxy=None) as web:
            assert orjson.loads(web.recv())["seats"][0]["bankroll"] == 5000
            status, complaint = ended(process, signal.SIGTERM)  # although the socket stays open
            with pytest.raises(ConnectionClosed) as closed:
                web.recv(timeout=60)
        assert (status, complaint) == (0, "")
        assert closed.value.rcvd.code == 1012
    with served(folder, "--no-demo") as (process, url, said):
        assert not any("password" in line for line in said)
        seat = answered(f"{url}/api/tables/casino-war-1", headers=known).json()["seats"][0]
        assert (seat["player"], seat["bankroll"]) == (guest["account"], 5000)
        signed = answered(f"{url}/api/session", method="POST", json={"name": "admin", "password": password})
        assert signed.json()["role"] == "administrator"
        assert "in use" in refusal("serve", "--port", str(free_port()), "--data", str(folder))
        assert "--port" in refusal(
            "serve", "--port", url.rpartition(":")[2], "--data", str(tmp_path / "other")
        )
        assert ended(process, signal.SIGINT) == (0, "")


@pytest.mark.slow
def test_a_public_address_needs_the_access_token(tmp_path):
    with served(tmp_path / "pit", "--host", "0.0.0.0", "--no-demo") as (process, url, said):
        (token,) = re.findall(r"\?token=(\S+) ", said[-1])
        assert answered(f"{url}/api/tables").status_code == 401
        assert answered(f"{url}/api/tables", headers={"X-Access-Token": token}).json() == []
        assert (tmp_path / "pit" / "access.token").stat().st_mode & 0o777 == 0o600
        assert ended(process, signal.SIGINT)[0] == 0


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("curl"), reason="the example is written with curl")
def test_the_examples_of_the_guide_work(tmp_path):
    guide = GUIDE.read_text()
    (shell,) = re.findall(r"```sh\n(pit\(\).*?)```", guide, re.S)
    (program,) = (found for found in re.findall(r"```python\n(.*?)```", guide, re.S) if "websockets" in found)
    with served(tmp_path / "pit") as (process, url, _):
        port = url.rpartition(":")[2]
        run = partial(subprocess.run, text=True, capture_output=True, check=True, timeout=60)
        printed = run(["bash", "-c", shell.replace("8700", port)], env={**os.environ, "no_proxy": "*"}).stdout
        *lines, own, invitation, said, departures = map(orjson.loads, printed.splitlines())
        who, tables, *acts, choice, over, left = lines
        assert (who["balance"], len(tables)) == (100_000, len(GAMES))
        assert all(act["table"] == "casino-war-1" for act in acts)
        assert choice.get("error", "No choice is open").startswith(("No choice is open", "Round 1 is over"))
        assert (over["round"], left["seats"][0]["player"]) == (1, "")
        assert own["table"] == invitation["table"] == said["table"] == "casino-war-solo-1"
        assert "Good luck" in [seat.get("said") for seat in said["seats"]]
        assert departures == []
        told = run([sys.executable, "-c", program.replace("8700", port)]).stdout.splitlines()
        assert orjson.loads(told[-1])["ok"] is True
        assert ended(process, signal.SIGTERM)[0] == 0


# -- What prevents it -------------------------------------------------------------------------------


def test_a_port_in_use_is_refused_with_the_flag_to_change_it(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        said = refusal("serve", "--port", str(port), "--data", str(tmp_path))
    assert said == f"Port {port} is in use by another program; choose another one with --port."


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--database", "mysql://x/y"], "neither a SQLite file nor a PostgreSQL server"),
        (["--database", "nonsense://"], ""),
        (["--host", "no such host"], "not an address of this machine"),
        (["--host", "203.0.113.7"], "cannot be used"),
        (["--port", "70000"], "port"),
        (["--port", "x"], "whole number"),
        (["--tls-cert", "missing"], "must be given together"),
        (["--tls-cert", "missing", "--tls-key", "missing"], "not a certificate and its key"),
        (["--proxy", "nobody"], "not the address of a proxy"),
        (["--witness", "missing/heads.jsonl"], "cannot be written"),
    ],
)
def test_an_unusable_address_is_refused_in_one_sentence(tmp_path, words, said):
    assert said in refusal("serve", "--port", "0", "--data", str(tmp_path), *words)


def test_a_folder_that_cannot_be_used_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    assert "is not a folder" in refusal("serve", "--port", "0", "--data", str(tmp_path / "file"))
    with pytest.raises(Refused, match="cannot be used"):
        ensure_private_folder(tmp_path / "file" / "below")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_a_folder_of_others_is_refused(tmp_path):
    (tmp_path / "closed").mkdir(mode=0o000)
    with pytest.raises(Refused):
        ensure_private_folder(tmp_path / "closed")


def test_loopback_addresses_are_recognised():
    assert all(map(is_loopback, ("127.0.0.1", "127.1.2.3", "::1", "localhost", "LOCALHOST")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "10.0.0.1", "example", "")))


def test_a_port_is_held_while_its_socket_is_open():
    with Network(port=0).open_socket() as opened:
        opened.listen()
        with pytest.raises(Refused), Network(port=opened.getsockname()[1]).open_socket():
            pass


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by /proc")
def test_no_helper_process_outlives_a_killed_server(tmp_path):
    with served(tmp_path) as (process, address, _):
        answered(f"{address}/api/train/triple-shot-rummy/chart", timeout=60)  # a worker each
        answered(f"{address}/games/rabbit-hunter", timeout=60)
        helpers = descendants_of(process.pid)
        assert len(helpers) >= 2
        process.kill()
        process.wait()
        assert_end(helpers)
