// The player's wagers before the deal.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Bets } from "../../../src/feltlab/web/static/js/table/bets.js";

/** A connection that records actions and answers them when it is told to. */
class Connection {
  sent = [];

  act(action, body) {
    return new Promise((resolve, reject) => this.sent.push({ action, body, resolve, reject }));
  }

  get wagers() {
    return this.sent.filter(({ action }) => action === "wager").map(({ body }) => body.wagers);
  }

  async answer(refusal = "") {
    const { resolve, reject } = this.sent.at(-1);
    if (refusal) reject(new Error(refusal));
    else resolve();
    await new Promise((done) => setImmediate(done));
  }
}

function betting(wagers = {}) {
  const live = new Connection();
  const bets = new Bets(live, () => {});
  bets.follow({ phase: "betting", round: 7 }, { seat: 2, wagers });
  return { live, bets };
}

test("chips are sent with the seat and the round", () => {
  const { live, bets } = betting();
  bets.set({ ante: 500 });
  assert.deepEqual(live.sent[0].body, { seat: 2, round: 7, wagers: { ante: 500 } });
  assert.equal(bets.total, 500);
});

test("while one draft is sent, only the newest of the others follows", async () => {
  const { live, bets } = betting();
  for (const cents of [500, 1000, 1500]) bets.set({ ante: cents });
  assert.deepEqual(live.wagers, [{ ante: 500 }]);
  await live.answer();
  assert.deepEqual(live.wagers, [{ ante: 500 }, { ante: 1500 }]);
});

test("a refusal is shown until a draft is accepted", async () => {
  const { live, bets } = betting();
  bets.set({ ante: 1 });
  await live.answer("The minimum is $5.");
  assert.equal(bets.refused, "The minimum is $5.");
  bets.set({ ante: 500 });
  await live.answer();
  assert.equal(bets.refused, "");
});

test("undo returns to the draft before, and stops at the first", async () => {
  const { bets } = betting();
  bets.set({ ante: 500 });
  bets.set({ ante: 500, trips: 100 });
  bets.undo();
  assert.deepEqual(bets.draft, { ante: 500 });
  bets.undo();
  bets.undo();
  assert.deepEqual(bets.draft, {});
});

test("spots without chips are left out", () => {
  const { bets } = betting();
  bets.set({ ante: 500, trips: 0, pairs: -100 });
  assert.deepEqual(bets.draft, { ante: 500 });
});

test("double takes the chips on the felt, or the last wagers if there are none", () => {
  const { bets } = betting();
  assert.deepEqual(bets.doubled({ ante: 500 }), { ante: 1000 });
  bets.set({ trips: 100 });
  assert.deepEqual(bets.doubled({ ante: 500 }), { trips: 200 });
});

test("a new round begins with the wagers that the table knows", () => {
  const { bets } = betting();
  bets.set({ ante: 500 });
  bets.follow({ phase: "betting", round: 7 }, { seat: 2, wagers: {} });
  assert.equal(bets.total, 500, "the same round keeps the draft");
  bets.follow({ phase: "betting", round: 8 }, { seat: 2, wagers: {} });
  assert.equal(bets.total, 0);
  bets.follow({ phase: "betting", round: 8 }, undefined);
  assert.equal(bets.seat, 0);
});

test("deal waits for the newest chips and then says ready", async () => {
  const { live, bets } = betting();
  bets.set({ ante: 500 });
  const dealt = bets.deal();
  assert.deepEqual(live.sent.map(({ action }) => action), ["wager"]);
  await live.answer();
  assert.deepEqual(live.sent.map(({ action }) => action), ["wager", "ready"]);
  await live.answer();
  await dealt;
});

test("deal stops when the table refuses the chips", async () => {
  const { live, bets } = betting();
  bets.set({ ante: 1 });
  const dealt = assert.rejects(bets.deal(), /minimum/);
  await live.answer("The minimum is $5.");
  await dealt;
  assert.deepEqual(live.sent.map(({ action }) => action), ["wager"]);
});

test("deal is sent at once if the table has accepted the chips", async () => {
  const { live, bets } = betting();
  bets.set({ ante: 500 });
  await live.answer();
  bets.deal();
  assert.equal(live.sent.at(-1).action, "ready");
});
