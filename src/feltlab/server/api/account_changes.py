"""Changes of accounts, as one person makes them or as a second one confirms them."""

import asyncio
import secrets
from collections.abc import Mapping
from typing import Any

from feltlab.pit.accounts import AccountChange
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Role, Side
from feltlab.server.api.second_factor import reset_factor
from feltlab.server.api.sessions import record_change
from feltlab.server.auth import Auth

PASSWORD_BYTES = 15
MIN_ADMINISTRATORS = 2  # until there are so many, one person creates them


def generate_password() -> str:
    """A password for somebody who changes it later."""
    return secrets.token_urlsafe(PASSWORD_BYTES)


async def create_account(
    pit: Pit, auth: Auth, name: str, password: str, role: Role, by: str
) -> AccountChange:
    change = await auth.hash_in_thread(pit.accounts.create, name, password, role, by)
    await record_change(pit, change)
    return change


async def change_account(pit: Pit, auth: Auth, name: str, fields: Mapping[str, Any], by: str) -> str:
    """Change a role, disable, enable, or reset a password or a second factor; returns a new password."""
    accounts, password = pit.accounts, ""
    if "role" in fields:
        role = Role.parse(fields["role"])
        await record_change(pit, await asyncio.to_thread(accounts.set_role, name, role, by))
    if "disabled" in fields:
        switch = accounts.disable if fields["disabled"] else accounts.enable
        await record_change(pit, await asyncio.to_thread(switch, name, by))
    if fields.get("reset_password"):
        change = await auth.hash_in_thread(accounts.reset_password, name, by)
        await record_change(pit, change)
        password = change.password
    if fields.get("reset_second_factor"):
        await reset_factor(pit, auth, name.lower(), by)
    return password


def concerns_staff(*roles: Role) -> bool:
    """Whether one of these roles works for the house."""
    return any(role.side is Side.HOUSE for role in roles)


def may_create_alone(pit: Pit, role: Role) -> bool:
    """Whether one person creates an account of this role: the second administrator, and players."""
    if not concerns_staff(role):
        return True
    administrators = sum(account.role is Role.ADMINISTRATOR for account in pit.accounts.all())
    return role is Role.ADMINISTRATOR and administrators < MIN_ADMINISTRATORS


def describe_change(fields: Mapping[str, Any]) -> str:
    """A change of an account in a few words."""
    words = [f"role {fields['role']}"] if "role" in fields else []
    words += ["disabled" if fields["disabled"] else "enabled"] if "disabled" in fields else []
    words += ["a new password"] if fields.get("reset_password") else []
    words += ["no second factor"] if fields.get("reset_second_factor") else []
    return ", ".join(words)
