"""The simulation of a PAR sheet, as blocks of a document."""

from collections.abc import Iterator

from feltlab.analysis.par_sheet import ParSheet
from feltlab.analysis.simulation_check import SimulationCheck
from feltlab.core.chi_square import ChiSquare
from feltlab.report.document import Block, Paragraph, TableBlock, columns
from feltlab.report.documents.wager_costs import describe_stake
from feltlab.report.numbers import count_of, units

LEAD = (
    "Random rounds were dealt through the rules of the game themselves, which share no counting with the "
    "proof, and played by the strategy of this sheet."
)
HOW_TO_READ = (
    "z is the difference in standard errors of the proved law. The verdict looks at the smallest "
    "p-value of all tests, times their number and at most 1: below 1/100 it is unusual, below 1/1,000,000 it "
    "differs. A cell of the chi-square tests is a joint outcome of all wagers, "
    "or a first choice; cells with fewer than 10 expected rounds are put together. A measure whose law is "
    "too skewed for this number of rounds is shown, but is no test."
)


def simulation_blocks(sheet: ParSheet, check: SimulationCheck) -> Iterator[Block]:
    found = check.comparison
    yield Paragraph(LEAD)
    yield Paragraph(found.in_words(), "good" if found.verdict == "agrees" else "bad")
    yield _facts(sheet, check)
    titles = columns("bet", "measure", ">simulated", ">standard error", ">proved", ">z", "a test")
    rows = tuple(
        (
            m.bet.title,
            m.name,
            units(m.simulated),
            units(m.error),
            units(m.proved or 0),
            f"{m.z:+.2f}",
            "yes" if m.judges else "no",
        )
        for m in found.measures
    )
    yield TableBlock(titles, rows, "Simulated and proved values; z is their difference in standard errors")
    yield Paragraph(HOW_TO_READ, "note")


def _facts(sheet: ParSheet, check: SimulationCheck) -> TableBlock:
    found, proof = check.comparison, sheet.proof
    rows = (
        ("rounds", f"{check.rounds:,}"),
        ("seed", str(check.seed)),
        ("generator", check.generator),
        ("stake", describe_stake(sheet.game, proof.stake)),
        ("strategy", proof.strategy),
        ("chi-square of all joint outcomes", _chi_square(found.outcomes)),
        ("chi-square of the first choices", _chi_square(found.choices)),
        ("smallest p-value, corrected for the number of tests", f"{found.probability:.4f}"),
        ("verdict", found.verdict),
    )
    return TableBlock(columns("item", "value"), rows)


def _chi_square(test: ChiSquare) -> str:
    if not test.freedom:
        return "one cell only, so there is nothing to test"
    freedom = count_of(test.freedom, "degree of freedom", "degrees of freedom")
    return f"{test.statistic:.2f} with {freedom}, p = {test.probability:.4f}"
