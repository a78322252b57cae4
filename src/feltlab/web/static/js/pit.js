// The pit's API as a page uses it: a session, requests that act once, and a socket that comes back.

import { randomKey } from "./live.js";

let session = null;

export async function whoAmI(anew = false) {
  if (session && !anew) return session;
  const answer = await fetch("/api/session");
  session = answer.ok ? await answer.json() : null;
  return session;
}

export async function enter() {
  if (await whoAmI(true)) return session; // asked anew: a session may have ended since
  const answer = await fetch("/api/session/guest", { method: "POST" });
  if (!answer.ok) throw new Error((await answer.json()).error);
  return whoAmI();
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

export function dollars(cents) {
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString("en-US");
  const rest = Math.abs(cents) % 100;
  return `${cents < 0 ? "-" : ""}$${whole}${rest ? "." + String(rest).padStart(2, "0") : ""}`;
}
