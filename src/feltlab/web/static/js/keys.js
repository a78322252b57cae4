// Play by keyboard: a choice by its letter, chips and spots by theirs.

import { $ } from "./dom.js";
import { goesByTab } from "./focus.js";

export function listen(play) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("report").open) return;
    if (event.target.closest("input, select, textarea")) return;
    if (event.repeat) return event.key === "Enter" ? event.preventDefault() : undefined; // a key that is held acts once
    if (event.key === "Enter" && goesByTab() && event.target.closest("button, a, summary")) return;
    const does = meaning(play, event.key);
    if (!does) return;
    event.preventDefault();
    does();
  });
}

function meaning(play, key) {
  const small = key.toLowerCase();
  const chosen = play.seat?.choices?.find((one) => one.key === small && !one.barred);
  if (chosen) return () => play.choose(chosen.choice);
  if (!play.isOpen) return null;
  const bet = play.bettings.find((one) => one.key.toLowerCase() === small);
  if (bet) return () => play.bet(bet.text);
  const chip = play.felt.chips.find((one) => one.key === small);
  if (chip) return () => play.put(play.picked, key === small ? chip.cents : -chip.cents); // a capital takes back
  const spot = play.wagers[Number(key) - 1];
  return spot ? () => play.set({ picked: spot.spot }) : null;
}
