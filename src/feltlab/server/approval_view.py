"""Approvals, submissions and licences as plain data, for the API and for pages."""

from typing import Any

from feltlab.errors import Refused
from feltlab.games.offers import build_game
from feltlab.pit.approvals import Approval
from feltlab.pit.approvals.licences import ApprovedModel, Licence
from feltlab.pit.approvals.submissions import Submission
from feltlab.pit.approvals.terms import pays_to_data
from feltlab.pit.pit import Pit, today
from feltlab.pit.regimes import Step, StepTaken, game_regime
from feltlab.submission.packet import PacketChange

Data = dict[str, Any]


def approval_to_data(pit: Pit, approval: Approval) -> Data:
    """An operator's approval, with its conditions and whether each holds today."""
    why_not, register = why_not_in_force(pit, approval), pit.approvals
    plain = {name: getattr(approval, name) for name in ("number", "house", "kind", "game", "digest", "state")}
    return {
        **plain,
        "under": approval.under,
        "demonstration": approval.is_demonstration,
        "caution": approval.caution,
        "options": dict(approval.options),
        "pays": pays_to_data(approval.pays),
        "begins": approval.begins,
        "ends": approval.ends,
        "in_force": not why_not,
        "why_not": why_not,
        "conditions": [one.as_json() for one in register.conditions(approval, today())],
        "filings": [filing.as_json() for filing in approval.filings],
        "done": list(map(_taken_to_data, approval.done)),
        "possible": list(map(_step_to_data, approval.regime.possible_steps(approval.state))),
    }


def why_not_in_force(pit: Pit, found: Approval) -> str:
    """The reason why no table may open under an approval today, or ''."""
    try:
        game = build_game(found.game, dict(found.options), found.pays)
    except Refused as refused:
        return str(refused)
    return pit.approvals.why_not(found, pit.house, game, today())


def submission_to_data(found: Submission) -> Data:
    """A maker's approval."""
    why_not = found.why_not_on(today())
    return {
        **{
            name: getattr(found, name) for name in ("number", "game", "maker", "reference", "digest", "state")
        },
        "rules_date": found.rules_date,
        "letter_day": found.letter_day,
        "in_force": not why_not,
        "why_not": why_not,
        "options": {name: list(values) for name, values in found.allowed},
        "pays": pays_to_data(found.pays),
        "kinds": list(found.kinds),
        "conditions": [done.note for done in found.attached],
        "documents": [document.as_json() for document in found.documents],
        "amends": found.amends,
        "done": list(map(_taken_to_data, found.done)),
        "possible": list(map(_step_to_data, game_regime().possible_steps(found.state))),
    }


def change_to_data(change: PacketChange) -> Data:
    return {"what": change.what, "before": change.before, "now": change.now}


def licence_to_data(licence: Licence) -> Data:
    return licence.as_json() | {"valid": licence.is_valid(today())}


def model_to_data(model: ApprovedModel) -> Data:
    return model.as_json() | {"valid": model.is_valid(today())}


def _taken_to_data(taken: StepTaken) -> Data:
    return {"side": "", **taken.as_json()}


def _step_to_data(step: Step) -> Data:
    plain = {"act": step.name, "responsible": step.responsible, "does": step.does, "asks": step.asks}
    return plain | {"sides": list(step.sides)}
