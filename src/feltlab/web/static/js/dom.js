// Small helpers for elements, hands and chips.

import { drawn, inWords } from "./cards.js";
import { dealDelay } from "./settings.js";

export const $ = (id) => document.getElementById(id);

export function element(tag, { classes = "", text = "", ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  if (text) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made[name] = value;
    else if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

// -- Hands --------------------------------------------------------------------------------------------

let dealt = 0; // cards that were dealt with this view

export function startDealing() {
  dealt = 0;
}

// Cards that lay there before stay; new ones are dealt and those that were face down are turned.
export function showHand(target, cards, deck, round, animate) {
  const before = target.shownRound === round && target.cards?.length <= cards.length ? target.cards : [];
  if (!before.length) target.replaceChildren();
  cards.forEach((card, n) => {
    if (before[n] === card) return;
    const face = drawn(card, deck), turned = n < before.length;
    if (animate) move(face, turned);
    if (turned) target.children[n].replaceWith(face);
    else target.append(face);
  });
  Object.assign(target, { cards, shownRound: round });
  target.classList.toggle("many", cards.length > 4);
  target.setAttribute("aria-label", inWords(cards));
}

function move(face, turned) {
  const delay = dealDelay(turned ? dealt : dealt++);
  if (delay === null) return;
  face.classList.add(turned ? "turned" : "dealt");
  face.style.animationDelay = `${delay}ms`;
}

// What the cards decide is seen once they lie there: the milliseconds until then.
export function tellAfterDealing(parts) {
  const wait = dealt ? dealDelay(dealt) : null;
  if (!wait) return 0;
  for (const part of parts) part.animate({ opacity: [0, 1] }, { duration: 200, delay: wait + 200, fill: "backwards" });
  return wait;
}

// -- Chips --------------------------------------------------------------------------------------------

const CHIPS = [10000, 2500, 500, 100];

export function chipStack(cents) {
  const stack = element("span", { classes: "stack", "aria-hidden": "true" });
  for (const chip of CHIPS)
    for (; cents >= chip && stack.children.length < 5; cents -= chip)
      stack.append(element("span", { classes: `chip c${chip / 100}` }));
  return stack;
}
