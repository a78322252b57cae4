// @ts-check
// The course of a view on the felt: cards are dealt and turned, then hands are named, then wagers are paid one
// after the other. A view is drawn as far as it has come; the stage has it drawn again when more is due.

import { pace } from "../shared/settings.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").PaymentView} PaymentView */

// Milliseconds at normal speed.
const NAME = 120; // from the last card to the names of the hands
const FIRST_PAY = 500; // from the names to the first payment
const NEXT_PAY = 420; // from one payment to the next
const COLLECT = 900; // from a payment to its chips' way to the player
const END = 350; // from the last payment to the end

/** @param {PaymentView} paid */
const keyOf = ({ seat, spot }) => `${seat} ${spot}`;

export class Stage {
  /** @param {() => void} changed draws the view again */
  constructor(changed) {
    this.changed = changed;
    /** @type {number | null} */
    this.round = null; // whose payments are known
    /** @type {Map<string, number>} */
    this.pays = new Map(); // when each wager is paid
    this.named = 0; // when the hands are named
    this.ends = 0;
    this.timer = 0;
  }

  /** Plan the rest of a view whose cards lie after some milliseconds. @param {View} view @param {number} wait @param {boolean} animate */
  plan(view, wait, animate) {
    const now = performance.now(), beat = animate ? pace() : 0;
    if (view.shown !== this.round) this.pays.clear();
    this.round = view.shown;
    if (wait) this.named = now + wait + NAME * beat;
    for (const paid of view.payments) if (!this.pays.has(keyOf(paid))) this.pays.set(keyOf(paid), this.nextPay(now, beat));
    const last = Math.max(0, ...this.pays.values());
    this.ends = Math.max(this.ends, this.named, last > now ? last + END * beat : 0);
    this.wake(now);
  }

  /** When a further wager is paid. @param {number} now @param {number} beat */
  nextPay(now, beat) {
    if (!beat) return 0;
    const last = Math.max(0, ...this.pays.values());
    const first = this.named > now ? this.named + FIRST_PAY * beat : now + NAME * beat;
    return last > now ? Math.max(first, last + NEXT_PAY * beat) : first;
  }

  /** Draw again when the next part is due. @param {number} now */
  wake(now) {
    clearTimeout(this.timer);
    const pays = [...this.pays.values()], beat = pace();
    const due = [this.named, this.ends, ...pays, ...pays.map((at) => at && at + COLLECT * beat)].filter((at) => at > now);
    if (due.length) this.timer = setTimeout(this.changed, Math.min(...due) - now + 1);
  }

  get isNamed() {
    return performance.now() >= this.named;
  }

  /** Whether all of the view is drawn. */
  get isDone() {
    return performance.now() >= this.ends;
  }

  /** @param {PaymentView} paid */
  isPaid(paid) {
    return performance.now() >= (this.pays.get(keyOf(paid)) ?? Infinity);
  }

  /** Whether the chips of a payment have gone to the player. @param {PaymentView} paid */
  isCollected(paid) {
    const at = this.pays.get(keyOf(paid)) ?? Infinity;
    return performance.now() >= at + (at && COLLECT * pace());
  }

  /** Let everything be due now. */
  finish() {
    this.named = this.ends = 0;
    for (const key of this.pays.keys()) this.pays.set(key, 0);
  }
}
