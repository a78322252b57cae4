"""Chains of events without a ledger: drafts become events, and events are checked against the format."""

from feltlab.ledger.event import Draft, Event, event_digest


def chain_event(draft: Draft, number: int, digest: str, at: str) -> Event:
    """The event of a draft after the event of that number and digest."""
    fields = (draft.chain, number + 1, draft.kind, draft.round, at, draft.data)
    return Event(*fields, digest=event_digest(digest, *fields))


def follows(event: Event, before: str, *past: str) -> bool:
    """Is the event unchanged since it was written after the event with that digest, and after that past?"""
    fields = (event.chain, event.number, event.kind, event.round, event.at, event.data)
    return event.digest == event_digest(before, *fields, *past)
