// @ts-check
// The table of a question, seen from the players' side: the dealer's cards above, the seats below. The first seat to
// settle, at the dealer's right, is at the left.

import { cardNames, drawCard } from "../shared/cards.js";
import { element } from "../shared/dom.js";
import { capitalise, choiceInWords, dollars } from "../shared/words.js";

const MAX_CHIPS = 8; // of a stack that is drawn,
const MAX_SPOT_CHIPS = 3; // and of one on a spot
const PILE_CHIPS = 10; // of each pile of a player's stack
const NOT_CARDS = ["seats", "spots", "placard"]; // of a felt; all else are cards that the seats share

/** @typedef {{cents: number, colour: string}} Chip */
/** @typedef {{seat: number, wagers: Record<string, number>, cards: string, chosen: string[], paid?: Record<string, number>, stack?: number[], plays?: string, playsWords?: string}} FeltSeat a stack has the value of each chip */
/** @typedef {{seats: FeltSeat[], spots: Record<string, string>, placard?: string} & Record<string, any>} FeltData */

/** @typedef {Record<string, string>} Bonuses by spot, the wager on which a bonus is paid, or "" if it may be gone */

/** @param {string} cards @returns {string[]} */
export const splitCards = (cards) => cards.split(" ").filter((card) => card && card !== "--");

/** @param {Chip} chip */
export const chipClass = ({ colour }) => `chip-${colour.replaceAll(" ", "-")}`;

/** Draw the table into a box. @param {HTMLElement} box @param {FeltData} felt @param {Chip[]} tray smallest first @param {Bonuses} bonuses */
export function drawFelt(box, felt, tray, bonuses) {
  const areas = Object.keys(felt).filter((name) => !NOT_CARDS.includes(name));
  const shared = areas.map((name) => drawShared(name, splitCards(felt[name]))).filter(Boolean);
  if (felt.placard) shared.push(element("p", { classes: "placard", text: felt.placard }));
  const seats = [...(felt.seats ?? [])].sort((a, b) => b.seat - a.seat).map((seat) => drawSeat(seat, felt.spots, tray, bonuses));
  const row = element("div", { classes: "school-seats", "data-seats": String(seats.length) }, ...seats);
  box.replaceChildren(element("div", { classes: "school-shared" }, .../** @type {Node[]} */ (shared)), row);
}

/** @param {string} name @param {string[]} cards */
function drawShared(name, cards) {
  if (!cards.length) return null;
  return element("div", { classes: "school-side", "data-place": name }, element("p", { classes: "place-name", text: name }), drawHand(cards));
}

/** @param {string[]} cards */
export function drawHand(cards) {
  const faces = cards.map((card) => drawCard(card, "red"));
  return element("div", { classes: `hand${cards.length > 4 ? " many" : ""}`, role: "group", "aria-label": cardNames(cards) }, ...faces);
}

/** The wagers of a seat, and the bonuses that may be paid on them. @param {FeltSeat} seat @param {Record<string, string>} titles @param {Bonuses} bonuses @returns {[string, number][]} */
export function wagersOf(seat, titles, bonuses) {
  const isOpen = (/** @type {string} */ spot) => seat.wagers[spot] || (spot in bonuses && (!bonuses[spot] || seat.wagers[bonuses[spot]]));
  return Object.keys(titles).filter(isOpen).map((spot) => [spot, seat.wagers[spot] ?? 0]);
}

