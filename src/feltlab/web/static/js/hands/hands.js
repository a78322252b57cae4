// @ts-check
// My hands: keeps itself up to date while rounds are judged, and filters as soon as a filter is changed.

import { keepLive } from "../shared/refresh.js";

keepLive();

const filters = /** @type {HTMLFormElement | null} */ (document.querySelector("form.filters"));
filters?.addEventListener("change", (event) => {
  const changed = /** @type {HTMLInputElement} */ (event.target);
  if (changed.type !== "date") filters.requestSubmit(); // a date is typed digit by digit
});
