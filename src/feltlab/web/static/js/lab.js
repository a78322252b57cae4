// The lab's pages work without this; with it a change of a setting shows its answer in place.
// Nothing is computed here: pages are asked for, and what came is put where the old answer was.

const form = document.getElementById("controls");
const said = document.getElementById("said");
const POLL = 1000; // milliseconds between two looks at what is being worked out
const TYPING = 500; // milliseconds without a key before what was typed is asked for
let asking = null; // what ends the question before
let touched = null; // the setting that was changed last

const answer = () => document.getElementById("answer");

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
}

function say(text, bad = false) {
  if (said.textContent !== text) said.textContent = text;
  said.classList.toggle("bad", bad);
}

async function page(address, signal) {
  const response = await fetch(address, { headers: { accept: "text/html" }, signal });
  if (response.headers.has("content-disposition")) return { response, file: true };
  return { response, made: new DOMParser().parseFromString(await response.text(), "text/html") };
}

// -- A new answer in place of the old ---------------------------------------------------------------

function figures(root) {
  return new Map([...root.querySelectorAll("[data-figure]")].map((at) => [at.dataset.figure, at]));
}

// Figures that are others than before say what they were.
function tellMoved(old, fresh) {
  const before = figures(old);
  for (const [name, at] of figures(fresh)) {
    const was = before.get(name)?.firstChild?.textContent;
    if (was && was !== at.textContent) {
      at.classList.add("moved");
      at.insertAdjacentHTML("beforeend", '<span class="before"></span>');
      at.lastChild.textContent = `was ${was}`;
    }
  }
}

function keepOpened(old, fresh) {
  const opened = new Map([...old.querySelectorAll("details[data-name]")].map((at) => [at.dataset.name, at.open]));
  for (const at of fresh.querySelectorAll("details[data-name]")) at.open = opened.get(at.dataset.name) ?? at.open;
}

function replace(old, fresh) {
  tellMoved(old, fresh);
  keepOpened(old, fresh);
  old.replaceWith(document.adoptNode(fresh));
}

// While only a part is not there yet, that part is replaced, and what follows from it.
function refresh(made) {
  const news = made.querySelectorAll("#answer > section");
  [...answer().querySelectorAll(":scope > section")].forEach((at, n) => {
    if (news[n] && (at.querySelector("[data-working]") || at.hasAttribute("data-follows"))) replace(at, news[n]);
  });
}

// What the form itself says of its settings, such as what a strategy does.
function hints(made) {
  const fresh = made.querySelectorAll("#controls fieldset .hint");
  form.querySelectorAll("fieldset .hint").forEach((at, n) => { if (fresh[n]) at.textContent = fresh[n].textContent; });
}

// -- Waiting ----------------------------------------------------------------------------------------

function percentOf(made) {
  const bar = made.querySelector("[data-working] progress[value]");
  return bar ? `${Math.round(100 * bar.value)} %` : "";
}

function showProgress(made) {
  say(`Proving … ${percentOf(made)}`);
  answer().classList.add("waits");
  const state = document.adoptNode(made.querySelector("[data-working]"));
  const here = answer().querySelector(":scope > .pending");
  if (here) { here.replaceChildren(state); return; }
  const box = document.createElement("section");
  box.className = "card pending";
  box.append(state);
  answer().prepend(box);
}

function showRefusal(made) {
  answer().classList.remove("waits");
  answer().querySelector(":scope > .pending")?.remove();
  touched?.setAttribute("aria-invalid", "true");
  say(made.querySelector("main p")?.textContent ?? "That did not work.", true);
}

const unfinished = () => answer()?.querySelector(":scope > section [data-working]");

// A part of the page that is still being worked out.
async function follow(address, signal) {
  while (unfinished()) {
    await pause(POLL, signal);
    const { response, made } = await page(address, signal);
    if (signal.aborted || response.status !== 200) return;
    refresh(made);
    answer().dataset.said = made.getElementById("answer").dataset.said;
  }
}

function tell() {
  say(`${answer().dataset.said}${unfinished() ? " The rest is being worked out." : ""}`);
}

// -- Asking -----------------------------------------------------------------------------------------

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

async function askUntilAnswered(address, signal) {
  let { response, made } = await page(address, signal);
  while (response.status === 202) {
    showProgress(made);
    await pause(POLL, signal);
    ({ response, made } = await page(address, signal));
  }
  if (!response.ok) return showRefusal(made);
  history.replaceState(null, "", address);
  replace(answer(), made.getElementById("answer"));
  hints(made);
  form.querySelectorAll("[aria-invalid]").forEach((at) => at.removeAttribute("aria-invalid"));
  tell();
  await follow(address, signal);
  return tell();
}

// The address of what the form says; nothing stands in it twice.
function address() {
  const pairs = [...new FormData(form)].filter(([, value]) => value !== "");
  const query = new URLSearchParams(pairs).toString();
  return form.getAttribute("action") + (query ? `?${query}` : "");
}

function sayMissing() {
  const empty = form.querySelector("input:invalid");
  say(`${empty.labels[0].textContent.trim()}: ${empty.validationMessage}`, true);
}

function listen() {
  let later = 0;
  const soon = (ms) => {
    clearTimeout(later);
    later = setTimeout(() => (form.checkValidity() ? ask(address()) : sayMissing()), ms);
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); soon(0); });
  form.addEventListener("change", ({ target }) => { touched = target; soon(0); });
  form.addEventListener("input", ({ target }) => {
    touched = target;
    if (target.matches("input:not([type=checkbox])")) soon(TYPING);
  });
  asking = new AbortController();
  follow(location.href, asking.signal).catch(() => {});
}

// -- A page that is nothing but waiting: for another page, or for a file ----------------------------

async function wait() {
  const { signal } = new AbortController();
  for (;;) {
    await pause(POLL, signal);
    try {
      const { response, made, file } = await page(location.href, signal);
      if (file) return offer();
      if (response.status !== 202) return location.reload();
      const state = made.querySelector("[data-working]");
      answer().querySelector("[data-working]").replaceWith(document.adoptNode(state));
    } catch { /* ask again */ }
  }
}

function offer() {
  const link = document.createElement("a");
  Object.assign(link, { href: location.href, textContent: "Download it", className: "button", download: "" });
  const ready = document.createElement("p");
  ready.textContent = "It is ready.";
  answer().replaceChildren(ready, link);
  say("The download is ready.");
  link.click();
}

if (form) listen();
else if (unfinished()) follow(location.href, new AbortController().signal).catch(() => {});
else if (answer()?.querySelector("[data-working]")) wait();
