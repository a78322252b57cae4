// The page is drawn once for all changes of a moment.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Redrawing } from "../../../src/feltlab/web/static/js/table/redrawing.js";

const nextTask = () => new Promise((done) => setTimeout(done, 20));

/** A page that counts how often it is drawn. */
function counted() {
  const page = { drawn: 0, redrawing: new Redrawing(() => (page.drawn += 1)) };
  return page;
}

test("changes of one script are drawn once, after it", async () => {
  const page = counted();
  for (let n = 0; n < 3; n++) page.redrawing.soon();
  assert.equal(page.drawn, 0);
  await null;
  assert.equal(page.drawn, 1);
  page.redrawing.nextTask.close();
});

test("a view and the action that it ends are drawn at once", async () => {
  const page = counted();
  page.redrawing.later();
  await Promise.resolve().then(() => page.redrawing.soon());
  await nextTask();
  assert.equal(page.drawn, 1);
  page.redrawing.nextTask.close();
});

test("a view alone is drawn in the next task", async () => {
  const page = counted();
  page.redrawing.later();
  await null;
  assert.equal(page.drawn, 0);
  await nextTask();
  assert.equal(page.drawn, 1);
  page.redrawing.nextTask.close();
});
