// @ts-check
// The reality check: a dialog at the table, after as many minutes of play as the player has asked for.
// The server counts the time and the money; this module only asks for them.

import { dollars, signed } from "../shared/words.js";

const ASK = 30_000; // milliseconds between two questions, while a reminder is set
const LOOK = 300_000; // milliseconds until the page looks whether one was set in another tab

/** @typedef {{loss: number | null, minutes: number | null, reminder: number | null}} Limits */
/** @typedef {{in_force: Limits, day: {lost: number, minutes: number} | null}} Answer */

/** @returns {Promise<Answer | null>} */
async function fetchLimits() {
  try {
    const answer = await fetch("/api/limits");
    return answer.ok ? await answer.json() : null;
  } catch {
    return null; // the connection, or the page that is left, ended it
  }
}

/** @param {number} minutes */
const describeTime = (minutes) => (minutes < 60 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`);

/** @param {string} text @param {string} address */
function makeLink(text, address) {
  const link = document.createElement("a");
  Object.assign(link, { href: address, textContent: text, className: "button plain" });
  return link;
}

/** @param {Answer} answer */
function show({ in_force, day }) {
  if (!day || document.querySelector("dialog.reality[open]")) return;
  const dialog = document.createElement("dialog");
  dialog.className = "reality";
  dialog.setAttribute("aria-labelledby", "reality-title");
  const title = document.createElement("h2");
  Object.assign(title, { id: "reality-title", textContent: `You have played ${describeTime(day.minutes)}` });
  const result = document.createElement("p");
  const left = in_force.loss === null ? "" : ` Your limit is a loss of ${dollars(in_force.loss)}.`;
  result.textContent = `Your result today: ${signed(-day.lost)}.${left} Is this still what you want?`;
  const go = document.createElement("button");
  Object.assign(go, { type: "button", textContent: "Go on playing" });
  go.addEventListener("click", () => dialog.close());
  const ways = document.createElement("p");
  ways.className = "ways";
  ways.append(makeLink("Take a break", "/"), makeLink("My limits", "/limits"), go);
  dialog.append(title, result, ways);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Remind the player, as often as the limits say. @param {() => boolean} isSeated */
export function remindPlayer(isSeated) {
  /** @type {number | null} */
  let reminded = null; // reminders that were due when the page was opened, or since
  const look = async () => {
    const answer = document.hidden || !isSeated() ? null : await fetchLimits();
    const every = answer?.in_force.reminder;
    if (answer && every) {
      const due = Math.floor((answer.day?.minutes ?? 0) / every); // before the first wager of a day there is none
      if (reminded !== null && due > reminded) show(answer);
      reminded = due;
    }
    setTimeout(look, answer && !every ? LOOK : ASK);
  };
  look();
}