/** @param {FeltSeat} seat @param {Record<string, string>} titles @param {Chip[]} tray @param {Bonuses} bonuses */
function drawSeat(seat, titles, tray, bonuses) {
  const wagers = wagersOf(seat, titles, bonuses).map(([spot, cents]) => drawWager(seat.seat, spot, titles[spot] ?? spot, cents, tray, seat.paid?.[spot]));
  const cards = splitCards(seat.cards), chosen = seat.chosen.map(choiceInWords).join(", ");
  return element("div", { classes: "school-seat", "data-seat": String(seat.seat), role: "group", "aria-label": `Seat ${seat.seat}` },
    element("div", { classes: "wagers" }, ...wagers),
    ...(cards.length ? [drawHand(cards)] : []),
    ...(seat.stack ? [drawPiles(seat.stack, tray)] : []),
    element("p", { classes: "seat-line" }, element("b", { text: `Seat ${seat.seat}` }), ...(chosen ? [element("span", { text: ` ${chosen}` })] : [])),
    ...(seat.plays ? [element("p", { classes: "seat-plays", text: seat.plays, title: seat.playsWords ?? "" })] : []));
}

/** A wager on its spot; a button, which a drill of settling enables. @param {number} seat @param {string} spot @param {string} title @param {number} cents @param {Chip[]} tray @param {number} [paid] chips of a payment beside it */
function drawWager(seat, spot, title, cents, tray, paid) {
  return element("button", { type: "button", classes: `wager${cents ? "" : " bonus-spot"}`, disabled: true, "data-seat": String(seat), "data-spot": spot, "aria-label": `Seat ${seat}, ${title}, ${cents ? dollars(cents) : "a bonus"}` },
    element("span", { classes: "wager-title", text: title }), drawStack(cents, tray, MAX_SPOT_CHIPS),
    element("span", { classes: "wager-amount", text: cents ? dollars(cents) : "bonus" }), element("span", { classes: "wager-mark" }),
    ...(paid ? [element("span", { classes: "payment" }, drawStack(paid, tray, MAX_SPOT_CHIPS), element("b", { text: `+${dollars(paid)}` }))] : []));
}

/** The chips that a player leaves with, in piles. @param {number[]} stack @param {Chip[]} tray */
function drawPiles(stack, tray) {
  const piles = [];
  for (let first = 0; first < stack.length; first += PILE_CHIPS) {
    const pile = stack.slice(first, first + PILE_CHIPS);
    piles.push(drawStack(pile.reduce((sum, cents) => sum + cents, 0), tray.filter((chip) => chip.cents === pile[0]), PILE_CHIPS));
  }
  return element("div", { classes: "piles" }, ...piles);
}

/** An amount as a stack of chips, the largest below. @param {number} cents @param {Chip[]} tray @param {number} [most] */
export function drawStack(cents, tray, most = MAX_CHIPS) {
  const stack = element("span", { classes: "stack", "aria-hidden": "true" });
  for (const chip of [...tray].reverse())
    for (; cents >= chip.cents && stack.children.length < most; cents -= chip.cents)
      stack.append(element("span", { classes: `chip ${chipClass(chip)}` }));
  [...stack.children].forEach((chip, n) => /** @type {HTMLElement} */ (chip).style.setProperty("--level", String(n)));
  return stack;
}

/** The table in words, for screen readers. @param {FeltData} felt */
export function describeFelt(felt) {
  const areas = Object.keys(felt).filter((name) => !NOT_CARDS.includes(name) && felt[name]);
  const shared = areas.map((name) => `${capitalise(name)}: ${cardNames(splitCards(felt[name]))}.`);
  if (felt.placard) shared.push(`Placard: ${felt.placard}.`);
  const seats = (felt.seats ?? []).map((seat) => `Seat ${seat.seat}: ${cardNames(splitCards(seat.cards))}; ${describeWagers(seat, felt.spots)}.`);
  return [...shared, ...seats].join(" ");
}

/** @param {FeltSeat} seat @param {Record<string, string>} titles */
function describeWagers(seat, titles) {
  const paid = Object.entries(seat.paid ?? {}).map(([spot, cents]) => `${titles[spot]} is paid ${dollars(cents)}`);
  return [...Object.entries(seat.wagers).map(([spot, cents]) => `${titles[spot]} ${dollars(cents)}`), ...paid].join(", ") || "no wager";
}
