// @ts-check
// Pages that keep themselves up to date: parts with data-live are fetched again from the same address.
//
// data-live is the interval in seconds; 0 means only after an action of the visitor. Elements are kept and changed
// only where they differ, so that focus, open details, typed text and messages survive. Siblings are matched by id.

const TIMEOUT = 15_000; // milliseconds until a request is given up
const OWN_ATTRIBUTES = new Set(["open", "aria-busy", "data-kind"]); // set by this page, not by the server

/** @param {any} one @param {any} other */
const isAlike = (one, other) => one.nodeName === other.nodeName && (one.id ?? "") === (other.id ?? "");

/** @param {Element} target @param {Element} fresh */
function setAttributes(target, fresh) {
  for (const { name } of [...target.attributes])
    if (!fresh.hasAttribute(name) && !OWN_ATTRIBUTES.has(name)) target.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (target.getAttribute(name) !== value && !OWN_ATTRIBUTES.has(name)) target.setAttribute(name, value);
}

/** Remove a node; returns the next one. @param {ChildNode} node */
function removeNode(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/** @param {any} target @param {any} fresh */
function setChildren(target, fresh) {
  const wanted = new Set([...fresh.children].map(({ id }) => id).filter(Boolean));
  const stays = (/** @type {any} */ node, /** @type {any} */ child) => (node.id ? wanted.has(node.id) : isAlike(node, child));
  let place = target.firstChild;
  for (const child of [...fresh.childNodes]) {
    const known = child.id ? [...target.children].find(({ id }) => id === child.id) : null;
    while (place && place !== known && !stays(place, child)) place = removeNode(place);
    const found = known ?? (place && isAlike(place, child) ? place : null);
    if (!found) {
      target.insertBefore(child, place);
      continue;
    }
    if (found !== place) target.insertBefore(found, place);
    morph(found, child);
    place = found.nextSibling;
  }
  while (place) place = removeNode(place);
}

/** Make an element like a fresh one from the server, changing as little as possible. @param {any} target @param {any} fresh */
function morph(target, fresh) {
  if (target.nodeType !== Node.ELEMENT_NODE) {
    if (target.data !== fresh.data) target.data = fresh.data;
  } else if (!target.matches(".said")) {
    setAttributes(target, fresh);
    setChildren(target, fresh);
  }
}

/** Keep the focus during a change; if its control disappears, the heading of its section gets it. @param {() => void} change */
function keepFocus(change) {
  const held = /** @type {any} */ (document.activeElement);
  const home = held.closest("section, article, li");
  change();
  const there = held.isConnected && !held.disabled;
  const heading = home?.isConnected ? home.querySelector("h2, b") : document.querySelector("h1");
  if (!there) heading?.setAttribute("tabindex", "-1");
  if (document.activeElement !== held || !there) /** @type {any} */ (there ? held : heading)?.focus({ preventScroll: true });
}

let fetched = new Date(); // when the content was last fetched

/** Show one line at the foot of the window while the content is out of date. @param {string} text @param {HTMLElement} [link] */
function showStale(text, link) {
  let place = document.querySelector(".stale");
  if (!text) return place?.remove();
  if (!place) {
    place = document.createElement("p");
    place.className = "stale";
    place.setAttribute("role", "status");
    document.body.append(place);
  }
  const said = `${text} You see the state of ${fetched.toLocaleTimeString("en-GB")}.`;
  if (place.textContent !== said + (link?.textContent ?? "")) place.replaceChildren(said, link ?? "");
}

export function signInLink() {
  const link = document.createElement("a");
  link.href = `/sign-in?next=${encodeURIComponent(location.pathname)}`;
  link.target = "_blank"; // so that typed text is not lost
  link.textContent = " Sign in (in a new tab)";
  return link;
}

/** @type {(page: Document) => void} */
let prepareFresh = () => {};
let newest = 0; // the number of the newest request; answers to earlier ones are ignored

async function fetchPage() {
  const asked = { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(TIMEOUT) };
  const answer = await fetch(location.href, asked).catch(() => null);
  return { status: answer?.status, text: answer?.ok ? await answer.text().catch(() => null) : null };
}

export async function refresh() {
  const mine = ++newest;
  const { status, text } = await fetchPage();
  if (mine !== newest) return;
  if (text !== null) show(new DOMParser().parseFromString(text, "text/html"));
  else if (status === 401) showStale("Your session has ended.", signInLink());
  else showStale(status ? "This page is no longer available." : "The server does not answer.");
  scheduleRefresh();
}

/** @param {Document} fresh */
function show(fresh) {
  prepareFresh(fresh);
  fetched = new Date();
  showStale("");
  for (const place of document.querySelectorAll("[data-live]")) {
    const other = fresh.getElementById(place.id);
    if (other) keepFocus(() => morph(place, other));
  }
}

let timer = 0;

function scheduleRefresh() {
  clearTimeout(timer);
  const seconds = [...document.querySelectorAll("[data-live]")].map((place) => Number(/** @type {HTMLElement} */ (place).dataset.live));
  const next = Math.min(...seconds.filter(Boolean));
  if (Number.isFinite(next)) timer = setTimeout(() => (document.hidden ? scheduleRefresh() : refresh()), 1000 * next);
}

/**
 * Keep the page up to date.
 * @param {(page: Document) => void} prepare changes a fetched page as this page's scripts changed it, before the comparison
 */
export function keepLive(prepare = () => {}) {
  prepareFresh = prepare;
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && document.querySelector("[data-live]")) refresh();
  });
  scheduleRefresh();
}
