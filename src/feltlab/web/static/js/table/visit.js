// @ts-check
// The visit of a player to a table: from taking a seat until it is given up, also if the page is loaded again.

/** @typedef {{began: number | null, counted: number, won: number}} Counts the round in which the visit began, the last round that is counted, and the cents won */

const PREFIX = "feltlab-visit:"; // of a tab's storage, by table
/** @type {Counts} */
const NONE = { began: null, counted: 0, won: 0 };

export class Visit {
  /** @param {string} table @param {Storage | null} storage */
  constructor(table, storage = globalThis.sessionStorage ?? null) {
    this.key = PREFIX + table;
    this.storage = storage;
    this.counts = this.read();
  }

  /** @returns {Counts} */
  read() {
    try {
      return { ...NONE, ...JSON.parse(this.storage?.getItem(this.key) ?? "null") };
    } catch {
      return NONE;
    }
  }

  /** @param {Counts} counts */
  save(counts) {
    this.counts = counts;
    try {
      this.storage?.setItem(this.key, JSON.stringify(counts));
    } catch {
      // a browser without storage can still play
    }
  }

  get won() {
    return this.counts.won;
  }

  /** Begin with a round, unless the visit has begun. @param {number} round */
  begin(round) {
    if (this.counts.began === null) this.save({ began: round, counted: round - 1, won: 0 });
  }

  /** Whether a round belongs to the visit and is not counted yet. @param {number | null} round */
  misses(round) {
    return this.counts.began !== null && round !== null && round > this.counts.counted;
  }

  /** Add the result of a round, once; returns whether it was new. @param {number | null} round @param {number} net */
  count(round, net) {
    if (round === null || !this.misses(round)) return false;
    this.save({ ...this.counts, counted: round, won: this.counts.won + net });
    return true;
  }

  /** End the visit; returns the round in which it began, or null if there was none. */
  end() {
    const { began } = this.counts;
    if (began !== null) this.save(NONE);
    return began;
  }
}
