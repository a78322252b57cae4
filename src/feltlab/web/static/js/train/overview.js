// @ts-check
// The list of all games: what is stored of each, and progress as a file.

import { $ } from "../shared/dom.js";
import { readSetting, saveSetting } from "../shared/settings.js";
import { fetchCopies } from "./account_copy.js";
import { Progress } from "./progress.js";

const NAMES = [...document.querySelectorAll("[data-game]")].map((game) => /** @type {HTMLElement} */ (game).dataset.game ?? "");

function showAll() {
  for (const name of NAMES) {
    const line = document.querySelector(`[data-game="${name}"] [data-progress]`);
    if (line) line.textContent = new Progress(name).describe();
  }
  const card = /** @type {HTMLElement} */ (document.querySelector(".daily-card"));
  const { date, right, days } = readSetting("daily", {});
  if (date === card.dataset.today) $("daily-state").textContent = `${right ? "✔ right" : "✘ missed"}, ${days} ${days === 1 ? "day" : "days"} in a row`;
}

$("export").onclick = () => {
  const stored = Object.fromEntries(NAMES.map((name) => [name, readSetting(`train-${name}`, null)]).filter(([, value]) => value));
  const file = new Blob([JSON.stringify({ feltlab: "training", stored })], { type: "application/json" });
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: "feltlab-training.json" });
  link.click();
  URL.revokeObjectURL(link.href);
};

$("import").onchange = async () => {
  try {
    const read = JSON.parse(await $("import").files[0].text());
    if (read.feltlab !== "training") throw new Error();
    for (const [name, value] of Object.entries(read.stored)) if (NAMES.includes(name)) loadRecord(name, value);
    $("storage-said").textContent = "Your progress is loaded.";
    showAll();
  } catch {
    $("storage-said").textContent = "This file holds no training progress.";
  }
};

/** @param {string} name @param {any} value */
function loadRecord(name, value) {
  saveSetting(`train-${name}`, value);
  new Progress(name).save(); // now, so that it replaces the account's
}

showAll();
await fetchCopies(NAMES);
showAll();
