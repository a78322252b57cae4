"""`feltlab sign`: a signature that OpenSSH can check."""

import sys
from pathlib import Path

import click
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from feltlab.cli.shared.console import print_json
from feltlab.errors import Refused
from feltlab.files import read_limited
from feltlab.signing.roles import ROLES, namespace_of
from feltlab.signing.sign import sign_path, signed_file
from feltlab.signing.ssh_signature import PassphraseNeeded, load_private_key, read_signature

MAX_KEY_BYTES = 1 << 16


@click.command("sign")
@click.argument("path", type=click.Path(path_type=Path), metavar="FILE|DIR")
@click.option(
    "--key",
    type=click.Path(path_type=Path),
    required=True,
    metavar="KEY",
    help="A private Ed25519 key, as ssh-keygen -t ed25519 writes it; it is read and never stored.",
)
@click.option("--role", required=True, metavar="ROLE", help=f"The role of the signer: {', '.join(ROLES)}.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(path: Path, key: Path, role: str, as_json: bool) -> None:
    """Sign a report, a packet or a certificate.

    The signature is a file beside the one that is signed; further people sign by the same command. A folder
    is signed through its manifest, which binds every file in it.

    \b
      ssh-keygen -t ed25519 -f my-key
      feltlab sign war.pdf --key my-key --role mathematician
      feltlab sign certificate --key my-key --role second-reader
    """
    namespace = namespace_of(role)
    target = signed_file(path)
    place = sign_path(path, _load_key(key), role)
    signature = read_signature(place.read_text(encoding="ascii"))
    if as_json:
        print_json({"file": str(place), "role": role, "key": signature.fingerprint, "namespace": namespace})
        return
    click.echo(f"Wrote {place}: {role}, {signature.fingerprint}.")
    click.echo(f"Anyone with your public key checks it: feltlab verify {path}, or without feltlab")
    click.echo(f"ssh-keygen -Y verify -f SIGNERS -I YOU -n {namespace} -s {place} < {target}")


def _load_key(path: Path) -> Ed25519PrivateKey:
    """The key; a terminal is asked for the passphrase of a locked one."""
    text = read_limited(path, MAX_KEY_BYTES)
    try:
        return load_private_key(text)
    except PassphraseNeeded:
        if not sys.stdin.isatty():
            raise Refused(f"{path} has a passphrase; run this in a terminal to type it.") from None
    except Refused as refused:
        raise Refused(f"{path}: {refused}") from None
    try:
        return load_private_key(text, click.prompt(f"Passphrase of {path}", hide_input=True, err=True))
    except Refused as refused:
        raise Refused(f"{path}: {refused}") from None
