// The later record counts, of the account's and the browser's.

import assert from "node:assert/strict";
import { test } from "node:test";

import { chooseRecord, trim } from "../../../src/feltlab/web/static/js/train/account_copy.js";

test("the later record counts", () => {
  const here = { at: 5, count: 1 };
  assert.deepEqual(chooseRecord(here, { at: 9, stored: { count: 2 } }, "ann"), { stored: { at: 9, count: 2 }, isNew: false });
  assert.deepEqual(chooseRecord(here, { at: 3, stored: { count: 2 } }, "ann"), { stored: here, isNew: true });
  assert.deepEqual(chooseRecord(here, undefined, "ann"), { stored: here, isNew: true });
  assert.deepEqual(chooseRecord(null, undefined, "ann"), { stored: null, isNew: false });
});

test("a record of another account stays out; one of a guest is taken along", () => {
  const bobs = { at: 5, owner: "bob" };
  assert.equal(chooseRecord(bobs, undefined, "ann").stored, null);
  assert.equal(chooseRecord({ ...bobs, isGuests: true }, undefined, "ann").isNew, true);
  assert.equal(chooseRecord(bobs, { at: 1, stored: { count: 2 } }, "ann").stored.count, 2);
});

test("a record that is too long loses the hands missed longest ago", () => {
  const missed = Array.from({ length: 40 }, (_, n) => ({ n, words: "x".repeat(1000) }));
  const sent = trim({ at: 1, owner: "ann", isGuests: false, count: 7, missed });
  assert.equal(sent.missed.at(-1).n, 39);
  assert.ok(sent.missed.length < 20 && sent.missed.length > 15);
  assert.equal("owner" in sent || "at" in sent, false);
});
