"""The lab's worker: proofs, strategy cards, designs, findings and documents, for the lab's pages.

A page asks the pool that `open_lab` makes, by the kind of its question and what that kind needs.
"""

import io
import tempfile
import zipfile
from base64 import b64encode
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from feltlab.analysis.design.aim import aim_at
from feltlab.analysis.design.break_even import break_evens, solve_break_even
from feltlab.analysis.design.pays import Design, apply_pays, design, find_bet, line_name
from feltlab.analysis.design.search import nearest_tables
from feltlab.analysis.mistakes import find_mistakes
from feltlab.analysis.wager_costs import wager_costs
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.stake import read_stake
from feltlab.games import solver_of
from feltlab.games.offers import build_game
from feltlab.parallel.progress import Progress
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import Proof, prove, strategy_card
from feltlab.report.document import Block, Document, Items, Picture, TableBlock
from feltlab.report.numbers import gain
from feltlab.workers.evening import foresee_evening
from feltlab.workers.pool import Pool
from feltlab.workers.protocol import Question, ask_once, run_worker
from feltlab.workers.row_prices import find_row_prices

Data = dict[str, Any]

# -- In the server ----------------------------------------------------------------------------------


def open_lab() -> Pool:
    """A queue for the lab's questions; the first one starts a worker."""
    return Pool("feltlab.workers.lab")


async def ask_costs(game: Game) -> Data:
    """The cost of each wager of a game beside the default stake, from a process started for it."""
    found: Data = await ask_once(
        "feltlab.workers.lab", {"kind": "costs", "game": game.name, "options": {}, "stake": {}}
    )
    return found


# -- In the worker ----------------------------------------------------------------------------------


def _game(question: Question) -> Game:
    return build_game(question["game"], question["options"])


def prove_game(question: Question, progress: Progress) -> Data:
    """The proof of a game, the data of its charts, and the names of its strategies."""
    game = _game(question)
    found = prove(game, read_stake(game, question["stake"]), question["strategy"], progress)
    returns = {bet.name: _list_returns(found, bet) for bet in game.wagers}
    drawn = {"nets": _list_nets(found), "returns": returns, "odds": _list_odds(found)}
    return found.as_json() | drawn | {"strategies": dict(solver_of(game).strategies)}


def _list_nets(found: Proof) -> list[Data]:
    """The probability of each net result of the whole stake."""
    staked = [(found.game.spot(bet), units) for bet, units in found.stake.items() if units]
    counts: dict[Fraction, int] = defaultdict(int)
    for outcomes, count in found.law.counts.items():
        net = sum((units * found.tally.net(bet, outcomes) for bet, units in staked), Fraction(0))
        counts[net] += count
    shares = ((net, Fraction(count, found.tally.deals)) for net, count in sorted(counts.items()))
    return [{"net": exact(net), "probability": exact(share)} for net, share in shares]


def _list_odds(found: Proof) -> dict[str, list[Data]]:
    """By spot, the lines of its pay table that occur, each with its pay and its probability."""
    tally = found.tally
    return {
        spot.name: [
            {
                "outcome": line.outcome,
                "pays": line.odds,
                "result": line.result,
                "probability": exact(Fraction(count, tally.deals)),
            }
            for line, count in zip(
                found.game.pay_table(spot).lines, tally.outcomes(spot).values(), strict=True
            )
            if count
        ]
        for spot in found.game.spots
    }


def _list_returns(found: Proof, bet: Spot) -> list[Data]:
    """The part of each outcome in the expected net, for a bar chart."""
    return [
        {
            "label": outcome.name,
            "value": float(outcome.returned),
            "text": gain(outcome.returned),
            "kind": "ahead" if outcome.net > 0 else "behind",
        }
        for outcome in found.outcomes(bet)
        if outcome.net
    ]


def prove_costs(question: Question, progress: Progress) -> Data:
    """The cost of each wager, with the stake of each figure."""
    game = _game(question)
    found = wager_costs(game, read_stake(game, question["stake"]), progress)
    return {cost.bet.name: cost.as_json() | {"main": exact(cost.main)} for cost in found}


def price_mistakes(question: Question, progress: Progress) -> Data:
    """The cost of simpler strategies and of wrong choices beyond the best play."""
    game = _game(question)
    return find_mistakes(game, read_stake(game, question["stake"]), progress)


def price_card_rows(question: Question, progress: Progress) -> Data:
    """The cost of not following each row of the strategy card."""
    game = _game(question)
    return {"rows": find_row_prices(game, read_stake(game, question["stake"]), progress)}


