"""`feltlab approvals` as people use it."""

import hashlib
import json
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from feltlab.games import GAMES
from feltlab.ledger.event import Entry
from feltlab.ledger.ledger import Ledger
from feltlab.pit.approvals import House
from feltlab.pit.pit import today
from feltlab.signing.sign import sign_path
from feltlab.submission.packet import describe_version
from tests.support import approving
from tests.support.command_line import answer, refusal, run

WAR = GAMES["casino-war"]
GENEROUS = WAR.with_pays("tie", {"tie": 11})


def write_ledger(folder: Path) -> tuple[str, str]:
    """A ledger with an approval that lacks a notice, and an amendment."""
    register = approving.submit(approving.prepared(), WAR, record=describe_version(WAR))
    number = len(register.submissions.all)
    register = approving.approved(House.of("The Long Table", "commercial"), WAR, today(), register)
    terms = approving.submission_terms(GENEROUS, record=describe_version(GENEROUS))
    register = register.record(register.submissions.plan_submission(terms, approving.MAY, today()))
    register = register.withdraw_filing(1, "notices", approving.ANN, today(), "taken down")
    assert register.submissions.all[-1].amends == number
    with Ledger.open(folder / "ledger.sqlite") as ledger:
        ledger.append_blocking(Entry(register.unwritten))
    return "--data", str(folder)


def test_approvals_games_and_changes_are_listed(tmp_path: Path) -> None:
    at = write_ledger(tmp_path)
    (found,) = answer("approvals", "list", *at)
    assert (found["game"], found["state"]) == ("casino-war", "approved")
    assert found["remarks"] == "notices: the filing was withdrawn: taken down"
    assert "taken down" in run("approvals", "list", *at).stdout
    games = answer("approvals", "games", *at)
    amendment = games[-1]
    assert (amendment["state"], amendment["pays"]) == ("submitted", [["tie", "tie", "11"]])
    assert "submitted" in run("approvals", "games", *at).stdout
    changes = answer("approvals", "changes", str(amendment["number"]), *at)
    told = {one["what"]: (one["before"], one["now"]) for one in changes["changes"]}
    assert told["pay table tie: tie"] == ("10 to 1", "11 to 1")
    assert "clause 4.3" in told
    printed = run("approvals", "changes", str(amendment["number"]), *at).stdout
    assert "11 to 1" in printed
    assert "No version" in run("approvals", "changes", "1", *at).stdout
    assert "No maker's approval has the number 99" in refusal("approvals", "changes", "99", *at)


def test_documents_are_described_for_a_submission(tmp_path: Path) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("The rules of play.")
    (plain,) = json.loads(run("approvals", "documents", str(rules)).stdout)
    assert plain["sha256"] == hashlib.sha256(rules.read_bytes()).hexdigest()
    sign_path(rules, Ed25519PrivateKey.generate(), "maker")
    (signed,) = json.loads(run("approvals", "documents", str(rules)).stdout)
    assert signed["signer"].startswith("maker SHA256:")
