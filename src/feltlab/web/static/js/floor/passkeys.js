// @ts-check
// Passkeys: the browser makes one or proves one, and its answer goes into a field of the form that forms.js sends.
//
// data-passkey   on a form that needs the browser first: "create" makes a passkey; "prove" only proves one
// data-question  where the options for the browser come from
// data-without   a part that is shown if this browser has no passkeys

import { fetchSession, post } from "../shared/api.js";

const CANCELLED = "No passkey was used: it was cancelled, or it took too long. Try again, or enter a code.";
const MISSING = "This browser has no passkeys; enter a code.";
/** @type {Record<string, string>} */
const SENTENCES = {
  NotAllowedError: CANCELLED,
  AbortError: CANCELLED,
  InvalidStateError: "This device has a passkey of your account already; use another device.",
  SecurityError: "Passkeys do not work at this address; use codes of an authenticator.",
  NotSupportedError: "This device cannot make a passkey that the server understands; use another one.",
};

const hasPasskeys = () => "PublicKeyCredential" in window && "credentials" in navigator;

// -- Bytes --------------------------------------------------------------------------------------------

/** @param {string} text base64url */
function decode(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** @param {ArrayBuffer} bytes */
function encode(bytes) {
  const plain = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {any[]} known */
const decodeIds = (known) => known.map((one) => ({ ...one, id: decode(one.id) }));

// -- The browser --------------------------------------------------------------------------------------

/** A new passkey. @param {any} options */
async function create(options) {
  const publicKey = {
    ...options,
    challenge: decode(options.challenge),
    user: { ...options.user, id: decode(options.user.id) },
    excludeCredentials: decodeIds(options.excludeCredentials),
  };
  const { response } = /** @type {any} */ (await navigator.credentials.create({ publicKey }));
  return { client_data: encode(response.clientDataJSON), attestation: encode(response.attestationObject) };
}

/** The proof of a passkey. @param {any} options */
async function prove(options) {
  const publicKey = {
    ...options,
    challenge: decode(options.challenge),
    allowCredentials: decodeIds(options.allowCredentials),
  };
  const { rawId, response } = /** @type {any} */ (await navigator.credentials.get({ publicKey }));
  return {
    id: encode(rawId),
    client_data: encode(response.clientDataJSON),
    authenticator_data: encode(response.authenticatorData),
    signature: encode(response.signature),
  };
}

// -- Forms --------------------------------------------------------------------------------------------

/** @param {any} form @param {string} text */
function say(form, text) {
  const place = form.querySelector(".said");
  place.replaceChildren(text);
  place.dataset.kind = "wrong";
}

/** @param {any} form @param {any} error */
const sayFailure = (form, error) => say(form, SENTENCES[error.name] ?? error.message);

/** @param {any} form @param {string} name @param {any} answer */
function setAnswer(form, name, answer) {
  form.elements[name].value = answer ? JSON.stringify(answer) : "";
}

/** An answer serves once. @param {any} form */
function clearAnswers(form) {
  for (const field of form.querySelectorAll("[data-as=answer]")) field.value = "";
}

/** Ask the browser for what a form needs. @param {any} form */
async function prepare(form) {
  await fetchSession(true);
  const options = await post(form.dataset.question);
  const typed = form.elements.old_code?.value;
  if (form.elements.old_passkey && !typed && options.prove) setAnswer(form, "old_passkey", await prove(options.prove));
  if (form.dataset.passkey === "create") setAnswer(form, "credential", await create(options.create));
}

/** Forms whose answers are there. */
const prepared = new WeakSet();

/** Let the browser answer before forms.js sends a form. @param {any} event */
async function submit(event) {
  const form = event.target;
  const needs = form.dataset.passkey === "create" || (form.elements.old_passkey && !form.elements.old_code?.value);
  if (!form.dataset.passkey || !needs || prepared.delete(form)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const button = form.querySelector("button");
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  say(form, "");
  try {
    if (!hasPasskeys()) throw new Error(MISSING);
    await prepare(form);
    prepared.add(form);
  } catch (error) {
    sayFailure(form, error);
  }
  button.removeAttribute("aria-busy");
  if (prepared.has(form)) form.requestSubmit();
}

// -- Sign in ------------------------------------------------------------------------------------------

/** Offer the passkey that the server asks for. @param {any} form @param {any} question */
function offer(form, question) {
  const button = form.querySelector("#use-passkey");
  button.hidden = !question || !hasPasskeys();
  if (question && !hasPasskeys()) say(form, MISSING);
  if (button.hidden) return;
  button.focus();
  button.onclick = async () => {
    try {
      setAnswer(form, "passkey", await prove(question));
      form.requestSubmit();
    } catch (error) {
      sayFailure(form, error);
    }
  };
}

/** @param {any} event */
function hear({ target: form, detail }) {
  clearAnswers(form);
  if (form.id === "sign-in") offer(form, detail.passkey);
}

document.addEventListener("submit", submit, { capture: true });
document.addEventListener("answered", hear);
if (!hasPasskeys()) for (const part of /** @type {any} */ (document.querySelectorAll("[data-without]"))) part.hidden = false;
