"""Databases for tests: each test runs on a SQLite file and on a PostgreSQL server.

The server is that of FELTLAB_TEST_POSTGRES, a URL; or a private one, started for the session where its
programs are found. Every test has a schema of its own.
"""

import glob
import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, make_url, text

NAMED = "FELTLAB_TEST_POSTGRES"


def program(name):
    """Find a program of the PostgreSQL server; Debian keeps them out of the PATH."""
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)
    return next((found for folder in [*folders, None] if (found := shutil.which(name, path=folder))), None)


def as_user(*command):
    """Run a command, as another user if this is root: PostgreSQL does not run as root."""
    user: dict[str, Any] = {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []}
    done = subprocess.run(
        command, capture_output=True, text=True, cwd="/", **(user if os.geteuid() == 0 else {})
    )
    if done.returncode:
        pytest.fail(f"{command[0]} failed: {done.stdout}{done.stderr}")


@contextmanager
def private_server(folder):
    """A server that listens only on a socket in a folder."""
    data = f"{folder}/data"
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
    as_user(program("initdb"), "-D", data, "-U", "felt", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}'"
    control = (program("pg_ctl"), "-D", data, "-w", "-s")
    as_user(*control, "-o", options, "-l", f"{folder}/log", "start")
    try:
        yield f"postgresql+psycopg://felt@/postgres?host={folder}"
    finally:
        as_user(*control, "-m", "immediate", "stop")


@pytest.fixture(scope="session")
def postgres():
    """The URL of a server."""
    pytest.importorskip("psycopg", reason="psycopg is not installed; the dev extra brings it")
    if NAMED in os.environ:
        yield make_url(os.environ[NAMED]).set(drivername="postgresql+psycopg").render_as_string(False)
    elif program("initdb") and program("pg_ctl"):
        with (
            tempfile.TemporaryDirectory(
                prefix="felt", ignore_cleanup_errors=True
            ) as folder,  # short: sockets
            private_server(folder) as url,
        ):
            yield url
    else:
        pytest.skip(f"no PostgreSQL server is installed, and {NAMED} names none")


@contextmanager
def schema(server):
    """The URL of a new schema, which is dropped at the end."""
    name = f"felt_{uuid.uuid4().hex}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
        try:
            yield (
                make_url(server)
                .update_query_dict({"options": f"-csearch_path={name}"})
                .render_as_string(False)
            )
        finally:
            connection.execute(text("SET lock_timeout = '5s'"))  # a connection left open fails the test
            connection.execute(text(f"DROP SCHEMA {name} CASCADE"))
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    """The place of a new ledger: the path of a SQLite file, or a PostgreSQL URL."""
    if request.param == "sqlite":
        yield str(Path(tmp_path, "ledger.db"))
    else:
        with schema(request.getfixturevalue("postgres")) as url:
            yield url


@contextmanager
def raw(database):
    """A connection past the ledger and its triggers, for tampering."""
    is_file = "://" not in database
    engine = create_engine(f"sqlite:///{database}" if is_file else database)
    with engine.begin() as connection:
        for trigger in ("UPDATE", "DELETE", "REPLACE") if is_file else ("",):
            drop = f"events_no_{trigger}" if is_file else "events_only_added ON events"
            connection.execute(text(f"DROP TRIGGER IF EXISTS {drop}"))
        yield connection
    engine.dispose()
