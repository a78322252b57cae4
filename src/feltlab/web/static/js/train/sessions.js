// @ts-check
// The kinds of training: each says which hand comes next and what to say about it.

import { capitalise, titleOfChoice } from "../shared/words.js";

/** @typedef {import("./decision.js").Decision} Decision */
/** @typedef {import("./progress.js").Progress} Progress */
/** @typedef {import("../shared/chart.js").Card} Card */
/** @typedef {(row?: string, after?: string, exam?: boolean) => Promise<Decision>} Deal */

const RIGHT_PER_ROW = 2; // right answers one after the other until a row counts as learnt

/** Mixed hands; those that were missed return. */
export class Mixed {
  /** @param {Deal} deal @param {Progress} progress */
  constructor(deal, progress) {
    Object.assign(this, { deal, progress, after: "", isReturn: false });
  }

  /** @returns {Promise<Decision>} */
  async next() {
    const due = this.progress.dueHand();
    this.isReturn = due !== null && !this.after;
    const decision = this.isReturn ? due : await this.deal("", this.after);
    this.after = decision.after;
    return decision;
  }

  get task() {
    return this.isReturn ? "You missed this hand before. What do you do?" : "What do you do?";
  }

  answered() {}
}

/** Hands of one row. */
export class Drill {
  /** @param {Deal} deal @param {string} row @param {string} words */
  constructor(deal, row, words) {
    Object.assign(this, { deal, row, words, count: 0, right: 0 });
  }

  next() {
    return this.deal(this.row);
  }

  get task() {
    const score = this.count ? ` ${this.right} of ${this.count} right.` : "";
    return `Drill: ${this.words}.${score}`;
  }

  /** @param {Decision} decision @param {number} cost */
  answered(decision, cost) {
    this.count += 1;
    this.right += Number(cost === 0);
  }
}

/** The rows of the card one by one, those first that matter most; hands of rows already learnt come between. */
export class Learn {
  /** @param {Deal} deal @param {Progress} progress @param {Card} card */
  constructor(deal, progress, card) {
    Object.assign(this, { deal, progress, card, inRow: 0, shown: 0, review: null, skipped: new Set() });
  }

  get left() {
    const { learnt } = this.progress.stored;
    return this.card.rows.filter((row) => !learnt.includes(row.name));
  }

  get row() {
    return this.left[0] ?? null;
  }

  /** @returns {Promise<Decision | null>} */
  async next() {
    const { learnt } = this.progress.stored;
    const known = this.card.rows.filter((row) => learnt.includes(row.name) && !this.skipped.has(row.name));
    this.review = this.shown % 3 === 2 && known.length ? known[Math.floor(Math.random() * known.length)] : null;
    this.shown += 1;
    while (this.row) {
      const row = this.review ?? this.row;
      try {
        return await this.deal(row.name);
      } catch (error) {
        if (!(/** @type {any} */ (error).isRare)) throw error;
        this.skipped.add(row.name);
        this.progress.learn(row.name);
        this.review = null;
      }
    }
    return null;
  }

  get task() {
    if (!this.row) return "";
    if (this.review) return "A hand of a row that you know. What do you do?";
    const total = this.card.rows.length, n = total - this.left.length + 1;
    const rule = this.inRow ? "" : ` ${capitalise(this.row.words)}: ${titleOfChoice(this.row.choice)}.`;
    return `Row ${n} of ${total}.${rule || " Another hand of this row: what do you do?"}`;
  }

  /** @param {Decision} decision @param {number} cost */
  answered(decision, cost) {
    if (this.review) return;
    this.inRow = cost ? 0 : this.inRow + 1;
    if (this.inRow < RIGHT_PER_ROW) return;
    this.progress.learn(this.row.name);
    this.inRow = 0;
  }
}

/** A list of hands to answer again, once each. */
export class Again {
  /** @param {Decision[]} list */
  constructor(list) {
    Object.assign(this, { list, at: 0, right: 0 });
  }

  /** @returns {Promise<Decision | null>} */
  async next() {
    return this.list[this.at++] ?? null;
  }

  get task() {
    return `Hand ${this.at} of ${this.list.length}. What do you do?`;
  }

  /** @param {Decision} decision @param {number} cost */
  answered(decision, cost) {
    this.right += Number(cost === 0);
  }

  get summary() {
    return `${this.right} of ${this.list.length} right.`;
  }
}

/** A fixed number of decisions without hints. */
export class Exam {
  /** @param {Deal} deal @param {number} total @param {number} pass in percent */
  constructor(deal, total, pass) {
    /** @type {{decision: Decision, choice: string, cost: number}[]} */
    this.made = [];
    Object.assign(this, { deal, total, pass, after: "", began: Date.now(), seconds: 0, isSilent: true });
  }

  /** @returns {Promise<Decision | null>} */
  async next() {
    if (this.made.length >= this.total) return null;
    return this.deal("", this.after, true);
  }

  get task() {
    return `Exam: decision ${this.made.length + 1} of ${this.total}.`;
  }

  /** @param {Decision} decision @param {number} cost @param {string} choice */
  answered(decision, cost, choice) {
    this.made.push({ decision, choice, cost });
    this.after = decision.after; // which came with the verdict
    this.seconds = Math.round((Date.now() - this.began) / 1000);
  }

  get mistakes() {
    return this.made.filter((one) => one.cost);
  }

  get percent() {
    return Math.round((100 * (this.made.length - this.mistakes.length)) / this.made.length);
  }

  /** The score by cost: what was lost, against what the worst answers would have lost. */
  get weighed() {
    const lost = this.made.reduce((sum, one) => sum + one.cost, 0);
    const worst = this.made.reduce((sum, { decision }) => sum + (decision.values.at(-1)?.cost ?? 0) / decision.unit, 0);
    return worst ? Math.round(100 * (1 - lost / worst)) : 100;
  }

  get passed() {
    return this.percent >= this.pass;
  }
}
