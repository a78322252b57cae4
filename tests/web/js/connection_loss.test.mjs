// A lost connection in words.
import assert from "node:assert/strict";
import { test } from "node:test";

import { describeLoss } from "../../../src/feltlab/web/static/js/table/connection_loss.js";

const PUBLIC = { grace: 30, away: 60, timers: { choosing: 60 } };
const SOLO = { grace: 900, away: 900, timers: { choosing: null } };
const BY_HAND = { grace: 900, away: 60, timers: { choosing: null } };
const AFTER = "After the round, your seat is given up if you have been away for 60 seconds.";

/** What a page says without its first and its last sentence, which are always the same. */
function middleOf(view, seat) {
  return /^Connection lost; reconnecting\. (.*) Your chips stay yours\.$/.exec(describeLoss(view, seat))[1];
}

test("a watcher is told that the connection is lost, and nothing of a seat", () => {
  assert.equal(describeLoss(PUBLIC, undefined), "Connection lost; reconnecting.");
});

test("without a wager only the seat can be lost", () => {
  assert.equal(middleOf(PUBLIC, { staked: 0 }), "After 60 seconds your seat is given up.");
});

test("in the own turn the clock decides, and it is shown", () => {
  const said = middleOf(PUBLIC, { staked: 500, choices: [{}] });
  assert.equal(said, `If the clock runs out before you are back, the house rule chooses for you. ${AFTER}`);
});

test("before the own turn the time of grace counts from the turn on", () => {
  const said = middleOf(PUBLIC, { staked: 500 });
  assert.equal(said, `In your turn, the house rule chooses for you after 30 seconds at the earliest. ${AFTER}`);
});

test("a table of one's own has no clock and waits", () => {
  const said = "Your round waits for 15 minutes. Then the house rule plays it to its end, and your seat is given up.";
  assert.equal(middleOf(SOLO, { staked: 500, choices: [{}] }), said);
});

test("a table without a clock for choices waits, too", () => {
  assert.equal(middleOf(BY_HAND, { staked: 500 }), `The table waits for your choices. ${AFTER}`);
});
