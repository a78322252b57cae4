"""The options of a server, the same in each of its processes."""

from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_dir

from feltlab.errors import Refused
from feltlab.ledger.database import Database
from feltlab.pit.approvals import DEMO, House
from feltlab.pit.pit import LEDGER_FILE
from feltlab.server.clients.allowance import Allowance
from feltlab.server.network import Network


@dataclass(frozen=True)
class ServerOptions:
    """How a server opens its pit, and how it shares the ledger with others.

    A server that may stand by waits while another one runs the ledger, and takes over when that ends. Where
    the ledger is shared, other servers run tables at the same time.
    """

    network: Network
    folder: Path | None = None  # for ledger, accounts and keys; None is the user's own
    database: str = ""  # the address of the ledger; '' is a file in the folder
    demo: bool = False  # open the tables for play money
    allowance: Allowance | None = None
    house: House = DEMO
    new_password: bool = False  # for the administrator
    lost_key: bool = False
    accept_unsigned: bool = False  # a ledger whose last event is not the signed one
    witnesses: tuple[Path, ...] = ()
    prepare: bool = False  # work out the answers of pages before anybody asks
    two_persons: bool = False  # for acts that can hurt
    require_second_factor: bool = False  # of staff
    require_certificate: bool = False  # of dealers, for each game
    standby: bool = False
    shared: bool = False
    address: str = ""  # at which clients or other servers reach this one
    workers: int = 1  # processes that run tables

    @property
    def place(self) -> Path:
        return self.folder or Path(user_data_dir("feltlab"))

    @property
    def ledger(self) -> str:
        """The address of the ledger."""
        return self.database or str(self.place / LEDGER_FILE)

    def check_sharing(self) -> None:
        if self.workers > 1 and (self.shared or self.standby or self.address):
            raise Refused("--workers is for one server alone, without --shared, --standby and --address.")
        if self.shared and (self.standby or Database.at(self.ledger).is_file):
            raise Refused("--shared is for servers on one PostgreSQL that all run tables, without --standby.")
