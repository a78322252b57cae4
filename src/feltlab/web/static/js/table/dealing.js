// @ts-check
// The cards on the felt: dealt from the shoe one after the other, turned over in their places, swept to the discards.

import { cardNames, drawCard } from "../shared/cards.js";
import { pace } from "../shared/settings.js";
import { playSound } from "../shared/sounds.js";
import { flyAway, middleOf } from "./flights.js";

// Milliseconds at normal speed.
const DEAL = 110, TURN = 190; // from one card to the next
const MOST_DEALING = 1700, MOST_TURNING = 1500; // until the last one begins
const LANDING = 320, TURNING = 300; // of one card

/**
 * A card that is dealt, or turned over in place of a back. `hand` is where it lies, `grows` whether other cards lay there.
 * @typedef {{face: SVGSVGElement, back: Element | null, turn: number, order: number, hand: Element, grows: boolean}} Fresh
 */

/** @type {Fresh[]} */
let fresh = []; // cards of the view that is being drawn
/** @type {{face: Element, x: number}[]} */
let lying = []; // cards of hands that grow, and where they lay
/** @type {Set<() => void>} */
const turns = new Set(); // cards that are still to be turned

/**
 * Show a hand. Cards that are there already stay; new ones are dealt, and cards face down are turned over.
 * @param {any} target
 * @param {string[]} cards
 * @param {string} deck
 * @param {number | null} round
 * @param {{animate: boolean, order: number}} how `order` is that of the hands in the deal
 */
export function showHand(target, cards, deck, round, { animate, order }) {
  const stays = target.shownRound === round && target.cards?.length <= cards.length;
  if (stays && cards.every((card, n) => card === target.cards[n])) return;
  const before = stays ? target.cards : [];
  if (!stays && target.children.length) clearHand(target, animate);
  if (animate && pace()) for (const face of target.children) lying.push({ face, x: face.getBoundingClientRect().x });
  cards.forEach((card, n) => {
    if (before[n] === card) return;
    const face = drawCard(card, deck), back = n < before.length ? target.children[n] : null;
    if (!back) target.append(face);
    else if (!animate || !pace()) back.replaceWith(face);
    if (animate && pace()) fresh.push({ face, back, turn: n, order, hand: target, grows: before.length > 0 });
  });
  Object.assign(target, { cards, shownRound: round });
  target.style.setProperty("--count", String(Math.max(1, cards.length)));
  target.classList.toggle("many", cards.length > 4);
  target.setAttribute("aria-label", cardNames(cards));
}

/** Sweep the cards of a hand to the discards. @param {any} target @param {boolean} animate */
function clearHand(target, animate) {
  if (animate) for (const face of target.children) flyAway(face, "discard", { milliseconds: 300, fades: true });
  target.replaceChildren();
}

/** Start to move the fresh cards; returns the milliseconds until the last one lies. */
export function moveCards() {
  const cards = fresh, beat = pace();
  slideCards(lying, LANDING * beat);
  fresh = lying = [];
  if (!cards.length || !beat) return 0;
  const turned = cards.filter(({ back }) => back), drawn = drawnBefore(turned, cards);
  const dealt = cards.filter((card) => !card.back && card !== drawn), landing = drawn ? LANDING * beat : 0;
  if (drawn) dealFrom([drawn.face], 0, 0, landing);
  const turning = turned.length && Math.min(TURN, MOST_TURNING / turned.length) * beat;
  turned.sort((a, b) => a.order - b.order || a.turn - b.turn);
  turned.forEach((card, n) => turnLater(card, landing + n * turning, TURNING * beat));
  const start = turned.length && landing + turned.length * turning + TURNING * beat;
  const step = dealt.length && Math.min(DEAL, MOST_DEALING / dealt.length) * beat;
  dealt.sort((a, b) => a.turn - b.turn || a.order - b.order);
  dealFrom(dealt.map(({ face }) => face), start, step, LANDING * beat);
  return dealt.length ? start + (dealt.length - 1) * step + LANDING * beat : start;
}

/** Let cards that make room for others slide to their new places. @param {{face: Element, x: number}[]} cards @param {number} milliseconds */
function slideCards(cards, milliseconds) {
  const ways = cards.map(({ face, x }) => x - face.getBoundingClientRect().x);
  cards.forEach(({ face }, n) => {
    if (Math.abs(ways[n]) >= 1) face.animate({ translate: [`${ways[n]}px`, "0px"] }, { duration: milliseconds / 2, easing: "ease-out" });
  });
}

/**
 * The card that a player drew and that ended the hand: it lies before another hand's cards are turned.
 * @param {Fresh[]} turned
 * @param {Fresh[]} cards
 */
function drawnBefore(turned, cards) {
  const hands = new Set(turned.map(({ hand }) => hand));
  const drawn = cards.filter(({ back, hand, grows }) => !back && grows && !hands.has(hand));
  return turned.length ? drawn.sort((a, b) => a.turn - b.turn)[0] : undefined;
}

/** @param {SVGSVGElement[]} faces @param {number} start @param {number} step @param {number} landing */
function dealFrom(faces, start, step, landing) {
  const from = middleOf("source"), places = faces.map((face) => middleOf(face));
  faces.forEach((face, n) => {
    face.classList.add("dealt");
    face.style.setProperty("--from-x", `${from.x - places[n].x}px`);
    face.style.setProperty("--from-y", `${from.y - places[n].y}px`);
    face.style.animationDuration = `${landing}ms`;
    face.style.animationDelay = `${start + n * step}ms`;
    playSound("card", start + n * step);
  });
}

/** Turn a card by the clock, not by the animation: what is named after it must never come before it. @param {Fresh} card @param {number} wait @param {number} milliseconds */
function turnLater({ face, back }, wait, milliseconds) {
  const shown = /** @type {Element} */ (back), half = milliseconds / 2;
  const replace = () => {
    turns.delete(replace);
    if (!shown.isConnected) return;
    shown.replaceWith(face);
    face.animate({ transform: ["rotateY(90deg)", "none"] }, { duration: half, easing: "ease-out" });
  };
  turns.add(replace);
  playSound("card", wait);
  shown.animate({ transform: ["none", "rotateY(90deg)"] }, { duration: half, delay: wait, easing: "ease-in", fill: "forwards" });
  setTimeout(() => turns.has(replace) && replace(), wait + half);
}

/** Let all cards lie at once, face up if they were to be turned. */
export function finishCards() {
  for (const replace of [...turns]) replace();
  for (const face of document.querySelectorAll(".dealt")) for (const moving of face.getAnimations()) moving.finish();
}
