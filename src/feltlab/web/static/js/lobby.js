// @ts-check
// The lobby keeps itself up to date: seats and players change, and house edges appear as they are proved.

import { fetchSession, post } from "./shared/api.js";
import { enableFinding } from "./shared/find.js";
import { keepLive } from "./shared/refresh.js";
import { readSetting, saveSetting } from "./shared/settings.js";

const READ = "departures", MAX_READ = 20; // notices of seats given up that the visitor has read

/** Hide the notices that the visitor has read. @param {Document} page */
function hideRead(page) {
  const read = readSetting(READ, []);
  for (const notice of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-departure]")))
    notice.hidden = read.includes(notice.dataset.departure);
}

document.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const notice = /** @type {HTMLElement | null} */ (target.closest("button") && target.closest("[data-departure]"));
  if (notice) {
    saveSetting(READ, [...readSetting(READ, []), notice.dataset.departure].slice(-MAX_READ));
    hideRead(document);
  }
  const name = target.closest("button")?.dataset.name;
  if (name) chooseName(name);
});

/** @param {string} name */
async function chooseName(name) {
  const said = document.querySelector(".rename .said");
  try {
    await fetchSession();
    await post("/api/session/name", { name });
    location.reload();
  } catch (error) {
    if (said) said.textContent = /** @type {Error} */ (error).message;
  }
}

hideRead(document);
keepLive(hideRead);
enableFinding();
