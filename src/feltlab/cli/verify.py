"""`feltlab verify`: signatures, and the files that they bind."""

from dataclasses import asdict
from pathlib import Path

import click

from feltlab.cli.main import FAILURE
from feltlab.cli.shared.console import must_be_printed, print_json
from feltlab.signing.roles import ROLES, namespace_of
from feltlab.signing.sign import CheckedSignature, SignedState, verify_path
from feltlab.signing.signers import read_signers


@click.command("verify")
@click.argument("path", type=click.Path(path_type=Path), metavar="FILE|DIR")
@click.option(
    "--signers",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The people whom you trust, in OpenSSH's allowed_signers format; each signature must be theirs.",
)
@click.option(
    "--role",
    "roles",
    multiple=True,
    metavar="ROLE",
    help=f"A role that must have signed: {', '.join(ROLES)}; may be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@must_be_printed()
def command(path: Path, signers: Path | None, roles: tuple[str, ...], as_json: bool) -> None:
    """Verify signatures, and the files that they bind.

    In a folder with a manifest (a packet, a certificate) every file must be as the manifest lists it; every
    signature must hold, and there must be at least one. The exit status is 1 if anything is wrong. Without
    --signers the keys are shown, and you compare them yourself. What a certificate proves is checked by the
    program check_certificate.py in it.
    """
    for role in roles:
        namespace_of(role)  # refuses a role that does not exist
    found = verify_path(path, read_signers(signers) if signers else None)
    missing = [role for role in roles if not _has_signed(found, role)]
    holds = found.holds and not missing
    if as_json:
        print_json({"path": str(path), "holds": holds, **asdict(found), "missing_roles": missing})
    else:
        _print(path, found, missing, is_trusted=signers is not None)
    if not holds:
        raise click.exceptions.Exit(FAILURE)


def _has_signed(found: SignedState, role: str) -> bool:
    return any(signature.role == role and not signature.problem for signature in found.signatures)


def _print(path: Path, found: SignedState, missing: list[str], is_trusted: bool) -> None:
    for sentence in found.damage:
        click.echo(f"Damaged: {sentence}")
    for signature in found.signatures:
        click.echo(_describe(signature))
    if not found.signatures:
        click.echo(f"{path} is not signed.")
    for role in missing:
        click.echo(f"No valid signature in the role {role}.")
    if found.holds and not missing:
        whose = "all by signers on your list" if is_trusted else "by the keys shown; compare them yourself"
        click.echo(f"{path} is as it was signed, {whose}.")


def _describe(signature: CheckedSignature) -> str:
    if signature.problem:
        return f"Wrong: {signature.file}: {signature.problem}."
    who = f" {signature.signer}," if signature.signer else ""
    return f"Valid: {signature.role},{who} {signature.fingerprint}"
