// A round that is over, walked step by step, and the commitment to its cards checked by the browser.

import { sha256 } from "./sha256.js";

const replay = document.getElementById("replay");
const items = [...replay.querySelectorAll(".steps > li")];
const last = items.length;
let step = last;

const GO = { first: () => 0, back: () => step - 1, on: () => step + 1, last: () => last };
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

// -- Steps -------------------------------------------------------------------------------------------

function show(number) {
  step = Math.max(0, Math.min(last, number));
  replay.querySelectorAll("[data-step]").forEach(lay);
  items.forEach(mark);
  tell();
  for (const button of replay.querySelectorAll("[data-go]")) {
    const atEnd = ["first", "back"].includes(button.dataset.go) ? step === 0 : step === last;
    button.setAttribute("aria-disabled", String(atEnd));
  }
  history.replaceState(null, "", step === last ? location.pathname : `#step-${step}`);
}

// What lies on the felt: not yet, just now, or since before.
function lay(thing) {
  const came = Number(thing.dataset.step);
  thing.classList.toggle("later", came > step);
  thing.classList.toggle("now", came === step);
  thing.setAttribute("aria-hidden", String(came > step));
}

function mark(item, n) {
  item.classList.toggle("later", n + 1 > step);
  if (n + 1 === step) {
    item.setAttribute("aria-current", "step");
    keepInView(item);
  } else item.removeAttribute("aria-current");
}

function tell() {
  document.getElementById("where").textContent = step ? `Step ${step} of ${last}` : `Before the first of ${last}`;
  const words = step ? [...items[step - 1].cloneNode(true).childNodes] : ["Nothing has happened yet."];
  document.getElementById("now").replaceChildren(...words);
}

// The list scrolls, the page does not.
function keepInView(item) {
  const list = item.parentElement;
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}

function listen() {
  replay.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-go]");
    if (button) show(GO[button.dataset.go]());
  });
  document.addEventListener("keydown", (event) => {
    const go = KEYS[event.key];
    const taken = event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, pre");
    if (!go || taken) return;
    event.preventDefault();
    show(GO[go]());
  });
  window.addEventListener("hashchange", () => show(asked()));
}

function asked() {
  const found = /^#step-(\d+)$/.exec(location.hash);
  return found ? Number(found[1]) : last;
}

listen();
show(asked());

// -- The commitment ----------------------------------------------------------------------------------

// Browsers compute digests only on secure connections; elsewhere the page does it itself.
async function digest(text) {
  if (!globalThis.crypto?.subtle) return sha256(text);
  const found = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(found)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Each card that was laid open must lie in the order where the round began; a burnt one was never seen.
function misplaced({ order, start, fell }) {
  const promised = order.split(" ");
  return fell.split(" ").findIndex((card, n) => card && card !== "##" && card !== promised[Number(start) + n]);
}

async function judge(shuffle) {
  const found = await digest(`${shuffle.salt}:${shuffle.order}`);
  if (found !== shuffle.commitment) return ["bad", `No. The order does not fit: your browser computes ${found}.`];
  const wrong = misplaced(shuffle);
  if (wrong >= 0) {
    return ["bad", `No. The order fits the commitment, but card ${wrong + 1} of this round lies elsewhere in it.`];
  }
  const cards = shuffle.fell ? "and every card of this round lies where it should" : "though no card was laid open";
  const same = "Your browser has just computed the same digest from the order that was shown afterwards";
  return ["good", `Yes. ${same}, ${cards}.`];
}

const shuffle = document.getElementById("shuffle");
if (shuffle.dataset.order) {
  const [kind, sentence] = await judge(shuffle.dataset);
  const verdict = document.getElementById("verdict");
  verdict.textContent = sentence;
  verdict.dataset.verdict = kind;
}
