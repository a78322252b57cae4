// @ts-check
// The keyboard: choices, chips, spots and bets each have a key.

import { usesTab } from "./focus.js";

/** @param {import("./play.js").Play} play */
export function listen(play) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, select, textarea")) return;
    if (event.repeat) return event.key === "Enter" ? event.preventDefault() : undefined; // a held key acts once
    if (event.key === "Enter" && usesTab() && target.closest("button, a, summary")) return;
    const action = actionOf(play, event.key);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** The action of a key, if it has one now. @param {import("./play.js").Play} play @param {string} key */
function actionOf(play, key) {
  const letter = key.toLowerCase();
  const chosen = play.seat?.choices?.find((one) => one.key === letter && !one.barred);
  if (chosen) return () => play.choose(chosen);
  if (!play.isOpen) return null;
  const bet = play.bettings.find((one) => one.key.toLowerCase() === letter);
  if (bet) return () => play.bet(bet.text);
  const chip = play.felt.chips.find((one) => one.key === letter);
  if (chip) return () => play.put(play.picked, key === letter ? chip.cents : -chip.cents); // with Shift, take a chip back
  const spot = play.wagers[Number(key) - 1];
  return spot ? () => play.pick(spot.spot) : null;
}
