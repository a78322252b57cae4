// @ts-check
// Forms that are sent to the API: fields become JSON, and a refusal is shown as one sentence beside the form.
//
// data-send    the address
// data-method  the method, otherwise POST
// data-then    the page to go to; {names} are filled in from the answer. Without it the page is refreshed.
// data-done    the sentence to show when it is done
// data-guest   makes a guest of a visitor without a session first
// data-show    a field of the answer that is shown once
// data-on      a part that appears when the answer has this status, because it asks for more
// data-waits   a button that is disabled until this module runs: the browser itself must never send a form
//
// The event "answered" of a form has the server's answer, also a refusal.

import { enter, randomKey } from "../shared/api.js";
import { keepLive, refresh, signInLink } from "../shared/refresh.js";

const TIMEOUT = 20_000; // milliseconds until a request is given up
const SENDING_AFTER = 800; // milliseconds until the form says that it is being sent
const LOST = "The server cannot be reached, so this may or may not have been done. What you typed is still here.";

// -- Reading ------------------------------------------------------------------------------------------

/** How the text of a field becomes JSON, by its data-as. @type {Record<string, (text: string) => any>} */
const READERS = {
  text: (text) => text,
  optional: (text) => text || null,
  json: (text) => JSON.parse(text),
  answer: (text) => (text ? JSON.parse(text) : null),
  cents: (text) => readNumber(text, 100, "An amount"),
  seconds: (text) => (text.trim() === "" ? null : readNumber(text, 1, "A timer")),
  count: (text) => (text.trim() === "" ? null : readNumber(text, 1, "A number of cards")),
  limit: (text) => (text.trim() === "" ? null : readNumber(text, 100, "A limit")),
  minutes: (text) => (text.trim() === "" ? null : readNumber(text, 1, "A number of minutes")),
  pays: (text) => readPays(text),
  words: (text) => text.split(",").map((word) => word.trim()).filter(Boolean),
  documents: (text) => text.split("\n").filter((line) => line.trim()).map(readDocument),
};

/** @param {string} text @param {number} factor @param {string} what */
function readNumber(text, factor, what) {
  const found = Number(text.replace(/[$,\s]/g, ""));
  if (!text.trim() || !Number.isFinite(found)) throw new Error(`${what} must be a number, not ${text || "nothing"}.`);
  return factor === 1 ? found : Math.round(found * factor);
}

/** Pays by spot and outcome, one on each line. @param {string} text */
function readPays(text) {
  /** @type {Record<string, Record<string, string>>} */
  const found = {};
  for (const line of text.split("\n").filter((one) => one.trim())) {
    const [spot, ...rest] = line.trim().split(/\s+/);
    const pay = rest.pop() ?? "";
    if (!rest.length) throw new Error(`Write a pay as spot, outcome and pay, not as ${line.trim()}.`);
    (found[spot] ??= {})[rest.join(" ")] = pay;
  }
  return found;
}

/** A document as sha256sum prints it. @param {string} line */
function readDocument(line) {
  const [sha256, ...name] = line.trim().split(/\s+/);
  return { sha256, name: name.join(" ") };
}

/** Set a field; "limits.minimum" is the field `minimum` of the object `limits`. @param {any} body @param {string} name @param {any} value */
function setField(body, name, value) {
  const [first, ...rest] = name.split(".");
  if (rest.length) setField((body[first] ??= {}), rest.join("."), value);
  else body[first] = value;
}

/** @param {any} form */
function readForm(form) {
  const body = {};
  for (const field of form.elements) {
    if (field.name) setField(body, field.name, READERS[field.dataset.as ?? "text"](field.value));
  }
  return JSON.stringify(body);
}

// -- Sending ------------------------------------------------------------------------------------------

/** Requests without an answer: sent again with the same key, they are performed once. */
const unanswered = new WeakMap();

/** @param {HTMLFormElement} form @param {string} body */
function keyFor(form, body) {
  const before = unanswered.get(form);
  const key = before?.body === body ? before.key : randomKey();
  unanswered.set(form, { body, key });
  return key;
}

