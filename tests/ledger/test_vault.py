"""The vault seals as Fernet does, whose format is public; what one of them seals, the other opens."""

import pytest
from cryptography.fernet import Fernet, InvalidToken

from feltlab.ledger.vault import CannotUnseal, Vault

SIZES = (0, 1, 15, 16, 17, 500)


@pytest.mark.parametrize("size", SIZES)
def test_fernet_opens_what_the_vault_seals_and_the_other_way_round(size: int) -> None:
    key, secret = Fernet.generate_key(), bytes(range(256)) * 2
    vault, fernet = Vault(Fernet.generate_key(), key), Fernet(key)  # the last key seals
    assert fernet.decrypt(vault.seal(secret[:size]), ttl=60) == secret[:size]
    assert vault.unseal(fernet.encrypt(secret[:size])) == secret[:size]
    assert vault.unseal(vault.reseal(vault.seal(secret[:size]))) == secret[:size]


def test_no_two_seals_are_alike_and_a_changed_one_does_not_open() -> None:
    vault = Vault(Fernet.generate_key())
    sealed = vault.seal(b"As Kd")
    assert vault.seal(b"As Kd") != sealed
    changed = sealed[:40] + bytes([sealed[40] ^ 1]) + sealed[41:]
    with pytest.raises(CannotUnseal):
        vault.unseal(changed)
    with pytest.raises(InvalidToken):
        Fernet(Fernet.generate_key()).decrypt(sealed)
