// @ts-check
// What a visitor has learnt of a game, stored in the browser, with a copy for the account.
//
// A missed hand goes into a box and returns after some decisions; each right answer moves it to the next box, in which
// it waits longer, and a wrong one back to the first. After the last box it is learnt (Leitner's boxes).

import { readSetting, saveSetting } from "../shared/settings.js";
import { keepCopy } from "./account_copy.js";

/** @typedef {import("./decision.js").Decision} Decision */
/** @typedef {{words: string, choice: string, seen: number, right: number, cost: number}} RowScore */
/** @typedef {{decision: Decision, box: number, due: number}} Missed */
/** @typedef {{percent: number, weighed: number, at: string}} ExamResult */
/** @typedef {{count: number, right: number, cost: number, streak: number, longest: number, rows: Record<string, RowScore>, missed: Missed[], learnt: string[], exams: ExamResult[], at?: number}} Stored `at` is when it was changed last */

export const WAITS = [3, 8, 20, 50]; // decisions that a missed hand waits in each box
const MAX_MISSED = 40;
const MAX_EXAMS = 20;
const SMALLEST_COST = 0.005; // cents; a smaller cost is no mistake

/** @returns {Stored} */
const nothing = () => ({ count: 0, right: 0, cost: 0, streak: 0, longest: 0, rows: {}, missed: [], learnt: [], exams: [] });

/** The cost of a choice, in units of the first wager. @param {Decision} decision @param {string} choice */
export function costOf(decision, choice) {
  const found = decision.values.find((one) => one.choice === choice);
  return found && found.cost > SMALLEST_COST ? found.cost / decision.unit : 0;
}

export class Progress {
  /** @param {string} game */
  constructor(game) {
    this.game = game;
    this.name = `train-${game}`;
    /** @type {Stored} */
    this.stored = { ...nothing(), ...readSetting(this.name, {}) };
  }

  save() {
    this.stored.at = Date.now();
    keepCopy(this.game, this.stored);
    saveSetting(this.name, this.stored);
  }

  /** Record an answer; returns what it cost in units. @param {Decision} decision @param {string} choice */
  record(decision, choice) {
    const { stored } = this, cost = costOf(decision, choice), right = cost === 0;
    stored.count += 1;
    stored.right += Number(right);
    stored.cost += cost;
    stored.streak = right ? stored.streak + 1 : 0;
    stored.longest = Math.max(stored.longest, stored.streak);
    this.scoreRow(decision, cost);
    this.moveBox(decision, right);
    this.save();
    return cost;
  }

  /** @param {Decision} decision @param {number} cost */
  scoreRow({ row }, cost) {
    if (!row) return;
    const score = (this.stored.rows[row.name] ??= { words: row.words, choice: row.choice, seen: 0, right: 0, cost: 0 });
    score.seen += 1;
    score.right += Number(cost === 0);
    score.cost += cost;
  }

  /** @param {Decision} decision @param {boolean} right */
  moveBox(decision, right) {
    const { stored } = this;
    const known = stored.missed.find((one) => one.decision.query === decision.query);
    if (!known && right) return;
    stored.missed = stored.missed.filter((one) => one !== known);
    const box = right && known ? known.box + 1 : 0;
    if (box >= WAITS.length) return;
    stored.missed.push({ decision: { ...decision, after: "" }, box, due: stored.count + WAITS[box] });
    stored.missed = stored.missed.slice(-MAX_MISSED);
  }

  /** The missed hand that has waited longest and is due again, or null. @returns {Decision | null} */
  dueHand() {
    const due = this.stored.missed.filter((one) => one.due <= this.stored.count).sort((a, b) => a.due - b.due);
    return due[0]?.decision ?? null;
  }

  /** The rows with mistakes, the costliest first. */
  weakestRows() {
    return Object.entries(this.stored.rows).filter(([, score]) => score.cost > 0)
      .sort(([, a], [, b]) => b.cost / b.seen - a.cost / a.seen);
  }

  /** @param {string} row */
  learn(row) {
    if (!this.stored.learnt.includes(row)) this.stored.learnt.push(row);
    this.save();
  }

  /** @param {ExamResult} result */
  addExam(result) {
    this.stored.exams = [...this.stored.exams, result].slice(-MAX_EXAMS);
    this.save();
  }

  /** In one line, for the list of all games. */
  describe() {
    const { count, right, exams } = this.stored;
    if (!count) return "Not started";
    const best = exams.length ? `, best exam ${Math.max(...exams.map((one) => one.percent))} %` : "";
    return `${count} ${count === 1 ? "decision" : "decisions"}, ${Math.round((100 * right) / count)} % right${best}`;
  }
}
