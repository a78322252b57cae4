// @ts-check
// The lab's pages work without this module; with it, a changed setting shows its answer in place.
// Nothing is computed here: the module fetches pages and replaces the old answer by the new one.

import { enableFinding } from "../shared/find.js";

/** @param {string} id @returns {any} */
const $ = (id) => document.getElementById(id);

const form = $("controls");
const said = $("said");
const POLL = 1000; // milliseconds between two requests for an answer in progress
const TYPING = 500; // milliseconds without a key until typed text is sent
/** @type {AbortController | null} */
let asking = null; // aborts the previous question
/** @type {Element | null} */
let touched = null; // the setting that was changed last

const answer = () => $("answer");

/** A fetched page or file. @typedef {{response: Response, file?: boolean, made: Document}} Fetched */

/** @param {number} ms @param {AbortSignal} signal @returns {Promise<void>} */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
}

/** @param {string} text */
function say(text, bad = false) {
  if (said.textContent !== text) said.textContent = text;
  said.classList.toggle("bad", bad);
}

/** @param {string} address @param {AbortSignal} signal @returns {Promise<Fetched>} */
async function fetchPage(address, signal) {
  const response = await fetch(address, { headers: { accept: "text/html" }, signal });
  if (response.headers.has("content-disposition")) return { response, file: true, made: document };
  return { response, made: new DOMParser().parseFromString(await response.text(), "text/html") };
}

// -- A new answer in place of the old ---------------------------------------------------------------

/** @param {Element} root @returns {Map<string, any>} */
function figures(root) {
  return new Map([...root.querySelectorAll("[data-figure]")].map((/** @type {any} */ at) => [at.dataset.figure, at]));
}

/** The last value of each figure under earlier settings. A part may arrive long after the answer, so they are kept. */
const previous = new Map();

function keepPrevious() {
  for (const [name, at] of figures(answer())) previous.set(name, at.firstChild?.textContent);
}

/** Add the previous value to every figure that has changed. @param {Element} fresh */
function showPrevious(fresh) {
  for (const [name, at] of figures(fresh)) {
    const was = previous.get(name);
    if (was && was !== at.textContent) {
      at.classList.add("moved");
      at.insertAdjacentHTML("beforeend", '<span class="before"></span>');
      at.lastChild.textContent = `was ${was}`;
    }
  }
}

/** @param {Element} old @param {Element} fresh */
function keepOpened(old, fresh) {
  const opened = new Map([...old.querySelectorAll("details[data-name]")].map((/** @type {any} */ at) => [at.dataset.name, at.open]));
  for (const at of /** @type {any} */ (fresh.querySelectorAll("details[data-name]"))) at.open = opened.get(at.dataset.name) ?? at.open;
}

/** @param {Element} old @param {any} fresh */
function replace(old, fresh) {
  showPrevious(fresh);
  keepOpened(old, fresh);
  old.replaceWith(document.adoptNode(fresh));
}

/** Replace the sections that were still in progress, and those that depend on them. @param {Document} made */
function refresh(made) {
  const news = made.querySelectorAll("#answer > section");
  [...answer().querySelectorAll(":scope > section")].forEach((/** @type {Element} */ at, n) => {
    if (news[n] && (at.querySelector("[data-working]") || at.hasAttribute("data-follows"))) replace(at, news[n]);
  });
}

/** Update the hints in the form, such as the description of a strategy. @param {Document} made */
function updateHints(made) {
  const fresh = made.querySelectorAll("#controls fieldset .hint");
  form.querySelectorAll("fieldset .hint").forEach((/** @type {Element} */ at, /** @type {number} */ n) => { if (fresh[n]) at.textContent = fresh[n].textContent; });
}

// -- Waiting ----------------------------------------------------------------------------------------

/** @param {Document} made */
function percentOf(made) {
  const bar = /** @type {HTMLProgressElement | null} */ (made.querySelector("[data-working] progress[value]"));
  return bar ? `${Math.round(100 * bar.value)} %` : "";
}

/** @param {Document} made */
function showProgress(made) {
  say(`Proving … ${percentOf(made)}`);
  answer().classList.add("waits");
  const state = document.adoptNode(/** @type {Element} */ (made.querySelector("[data-working]")));
  const here = answer().querySelector(":scope > .pending");
  if (here) { here.replaceChildren(state); return; }
  const box = document.createElement("section");
  box.className = "card pending";
  box.append(state);
  answer().prepend(box);
}

