"""The dealer school: learn to deal every game, from the same rules, procedures and settlements.

Nothing here names a game, and nothing settles a wager a second way: a hand is a `Deal`, the clauses are those
of the rule sheet (`RuleBook`), irregularities and faults come from their data files.

The interface, for pages and the API:

- `drills_of(game)` lists the drills of a game; `DRILLS` has all, each with `name` and `title`.
- `ask_question(game, drill, seed, level)` makes a `DrillQuestion`: the same arguments make the same one. Its
  `to_json()` is what a page may show; the truth is in it only with `to_json(with_truth=True)`.
- `form` of a question says what an answer is, always a list of words:
  `one`: the key of an option;
  `hand`: the key of an option, then the positions of the cards that play, from 0, in the order of `cards`;
  `settle`: "SEAT SPOT take|push|pay" for every wager, in order, seats from 1;
  `chips`: the value of each chip in cents;
  `event`: the number of an event of `events`, from 1, and the key of an option; "0" and "none" for none.
- `judge_answer(game, question, answer)` makes a `DrillVerdict`: `is_right`, `slips` and `says`, the truth
  in a sentence. A `DealerSlip` has `kind`, `title`, `what`, `clause` (a `Citation`: number, text,
  source) and its cost in cents, `house_cents` and `player_cents`.
- `felt` of a question: {"seats": [{"seat": 1, "wagers": {spot: cents}, "cards": "As Kd", "chosen": [...]}],
  "spots": {spot: title}, "dealer": "...", "board": "..."}; a card face down is `##`, one not dealt is `--`.
- `tray_chips()` are the chips in use with `cents` and `colour`, the smallest first.
- `deal_hand(game, generator, level, seats)` deals a hand; `list_acts(hand)` are a perfect dealer's acts.
- `start_session(game, generator, level, seats)` makes a `DealingSession`, a table to deal; `perform(act)`
  gives the session after an act with its slips; `view_session(session)` is what a page shows; `read_act`
  makes an act of {"kind", "place", "words", "spot", "chips"}; `deal_perfectly` is the robot.
- `Practice` holds levels and missed questions (boxes) of one dealer and game, to and from plain data.
"""

from feltlab.school.chips import fewest_chips, name_chips, tray_chips
from feltlab.school.course import DealerAct, describe_act, list_acts, read_act
from feltlab.school.drills import DRILLS, Drill, ask_question, drills_of, find_drill, judge_answer
from feltlab.school.drills.question import AnswerOption, DrillQuestion, DrillVerdict
from feltlab.school.hands import LEVELS, TrainingHand, deal_hand
from feltlab.school.practice import Practice, read_practice
from feltlab.school.rule_book import Citation, RuleBook, open_book
from feltlab.school.session import DealingSession, deal_perfectly, start_session
from feltlab.school.session_view import view_session
from feltlab.school.slips import SLIP_TITLES, DealerSlip

__all__ = [
    "DRILLS",
    "LEVELS",
    "SLIP_TITLES",
    "AnswerOption",
    "Citation",
    "DealerAct",
    "DealerSlip",
    "DealingSession",
    "Drill",
    "DrillQuestion",
    "DrillVerdict",
    "Practice",
    "RuleBook",
    "TrainingHand",
    "ask_question",
    "deal_hand",
    "deal_perfectly",
    "describe_act",
    "drills_of",
    "fewest_chips",
    "find_drill",
    "judge_answer",
    "list_acts",
    "name_chips",
    "open_book",
    "read_act",
    "read_practice",
    "start_session",
    "tray_chips",
    "view_session",
]
