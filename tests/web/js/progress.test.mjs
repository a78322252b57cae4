// The boxes of missed hands, the streak and the score of an exam.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Progress, WAITS, costOf } from "../../../src/feltlab/web/static/js/train/progress.js";
import { Exam } from "../../../src/feltlab/web/static/js/train/sessions.js";

const decision = (query = "player=As") => ({
  query, unit: 1000, after: "", row: { name: "line/0", words: "an ace", choice: "play" },
  values: [{ choice: "play", expected: 100, cost: 0 }, { choice: "fold", expected: -1000, cost: 1100 }],
});

test("a missed hand returns after some decisions, later each time, and is learnt after the last box", () => {
  const progress = new Progress("game"), missed = decision("missed");
  assert.equal(progress.record(missed, "fold"), 1.1);
  for (const wait of WAITS) {
    for (let n = 0; n < wait; n++) {
      assert.equal(progress.dueHand(), null);
      progress.record(decision(`other ${n}`), "play");
    }
    assert.equal(progress.dueHand()?.query, "missed");
    progress.record(missed, "play");
  }
  assert.equal(progress.stored.missed.length, 0);
});

test("a second mistake sends a hand back to the first box", () => {
  const progress = new Progress("game"), missed = decision("missed");
  progress.record(missed, "fold");
  progress.record(missed, "play");
  assert.equal(progress.stored.missed[0].box, 1);
  progress.record(missed, "fold");
  assert.deepEqual([progress.stored.missed[0].box, progress.stored.streak, progress.stored.longest], [0, 0, 1]);
  assert.deepEqual(progress.weakestRows()[0][1], { words: "an ace", choice: "play", seen: 3, right: 1, cost: 2.2 });
});

test("an exam is scored by right answers, and weighed by cost", () => {
  const exam = new Exam(async () => decision(), 20, 90);
  for (let n = 0; n < 20; n++) {
    const choice = n < 2 ? "fold" : "play";
    exam.answered(decision(), costOf(decision(), choice), choice);
  }
  assert.deepEqual([exam.percent, exam.weighed, exam.passed, exam.mistakes.length], [90, 90, true, 2]);
});
