// The amounts of a choice that may put down less than the most.

import assert from "node:assert/strict";
import test from "node:test";

import { nextAmount, readDollars } from "../../../src/feltlab/web/static/js/table/amounts.js";

const insure = /** @type {any} */ ({ choice: "insure", step: 100, cents: 250 });

test("amounts are multiples of the step, and the most", () => {
  assert.equal(nextAmount(250, insure, -1), 200);
  assert.equal(nextAmount(200, insure, -1), 100);
  assert.equal(nextAmount(100, insure, -1), 100);
  assert.equal(nextAmount(200, insure, 1), 250);
  assert.equal(nextAmount(250, insure, 1), 250);
  assert.equal(nextAmount(0, insure, 1), 100);
  assert.equal(nextAmount(9900, insure, -1), 250);
});

test("a most below the step is the only amount", () => {
  assert.equal(nextAmount(250, { ...insure, step: 500 }, -1), 250);
});

test("a text in dollars is read to the cent", () => {
  assert.deepEqual(["2.5", "$2.50", " 2 ", "1,250.05", "2."].map(readDollars), [250, 250, 200, 125005, 200]);
  assert.deepEqual(["", "two", "-1", "1e3", "2.505"].map(readDollars), [0, 0, 0, 0, 0]);
});
