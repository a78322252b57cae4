"""Designs side by side: pay tables that a visitor keeps in the address, each with its figures and its links.

A design is kept as parameters v1-OUTCOME=PAY, v2-OUTCOME=PAY and so on, so a link shows the same designs.
"""

import asyncio
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from urllib.parse import urlencode

from feltlab.core.layout import Spot
from feltlab.web.page import Data
from feltlab.web.pages.lab.setting import OPTION, Setting, with_prefix
from feltlab.web.pages.lab.waiting import show_part
from feltlab.workers.pool import Pool

MAX_VARIANTS = 4
PREFIXES = tuple(f"v{number}-" for number in range(1, MAX_VARIANTS + 1))
PAY = "pay-"  # prefix of a pay of the design itself

Pays = Mapping[str, Fraction]
NO_PAYS: Pays = MappingProxyType({})


def read_variants(found: Mapping[str, str], read_pays: Callable[[Mapping[str, str]], Pays]) -> list[Pays]:
    """The designs that the address keeps, in order; those without a change are left out."""
    kept = [read_pays(with_prefix(found, prefix)) for prefix in PREFIXES]
    return [pays for pays in kept if pays]


async def compare_variants(
    work: Pool, setting: Setting, bet: Spot, question: Data, kept: list[Pays], current: Pays
) -> Data:
    """The listed pays, the kept designs and the present one, each with its figures and its links."""
    shown = [*kept, *([current] if current and current not in kept else [])]
    designs = await asyncio.gather(
        *(show_part(work, "design", **question | {"pays": _texts(pays)}) for pays in shown)
    )
    rows = [
        {
            "pays": _texts(pays),
            "design": design,
            "kept": pays in kept,
            "is_current": pays == current,
            "use": design_query(setting, pays, kept),
            "remove": design_query(setting, current, [each for each in kept if each != pays]),
            "play": play_query(setting, bet, pays),
        }
        for pays, design in zip(shown, designs, strict=True)
    ]
    may_keep = current and current not in kept and len(kept) < MAX_VARIANTS
    return {
        "rows": rows,
        "play": play_query(setting),  # the listed pays
        "keep": design_query(setting, current, [*kept, current]) if may_keep else "",
        "is_full": len(kept) >= MAX_VARIANTS,
        "fields": [(prefix + name, str(pay)) for prefix, name, pay in _name_kept(kept)],
    }


def _texts(pays: Pays) -> dict[str, str]:
    return {name: str(pay) for name, pay in pays.items()}


def _name_kept(kept: list[Pays]) -> list[tuple[str, str, Fraction]]:
    return [
        (prefix, name, pay)
        for prefix, pays in zip(PREFIXES, kept, strict=False)
        for name, pay in pays.items()
    ]


# -- Addresses --------------------------------------------------------------------------------------


def design_query(setting: Setting, pays: Mapping[str, Fraction | str], kept: list[Pays]) -> str:
    """The query of the designer's address for these pays, beside the kept designs."""
    pairs = [(PAY + name, str(pay)) for name, pay in pays.items()]
    pairs += [(prefix + name, str(pay)) for prefix, name, pay in _name_kept(kept)]
    return "?" + "&".join(filter(None, (setting.query.removeprefix("?"), urlencode(pairs))))


def play_query(setting: Setting, bet: Spot | None = None, pays: Pays = NO_PAYS) -> str:
    """The options and pays as a table's address has them: option-NAME=VALUE and pay-SPOT/OUTCOME=PAY."""
    pairs = [(OPTION + name, value) for name, value in setting.game.chosen]
    if bet:
        pairs += [(f"{PAY}{_spot_and_outcome(bet, name)}", str(pay)) for name, pay in pays.items()]
    return f"?{urlencode(pairs, safe='/')}" if pairs else ""


def _spot_and_outcome(bet: Spot, name: str) -> str:
    """'ante/better hand' of a line of the bet, 'play/better hand' of 'play: better hand' of its raise."""
    spot, colon, outcome = (part.strip() for part in name.partition(":"))
    return f"{spot}/{outcome}" if colon else f"{bet.name}/{name}"
