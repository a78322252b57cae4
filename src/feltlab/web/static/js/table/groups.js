// @ts-check
// Brackets under the cards of a hand: which of them count for what.

import { element } from "../shared/dom.js";
import { capitalise } from "../shared/words.js";

/** @typedef {import("./view.js").GroupView} GroupView */

/** @typedef {{box: any, hand: HTMLElement, groups: GroupView[]}} Bracketed a hand, and the box for the brackets below it */

/**
 * Draw a bracket with its reading for each group, below its cards; nothing for no groups. All hands are measured before
 * anything is drawn: to measure after that would cost another layout.
 * @param {Bracketed[]} hands
 */
export function drawGroups(hands) {
  const changed = hands.filter(isChanged);
  const rows = changed.map(({ box, hand, groups }) => groups.map((group) => groupOf(box, hand, group)));
  changed.forEach(({ box }, n) => box.replaceChildren(...rows[n]));
}

/** Whether the brackets of a hand are to be drawn again. @param {Bracketed} bracketed */
function isChanged({ box, hand, groups }) {
  const widths = groups.length ? [hand.clientWidth, hand.firstElementChild?.clientWidth] : []; // to read them costs a layout
  const shape = JSON.stringify([groups, hand.children.length, widths]), before = box.shape;
  box.shape = shape;
  return before !== shape;
}

/** @param {HTMLElement} box @param {HTMLElement} hand @param {GroupView} group */
function groupOf(box, hand, { title, reading, cards }) {
  const row = element("div", { classes: "group" }), text = element("span", { classes: "group-name" });
  if (isTelling(title, reading)) text.append(element("b", { text: `${capitalise(title)} ` }));
  text.append(capitalise(reading));
  const segments = runsOf(cards).map(([first, last]) => [edgesOf(box, hand, first).left, edgesOf(box, hand, last).right]);
  for (const [left, right] of segments) {
    const bracket = element("span", { classes: "bracket" });
    Object.assign(bracket.style, { left: `${left}px`, width: `${right - left}px` });
    row.append(bracket);
  }
  if (segments.length) text.style.left = `${(segments[0][0] + segments[segments.length - 1][1]) / 2}px`;
  row.append(text);
  return row;
}

/** Whether a title says more than its reading: 'Run: run of two' would not. @param {string} title @param {string} reading */
const isTelling = (title, reading) => title && title !== "hand" && !reading.toLowerCase().startsWith(title.toLowerCase());

/** Positions as runs from first to last: 0 1 3 is [0, 1], [3, 3]. @param {number[]} cards */
export function runsOf(cards) {
  /** @type {[number, number][]} */
  const runs = [];
  for (const n of cards) {
    const run = runs[runs.length - 1];
    if (run && run[1] === n - 1) run[1] = n;
    else runs.push([n, n]);
  }
  return runs;
}

/** The edges of the part of a card that can be seen. @param {HTMLElement} box @param {HTMLElement} hand @param {number} n */
function edgesOf(box, hand, n) {
  const origin = box.getBoundingClientRect().x;
  const card = hand.children[n].getBoundingClientRect(), next = hand.children[n + 1]?.getBoundingClientRect();
  return { left: card.x - origin + 2, right: Math.min(card.right, next ? next.x : Infinity) - origin - 2 };
}

/** Dim the cards of a hand that count for nothing. @param {HTMLElement} hand @param {Set<number> | null} counting null leaves all as they are */
export function dimOthers(hand, counting) {
  [...hand.children].forEach((face, n) => face.classList.toggle("idle", counting !== null && !counting.has(n)));
}
