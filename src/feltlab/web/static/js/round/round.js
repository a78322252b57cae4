// @ts-check
// A finished round, step by step, and the check of its cards against the commitment.

import { keepLive } from "../shared/refresh.js";
import { mixCards } from "./mixing.js";
import { sha256 } from "../shared/sha256.js";

/** @param {string} id @returns {any} */
const $ = (id) => document.getElementById(id);

const replay = $("replay");
const items = [...replay.querySelectorAll(".steps > li")];
const last = items.length;
let step = last;

/** @type {Record<string, () => number>} */
const GO = { first: () => 0, back: () => step - 1, on: () => step + 1, last: () => last };
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

// -- Steps -------------------------------------------------------------------------------------------

/** @param {number} number */
function show(number) {
  step = Math.max(0, Math.min(last, number));
  replay.querySelectorAll("[data-step]").forEach(placeOnFelt);
  items.forEach(markStep);
  describeStep();
  for (const button of replay.querySelectorAll("[data-go]")) {
    const atEnd = ["first", "back"].includes(button.dataset.go) ? step === 0 : step === last;
    button.setAttribute("aria-disabled", String(atEnd));
  }
  history.replaceState(null, "", step === last ? location.pathname : `#step-${step}`);
}

/** Hide a card or chip that arrives later, and mark one that arrives now. @param {HTMLElement} thing */
function placeOnFelt(thing) {
  const came = Number(thing.dataset.step);
  thing.classList.toggle("later", came > step);
  thing.classList.toggle("now", came === step);
  thing.setAttribute("aria-hidden", String(came > step));
}

/** @param {HTMLElement} item @param {number} n */
function markStep(item, n) {
  item.classList.toggle("later", n + 1 > step);
  if (n + 1 === step) {
    item.setAttribute("aria-current", "step");
    scrollToItem(item);
  } else item.removeAttribute("aria-current");
}

function describeStep() {
  $("where").textContent = step ? `Step ${step} of ${last}` : `Before step 1 of ${last}`;
  const words = step ? [...items[step - 1].cloneNode(true).childNodes] : ["Nothing has happened yet."];
  $("now").replaceChildren(...words, ...verdictOnStep());
}

/** The verdict on the choice that is this step, in a few words. */
function verdictOnStep() {
  const tag = document.querySelector(`[data-verdict-step="${step}"] h3 .tag`);
  return tag ? [" ", tag.cloneNode(true)] : [];
}

/** Scroll the list, not the page, to an item. @param {HTMLElement} item */
function scrollToItem(item) {
  const list = /** @type {HTMLElement} */ (item.parentElement);
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}

function listen() {
  replay.addEventListener("click", (/** @type {any} */ { target }) => {
    const button = target.closest("[data-go]");
    if (button) show(GO[button.dataset.go]());
  });
  document.addEventListener("keydown", (event) => {
    const go = KEYS[event.key];
    const target = /** @type {Element} */ (event.target);
    const taken = event.altKey || event.ctrlKey || event.metaKey || target.matches("input, select, pre");
    if (!go || taken) return;
    event.preventDefault();
    show(GO[go]());
  });
  window.addEventListener("hashchange", () => show(stepInAddress()));
}

function stepInAddress() {
  const found = /^#step-(\d+)$/.exec(location.hash);
  return found ? Number(found[1]) : last;
}

// -- Positions to share ------------------------------------------------------------------------------

/** Show the buttons that copy a link; without this script they would do nothing. @param {Document} page */
function showCopyButtons(page) {
  for (const button of page.querySelectorAll("[data-copy]")) button.removeAttribute("hidden");
}

/** @param {any} button */
async function copyLink(button) {
  const link = new URL(button.dataset.copy, location.href).href;
  const isCopied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
  if (isCopied) button.textContent = "Copied";
  else prompt("The link to this position:", link); // browsers copy on secure connections only
}

document.addEventListener("click", ({ target }) => {
  const button = /** @type {Element} */ (target).closest("[data-copy]");
  if (button) copyLink(button);
});

showCopyButtons(document);
keepLive(showCopyButtons);
listen();
show(stepInAddress());

// -- The commitment ----------------------------------------------------------------------------------

/** SHA-256. Browsers offer it on secure connections only; elsewhere this page computes it. @param {string} text */
async function digest(text) {
  if (!globalThis.crypto?.subtle) return sha256(text);
  const found = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(found)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The first card of the round that is not at its place in the order, or -1; a burned card was never seen.
 * @param {DOMStringMap} shuffle
 * @param {string[]} promised the cards in the order in which they are dealt
 */
function findMisplaced({ start = "0", fell = "" }, promised) {
  return fell.split(" ").findIndex((card, n) => card && card !== "##" && card !== promised[Number(start) + n]);
}

/** @param {DOMStringMap} shuffle @returns {Promise<[string, string]>} a verdict and its sentence */
async function judge(shuffle) {
  const found = await digest(`${shuffle.salt}:${shuffle.order}`);
  if (found !== shuffle.commitment) return ["bad", `No. The published order does not match the commitment: your browser computed ${found}.`];
  const seeds = JSON.parse(shuffle.seeds ?? "[]"), mixed = seeds.length ? ", mixed by the seeds of the seats" : "";
  const wrong = findMisplaced(shuffle, await mixCards((shuffle.order ?? "").split(" "), shuffle.salt ?? "", seeds, digest));
  if (wrong >= 0) {
    return ["bad", `No. The order matches the commitment, but card ${wrong + 1} of this round is not at its place in it${mixed}.`];
  }
  for (const { seat, seed, digest: sealed } of JSON.parse(shuffle.sealed ?? "[]")) {
    if ((await digest(seed)) !== sealed) return ["bad", `No. The seed of seat ${seat} is not the one that it had sealed before the bets closed.`];
  }
  const cards = shuffle.fell ? `and every card of this round is at its place in it${mixed}` : "although no card of this round was dealt face up";
  const same = "Your browser has computed the same digest from the order that was published after the round";
  return ["good", `Yes. ${same}, ${cards}.`];
}

const shuffle = $("shuffle");
if (shuffle.dataset.order) {
  const [kind, sentence] = await judge(shuffle.dataset);
  const verdict = $("verdict");
  verdict.textContent = sentence;
  verdict.dataset.verdict = kind;
}
