"""More rewritings by an insider: whole stories that are changed, not single events."""

import copy
from datetime import datetime, timedelta
from typing import Any

from tests.support.insider import Events
from tests.support.witnessed_pit import OTHER, TABLE


def find(events: Events, kind: str, chain: str = "", nth: int = 0) -> int:
    return [n for n, e in enumerate(events) if e["kind"] == kind and chain in ("", e["chain"])][nth]


def of_table(events: Events, kind: str) -> list[dict[str, Any]]:
    """The events of a kind of the first table."""
    return [event for event in events if (event["chain"], event["kind"]) == (TABLE, kind)]


def insert_like(events: Events, place: int, **fields: Any) -> None:
    """Insert a copy of an event before it, with other fields."""
    events.insert(place, copy.deepcopy(events[place]) | fields)


def move_everything_to_yesterday(events: Events) -> None:
    for event in events:
        moment = datetime.fromisoformat(event["at"]) - timedelta(days=1)
        event["at"] = moment.isoformat(timespec="microseconds")
        for name in {"day", "begins"} & event["data"].keys():
            event["data"][name] = str(moment.date())


def move_player_to_another_seat(events: Events) -> None:
    for event in events:
        if event["data"].get("player", event["data"].get("account")) == "ann" and "seat" in event["data"]:
            event["data"]["seat"] = 2


def swap_commitments_of_tables(events: Events) -> None:
    one, two = (events[find(events, "shuffled", table)]["data"] for table in (TABLE, OTHER))
    one["commitment"], two["commitment"] = two["commitment"], one["commitment"]


def cut_the_first_day(events: Events) -> None:
    del events[: find(events, "started", nth=1)]


def pose_as_a_house_that_approves_itself(events: Events) -> None:
    adopted = {"version": "0.1.0", "approvals": []}
    insert_like(events, find(events, "approval-drafted"), kind="sides-adopted", data=adopted)


def void_a_settled_round(events: Events) -> None:
    settled = of_table(events, "settled")[0]
    stake = settled["data"]["payments"][0][3]
    data = {"by": "sue", "reason": "A card fell.", "payments": [], "returned": {"1": stake}}
    settled |= {"kind": "void", "data": data}


def excuse_an_earlier_moment(events: Events) -> None:
    """An event is moved back, behind one that says that the clock was set back."""
    place = find(events, "settled", TABLE, nth=3)
    earlier = events[place - 5]["at"]
    jump = {"from": events[place]["at"], "to": earlier}
    insert_like(events, place, chain="house", kind="clock-set-back", round=0, data=jump)
    events[place + 1]["at"] = earlier


def merge_two_transactions(events: Events) -> None:
    place = find(events, "ready", TABLE, nth=2)
    events[place]["at"] = events[place - 1]["at"]


def call_a_table_practice(events: Events) -> None:
    """A table that opened without an approval poses as a visitor's own."""
    events[find(events, "opened", TABLE)]["data"] |= {"practice": True, "owner": "ann", "approval": 0}


def pretend_an_archive(events: Events) -> None:
    """The tables' first day is gone, and an event says that an archive has it."""
    day = find(events, "started", nth=1)
    data = {"file": "old.archive", "sha256": "00" * 32, "before": "2026-12", "size": day, "root": "00" * 32}
    insert_like(events, day, kind="archived", data=data)
    events[:day] = [event for event in events[:day] if event["chain"] == "house"]


def split_the_wagers(events: Events) -> None:
    for event in of_table(events, "wagered"):
        event["data"]["wagers"] = {"primary": 400, "tie": 100}


def blame_another_supervisor(events: Events) -> None:
    events[find(events, "void", TABLE)]["data"]["by"] = "dan"


def pretend_a_lost_key(events: Events) -> None:
    place = find(events, "started", nth=1)
    insert_like(events, place, kind="key-lost", data={"key": "heads", "to": "00" * 32})


STORIES = (
    *(move_everything_to_yesterday, move_player_to_another_seat, swap_commitments_of_tables),
    *(cut_the_first_day, pose_as_a_house_that_approves_itself, void_a_settled_round),
    *(excuse_an_earlier_moment, merge_two_transactions, call_a_table_practice, pretend_an_archive),
    *(split_the_wagers, blame_another_supervisor, pretend_a_lost_key),
)
