"""A server in a process of its own, which can be killed."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

START_SECONDS = 600.0  # at most, until it is open

# A pit that admits many guests: all tests have one address.
SERVE = """
import sys
from pathlib import Path
from feltlab.server.clients.allowance import Allowance
from feltlab.server.rate_limits import RateLimit
from feltlab.server.network import Network
from feltlab.web.serve import serve
from feltlab.web.server_options import ServerOptions
plenty = Allowance(guests=RateLimit(1e6, 1e6), requests=RateLimit(1e6, 1e6))
options = ServerOptions(Network(port=int(sys.argv[1])), Path(sys.argv[2]), demo=True, allowance=plenty)
serve(options, print, print)
"""


class Server:
    """Killed and started again, it goes on with what it has on record."""

    def __init__(self, folder: Path, script: str = SERVE, *words: str) -> None:
        self.folder, self.script, self.words = folder, script, words
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", self.script, str(self.port), str(self.folder), *self.words]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        end = time.monotonic() + START_SECONDS
        while not self._answers():
            assert self.process.poll() is None, "The server ended."
            assert time.monotonic() < end, "The server does not open."
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/api/health", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def kill(self) -> None:
        """End it as a power cut would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
