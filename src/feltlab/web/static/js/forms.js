// Forms that speak to the API: fields become JSON, a refusal is one sentence beside the form.
//
// data-send: the address. data-method: POST unless told. data-then: where to go; {names} are taken from the
// answer, and without it the page is taken anew. data-told: what is said when it is done. data-show: a field
// of the answer that is shown once. Buttons are disabled until this is here (data-waits): a form must never
// be sent by the browser itself.

import { randomKey } from "./live.js";
import { keepLive, refresh, signInLink } from "./refresh.js";

const SLOW = 20_000; // milliseconds until a request is given up
const NOTICED = 800; // milliseconds until somebody wonders
const LOST = "The server cannot be reached. It is not known whether this was done; what you typed is still here.";

// -- Reading ------------------------------------------------------------------------------------------

const READ = {
  text: (text) => text,
  optional: (text) => text || null,
  json: (text) => JSON.parse(text),
  cents: (text) => numeric(text, 100, "An amount"),
  seconds: (text) => (text.trim() === "" ? null : numeric(text, 1, "A timer")),
  pays: (text) => pays(text),
};

function numeric(text, factor, what) {
  const found = Number(text.replace(/[$,\s]/g, ""));
  if (!text.trim() || !Number.isFinite(found)) throw new Error(`${what} must be a number, not ${text || "nothing"}.`);
  return factor === 1 ? found : Math.round(found * factor);
}

function pays(text) {
  const found = {};
  for (const line of text.split("\n").filter((one) => one.trim())) {
    const [spot, ...rest] = line.trim().split(/\s+/);
    const pay = rest.pop();
    if (!rest.length) throw new Error(`A pay is written as spot, outcome and pay, not ${line.trim()}.`);
    (found[spot] ??= {})[rest.join(" ")] = pay;
  }
  return found;
}

// "limits.minimum" is the field `minimum` of the object `limits`.
function put(body, name, value) {
  const [first, ...rest] = name.split(".");
  if (rest.length) put((body[first] ??= {}), rest.join("."), value);
  else body[first] = value;
}

function read(form) {
  const body = {};
  for (const field of form.elements) {
    if (field.name) put(body, field.name, READ[field.dataset.as ?? "text"](field.value));
  }
  return JSON.stringify(body);
}

// -- Sending ------------------------------------------------------------------------------------------

// What may have been done already is sent again with the same key, and so done once.
const unanswered = new WeakMap();

function keyFor(form, body) {
  const before = unanswered.get(form);
  const key = before?.body === body ? before.key : randomKey();
  unanswered.set(form, { body, key });
  return key;
}

// Asked for each time: another tab may have signed in meanwhile.
async function csrf(signal) {
  const answer = await fetch("/api/session", { signal });
  return answer.ok ? (await answer.json()).csrf : "";
}

async function send(form) {
  const method = form.dataset.method ?? "POST";
  const body = read(form);
  const signal = AbortSignal.timeout(SLOW);
  const answer = await fetch(form.dataset.send, {
    method,
    headers: {
      "Content-Type": "application/json",
      "X-CSRF-Token": "fresh" in form.dataset ? "" : await csrf(signal), // nobody: to ask would log a refusal
      "Idempotency-Key": keyFor(form, body),
    },
    body: method === "DELETE" ? undefined : body,
    signal,
  });
  const said = await answer.json().catch(() => ({ error: "The server's answer cannot be read." }));
  if (answer.status < 500) unanswered.delete(form);
  if (!answer.ok) throw Object.assign(new Error(said.error), { status: answer.status });
  return said;
}

// -- What comes of it ---------------------------------------------------------------------------------

function say(form, text, kind = "wrong") {
  const place = form.querySelector(".said");
  place.replaceChildren(text);
  place.dataset.kind = kind;
  return place;
}

function refused(form, error) {
  const lost = error instanceof TypeError || error.name === "TimeoutError";
  const place = say(form, lost ? LOST : error.message);
  if (error.status === 401 && form.id !== "sign-in") place.append(signInLink(), ", then send this again.");
}

function address(form, said) {
  return form.dataset.then?.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(said[name]));
}

// Whether the page is left by it.
async function done(form, said) {
  const then = address(form, said);
  if (then) {
    location.assign(then);
    return true;
  }
  form.reset();
  if (form.dataset.show) say(form, `Note it now, it is not shown again: ${said[form.dataset.show]}`, "told");
  else say(form, form.dataset.told ?? "", "told");
  await refresh();
  return false;
}

async function acted(form) {
  const slow = setTimeout(() => say(form, "Sending …", "told"), NOTICED);
  try {
    const said = await send(form).finally(() => clearTimeout(slow));
    return await done(form, said);
  } catch (error) {
    refused(form, error);
    return false;
  }
}

async function submitted(event) {
  const form = event.target;
  if (!form.dataset.send) return;
  event.preventDefault();
  const button = form.querySelector("button");
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  say(form, "");
  const leaves = await acted(form);
  if (!leaves) button.removeAttribute("aria-busy"); // or a second click would send it again
}

// A page that the browser has kept is shown again.
function back({ persisted }) {
  if (!persisted) return;
  for (const button of document.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
  refresh();
}

function enable(page) {
  for (const button of page.querySelectorAll("[data-waits]")) {
    button.disabled = false;
    button.removeAttribute("data-waits");
  }
}

document.addEventListener("submit", submitted);
addEventListener("pageshow", back);
enable(document);
keepLive(enable);
