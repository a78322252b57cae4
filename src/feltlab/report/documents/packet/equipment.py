"""The equipment of a submission packet: layout, cards, shuffler, chips, and a list for makers and models."""

from collections.abc import Iterator
from fractions import Fraction

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.games.data import cards_at_once, packet_data
from feltlab.report.document import Block, Items, Paragraph, Picture, Section, TableBlock, columns
from feltlab.report.felt_layout import is_dealt_by_hand
from feltlab.report.layout_drawing import describe_layout, draw_layout
from feltlab.shuffling.models import find_model, fitting_models
from feltlab.submission.game_facts import card_source, describe_decks
from feltlab.submission.packet_parts import DEALING, name_part
from feltlab.submission.venues import Venue
from feltlab.text import dollars, listing

HALF = Fraction(1, 2)
SHORT_BLANK = "_" * 18
SHUFFLER = (
    "It counts the deck before a card reaches a player, and rejects a deck with missing, extra, duplicate or "
    "foreign cards.",
    "Its message line shows that it is ready, or its fault. Its log has its cycles, the hands delivered and "
    "its faults.",
    "A backup shuffler is available.",
)


def equipment(game: Game, venue: Venue) -> Iterator[Section]:
    yield Section("Layout", tuple(_layout(game, venue)))
    yield Section("Cards and seats", (TableBlock(columns("item", "value"), tuple(_card_facts(game))),))
    yield _shuffling(game, venue)
    yield Section("Chips", tuple(_chips(game)))
    yield Section("Makers and models", tuple(_inventory(game)))


# -- Makers -----------------------------------------------------------------------------------------


def _inventory(game: Game) -> Iterator[Block]:
    """A list of everything on the table, with room for what only the house knows."""
    yield Paragraph(
        "The house fills in the maker, its licence, and model and serial number of each piece. A piece that "
        "the papers of the game name is named here."
    )
    rows = tuple((item, named, SHORT_BLANK, SHORT_BLANK) for item, named in _pieces(game))
    yield TableBlock(columns("piece", "as the papers have it", "maker and licence", "model and serial"), rows)


def _pieces(game: Game) -> Iterator[tuple[str, str]]:
    yield "layout", f"drawn above, {game.seats} positions"
    yield "cards", describe_decks(game)
    if card_source(game) == "shoe":
        yield "dealing shoe", f"for {len(game.deck)} cards"
        yield "shoe shuffler, if used", "the papers name none"
    elif card_source(game) == "shuffler":
        named = listing(fitting_models(game), "or")
        yield "shuffler", named
        yield "backup shuffler", named
    if card_source(game) != "shuffler":
        yield "cut card", "one"
    yield "discard rack", f"for {len(game.deck)} cards"
    yield "chip tray and drop box", "one each"
    yield "placard", "one"


# -- Cards ------------------------------------------------------------------------------------------


def _card_facts(game: Game) -> Iterator[tuple[str, str]]:
    cards, at_once = len(game.deck), cards_at_once(game)
    yield "cards in play", f"{cards}: {describe_decks(game)}"
    if game.behind_cut < cards:
        yield "shuffled", f"when the cut card comes out; {game.behind_cut} cards stay behind it"
    else:
        yield "shuffled", "all cards, before every round"
    yield "dealt", "one card at a time" if at_once == 1 else f"{at_once} cards at a time to each hand"
    if not is_dealt_by_hand(game):
        yield "shuffler mode", " or ".join(packet_data(game).shuffler) or "the rules name none"
    needed = game.cards_needed(game.seats)
    yield "seats", f"up to {game.seats}; a full table uses at most {needed} cards"


def _shuffling(game: Game, venue: Venue) -> Section:
    if is_dealt_by_hand(game):
        words = f"The dealer shuffles and deals by hand, under {venue.house_procedure}. No shuffler is used."
        return Section("Shuffling by hand", (Paragraph(words),))
    by_hand = f"Where cards are shuffled by hand, that is done under {venue.house_procedure}."
    fitting = [(name, mode) for name, modes in fitting_models(game).items() for mode in modes]
    rows = [(name, mode, *_model_facts(name, mode)) for name, mode in fitting]
    titles = columns("model that fits", "mode", "takes", "source")
    table = TableBlock(titles, tuple(rows), shares=(17, 18, 10, 55))
    return Section("The shuffler", (table, Items((_shuffles(game), *SHUFFLER, by_hand))))


def _model_facts(name: str, mode: str) -> tuple[str, str]:
    model = find_model(name)
    return f"{model.decks} deck{'s' * (model.decks != 1)}", model.find_mode(mode).source


def _shuffles(game: Game) -> str:
    packed = " into packets, and delivers the packets in random order" if cards_at_once(game) > 1 else ""
    return f"It draws every card at random{packed}."


# -- The layout -------------------------------------------------------------------------------------


def _layout(game: Game, venue: Venue) -> Iterator[Block]:
    yield Picture(f"layout-{game.name}", draw_layout(game), describe_layout(game))
    rows = [
        (str(n), spot.title, describe_spot(game, spot), _notices_at(game, spot.name))
        for n, spot in enumerate(game.spots, 1)
    ]
    yield TableBlock(
        columns(">order", "spot", "wager", "printed there"),
        tuple(rows),
        "The betting spots of each position. Those that are decided at one time are settled in this order; "
        f"{name_part(venue, DEALING)} says at which moments of a round.",
    )
    if notices := tuple(_described_notices(game)):
        yield Items(notices)


def _notices_at(game: Game, spot: str) -> str:
    return "; ".join(notice.text for notice in packet_data(game).notice if notice.spot == spot)


def _described_notices(game: Game) -> Iterator[str]:
    """The notices across the layout, and which of them a paper requires."""
    for notice in packet_data(game).notice:
        if not notice.spot:
            required = f" (required: {notice.required_by})" if notice.required_by else ""
            yield f"Printed across the layout: “{notice.text}”{required}."
    for area in packet_data(game).area:
        yield f"Marked area of each position: {area}."


def describe_spot(game: Game, spot: Spot) -> str:
    """Whether a wager is required, and how large it may be."""
    if spot.raises:
        return f"A raise {_size(game, spot)} the {game.spot(spot.raises).title} wager."
    if spot.bonus_on:
        return f"A bonus paid on the {game.spot(spot.bonus_on).title} wager, without one of its own."
    need = "Required" if game.is_required(spot) else "Optional"
    return f"{need}; at most the {game.spot(spot.at_most).title} wager." if spot.at_most else f"{need}."


def _size(game: Game, spot: Spot) -> str:
    words = "half" if spot.size == HALF else f"{spot.size} times"
    if any(choice.any_amount for choice in game.choices if spot.name in choice.puts):
        return f"of up to {words}"
    return "equal to" if spot.size == 1 else f"of {words}"


# -- Chips ------------------------------------------------------------------------------------------


def _chips(game: Game) -> Iterator[Block]:
    yield Paragraph("Every payment must be a whole number of cents and payable with the chips at hand.")
    yield TableBlock(
        columns("wager", ">a multiple of", "with whole-dollar chips only"),
        tuple(
            (spot.title, dollars(game.step(spot)), _whole_dollars(game.step(spot))) for spot in game.wagers
        ),
    )


def _whole_dollars(step: int) -> str:
    return "any wager can be paid" if step == 1 else f"the wager is a multiple of {dollars(100 * step)}"
