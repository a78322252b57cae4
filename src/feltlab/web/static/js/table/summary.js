// @ts-check
// The summary of a visit, when the player's seat is given up: rounds, result, luck, mistakes, best and worst hand.

import { element } from "../shared/dom.js";
import { dollars, signed } from "../shared/words.js";

const ASK_AGAIN = 2000; // milliseconds, while rounds are still judged

/** @typedef {import("./play.js").Play} Play */
/** @typedef {{table: string, round: number, result: number}} Hand */
/** @typedef {{rounds: number, result: number, luck: number, cost: number, judged: number, waiting: number, accuracy: number | null}} Totals */
/** @typedef {{totals: Totals, best?: Hand, worst?: Hand, link: string}} Summary */

/** Show the summary when the player has left; to be called with every view. @param {Play} play */
export function followVisit(play) {
  const began = play.seat ? null : play.visit.end();
  if (began !== null) showSummary(play.view.table, began);
}

/** @param {string} table @param {number} first */
async function fetchSummary(table, first) {
  const answer = await fetch(`/api/hands/summary?table=${encodeURIComponent(table)}&first=${first}`).catch(() => null);
  return answer?.ok ? /** @type {Summary} */ (await answer.json()) : null;
}

/** @param {string} table @param {number} first */
async function showSummary(table, first) {
  const summary = await fetchSummary(table, first);
  if (!summary?.totals.rounds) return;
  const dialog = element("dialog", { classes: "report visit", "aria-labelledby": "visit-title" });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  drawSummary(dialog, summary);
  dialog.showModal();
  keepFresh(dialog, table, first, summary);
}

/** Ask again until every round is judged, as long as the summary is open. @param {any} dialog @param {string} table @param {number} first @param {Summary} summary */
async function keepFresh(dialog, table, first, summary) {
  let known = summary;
  while (known.totals.waiting && dialog.open) {
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN));
    known = (await fetchSummary(table, first)) ?? known;
    if (dialog.open) drawSummary(dialog, known);
  }
}

/** @param {any} dialog @param {Summary} summary */
function drawSummary(dialog, { totals, best, worst, link }) {
  const focus = document.activeElement?.id;
  const judged = totals.judged > 0;
  const figures = [
    ["Rounds", String(totals.rounds)],
    ["Result", signed(totals.result)],
    ["Luck", judged ? signed(Math.round(totals.luck)) : "…"],
    ["Cost of mistakes", judged ? dollars(Math.round(totals.cost)) : "…"],
    ["Accuracy", totals.accuracy === null ? "–" : `${Math.round(100 * totals.accuracy)} %`],
  ];
  const list = element("dl", { classes: "visit-figures" });
  for (const [name, value] of figures) list.append(element("div", {}, element("dt", { text: name }), element("dd", { text: value })));
  const waiting = totals.waiting ? `Working out luck and mistakes: ${totals.rounds - totals.waiting} of ${totals.rounds} rounds are done.` : "";
  dialog.replaceChildren(
    element("h2", { id: "visit-title", text: "Your visit" }),
    list,
    ...(waiting ? [element("p", { classes: "quiet", role: "status", text: waiting })] : []),
    ...(totals.rounds > 1 && best && worst ? [element("p", {}, "Best hand: ", handLink(best), ". Worst hand: ", handLink(worst), ".")] : []),
    element(
      "p",
      { classes: "visit-ways" },
      element("a", { classes: "button", id: "visit-hands", autofocus: true, href: link, text: "See these hands" }),
      " ",
      element("button", { classes: "plain", id: "visit-close", type: "button", text: "Close", onclick: () => dialog.close() }),
    ),
  );
  if (focus?.startsWith("visit-")) document.getElementById(focus)?.focus();
}

/** @param {Hand} hand */
function handLink(hand) {
  return element("a", { href: `/tables/${hand.table}/rounds/${hand.round}`, text: signed(hand.result) });
}
