"""`feltlab serve`: a pit of live tables for programs and browsers."""

from pathlib import Path

import click

from feltlab.cli.shared.options import Whole, games_flag, witness_flag
from feltlab.errors import Refused
from feltlab.text import parse_pairs


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=Whole(0, 65535), default=8700, show_default=True, help="The port; 0 picks a free one."
)
@click.option("--name", "names", multiple=True, help="A name by which clients know this server.")
@click.option("--tls-cert", type=click.Path(path_type=Path), metavar="FILE", help="A certificate, for HTTPS.")
@click.option("--tls-key", type=click.Path(path_type=Path), metavar="FILE", help="The certificate's key.")
@click.option(
    "--proxy",
    "proxies",
    metavar="ADDRESS",
    multiple=True,
    help="A proxy or network whose X-Forwarded headers are believed.",
)
@click.option(
    "--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder for ledger, accounts and keys."
)
@click.option("--database", metavar="URL", help="Keep the ledger in sqlite:///FILE or postgresql://...")
@games_flag
@click.option("--no-demo", is_flag=True, help="Do not open the demo tables for play money.")
@click.option("--no-prepare", is_flag=True, help="Do not work out strategy cards before somebody asks.")
@click.option(
    "--house", metavar="NAME", help="The name of your house, with --venue; its games need approval."
)
@click.option("--venue", type=click.Choice(["commercial", "tribal"]), help="The kind of venue of your house.")
@click.option("--practice", is_flag=True, help="Let visitors of your house play what no approval covers.")
@click.option("--new-password", is_flag=True, help="Set and print a new administrator password.")
@click.option("--lost-key", is_flag=True, help="Void the rounds whose cards can no longer be decrypted.")
@click.option(
    "--accept-unsigned", is_flag=True, help="Go on though the ledger's last event is not the signed one."
)
@witness_flag("Also append every signed head of the ledger to this file.")
@click.option(
    "--two-persons/--one-person",
    default=None,
    help="Have two persons for acts that can hurt; by default a house of your own has them.",
)
@click.option("--standby", is_flag=True, help="Wait while another server runs the ledger, then take over.")
@click.option("--workers", type=Whole(1, 64), default=1, show_default=True, help="Processes that run tables.")
@click.option("--shared", is_flag=True, help="Run tables together with other servers on one PostgreSQL.")
@click.option(
    "--address",
    metavar="URL",
    default="",
    help="Where clients reach this server, for stand-bys; where other servers do, with --shared.",
)
@click.option("--require-second-factor", is_flag=True, help="Staff must sign in with a second factor.")
@click.option("--require-certificate", is_flag=True, help="Dealers need a certificate for each game.")
@click.option(
    "--limit",
    "limits",
    metavar="NAME=NUMBER",
    multiple=True,
    help="Change a limit of clients, like guests=50 or account-mb=100.",
)
@click.option("--quiet", is_flag=True, help="Print only secrets that are shown once.")
def command(
    host: str,
    port: int,
    names: tuple[str, ...],
    tls_cert: Path | None,
    tls_key: Path | None,
    proxies: tuple[str, ...],
    data: Path | None,
    database: str | None,
    no_demo: bool,
    no_prepare: bool,
    house: str | None,
    venue: str | None,
    practice: bool,
    new_password: bool,
    lost_key: bool,
    accept_unsigned: bool,
    witnesses: tuple[Path, ...],
    two_persons: bool | None,
    standby: bool,
    workers: int,
    shared: bool,
    address: str,
    require_second_factor: bool,
    require_certificate: bool,
    limits: tuple[str, ...],
    quiet: bool,
) -> None:
    """Run a pit of live tables.

    The pit deals, settles and meters its tables and records every event in a ledger. Without --host only
    this machine can reach it. On any other address every client needs the access token that is printed at
    the start.
    """
    from feltlab.pit.approvals import DEMO, House
    from feltlab.server.clients.allowance import Allowance
    from feltlab.server.network import Network
    from feltlab.web.serve import serve
    from feltlab.web.server_options import ServerOptions

    if house == DEMO.name:
        raise Refused(f"{DEMO.name} takes every step itself; give your house another name.")
    if bool(house) != bool(venue):
        raise Refused("--house and --venue must be given together.")
    if address and not address.startswith(("http://", "https://")):
        raise Refused("--address must be a URL, such as https://felt.example/.")
    own = House.of(house, venue, practice) if house and venue else DEMO
    options = ServerOptions(
        Network(host, port, names, tls_cert, tls_key, proxies),
        folder=data,
        database=database or "",
        demo=own is DEMO and not no_demo,
        allowance=Allowance.from_limits(parse_pairs(limits, "--limit")),
        house=own,
        new_password=new_password,
        lost_key=lost_key,
        accept_unsigned=accept_unsigned,
        witnesses=witnesses,
        prepare=not no_prepare,
        two_persons=own is not DEMO if two_persons is None else two_persons,
        require_second_factor=require_second_factor,
        require_certificate=require_certificate,
        standby=standby,
        shared=shared,
        address=address,
        workers=workers,
    )
    serve(options, (lambda _: None) if quiet else click.echo, click.echo)
