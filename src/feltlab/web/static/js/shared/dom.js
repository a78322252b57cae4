// @ts-check
// Helpers for elements, hands and chips.

import { cardNames, drawCard } from "./cards.js";
import { dealDelay } from "./settings.js";

/** The element with this id, which the page has. @param {string} id @returns {any} */
export const $ = (id) => document.getElementById(id);

/**
 * A new element. Attributes that begin with "on" are listeners; false and null attributes are left out.
 * @param {string} tag
 * @param {Record<string, any>} attributes
 * @param {...(Node | string)} children
 */
export function element(tag, { classes = "", text = "", ...attributes } = {}, ...children) {
  const made = /** @type {any} */ (document.createElement(tag));
  if (classes) made.className = classes;
  if (text) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made[name] = value;
    else if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** @param {Element} target @param {string} text */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

// -- Hands --------------------------------------------------------------------------------------------

let dealt = 0; // cards dealt by the current view

export function startDealing() {
  dealt = 0;
}

/**
 * Show a hand. Cards that are there already stay; new ones are dealt, and cards face down are turned over.
 * @param {any} target
 * @param {string[]} cards
 * @param {string} deck
 * @param {number | null} round
 * @param {boolean} animate
 */
export function showHand(target, cards, deck, round, animate) {
  const before = target.shownRound === round && target.cards?.length <= cards.length ? target.cards : [];
  if (!before.length) target.replaceChildren();
  cards.forEach((card, n) => {
    if (before[n] === card) return;
    const face = drawCard(card, deck), turned = n < before.length;
    if (animate) animateCard(face, turned);
    if (turned) target.children[n].replaceWith(face);
    else target.append(face);
  });
  Object.assign(target, { cards, shownRound: round });
  target.classList.toggle("many", cards.length > 4);
  target.setAttribute("aria-label", cardNames(cards));
}

/** @param {SVGElement} face @param {boolean} turned */
function animateCard(face, turned) {
  const delay = dealDelay(turned ? dealt : dealt++);
  if (delay === null) return;
  face.classList.add(turned ? "turned" : "dealt");
  face.style.animationDelay = `${delay}ms`;
}

/** Reveal results only after the cards have been dealt; returns the milliseconds until then. @param {Iterable<Element>} parts */
export function revealAfterDealing(parts) {
  const wait = dealt ? dealDelay(dealt) : null;
  if (!wait) return 0;
  for (const part of parts) part.animate({ opacity: [0, 1] }, { duration: 200, delay: wait + 200, fill: "backwards" });
  return wait;
}

// -- Chips --------------------------------------------------------------------------------------------

const MAX_CHIPS = 5; // of a stack that is drawn

/** An amount as a stack of chips. @param {number} cents @param {{cents: number}[]} chips the house's chips, smallest first */
export function chipStack(cents, chips) {
  const stack = element("span", { classes: "stack", "aria-hidden": "true" });
  for (const chip of [...chips].reverse())
    for (; cents >= chip.cents && stack.children.length < MAX_CHIPS; cents -= chip.cents)
      stack.append(element("span", { classes: `chip c${chip.cents / 100}` }));
  return stack;
}

/** Show a stack that the dealer takes (-1) or pays to the player (1), until `moveChips` has moved it away. @param {any} box @param {Node} stack @param {number} way */
export function showLeaving(box, stack, way) {
  box.replaceChildren(stack);
  box.leaving = way;
}

/** Move the chips away that the dealer has just taken or paid, after the cards are dealt. @param {Iterable<any>} boxes @param {number} wait */
export function moveChips(boxes, wait) {
  const still = dealDelay(1) === null;
  for (const box of boxes) {
    if (!box.leaving) continue;
    const stack = box.firstElementChild, end = { opacity: 0, transform: `translateY(${3 * box.leaving}rem)` };
    box.leaving = 0;
    if (wait) box.parentElement.animate({ backgroundColor: ["var(--spot)", "var(--spot)"] }, wait); // not yet that of a win
    if (still) stack.remove();
    else stack.animate([{ opacity: 1 }, { opacity: 1 }, end], { duration: 700, delay: wait, fill: "both" }).onfinish = () => stack.remove();
  }
}
