// Brackets under the cards of a hand.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { drawGroups, runsOf } from "../../../src/feltlab/web/static/js/table/groups.js";

let done;

beforeEach(() => {
  done = [];
  globalThis.document = { createElement: () => ({ style: {}, append() {}, setAttribute() {}, classList: { add() {} } }) };
});

/** Something whose measures are noted when they are read. */
function measured() {
  return {
    get clientWidth() {
      done.push("measured");
      return 100;
    },
    getBoundingClientRect() {
      done.push("measured");
      return { x: 0, right: 100 };
    },
  };
}

function handOfTwo() {
  const cards = [measured(), measured()];
  return { get clientWidth() { return cards[0].clientWidth; }, firstElementChild: cards[0], children: cards };
}

function bracketed() {
  const box = { ...measured(), getBoundingClientRect: measured().getBoundingClientRect, replaceChildren: () => done.push("drawn") };
  return { box, hand: handOfTwo(), groups: [{ title: "hand", reading: "pair", cards: [0, 1], board: [] }] };
}

test("all hands are measured before the first bracket is drawn, which costs one layout instead of two", () => {
  drawGroups([bracketed(), bracketed()]);
  assert.deepEqual(done.slice(-2), ["drawn", "drawn"]);
  assert.equal(done.indexOf("drawn"), done.length - 2);
});

test("a hand whose groups have not changed is not drawn again", () => {
  const hand = bracketed();
  drawGroups([hand]);
  drawGroups([hand]);
  assert.equal(done.filter((one) => one === "drawn").length, 1);
});

test("neighbours share a bracket", () => {
  assert.deepEqual(runsOf([0, 1, 3]), [[0, 1], [3, 3]]);
});
