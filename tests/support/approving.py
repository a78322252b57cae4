"""Approvals for tests: people of every side, and every paper that is asked for."""

from datetime import date

from feltlab.core.game import Game
from feltlab.games import GAMES
from feltlab.pit.approvals import Approvals, House
from feltlab.pit.approvals.conditions import DOCUMENT, list_conditions
from feltlab.pit.approvals.submissions import SubmissionTerms
from feltlab.pit.regimes import AUTOMATIC, SERVER, Taker
from feltlab.pit.roles import Side
from feltlab.shuffling.models import load_models

LONG_AGO = date(2000, 1, 1)
ANN, MAY = Taker("ann", Side.HOUSE), Taker("may", Side.MAKER)
RITA, TOM = Taker("rita", Side.STATE), Taker("tom", Side.TRIBE)
TAKERS = {**{one.side: one for one in (ANN, MAY, RITA, TOM)}, SERVER: AUTOMATIC}
MAKER = "Felt & Cards"
ENCLOSED = f"{'ab' * 32}  packet.pdf"


def submission_terms(game: Game, **more: object) -> SubmissionTerms:
    record = {"game": game.name, "venue": "commercial", "options": {}, "pay_tables": {}, "clauses": {}}
    fields = {"maker": "A maker", "reference": "3119", "rules_date": LONG_AGO, "record": record}
    return SubmissionTerms(game, **{**fields, "record": {**record, "rules_digest": ""}, **more})  # type: ignore[arg-type]


def submit(
    register: Approvals, game: Game, day: date = LONG_AGO, taker: Taker = MAY, **more: object
) -> Approvals:
    """The register after a maker's approval of a game."""
    draft = register.submissions.plan_submission(submission_terms(game, **more), taker, day)
    register = register.record(draft)
    number = len(register.submissions.all)
    return register.record(register.submissions.plan_step(number, "approve", RITA, day))


def license_all(register: Approvals, day: date = LONG_AGO) -> Approvals:
    """The register after a maker was licensed for everything, and every model of shuffler approved."""
    for taker in (RITA, TOM):
        terms = ("L-1", MAKER, ("layouts", "cards", "shufflers"), taker, day, day, None)
        register = register.record(register.licences.plan_licence(*terms))
    for model in load_models():
        register = register.record(register.licences.plan_model(model, MAKER, RITA, day))
    return register


def prepared(*games: Game) -> Approvals:
    """A register with makers' approvals of games, or of all, and with licences."""
    register = Approvals().adopt_sides("test")
    for game in games or GAMES.values():
        register = submit(register, game)
    return license_all(register)


def file_all(register: Approvals, number: int, day: date) -> Approvals:
    """The register after the house has filed whatever the conditions of an approval ask for."""
    approval = register[number]
    for terms in list_conditions(approval, None):
        if terms.items and approval.filing(terms.name) is None:
            items = {item: ENCLOSED if item == DOCUMENT else MAKER for item in terms.items}
            register = register.file(number, terms.name, items, ANN, day)
    return register


def drafted(register: Approvals, house: House, game: Game, day: date, **days: object) -> Approvals:
    """The register after the house has drafted an approval and filed everything."""
    register = register.draft(house, game, ANN, day, **days)  # type: ignore[arg-type]
    return file_all(register, len(register.approvals), day)


def taker_for(register: Approvals, number: int, step: str) -> Taker:
    """Somebody of the side that takes a step; of the house, if no regime knows the step."""
    known = {one.name: one for one in register[number].regime.steps}
    sides = known[step].sides if step in known else (Side.HOUSE,)
    return TAKERS[sides[-1] if sides else SERVER]


def step(register: Approvals, number: int, name: str, day: date, note: str = "") -> Approvals:
    """The register after a step by somebody who may take it."""
    return register.step(number, name, taker_for(register, number, name), day, note)


def approved(
    house: House, game: Game, day: date, register: Approvals | None = None, **days: object
) -> Approvals:
    """A register with an approval that has come all the way and whose conditions hold."""
    register = drafted(prepared(game) if register is None else register, house, game, day, **days)
    number = len(register.approvals)
    for one in register[number].regime.path[1:]:
        register = step(register, number, one.name, day, "Appendix A")
    return register
