// Forms that speak to the API: fields become JSON, a refusal is one sentence beside the form.
//
// data-send: the address. data-method: POST unless told. data-then: where to go; {names} are taken from the
// answer, and without it the page is loaded again. data-show: a field of the answer that is shown once.

import { whoAmI } from "./pit.js";

const SLOW = 20_000; // milliseconds until a request is given up

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
    const [spot, outcome, pay, more] = line.trim().split(/\s+/);
    if (!pay || more) throw new Error(`A pay is written as spot outcome pay, not ${line.trim()}.`);
    (found[spot] ??= {})[outcome] = pay;
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
  return body;
}

async function send(form, key) {
  const method = form.dataset.method ?? "POST";
  const known = "fresh" in form.dataset ? null : await whoAmI(); // nobody: to ask would log a refusal
  const answer = await fetch(form.dataset.send, {
    method,
    headers: { "Content-Type": "application/json", "X-CSRF-Token": known?.csrf ?? "", "Idempotency-Key": key },
    body: method === "DELETE" ? undefined : JSON.stringify(read(form)),
    signal: AbortSignal.timeout(SLOW),
  });
  const said = await answer.json().catch(() => ({ error: "The server's answer cannot be read." }));
  if (!answer.ok) throw Object.assign(new Error(said.error), { status: answer.status });
  return said;
}

function say(form, text, kind = "wrong") {
  const place = form.querySelector(".said");
  place.replaceChildren(text);
  place.dataset.kind = kind;
  return place;
}

function refused(form, error) {
  const lost = error instanceof TypeError || error.name === "TimeoutError";
  const place = say(form, lost ? "The server cannot be reached; nothing is known to have happened." : error.message);
  if (error.status === 401 && form.id !== "sign-in") {
    const link = document.createElement("a");
    link.href = `/sign-in?next=${encodeURIComponent(location.pathname)}`;
    link.textContent = "Sign in";
    place.append(" ", link);
  }
}

function done(form, said) {
  if (form.dataset.show) return say(form, `Note it now: ${said[form.dataset.show]}`, "told");
  if (form.dataset.told) {
    form.reset();
    return say(form, form.dataset.told, "told");
  }
  const then = form.dataset.then?.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(said[name]));
  if (then && then !== location.pathname) location.assign(then);
  else location.reload();
}

async function submitted(event) {
  const form = event.target;
  if (form.matches("[data-recall]")) {
    event.preventDefault();
    location.assign(form.getAttribute("action") + Number(form.elements.number.value));
    return;
  }
  if (!form.dataset.send) return;
  event.preventDefault();
  const button = form.querySelector("button");
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  say(form, "");
  try {
    done(form, await send(form, crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`));
  } catch (error) {
    refused(form, error);
  } finally {
    button.removeAttribute("aria-busy");
  }
}

// A verification that runs is asked after until it has ended.
async function watch() {
  const place = document.querySelector("[data-working] span");
  if (!place) return;
  try {
    const found = await (await fetch("/floor/ledger.json")).json();
    if (found.working === null) return location.reload();
    if (found.working !== undefined) place.textContent = `Working for ${found.working} s, asked by ${found.by} …`;
  } catch {
    place.textContent = "The server does not answer; trying again …";
  }
  setTimeout(watch, 1000);
}

// Tables go on while somebody looks at them: what is marked as live is taken anew from the same page.
async function refresh() {
  const place = document.querySelector("[data-live]");
  if (!place) return;
  setTimeout(refresh, 5000);
  if (document.hidden || place.contains(document.activeElement)) return;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(place.id);
  if (fresh && fresh.innerHTML !== place.innerHTML) place.replaceChildren(...fresh.childNodes);
}

document.addEventListener("submit", submitted);
document.addEventListener("change", ({ target }) => target.closest(".chooser")?.requestSubmit());
const draft = document.querySelector("details.draft");
if (draft && new URLSearchParams(location.search).has("game")) draft.open = true;
watch();
setTimeout(refresh, 5000);
