import assert from "node:assert/strict";
import test from "node:test";

import { Visit } from "../../../src/feltlab/web/static/js/table/visit.js";

function storage() {
  const held = new Map();
  return { getItem: (key) => held.get(key) ?? null, setItem: (key, value) => held.set(key, value) };
}

test("rounds from the one in which the visit began are counted once each", () => {
  const visit = new Visit("war", storage());
  assert.equal(visit.count(4, 500), false); // nobody sits there
  visit.begin(5);
  assert.equal(visit.count(4, 500), false); // before the visit
  assert.equal(visit.count(5, 500), true);
  assert.equal(visit.count(5, 500), false);
  assert.equal(visit.count(6, -200), true);
  assert.equal(visit.won, 300);
});

test("a page that is loaded again goes on with the visit, also with a round that ended meanwhile", () => {
  const tab = storage();
  new Visit("war", tab).begin(1);
  const again = new Visit("war", tab);
  again.begin(2);
  assert.equal(again.misses(1), true);
  assert.equal(again.count(1, -1000), true);
  assert.equal(again.won, -1000);
});

test("another visit to the same table begins with nothing", () => {
  const tab = storage(), visit = new Visit("war", tab);
  visit.begin(1);
  visit.count(1, -1000);
  assert.equal(visit.end(), 1);
  assert.equal(visit.end(), null);
  const next = new Visit("war", tab);
  next.begin(2);
  assert.equal(next.won, 0);
  assert.equal(next.count(1, -1000), false);
});
