// Words and amounts of the pages.
import assert from "node:assert/strict";
import { test } from "node:test";

import { capitalise, choiceInWords, describeOutcome, dollars, signed, titleOfChoice } from "../../../src/feltlab/web/static/js/shared/words.js";

test("amounts are written in dollars, with cents only where there are any", () => {
  const written = { 0: "$0", 5: "$0.05", 500: "$5", 750: "$7.50", 123456789: "$1,234,567.89" };
  for (const [cents, text] of Object.entries(written)) assert.equal(dollars(Number(cents)), text);
});

test("a negative amount has a minus sign before the dollar sign", () => {
  assert.equal(dollars(-5), "−$0.05");
  assert.equal(dollars(-250_000), "−$2,500");
});

test("a result has its sign; nothing has none", () => {
  assert.deepEqual([signed(100), signed(-100), signed(0)], ["+$1", "−$1", "$0"]);
});

test("only the first letter becomes a capital", () => {
  assert.equal(capitalise("no more bets"), "No more bets");
  assert.equal(capitalise("USA"), "USA");
  assert.equal(capitalise(""), "");
});

test("a choice is written without hyphens", () => {
  assert.equal(choiceInWords("raise-4x"), "raise 4x");
  assert.equal(titleOfChoice("bet-1x"), "Bet 1x");
  assert.equal(titleOfChoice("fold"), "Fold");
});

test("an outcome is named unless it is called like its result", () => {
  assert.equal(describeOutcome({ outcome: "fold", result: "lose" }), ": fold");
  assert.equal(describeOutcome({ outcome: "lose", result: "lose" }), "");
});
