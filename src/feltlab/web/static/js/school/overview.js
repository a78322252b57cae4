// @ts-check
// What this browser has stored of each game's drills.

import { Progress } from "./progress.js";

for (const place of document.querySelectorAll("[data-game]")) {
  const line = place.querySelector("[data-progress]");
  if (line) line.textContent = new Progress(/** @type {HTMLElement} */ (place).dataset.game ?? "").describe();
}