def make_card(question: Question, progress: Progress) -> Data:
    """The strategy card of the best play."""
    game = _game(question)
    made = strategy_card(game, read_stake(game, question["stake"]))
    return without_index(made.as_json()) | {"cost": exact(made.cost)}


def without_index(card: Data) -> Data:
    """A card without the index by which a worker finds rows: pages do not need it."""
    return {name: value for name, value in card.items() if name != "index"}


def design_bet(question: Question, progress: Progress) -> Data:
    """A bet under other pays, with the play that is best for them."""
    return _design_json(_solve_design(question, progress))


def reprice_bet(question: Question, progress: Progress) -> Data:
    """A bet under other pays, with the play that is best for the listed ones; nothing is solved again."""
    game = _game(question)
    before = prove(game, read_stake(game, question["stake"]), progress=progress)
    bet = find_bet(game, question["bet"])
    after = replace(before, game=apply_pays(game, bet, _parse_pays(question)))
    aim = aim_at(question["aim"], game, before.stake, bet, progress)
    return _design_json(Design(bet, aim, before, after))


def _design_json(made: Design) -> Data:
    """A design, with the pay at which each of its lines would break even."""
    even = break_evens(made.after, made.bet, made.aim)
    found = made.as_json()
    for line, told in zip(made.lines, found["lines"], strict=True):
        pay = even.get((line.spot.name, line.line.outcome))
        told["break_even"] = exact(pay) if pay else None
    return found


def find_break_even(question: Question, progress: Progress) -> Data:
    """The break-even pay of a bet with one pay, if the play is solved again for each pay."""
    game = _game(question)
    proved = prove(game, read_stake(game, question["stake"]), progress=progress)
    bet = find_bet(game, question["bet"])
    aim = aim_at(question["aim"], game, proved.stake, bet, progress)
    found = solve_break_even(proved, bet, aim, progress)
    if found is None:
        return {}
    (line,) = found.changed
    return {"pays": str(line.line.pays), "cost": exact(found.cost)}


def _solve_design(question: Question, progress: Progress) -> Design:
    game = _game(question)
    stake = read_stake(game, question["stake"])
    return design(game, question["bet"], _parse_pays(question), stake, progress, question["aim"])


def _parse_pays(question: Question) -> dict[str, Fraction]:
    return {name: Fraction(pay) for name, pay in question["pays"].items()}


def find_tables(question: Question, progress: Progress) -> Data:
    """The pay tables nearest to an edge, each with its changes from the listed table."""
    made = _solve_design(question, progress)
    target, step = Fraction(question["target"]), Fraction(1, 2 if question["half"] else 1)
    found = nearest_tables(
        made.after.game,
        made.after.stake,
        question["bet"],
        target,
        step,
        progress=progress,
        aim=question["aim"],
    )
    told = [_table_json(made, each, target) for each in found]
    return {"aim": question["aim"], "target": exact(target), "tables": told}


def _table_json(made: Design, found: Design, target: Fraction) -> Data:
    from_listed = replace(made, after=found.after)
    changed = [(line_name(made.bet, line), str(line.line.pays), str(line.present)) for line in found.changed]
    return {
        "cost": exact(found.cost),
        "off": exact(found.cost - target),
        "hit_frequency": exact(found.after.tally.hit_frequency(made.bet)),
        "change": str(found.change),
        "changed": [dict(zip(("outcome", "pays", "present"), line, strict=True)) for line in changed],
        "re-solved": found.is_solved_again,
        "pays": {line_name(made.bet, line): str(line.line.pays) for line in from_listed.changed},
    }


def report_findings(question: Question, progress: Progress) -> Data:
    """The audit's report, as data for a page."""
    from feltlab.analysis.audit_report import audit_report
    from feltlab.report.documents.findings import document
    from feltlab.report.documents.multiplied_panels import panels

    report = audit_report(question["games"], progress)
    # The story of each game's first wrong product; other options make the same mistake.
    stories = [panels(multiplied.products[0]) for multiplied in report.multiplied]
    return document_json(document(report)) | report.as_json() | {"stories": stories}


def prove_other_readings(question: Question, progress: Progress) -> Data:
    """The readings of a game that could be otherwise, as data for a page."""
    from feltlab.analysis.readings import prove_readings
    from feltlab.report.documents.readings import document

    game = _game(question)
    found = prove_readings(game, progress)
    return document_json(document(game, found)) | {"readings": [proved.as_json() for proved in found]}


def prove_jackpot(question: Question, progress: Progress) -> Data:
    """A progressive at a game, with one amount on its meter, as data for a page."""
    from feltlab.report.documents.progressive import proof_document
    from feltlab.workers.jackpots import look_at_meter, prove_for_page

    proof = prove_for_page(question["progressive"], _game(question), question["stake"], question["unit"])
    return document_json(proof_document(proof)) | {"meter": look_at_meter(proof, question["cents"])}


