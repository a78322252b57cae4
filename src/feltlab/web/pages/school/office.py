"""The school of a server: its office and the players of its tables, opened when they are first needed."""

import asyncio
from collections import defaultdict

from fastapi import FastAPI

from feltlab.ledger.backup import SCHOOL_FILE
from feltlab.school.exams.office import SchoolOffice
from feltlab.web.page import per_app
from feltlab.workers.seat_players import SeatPlayers

STATE, PLAYERS_STATE = "school_office", "school_players"


def office_of(app: FastAPI) -> SchoolOffice:
    """The office in the folder of the app's pit; opening it reads its ledger, so call it in a thread."""
    return per_app(app, STATE, lambda: SchoolOffice.open(app.state.pit.folder))


def list_certified(app: FastAPI) -> dict[str, list[str]]:
    """By game, the dealers with a certificate; none where the school has no ledger yet."""
    if not hasattr(app.state, STATE) and not (app.state.pit.folder / SCHOOL_FILE).exists():
        return {}
    found: dict[str, set[str]] = defaultdict(set)
    for certificate in office_of(app).certificates.values():
        for words in certificate.games:
            found[words.split()[0]].add(certificate.dealer)
    return {game: sorted(dealers) for game, dealers in found.items()}


def players_of(app: FastAPI) -> SeatPlayers:
    """The players of the tables that dealers deal; the first question starts their worker."""
    return per_app(app, PLAYERS_STATE, SeatPlayers)


async def close_school(app: FastAPI) -> None:
    """Release the ledger of the school and end the worker of its players, if there are any."""
    if hasattr(app.state, PLAYERS_STATE):
        await getattr(app.state, PLAYERS_STATE).close()
        delattr(app.state, PLAYERS_STATE)
    await asyncio.to_thread(close_office, app)


def close_office(app: FastAPI) -> None:
    """Release the ledger of the school, if it was opened."""
    if hasattr(app.state, STATE):
        getattr(app.state, STATE).close()
        delattr(app.state, STATE)
