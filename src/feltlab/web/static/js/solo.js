// @ts-check
// Deals the visitor in: makes a guest of a visitor without a session, opens a private table, and goes on to it.

import { enter, post } from "./shared/api.js";

/** @param {string} id @returns {any} */
const $ = (id) => document.getElementById(id);
const page = $("deal-in"), asks = JSON.parse(page.dataset.asks), { coach } = page.dataset;

async function dealIn() {
  $("deal-in-ways").hidden = true;
  $("deal-in-said").textContent = "A table of your own is being opened.";
  try {
    await enter();
    const { table } = await post("/api/solo", asks);
    location.replace(`/tables/${table}${coach ? `?coach=${encodeURIComponent(coach)}` : ""}`);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    $("deal-in-said").textContent = error instanceof TypeError ? "The server does not answer." : message;
    $("deal-in-ways").hidden = false;
  }
}

$("deal-in-again").onclick = dealIn;
dealIn();
