"""Secret amounts of must-hit-by meters: committed to on the ledger, sealed until the hit."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

import orjson

from feltlab.digests import canonical_json, sha256_hex
from feltlab.errors import Refused
from feltlab.ledger.event import JACKPOT_CHAIN, Draft
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.vault import Vault
from feltlab.progressives.progressive import Meter, MustHit, Progressive
from feltlab.progressives.rates import MILLICENTS_PER_CENT, millicents

SALT_BYTES = 16
LAW_PARTS = 1 << 64  # equally likely shares, from which a declared law makes an amount


@dataclass(frozen=True)
class Trigger:
    """The amount at which a meter is won, in thousandths of a cent, with the salt of its digest."""

    amount: int
    salt: str

    @classmethod
    def draw(cls, bounds: MustHit) -> "Trigger":
        """A secret amount: above the lower bound, up to the upper one, all equally likely or by their law."""
        low, high = millicents(bounds.low_cents), millicents(bounds.high_cents)
        salt = secrets.token_hex(SALT_BYTES)
        if not bounds.knots:
            return cls(low + 1 + secrets.randbelow(high - low), salt)
        share = Fraction(secrets.randbelow(LAW_PARTS), LAW_PARTS)
        return cls(floor(bounds.amount_at(share) * MILLICENTS_PER_CENT) + 1, salt)

    def __repr__(self) -> str:
        """Without the secret, because a repr ends up in logs."""
        return f"<Trigger {self.digest[:12]}>"

    @property
    def digest(self) -> str:
        """Binds the house to the amount, and reveals nothing of it while the salt is secret."""
        return sha256_hex(f"{self.salt}:{self.amount}".encode())

    def to_bytes(self) -> bytes:
        return canonical_json({"amount": self.amount, "salt": self.salt})

    @classmethod
    def from_bytes(cls, sealed: bytes) -> "Trigger":
        try:
            data: dict[str, Any] = orjson.loads(sealed)
            return cls(data["amount"], data["salt"])
        except (orjson.JSONDecodeError, KeyError, TypeError):
            raise Refused("The sealed secret is not an amount.") from None


def vault_name(link: str, digest: str) -> str:
    """The name under which the vault keeps a secret amount."""
    return f"must-hit {link} {digest[:16]}"


class Triggers:
    """The secret amounts of all links; those that are not known here are read from the vault."""

    def __init__(self, ledger: Ledger, vault: Vault) -> None:
        self._ledger, self._vault = ledger, vault
        self._known: dict[str, Trigger] = {}  # by digest

    def draw(self, meter: Meter) -> str:
        """Draw the next secret amount of a meter; its digest."""
        assert meter.must_hit
        made = Trigger.draw(meter.must_hit)
        self._known[made.digest] = made
        return made.digest

    def draw_all(self, progressive: Progressive) -> dict[str, str]:
        """The digests of new secret amounts, by meter that is won at one."""
        return {meter.name: self.draw(meter) for meter in progressive.meters if meter.must_hit}

    def find(self, link: str, digest: str) -> Trigger:
        """The secret amount to which a link is committed; refuses one that the vault does not have."""
        if digest not in self._known:
            sealed = self._ledger.load_sealed(vault_name(link, digest))
            if sealed is None:
                raise Refused(f"The sealed amount of {link} is missing from the vault.")
            found = Trigger.from_bytes(self._vault.unseal(sealed))
            if found.digest != digest:
                raise Refused(f"The sealed amount of {link} is not the one to which it committed.")
            self._known[digest] = found
        return self._known[digest]

    def seal_new(self, drafts: Iterable[Draft]) -> tuple[dict[str, bytes], tuple[str, ...]]:
        """The secret amounts to which drafts commit, sealed by name, and the names that leave the vault."""
        sealed, unsealed = {}, []
        for draft in drafts:
            if draft.chain == JACKPOT_CHAIN and draft.kind in ("link-opened", "must-hit"):
                link, hits = draft.data["link"], draft.data.get("hits", ())
                digests = (*draft.data.get("commitments", {}).values(), *(hit["commitment"] for hit in hits))
                for digest in digests:
                    sealed[vault_name(link, digest)] = self._vault.seal(self._known[digest].to_bytes())
                for hit in hits:
                    unsealed.append(vault_name(link, Trigger(hit["amount"], hit["salt"]).digest))
        return sealed, tuple(unsealed)
