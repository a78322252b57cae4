// @ts-check
// Chips: stacks by value, which the player puts down, the dealer takes or pays, and the player gets back.

import { element } from "../shared/dom.js";
import { pace } from "../shared/settings.js";
import { playSound } from "../shared/sounds.js";
import { flyAway, flyIn } from "./flights.js";

const MAX_CHIPS = 8; // of a stack that is drawn

/** @typedef {{stake: number, pays: number, taken: boolean}} Chips cents that the player has put down, cents that the dealer has paid, and whether the dealer takes them */

/** An amount as a stack of chips, the largest below. @param {number} cents @param {{cents: number}[]} chips the house's chips, smallest first */
export function chipStack(cents, chips) {
  const stack = element("span", { classes: "stack", "aria-hidden": "true" });
  for (const chip of [...chips].reverse())
    for (; cents >= chip.cents && stack.children.length < MAX_CHIPS; cents -= chip.cents)
      stack.append(element("span", { classes: `chip c${chip.cents / 100}` }));
  [...stack.children].forEach((chip, n) => chip.style.setProperty("--level", String(n)));
  return stack;
}

/**
 * Show the chips of a spot or seat; where they have changed, they come from or go to the dealer or the player.
 * @param {any} box
 * @param {Chips} now
 * @param {{cents: number}[]} chips
 * @param {{animate: boolean, purse: () => string | Element}} how `purse` finds where the player's own chips are; looking costs a layout, so it is called when chips move
 */
export function showChips(box, now, chips, { animate, purse }) {
  const before = /** @type {Chips} */ (box.chips ?? { stake: 0, pays: 0, taken: false });
  if (before.stake === now.stake && before.pays === now.pays && before.taken === now.taken) return;
  box.chips = now;
  const stacks = () => [now.stake, now.pays].filter((cents) => cents > 0).map((cents) => chipStack(cents, chips));
  if (!animate || !pace()) return box.replaceChildren(...stacks());
  const paid = now.pays > before.pays, put = !paid && now.stake > before.stake;
  if (!paid && !put) for (const stack of box.children) flyAway(stack, now.taken ? "rack" : purse(), {});
  playSound("chip", 0);
  const more = paid ? now.pays - before.pays : now.stake - before.stake;
  if (!paid && !put) return box.replaceChildren(...stacks());
  const coming = chipStack(more, chips);
  coming.style.visibility = "hidden";
  coming.classList.add("coming");
  for (const late of box.querySelectorAll(".coming")) late.remove();
  box.append(coming);
  flyIn(coming, paid ? "rack" : purse(), () => {
    if (box.chips === now) box.replaceChildren(...stacks());
  }, paid ? 420 : 220);
}
