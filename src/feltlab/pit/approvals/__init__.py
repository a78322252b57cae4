"""Approvals in two layers: the state approves a maker's game, and then each operator's use of it.

An operator's approval goes through the steps of a regime, each taken by its own side. It is bound to a digest
of the rules, options and pays for which it was given, and never exceeds the maker's approval to which it
refers. A table opens only under one that is in force and whose conditions hold.
"""

from feltlab.pit.approvals.approval import Approval
from feltlab.pit.approvals.demonstration import approve_all
from feltlab.pit.approvals.houses import DEMO, House, check_limits
from feltlab.pit.approvals.register import CARRIED_OVER, DRAFTED, LAPSED, STEP, Approvals

__all__ = [
    "CARRIED_OVER",
    "DEMO",
    "DRAFTED",
    "LAPSED",
    "STEP",
    "Approval",
    "Approvals",
    "House",
    "approve_all",
    "check_limits",
]