/** @param {Document} made */
function showRefusal(made) {
  answer().classList.remove("waits");
  answer().querySelector(":scope > .pending")?.remove();
  touched?.setAttribute("aria-invalid", "true");
  say(made.querySelector("main p")?.textContent ?? "This is not possible.", true);
}

const unfinished = () => answer()?.querySelector(":scope > section [data-working]");

/** Is the page gone, rather than late? @param {number} status */
const isGone = (status) => status >= 400 && status < 500 && status !== 429;

/** Fetch the page until its last part is ready; a request that fails is made again. @param {string} address @param {AbortSignal} signal */
async function follow(address, signal) {
  while (unfinished()) {
    await pause(POLL, signal);
    const found = await fetchPage(address, signal).catch(() => null);
    if (signal.aborted || (found && isGone(found.response.status))) return;
    if (found?.response.status !== 200) continue;
    refresh(found.made);
    answer().dataset.said = /** @type {any} */ (found.made.getElementById("answer")).dataset.said;
  }
}

function announce() {
  say(`${answer().dataset.said}${unfinished() ? " The rest is still being computed." : ""}`);
}

// -- Asking -----------------------------------------------------------------------------------------

/** @param {string} address */
async function ask(address) {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  say("Working …");
  try {
    await askUntilAnswered(address, signal);
  } catch {
    if (!signal.aborted) say("The server does not answer; try again.", true);
  }
}

/** @param {string} address @param {AbortSignal} signal */
async function askUntilAnswered(address, signal) {
  let { response, made } = await fetchPage(address, signal);
  while (response.status === 202) {
    showProgress(made);
    await pause(POLL, signal);
    ({ response, made } = await fetchPage(address, signal));
  }
  if (!response.ok) return showRefusal(made);
  history.replaceState(null, "", address);
  keepPrevious();
  replace(answer(), made.getElementById("answer"));
  updateHints(made);
  form.querySelectorAll("[aria-invalid]").forEach((/** @type {Element} */ at) => at.removeAttribute("aria-invalid"));
  announce();
  await follow(address, signal);
  return announce();
}

/** The address for the form's settings, without empty ones. */
function formAddress() {
  const pairs = /** @type {string[][]} */ ([...new FormData(form)].filter(([, value]) => value !== ""));
  const query = new URLSearchParams(pairs).toString();
  return form.getAttribute("action") + (query ? `?${query}` : "");
}

function sayMissing() {
  const empty = form.querySelector("input:invalid");
  say(`${empty.labels[0].textContent.trim()}: ${empty.validationMessage}`, true);
}

function listen() {
  let timer = 0;
  const soon = (/** @type {number} */ ms) => {
    clearTimeout(timer);
    timer = setTimeout(() => (form.checkValidity() ? ask(formAddress()) : sayMissing()), ms);
  };
  form.addEventListener("submit", (/** @type {Event} */ event) => { event.preventDefault(); soon(0); });
  form.addEventListener("change", (/** @type {any} */ { target }) => { touched = target; soon(0); });
  form.addEventListener("input", (/** @type {any} */ { target }) => {
    touched = target;
    if (target.matches("input:not([type=checkbox])")) soon(TYPING);
  });
  asking = new AbortController();
  follow(location.href, asking.signal).catch(() => {});
}

// -- The progress page, which waits for another page or for a file ----------------------------------

async function waitForAnswer() {
  const { signal } = new AbortController();
  for (;;) {
    await pause(POLL, signal);
    try {
      const { response, made, file } = await fetchPage(location.href, signal);
      if (file) return offerDownload();
      if (response.status !== 202) return location.reload();
      const state = made.querySelector("[data-working]");
      answer().querySelector("[data-working]").replaceWith(document.adoptNode(/** @type {Element} */ (state)));
    } catch { /* ask again */ }
  }
}

function offerDownload() {
  const link = document.createElement("a");
  Object.assign(link, { href: location.href, textContent: "Download", className: "button", download: "" });
  const ready = document.createElement("p");
  ready.textContent = "The download is ready.";
  answer().replaceChildren(ready, link);
  say("The download is ready.");
  link.click();
}

if (form) listen();
else if (unfinished()) follow(location.href, new AbortController().signal).catch(() => {});
else if (answer()?.querySelector("[data-working]")) waitForAnswer();
enableFinding();
