// @ts-check
// The wall: all meters of the house.

import { climb, followJackpots } from "../shared/meters.js";

/** @param {string} mark @param {string} sentence */
function say(mark, sentence) {
  const place = /** @type {HTMLElement | null} */ (document.querySelector(mark));
  if (!place) return;
  place.textContent = sentence;
  place.hidden = !sentence;
}

followJackpots((found) => {
  for (const one of found) {
    for (const meter of one.meters) {
      const place = document.querySelector(`[data-meter="${one.name}/${meter.name}"]`);
      if (place) climb(/** @type {HTMLElement} */ (place), meter.cents);
    }
    say(`[data-stopped="${one.name}"]`, one.stopped);
    say(`[data-pending="${one.name}"]`, one.pending);
  }
});
