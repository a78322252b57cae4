// Pages that go on while somebody looks: what is marked by data-live is taken anew from the same address.
//
// data-live says after how many seconds; 0 is only after an act of one's own. What is there stays and is changed
// where it differs, so focus, open parts, typed text and what a form has said are kept. Siblings are known by id.

const SLOW = 15_000; // milliseconds until a request is given up
const KEPT = new Set(["open", "aria-busy", "data-kind"]); // attributes that are this page's own

const alike = (one, other) => one.nodeName === other.nodeName && (one.id ?? "") === (other.id ?? "");

function setAttributes(target, fresh) {
  for (const { name } of [...target.attributes])
    if (!fresh.hasAttribute(name) && !KEPT.has(name)) target.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (target.getAttribute(name) !== value && !KEPT.has(name)) target.setAttribute(name, value);
}

function without(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

function setChildren(target, fresh) {
  const wanted = new Set([...fresh.children].map(({ id }) => id).filter(Boolean));
  const stays = (node, child) => (node.id ? wanted.has(node.id) : alike(node, child));
  let place = target.firstChild;
  for (const child of [...fresh.childNodes]) {
    const known = child.id ? [...target.children].find(({ id }) => id === child.id) : null;
    while (place && place !== known && !stays(place, child)) place = without(place);
    const found = known ?? (place && alike(place, child) ? place : null);
    if (!found) {
      target.insertBefore(child, place);
      continue;
    }
    if (found !== place) target.insertBefore(found, place);
    become(found, child);
    place = found.nextSibling;
  }
  while (place) place = without(place);
}

function become(target, fresh) {
  if (target.nodeType !== Node.ELEMENT_NODE) {
    if (target.data !== fresh.data) target.data = fresh.data;
  } else if (!target.matches(".said")) {
    setAttributes(target, fresh);
    setChildren(target, fresh);
  }
}

// What is moved keeps the focus; a control that is gone leaves it at the heading of what it belonged to.
function keepFocus(change) {
  const held = document.activeElement;
  const home = held.closest("section, article, li");
  change();
  const there = held.isConnected && !held.disabled;
  const heading = home?.isConnected ? home.querySelector("h2, b") : document.querySelector("h1");
  if (!there) heading?.setAttribute("tabindex", "-1");
  if (document.activeElement !== held || !there) (there ? held : heading)?.focus({ preventScroll: true });
}

// One line at the foot of the window while what is shown is old.
let since = new Date();
function old(text, link) {
  let place = document.querySelector(".stale");
  if (!text) return place?.remove();
  if (!place) {
    place = document.createElement("p");
    place.className = "stale";
    place.setAttribute("role", "status");
    document.body.append(place);
  }
  const said = `${text} This is how it was at ${since.toLocaleTimeString("en-GB")}.`;
  if (place.textContent !== said + (link?.textContent ?? "")) place.replaceChildren(said, link ?? "");
}

export function signInLink() {
  const link = document.createElement("a");
  link.href = `/sign-in?next=${encodeURIComponent(location.pathname)}`;
  link.target = "_blank"; // what is typed here stays
  link.textContent = " Sign in in another tab";
  return link;
}

let ready = () => {};
let newest = 0; // of the requests; what was asked before another is old when it comes

async function taken() {
  const asked = { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(SLOW) };
  const answer = await fetch(location.href, asked).catch(() => null);
  return { status: answer?.status, text: answer?.ok ? await answer.text().catch(() => null) : null };
}

export async function refresh() {
  const mine = ++newest;
  const { status, text } = await taken();
  if (mine !== newest) return;
  if (text !== null) show(new DOMParser().parseFromString(text, "text/html"));
  else if (status === 401) old("Your session has ended.", signInLink());
  else old(status ? "The server does not show this page any more." : "The server does not answer.");
  later();
}

function show(fresh) {
  ready(fresh);
  since = new Date();
  old("");
  for (const place of document.querySelectorAll("[data-live]")) {
    const other = fresh.getElementById(place.id);
    if (other) keepFocus(() => become(place, other));
  }
}

let timer;
function later() {
  clearTimeout(timer);
  const seconds = [...document.querySelectorAll("[data-live]")].map((place) => Number(place.dataset.live));
  const next = Math.min(...seconds.filter(Boolean));
  if (Number.isFinite(next)) timer = setTimeout(() => (document.hidden ? later() : refresh()), 1000 * next);
}

// `prepare` makes a page that has come from the server as it is here, before the two are compared.
export function keepLive(prepare = () => {}) {
  ready = prepare;
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && document.querySelector("[data-live]")) refresh();
  });
  later();
}
