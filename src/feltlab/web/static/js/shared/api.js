// @ts-check
// The pit's API: the visitor's session, and requests that the server performs once.

/** @typedef {{account: string, name: string, role: string, balance: number, at_tables: Record<string, number>, acts: string[], csrf: string}} Session */

/** @type {Session | null} */
let session = null;

/** A key with which the server recognises a request that is sent twice. */
export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The visitor's session, or null; read from the server once, or again if `refresh` is set. */
export async function fetchSession(refresh = false) {
  if (session && !refresh) return session;
  const answer = await fetch("/api/session");
  return (session = answer.ok ? await answer.json() : null);
}

/** The visitor's session; a visitor without one becomes a guest. @returns {Promise<Session>} */
export async function enter() {
  const answer = await fetch("/api/session/guest", { method: "POST" });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error);
  session = said;
  return said;
}

export function forgetSession() {
  session = null;
}

/** @param {string} path @param {object} body @param {boolean} keepalive whether the request outlives the page */
export async function post(path, body = {}, keepalive = false) {
  const answer = await fetch(path, {
    method: "POST",
    keepalive,
    headers: {
      "Content-Type": "application/json",
      "X-CSRF-Token": session?.csrf ?? "",
      "Idempotency-Key": randomKey(),
    },
    body: JSON.stringify(body),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error);
  return said;
}

const MAX_ATTEMPTS = 8; // while the server has too much to do

/** @param {number} milliseconds @returns {Promise<void>} */
export const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Fetch; if the server is too busy, ask again when it says so. @param {string} path @returns {Promise<Response>} */
export async function fetchPatiently(path) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(path);
    if (answer.status !== 429 || attempt >= MAX_ATTEMPTS) return answer;
    await wait(1000 * Number(answer.headers.get("retry-after") ?? 1));
  }
}
