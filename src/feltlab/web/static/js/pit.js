// The pit's API as a page uses it: a session, and requests that act once.

import { randomKey } from "./live.js";

let session = null;

export async function whoAmI(anew = false) {
  if (session && !anew) return session;
  const answer = await fetch("/api/session");
  return (session = answer.ok ? await answer.json() : null);
}

// As whoever this browser is; the server makes a guest of who is nobody, or whose session has ended.
export async function enter() {
  const answer = await fetch("/api/session/guest", { method: "POST" });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error);
  return (session = said);
}

export function forget() {
  session = null;
}

export async function post(path, body = {}) {
  const answer = await fetch(path, {
    method: "POST",
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
