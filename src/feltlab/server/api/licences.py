"""The register of equipment: licences of makers, and approved models of shuffler."""

from starlette.responses import Response

from feltlab.pit.pit import today
from feltlab.server.api.approvals import Responses, taker_of
from feltlab.server.api.submissions import require_reading
from feltlab.server.approval_models import (
    ApprovedModelAnswer,
    ApproveModel,
    EndLicence,
    EndModel,
    LicenceAnswer,
    RecordLicence,
)
from feltlab.server.approval_view import licence_to_data, model_to_data
from feltlab.server.responses import json_response
from feltlab.server.routing import Actor, Reader, TheAuth, ThePit, new_router

router = new_router()
LICENCES: Responses = {200: {"model": list[LicenceAnswer]}}
MODELS: Responses = {200: {"model": list[ApprovedModelAnswer]}}


@router.get("/licences", responses=LICENCES)
async def list_licences(pit: ThePit, auth: TheAuth, session: Reader) -> Response:
    """The licences of makers of layouts, cards and shufflers."""
    require_reading(auth, session)
    return json_response(list(map(licence_to_data, pit.approvals.licences)))


@router.post("/licences", responses=LICENCES)
async def record_licence(pit: ThePit, session: Actor, asked: RecordLicence) -> Response:
    """Record a licence of my side, the state or the tribe; the same number is a renewal."""
    taker, day = taker_of(session), asked.day or today()
    terms, days = (asked.number, asked.maker, tuple(asked.covers)), (asked.begins or day, asked.ends)
    register = await pit.decide(
        lambda book: book.record(book.licences.plan_licence(*terms, taker, day, *days))
    )
    return json_response(list(map(licence_to_data, register.licences)))


@router.post("/licences/end", responses=LICENCES)
async def end_licence(pit: ThePit, session: Actor, asked: EndLicence) -> Response:
    """End a licence of my side early; tables that need it close after their round."""
    taker, rest = taker_of(session), (asked.day or today(), asked.note)
    register = await pit.decide(
        lambda book: book.record(book.licences.plan_licence_end(asked.number, taker, *rest))
    )
    return json_response(list(map(licence_to_data, register.licences)))


@router.get("/shuffler-models", responses=MODELS)
async def list_models(pit: ThePit, auth: TheAuth, session: Reader) -> Response:
    """The models of shuffler that the state has approved."""
    require_reading(auth, session)
    return json_response(list(map(model_to_data, pit.approvals.licences.models)))


@router.post("/shuffler-models", responses=MODELS)
async def approve_model(pit: ThePit, session: Actor, asked: ApproveModel) -> Response:
    """Approve a model of shuffler, for the state."""
    taker, terms = taker_of(session), (asked.model, asked.maker)
    day = asked.day or today()
    register = await pit.decide(lambda book: book.record(book.licences.plan_model(*terms, taker, day)))
    return json_response(list(map(model_to_data, register.licences.models)))


@router.post("/shuffler-models/end", responses=MODELS)
async def end_model(pit: ThePit, session: Actor, asked: EndModel) -> Response:
    """End the approval of a model of shuffler, for the state."""
    taker, rest = taker_of(session), (asked.day or today(), asked.note)
    register = await pit.decide(
        lambda book: book.record(book.licences.plan_model_end(asked.model, taker, *rest))
    )
    return json_response(list(map(model_to_data, register.licences.models)))