def document_json(document: Document) -> Data:
    sections = [
        {"title": section.title, "level": section.level, "blocks": [_block_json(b) for b in section.blocks]}
        for section in document.sections
    ]
    return {"title": document.title, "date": document.date, "digest": document.digest, "sections": sections}


def _block_json(block: Block) -> Data:
    if isinstance(block, TableBlock):
        columns = [{"title": column.title, "right": column.right} for column in block.columns]
        tones: list[str] = list(block.tones) or ["plain"] * len(block.rows)
        first = len(block.rows) - block.totals
        tones = [tone if n < first else "total" for n, tone in enumerate(tones)]
        return {
            "kind": "table",
            "columns": columns,
            "caption": block.caption,
            "rows": block.rows,
            "tones": tones,
        }
    if isinstance(block, Items):
        return {"kind": "items", "entries": block.entries, "numbered": block.numbered}
    if isinstance(block, Picture):
        return {"kind": "picture", "svg": block.svg.decode().strip(), "words": block.words}
    return {"kind": "paragraph", "text": block.text, "tone": block.tone}


def make_par_sheet(question: Question, progress: Progress) -> Data:
    """A PAR sheet, as a file."""
    from feltlab.analysis.par_sheet import par_sheet
    from feltlab.report.documents.par_sheet import document
    from feltlab.report.write import Output
    from feltlab.submission.venues import DEFAULT_VENUE, venue

    game, highest = _game(question), venue(DEFAULT_VENUE).highest_wager
    stake = read_stake(game, question["stake"])
    sheet = par_sheet(game, stake, question["strategy"], progress, highest=highest)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"par.{question['suffix']}")
        Output(path, paper=question.get("paper", "letter")).write_document(
            lambda: document(sheet), sheet.as_json
        )
        return _file_json(path.read_bytes())


def make_packet(question: Question, progress: Progress) -> Data:
    """A submission packet, as a zip archive; equal packets make equal bytes."""
    from feltlab.report.packet_files import write_packet
    from feltlab.submission import packet as packets
    from feltlab.submission.packet_figures import prove_packet
    from feltlab.submission.venues import venue

    game = _game(question)
    demonstration = bool(question.get("demonstration"))
    made = packets.packet(game, venue(question["venue"]), demonstration=demonstration)
    whole = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        write_packet(Path(folder), made, prove_packet(made, progress), question.get("paper", "letter"))
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(Path(folder).rglob("*.*")):
                name = f"{question['game']}/{path.relative_to(folder)}"
                archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return _file_json(whole.getvalue())


def make_incident(question: Question, progress: Progress) -> Data:
    """An incident report, as a file."""
    from feltlab.ledger.ledger import Ledger
    from feltlab.ledger.plain_text import show_all_controls
    from feltlab.pit.irregularities.incident import load_incident
    from feltlab.report.documents.incident import document
    from feltlab.report.write import Output

    with Ledger.open(question["database"], writer=False) as ledger:
        found = load_incident(ledger, question["table"], question["round"]).as_json()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"incident.{question['suffix']}")
        Output(path, paper=question.get("paper", "letter")).write_document(
            lambda: document(show_all_controls(found)), lambda: found
        )
        return _file_json(path.read_bytes())


def make_manual(question: Question, progress: Progress) -> Data:
    """The training manual of a game: as a file, or without a suffix as data for a page."""
    from feltlab.report.documents.training_manual import training_manual
    from feltlab.report.write import Output

    manual = training_manual(_game(question))
    if not question["suffix"]:
        return document_json(manual)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"manual.{question['suffix']}")
        Output(path, paper=question["paper"]).write_document(lambda: manual)
        return _file_json(path.read_bytes())


def _file_json(content: bytes) -> Data:
    return {"file": b64encode(content).decode()}


KINDS: dict[str, Callable[[Question, Progress], Data]] = {
    "proof": prove_game,
    "costs": prove_costs,
    "card": make_card,
    "mistakes": price_mistakes,
    "rows": price_card_rows,
    "evening": foresee_evening,
    "design": design_bet,
    "repriced": reprice_bet,
    "even": find_break_even,
    "tables": find_tables,
    "findings": report_findings,
    "readings": prove_other_readings,
    "progressive": prove_jackpot,
    "par": make_par_sheet,
    "packet": make_packet,
    "incident": make_incident,
    "manual": make_manual,
}


def answer(question: Question, progress: Progress) -> Data:
    return KINDS[question["kind"]](question, progress)


if __name__ == "__main__":
    run_worker(answer)
