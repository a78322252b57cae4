"""A Dask cluster: processes on this machine, or the workers of a scheduler elsewhere."""

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
CONNECT_SECONDS = 10  # to wait for a scheduler, and for its first worker
PARTS_PER_THREAD = 3  # sent to the cluster at a time: one is worked on, the others are on their way


class Cluster:
    """Runs work on a Dask cluster; when a worker dies, others do its parts again."""

    batches_per_part = 256  # a part then takes seconds to work on and milliseconds to send

    def __init__(self, address: str) -> None:
        """The address is `local`, `local:4` (workers) or `tcp://host:port`."""
        if not (LOCAL.fullmatch(address) or REMOTE.fullmatch(address)):
            raise Refused(f"A cluster is local, local:N or tcp://host:port, not {address!r}.")
        self.address = address

    def run(self, work: Callable[[Part], Result], parts: Iterator[Part]) -> Iterator[tuple[Part, Result]]:
        dask = _import_distributed()
        with self._client(dask) as client:
            try:
                yield from _run(dask, client, partial(_work_if_same_sources, source_digest(), work), parts)
            except (ImportError, AttributeError) as error:
                raise Refused(f"A worker of {self.address} lacks something: {_reason(error)}.") from None
            except dask.KilledWorker:
                raise Refused(f"Workers of {self.address} died again and again on the same part.") from None
            except (OSError, dask.CancelledError):
                raise Refused(
                    f"The cluster {self.address} was lost; a checkpoint keeps the rounds already played."
                ) from None

    @contextmanager
    def _client(self, dask: Any) -> Iterator[Any]:
        local = LOCAL.fullmatch(self.address)
        workers = int(local[1] or os.cpu_count() or 1) if local else 0
        with _start_local(dask, workers) if local else _use_remote(dask, self.address) as client:
            yield client


def _work_if_same_sources(sources: str, work: Callable[[Part], Result], part: Part) -> Result:
    """Work on a part if this worker runs the same sources as the client."""
    if sources != source_digest():
        raise Refused("A worker runs other sources of feltlab; install the same version everywhere.")
    return work(part)


def _import_distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise Refused("A cluster needs the extra feltlab[cluster], which is not installed.") from None
    return distributed


@contextmanager
def _start_local(dask: Any, workers: int) -> Iterator[Any]:
    """Start processes of one thread each; Dask restarts one that dies.

    Ctrl-C is for this process only: processes that are started while the signal is blocked ignore it.
    """
    quiet = {"silence_logs": logging.CRITICAL, "dashboard_address": ":0"}  # any free port
    with TemporaryDirectory() as folder:
        resource_tracker.ensure_running()  # starting it later would unblock the signal
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            cluster = dask.LocalCluster(
                workers, threads_per_worker=1, processes=True, local_directory=folder, **quiet
            )
        except (OSError, RuntimeError) as error:
            raise Refused(f"A local cluster could not be started: {error}.") from None
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        with cluster, dask.Client(cluster) as client:
            yield client


@contextmanager
def _use_remote(dask: Any, address: str) -> Iterator[Any]:
    for name in (name for name in logging.root.manager.loggerDict if name.startswith("distributed")):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # a refusal says what matters in one sentence
    client = _connect(dask, address)
    if client is None:
        raise Refused(f"No scheduler answers at {address}.")
    with client:
        try:
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError:
            raise Refused(f"The scheduler at {address} has no workers.") from None
        yield client


def _connect(dask: Any, address: str) -> Any:
    """Connect to a scheduler; None if none answers.

    In a thread, since Dask waits for ever when something accepts the connection and then stays silent.
    """
    found: list[Any] = []

    def connect() -> None:
        with suppress(Exception):  # nothing listens, no scheduler, no certificates for TLS
            found.append(dask.Client(address, timeout=CONNECT_SECONDS))

    thread = Thread(target=connect, daemon=True)
    thread.start()
    thread.join(2 * CONNECT_SECONDS)
    return found[0] if found else None


def _run(
    dask: Any, client: Any, work: Callable[[Part], Result], parts: Iterator[Part]
) -> Iterator[tuple[Part, Result]]:
    """Send a few parts for each thread at a time, so that the scheduler never holds them all."""

    def submit(part: Part) -> Any:
        future = client.submit(work, part, pure=False)
        waiting[future.key] = part
        return future

    waiting: dict[str, Part] = {}
    ahead = PARTS_PER_THREAD * max(1, sum(client.nthreads().values()))
    done = dask.as_completed([submit(part) for part in islice(parts, ahead)], with_results=True)
    for future, result in done:
        if isinstance(result, dask.CancelledError):  # Dask returns this one instead of raising it
            raise result
        part = waiting.pop(future.key)
        for more in islice(parts, 1):
            done.add(submit(more))
        yield part, result


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".strip(": ")
