"""A Dask cluster that does the work: processes on this machine, or a scheduler somewhere."""

import logging
import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from multiprocessing import resource_tracker
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, TypeVar

from feltlab.errors import Refused
from feltlab.kernel import source_digest

Part = TypeVar("Part")
Result = TypeVar("Result")

LOCAL = re.compile(r"local(?::([1-9]\d{0,3}))?", re.ASCII)
REMOTE = re.compile(r"(?:tcp|tls)://\S+:\d{1,5}")
PATIENCE = 10  # seconds to wait for a scheduler, and for its first worker
AHEAD = 3  # parts for each thread of the cluster: one at work, others on their way


class Cluster:
    """Work goes to the workers of a Dask cluster; parts of a worker that dies are done again by others."""

    bundle = 256  # a part takes many seconds, its way some milliseconds

    def __init__(self, address: str) -> None:
        """`local`, `local:4` or `tcp://host:port`."""
        if not (LOCAL.fullmatch(address) or REMOTE.fullmatch(address)):
            raise Refused(f"A cluster is local, local:N or tcp://host:port, not {address!r}.")
        self.address = address

    def run(self, work: Callable[[Part], Result], parts: Iterator[Part]) -> Iterator[tuple[Part, Result]]:
        dask = _distributed()
        with self._client(dask) as client:
            try:
                yield from _run(dask, client, partial(_checked, source_digest(), work), parts)
            except (ImportError, AttributeError) as error:
                raise Refused(f"A worker of {self.address} lacks something: {_reason(error)}.") from None
            except dask.KilledWorker:
                raise Refused(f"Workers of {self.address} died again and again at the same part.") from None
            except (OSError, dask.CancelledError):
                raise Refused(
                    f"The cluster {self.address} was lost; a checkpoint keeps what is done."
                ) from None

    @contextmanager
    def _client(self, dask: Any) -> Iterator[Any]:
        local = LOCAL.fullmatch(self.address)
        with (
            _local(dask, int(local[1] or os.cpu_count() or 1))
            if local
            else _remote(dask, self.address) as found
        ):
            yield found


def _checked(sources: str, work: Callable[[Part], Result], part: Part) -> Result:
    """Work on a worker, if it would do what it does here."""
    if sources != source_digest():
        raise Refused("A worker runs other sources of feltlab; install the same ones everywhere.")
    return work(part)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise Refused("A cluster needs the extra feltlab[cluster], which is not installed.") from None
    return distributed


@contextmanager
def _local(dask: Any, workers: int) -> Iterator[Any]:
    """Processes of one thread each; their nannies start them anew when they die.

    An interrupt is for this process. Whoever is started while it is blocked never hears of it.
    """
    quiet = {"silence_logs": logging.CRITICAL, "dashboard_address": ":0"}  # any port that is free
    with TemporaryDirectory() as folder:
        resource_tracker.ensure_running()  # which unblocks interrupts again, once
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            cluster = dask.LocalCluster(
                workers, threads_per_worker=1, processes=True, local_directory=folder, **quiet
            )
        except (OSError, RuntimeError) as error:
            raise Refused(f"A local cluster could not be started: {error}.") from None
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)
        with cluster, dask.Client(cluster) as client:
            yield client


@contextmanager
def _remote(dask: Any, address: str) -> Iterator[Any]:
    for name in (name for name in logging.root.manager.loggerDict if name.startswith("distributed")):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is said in one sentence
    client = _connected(dask, address)
    if client is None:
        raise Refused(f"No scheduler answers at {address}.")
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise Refused(f"The scheduler at {address} has no workers.") from None
        yield client


def _connected(dask: Any, address: str) -> Any:
    """A client, or None; who accepts a connection and then says nothing would hold Dask up for ever."""
    found: list[Any] = []

    def connect() -> None:
        with suppress(Exception):  # nobody there, no scheduler, no certificates for TLS
            found.append(dask.Client(address, timeout=PATIENCE))

    trying = Thread(target=connect, daemon=True)
    trying.start()
    trying.join(2 * PATIENCE)
    return found[0] if found else None


def _run(
    dask: Any, client: Any, work: Callable[[Part], Result], parts: Iterator[Part]
) -> Iterator[tuple[Part, Result]]:
    """A few parts for each thread at a time, so that a scheduler never holds them all."""

    def submit(part: Part) -> Any:
        future = client.submit(work, part, pure=False)
        waiting[future.key] = part
        return future

    waiting: dict[str, Part] = {}
    ahead = AHEAD * max(1, sum(client.nthreads().values()))
    done = dask.as_completed([submit(part) for part in islice(parts, ahead)], with_results=True)
    for future, result in done:
        if isinstance(result, dask.CancelledError):  # as such a result is given, not raised
            raise result
        part = waiting.pop(future.key)
        for more in islice(parts, 1):
            done.add(submit(more))
        yield part, result


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".strip(": ")