/** The session's CSRF token, read each time: another tab may have signed in. @param {AbortSignal} signal */
async function fetchCsrf(signal) {
  const answer = await fetch("/api/session", { signal });
  return answer.ok ? (await answer.json()).csrf : "";
}

/** @param {any} form */
async function send(form) {
  const method = form.dataset.method ?? "POST";
  const body = readForm(form);
  const signal = AbortSignal.timeout(TIMEOUT);
  if ("guest" in form.dataset) await enter();
  const answer = await fetch(form.dataset.send, {
    method,
    headers: {
      "Content-Type": "application/json",
      "X-CSRF-Token": "fresh" in form.dataset ? "" : await fetchCsrf(signal), // without a session, reading it would only log a refusal
      "Idempotency-Key": keyFor(form, body),
    },
    body: method === "DELETE" ? undefined : body,
    signal,
  });
  const said = await answer.json().catch(() => ({ error: "The server's answer cannot be read." }));
  if (answer.status < 500) unanswered.delete(form);
  if (!answer.ok) throw Object.assign(new Error(said.error), { status: answer.status, said });
  return said;
}

// -- The answer ---------------------------------------------------------------------------------------

/** @param {any} form @param {string} text */
function say(form, text, kind = "wrong") {
  const place = form.querySelector(".said");
  place.replaceChildren(text);
  place.dataset.kind = kind;
  return place;
}

/** @param {any} form @param {any} said */
const tell = (form, said) => form.dispatchEvent(new CustomEvent("answered", { detail: said, bubbles: true }));

/** @param {any} form @param {any} error */
function showRefusal(form, error) {
  const lost = error instanceof TypeError || error.name === "TimeoutError";
  const place = say(form, lost ? LOST : error.message);
  for (const part of form.querySelectorAll(`[data-on="${error.status}"]`)) {
    part.hidden = false;
    part.querySelector("input").focus();
  }
  tell(form, error.said ?? {});
  if (error.status === 401 && form.id !== "sign-in") place.append(signInLink(), ", then send this again.");
}

/** @param {any} form @param {any} said @returns {string | undefined} */
function nextAddress(form, said) {
  return form.dataset.then?.replace(/\{(\w+)\}/g, (/** @type {string} */ _, /** @type {string} */ name) => encodeURIComponent(said[name]));
}

/** Text, or several texts on lines of their own. @param {string | string[]} shown */
function listed(shown) {
  return Array.isArray(shown) ? ["", ...shown].join("\n") : shown;
}

/** Show the result; returns whether the browser leaves the page. @param {any} form @param {any} said */
async function showResult(form, said) {
  const then = nextAddress(form, said);
  if (then) {
    location.assign(then);
    return true;
  }
  form.reset();
  tell(form, said);
  if (said.waits) say(form, said.waits, "done");
  else if (said[form.dataset.show]?.length) say(form, `Write this down now; it will not be shown again: ${listed(said[form.dataset.show])}`, "done");
  else say(form, form.dataset.done ?? "", "done");
  await refresh();
  return false;
}

/** @param {any} form */
async function perform(form) {
  const slow = setTimeout(() => say(form, "Sending …", "done"), SENDING_AFTER);
  try {
    const said = await send(form).finally(() => clearTimeout(slow));
    return await showResult(form, said);
  } catch (error) {
    showRefusal(form, error);
    return false;
  }
}

/** @param {any} event */
async function submit(event) {
  const form = event.target;
  if (!form.dataset.send) return;
  event.preventDefault();
  const button = form.querySelector("button");
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  say(form, "");
  const leaves = await perform(form);
  if (!leaves) button.removeAttribute("aria-busy"); // while the browser leaves, a second click must not send it again
}

/** Wake up a page that the browser restores from its cache. @param {PageTransitionEvent} event */
function restore({ persisted }) {
  if (!persisted) return;
  for (const button of document.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
  refresh();
}

/** @param {Document} page */
function enableButtons(page) {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (page.querySelectorAll("[data-waits]"))) {
    button.disabled = false;
    button.removeAttribute("data-waits");
  }
}

document.addEventListener("submit", submit);
addEventListener("pageshow", restore);
enableButtons(document);
keepLive(enableButtons);
