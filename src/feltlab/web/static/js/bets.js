// Chips on their way to the felt: what this browser has put down, and whether the table takes it.

export class Bets {
  constructor(live, changed) {
    this.live = live;
    this.changed = changed;
    this.reset(0, 0, {});
  }

  reset(seat, round, wagers) {
    Object.assign(this, { seat, round, draft: { ...wagers }, before: [], refused: "", sent: JSON.stringify(wagers) });
  }

  // The table as it is now: a new round begins with an empty felt.
  follow(view, seat) {
    const open = view.phase === "betting";
    if (!seat) return this.reset(0, 0, {});
    if (seat.seat !== this.seat || view.round !== this.round || !open) this.reset(seat.seat, view.round, seat.wagers);
  }

  get total() {
    return Object.values(this.draft).reduce((sum, cents) => sum + cents, 0);
  }

  set(draft) {
    this.before.push(this.draft);
    this.draft = Object.fromEntries(Object.entries(draft).filter(([, cents]) => cents > 0));
    this.send();
  }

  doubled(last) {
    const base = this.total ? this.draft : last;
    return Object.fromEntries(Object.entries(base).map(([spot, cents]) => [spot, 2 * cents]));
  }

  undo() {
    if (!this.before.length) return;
    this.draft = this.before.pop();
    this.send();
  }

  // One after the other, the newest only; the table says whether it takes them.
  send() {
    this.changed();
    this.sending ??= this.sendNewest().finally(() => {
      this.sending = null;
      this.changed();
    });
    return this.sending;
  }

  async sendNewest() {
    while (JSON.stringify(this.draft) !== this.sent) {
      const wagers = this.draft;
      this.sent = JSON.stringify(wagers);
      try {
        await this.live.act("wager", { seat: this.seat, round: this.round, wagers });
        this.refused = "";
      } catch (error) {
        this.refused = error.message;
      }
    }
  }

  async deal() {
    await this.send();
    if (this.refused) throw new Error(this.refused);
    await this.live.act("ready", { seat: this.seat, round: this.round });
  }
}
