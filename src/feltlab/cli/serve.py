"""`feltlab serve`: a pit of live tables for programs and browsers."""

from pathlib import Path

import click

from feltlab.cli.options import Whole
from feltlab.errors import Refused


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=Whole(0, 65535), default=8700, show_default=True, help="0 takes any free one.")
@click.option("--data", type=click.Path(path_type=Path), metavar="FOLDER", help="Where everything is kept.")
@click.option("--database", metavar="URL", help="A ledger elsewhere: sqlite:///FILE or postgresql://...")
@click.option("--no-demo", is_flag=True, help="Open no tables for play money.")
@click.option("--house", metavar="NAME", help="Your own house, whose games need approvals first.")
@click.option("--venue", type=click.Choice(["commercial", "tribal"]), help="The kind of venue that it is.")
@click.option("--new-password", is_flag=True, help="Give the administrator a new password, and print it.")
@click.option("--lost-key", is_flag=True, help="Void the rounds whose cards no key opens any more.")
@click.option("--quiet", is_flag=True, help="Print nothing but what is shown only once.")
def command(
    host: str,
    port: int,
    data: Path | None,
    database: str | None,
    no_demo: bool,
    house: str | None,
    venue: str | None,
    new_password: bool,
    lost_key: bool,
    quiet: bool,
) -> None:
    """Run a pit: live tables that are dealt, settled, metered and written down.

    Without --host only this machine can reach it. At any other address every client must show the access
    token that is printed at the start.
    """
    from feltlab.pit.approvals import DEMO, House
    from feltlab.web.serve import serve

    if bool(house) != bool(venue):
        raise Refused("A house of your own needs both --house and --venue.")
    say = (lambda _: None) if quiet else click.echo
    own = House.of(house, venue) if house and venue else DEMO
    demo = own is DEMO and not no_demo
    serve(host, port, data, database, demo, say, click.echo, None, own, new_password, lost_key)
