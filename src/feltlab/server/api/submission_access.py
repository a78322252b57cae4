"""The submissions that somebody may see: a maker those of its own firm, and what the state has approved."""

from feltlab.pit.approvals.submissions import Submission
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Forbidden, Side
from feltlab.server.sessions import Session


def is_own(pit: Pit, session: Session, found: Submission) -> bool:
    """Whether the visitor's firm has made a submission."""
    return pit.accounts.firm_of(found.done[0].by) == pit.accounts.firm_of(session.account)


def may_see(pit: Pit, session: Session, found: Submission) -> bool:
    """Whether a submission is open to the visitor: a maker sees those of others once they are approved."""
    return session.role.side != Side.MAKER or bool(found.letter_day) or is_own(pit, session, found)


def list_submissions(pit: Pit, session: Session) -> list[Submission]:
    return [found for found in pit.approvals.submissions if may_see(pit, session, found)]


def find_submission(pit: Pit, session: Session, number: int) -> Submission:
    """A submission by its number, if the visitor may see it."""
    found = pit.approvals.submissions[number]
    if not may_see(pit, session, found):
        raise Forbidden("A submission of another maker is not shown before it is approved.")
    return found


def check_own(pit: Pit, session: Session, number: int) -> None:
    """Refuse a maker's step in a submission of another maker."""
    if session.role.side == Side.MAKER and not is_own(pit, session, pit.approvals.submissions[number]):
        raise Forbidden("Only the maker that submitted a game takes the maker's steps in its approval.")
