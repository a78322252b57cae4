// @ts-check
// The strategy card of a game as compact tables, with the row of a hand lit; in a page, or as a dialog over a table.

import { fetchPatiently, wait } from "./api.js";
import { element } from "./dom.js";
import { titleOfChoice } from "./words.js";

/** @typedef {{name: string, words: string, choice: string, line: number, chart: number, row: number, column: number}} CardRow */
/** @typedef {CardRow & {share: number, cost: number, weight: number, sample: number}} WeighedRow */
/** @typedef {{title: string, columns: string[], rows: string[][]}} Grid */
/** @typedef {{lines: [string, string][], charts: Grid[], exceptions: string[], cost: number, rows: WeighedRow[], lit: CardRow | null, keys: Record<string, string>}} Card */

const ASK_AGAIN_MILLISECONDS = 1200;
export const WORKING = "The strategy card is being worked out";

/**
 * The strategy card of a game; asks until the server has made it.
 * @param {string} game
 * @param {string} query options, pays and, for the row of a hand, a position
 * @param {(said: string) => void} [working] hears how far it is
 * @returns {Promise<Card>}
 */
export async function fetchChart(game, query, working = () => {}) {
  for (;;) {
    const answer = await fetchPatiently(`/api/train/${game}/chart${query ? `?${query}` : ""}`);
    const said = await answer.json();
    if (answer.status === 200) return said;
    if (answer.status !== 202) throw new Error(said.error);
    working(describeWork(said.working));
    await wait(ASK_AGAIN_MILLISECONDS);
  }
}

/** @param {{progress: number, seconds: number, ahead: number, step: number, steps: number}} work */
function describeWork({ progress, seconds, ahead, step, steps }) {
  if (ahead) return `${WORKING} after ${ahead === 1 ? "one other" : `${ahead} others`}.`;
  const share = progress ? `, ${Math.round(100 * progress)} %` : ""; // a solver that starts cannot say how far it is
  return `${WORKING}: step ${step} of ${steps}${share}, ${Math.round(seconds)} s so far.`;
}

/** The card as elements. @param {Card} card @param {(row: string) => void} [onDrill] makes rows into buttons */
export function drawChart(card, onDrill) {
  const parts = [];
  if (card.lines.length) parts.push(drawLines(card, onDrill));
  card.charts.forEach((grid, n) => parts.push(drawGrid(card, grid, n, onDrill)));
  if (card.exceptions.length) parts.push(drawExceptions(card.exceptions));
  return element("div", { classes: "chart" }, ...parts);
}

/** @param {Card} card @param {((row: string) => void)} [onDrill] */
function drawLines(card, onDrill) {
  const known = new Set(card.rows.map((row) => row.name));
  const rows = card.lines.map(([when, choice], n) => {
    const name = `line/${n}`;
    const words = onDrill && known.has(name) ? drillButton(when, name, onDrill) : when;
    return element("tr", { "data-row": name }, element("th", { scope: "row" }, words), element("td", { text: titleOfChoice(choice) }));
  });
  return element("table", { classes: "lines" }, element("tbody", {}, ...rows));
}

/** @param {Card} card @param {Grid} grid @param {number} n @param {((row: string) => void)} [onDrill] */
function drawGrid(card, grid, n, onDrill) {
  const head = element("tr", {}, element("td"), ...grid.columns.map((column) => element("th", { scope: "col", text: column })));
  const rows = grid.rows.map(([name, ...cells], r) => {
    const key = `chart/${n}/${r}`;
    const words = onDrill ? drillButton(name, key, onDrill) : name;
    const drawn = cells.map((cell, c) => drawCell(card, cell, `${key}/${c}`));
    return element("tr", { "data-row": key }, element("th", { scope: "row" }, words), ...drawn);
  });
  const wide = grid.columns.length > 6 ? " wide" : "";
  return element("div", { classes: "grid-box", tabindex: "0", role: "region", "aria-label": grid.title },
    element("table", { classes: `grid${wide}` }, element("caption", { text: grid.title }), element("thead", {}, head), element("tbody", {}, ...rows)));
}

/** @param {Card} card @param {string} cell @param {string} name */
function drawCell(card, cell, name) {
  const choice = card.keys[cell] ?? cell;
  const known = Object.values(card.keys).indexOf(choice);
  const shade = known >= 0 ? `shade-${known}` : "";
  return element("td", { classes: shade, "data-row": name, title: cell ? titleOfChoice(choice) : null, text: shortOf(card, cell) });
}

/** A choice in a narrow cell: its key, where the cell names a choice. @param {Card} card @param {string} cell */
function shortOf(card, cell) {
  const found = Object.entries(card.keys).find(([, choice]) => choice === cell);
  return found ? found[0] : cell;
}

/** @param {string} text @param {string} row @param {(row: string) => void} onDrill */
function drillButton(text, row, onDrill) {
  return element("button", { type: "button", classes: "drill", title: "Drill this row", text, onclick: () => onDrill(row) });
}

/** @param {string[]} exceptions */
function drawExceptions(exceptions) {
  const listed = exceptions.map((words) => element("li", { text: words }));
  return element("details", { classes: "exceptions" }, element("summary", { text: "Exceptions" }), element("ul", {}, ...listed));
}

/** Light the row of a hand, and only it. @param {Element} chart @param {CardRow | null} row */
export function lightRow(chart, row) {
  for (const lit of chart.querySelectorAll(".lit")) lit.classList.remove("lit");
  if (!row) return;
  const found = chart.querySelector(`[data-row="${row.name}"]`);
  const parent = row.line < 0 ? chart.querySelector(`[data-row="chart/${row.chart}/${row.row}"]`) : null;
  for (const part of [found, parent]) part?.classList.add("lit");
  const box = chart.closest(".chart-box, dialog");
  if (found && box) scrollInto(/** @type {HTMLElement} */ (box), found);
}

/** Scroll only the box, never the page. @param {HTMLElement} box @param {Element} part */
function scrollInto(box, part) {
  const [outer, inner] = [box.getBoundingClientRect(), part.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - outer.height / 3;
}

/**
 * Show the strategy card in a dialog over any page; Escape closes it and gives the focus back.
 * @param {string} game
 * @param {string} query options, pays and, to light the row of a hand, its position
 * @param {CardRow | null} [lit]
 */
export async function openChart(game, query, lit = null) {
  const said = element("p", { role: "status", text: `${WORKING} …` });
  const title = element("h2", { id: "open-chart-title", tabindex: "-1", autofocus: true, text: "Strategy card" });
  const close = element("button", { type: "button", classes: "plain", text: "Close", onclick: () => box.close() });
  const body = element("div", { classes: "chart-box" }, said);
  const box = element("dialog", { classes: "chart-dialog", "aria-labelledby": "open-chart-title" },
    element("div", { classes: "chart-dialog-top" }, title, close), body);
  box.onclose = () => box.remove();
  document.body.append(box);
  box.showModal();
  try {
    const card = await fetchChart(game, query, (words) => (said.textContent = words));
    body.replaceChildren(drawChart(card));
    lightRow(body, lit ?? card.lit);
  } catch (error) {
    said.textContent = error instanceof Error ? error.message : "The strategy card cannot be reached.";
  }
}
