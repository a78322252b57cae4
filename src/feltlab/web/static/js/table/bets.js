// @ts-check
// The player's wagers before the deal: the chips put down in this browser, and the table's answer to them.

/** @typedef {Record<string, number>} Wagers cents by spot */

export class Bets {
  /** @param {{act: (action: string, body: object) => Promise<void>}} live @param {() => void} changed */
  constructor(live, changed) {
    this.live = live;
    this.changed = changed;
    /** @type {Promise<void> | null} */
    this.sending = null;
    this.reset(0, 0, {});
  }

  /** @param {number} seat @param {number} round @param {Wagers} wagers */
  reset(seat, round, wagers) {
    this.seat = seat;
    this.round = round;
    this.draft = { ...wagers };
    /** @type {Wagers[]} */
    this.before = []; // drafts to which undo returns
    this.refused = "";
    this.sent = JSON.stringify(wagers);
  }

  /**
   * Follow the table: a new seat or round begins with the wagers on the felt.
   * @param {{phase: string, round: number}} view
   * @param {{seat: number, wagers?: Wagers} | undefined} seat
   */
  follow(view, seat) {
    const open = view.phase === "betting";
    if (!seat) return this.reset(0, 0, {});
    if (seat.seat !== this.seat || view.round !== this.round || !open) this.reset(seat.seat, view.round, seat.wagers ?? {});
  }

  get total() {
    return Object.values(this.draft).reduce((sum, cents) => sum + cents, 0);
  }

  /** @param {Wagers} draft */
  set(draft) {
    this.before.push(this.draft);
    this.draft = Object.fromEntries(Object.entries(draft).filter(([, cents]) => cents > 0));
    this.send();
  }

  /** Twice the draft, or twice the last wagers if nothing is put down. @param {Wagers} last @returns {Wagers} */
  doubled(last) {
    const base = this.total ? this.draft : last;
    return Object.fromEntries(Object.entries(base).map(([spot, cents]) => [spot, 2 * cents]));
  }

  undo() {
    const draft = this.before.pop();
    if (!draft) return;
    this.draft = draft;
    this.send();
  }

  get isSent() {
    return JSON.stringify(this.draft) === this.sent;
  }

  /** Send the newest draft, one request at a time; the table accepts or refuses it. */
  send() {
    this.changed();
    if (this.sending || this.isSent) return;
    this.sending = this.sendNewest().finally(() => {
      this.sending = null;
      this.changed();
    });
  }

  async sendNewest() {
    while (!this.isSent) {
      const wagers = this.draft;
      this.sent = JSON.stringify(wagers);
      try {
        await this.live.act("wager", { seat: this.seat, round: this.round, wagers });
        this.refused = "";
      } catch (error) {
        this.refused = /** @type {Error} */ (error).message;
      }
    }
  }

  async deal() {
    this.send();
    if (this.sending) await this.sending;
    if (this.refused) throw new Error(this.refused);
    await this.live.act("ready", { seat: this.seat, round: this.round });
  }
}
