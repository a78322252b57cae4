// The pit's API as a page uses it: a session, requests that act once, and a socket that comes back.

let session = null;

export async function whoAmI() {
  if (session) return session;
  const answer = await fetch("/api/session");
  session = answer.ok ? await answer.json() : null;
  return session;
}

export async function enter() {
  if (await whoAmI()) return session;
  await fetch("/api/session/guest", { method: "POST" });
  return whoAmI();
}

export async function post(path, body = {}) {
  const answer = await fetch(path, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-CSRF-Token": session?.csrf ?? "",
      "Idempotency-Key": crypto.randomUUID(),
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
