"""Challenges: signed random texts that a passkey answers, each for one purpose and one session or sign-in.

The server keeps no copy, so any server of the house takes the answer. That an answer counts once is the
ledger's affair: the entry that records it has the challenge as its key.
"""

import re
import secrets
import time
from collections.abc import Callable

from itsdangerous import Signer

from feltlab.pit.custody.passkeys import CHALLENGE_SECONDS

CHALLENGE = re.compile(r"([0-9a-f]{32})\.([0-9]{1,12})\.([A-Za-z0-9_-]{64})")


class Challenges:
    """Issues challenges and recognises its own."""

    def __init__(self, signer: Signer, clock: Callable[[], float] = time.time) -> None:
        self._signer, self._clock = signer, clock

    def issue(self, purpose: str, subject: str) -> bytes:
        """A new challenge for a purpose, and for the session or sign-in that is its subject."""
        nonce, ends = secrets.token_hex(16), int(self._clock()) + CHALLENGE_SECONDS
        signature = self._signer.get_signature(_signed_text(purpose, subject, nonce, str(ends))).decode()
        return f"{nonce}.{ends}.{signature}".encode()

    def is_valid(self, challenge: bytes, purpose: str, subject: str) -> bool:
        """Whether this is a challenge of ours for this purpose and subject that has not ended."""
        found = CHALLENGE.fullmatch(challenge.decode("ascii", "replace"))
        if not found or int(found[2]) < self._clock():
            return False
        return self._signer.verify_signature(_signed_text(purpose, subject, found[1], found[2]), found[3])


def _signed_text(purpose: str, subject: str, nonce: str, ends: str) -> str:
    return f"{purpose}|{subject}|{nonce}|{ends}"
