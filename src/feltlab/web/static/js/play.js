// A player's side of a table: the newest view, what is on its way, and everything the player can do.

import { Bets } from "./bets.js";
import { Live } from "./live.js";
import { enter, forget, post, whoAmI } from "./pit.js";
import { visited, visiting } from "./settings.js";
import { dollars } from "./words.js";

const BUY_IN = 20_000, LOW = 10_000; // cents that are brought to a table, and that are few

export class Play {
  constructor(name, felt, view, changed) {
    Object.assign(this, { name, felt, changed, view: { ...view, seconds: null } });
    this.wagers = felt.spots.filter((spot) => !spot.raises);
    this.picked = (this.wagers.find((spot) => spot.required) ?? this.wagers[0]).spot;
    this.chip = felt.chips[1].cents;
    this.me = null; // the session
    this.busy = false; // an act is on its way
    this.trouble = ""; // what was refused last
    this.lost = this.ended = false; // the connection, the session
    Object.assign(this, visited(name)); // what was won in this visit, and the last round that is in it
    this.ends = null; // when the phase ends, by this clock
    this.onChoice = () => {}; // told of every choice as it is made
    this.live = new Live(name, {
      view: (seen) => this.saw(seen),
      state: (state) => this.set({ lost: state === "lost" }),
      signedOut: () => this.signedOut(),
    });
    this.bets = new Bets(this.live, changed);
  }

  async begin(known) {
    if (known) this.me = await whoAmI();
    if (this.me) this.live.join();
    else this.live.watch();
    this.changed();
  }

  // -- What is known --------------------------------------------------------------------------------

  get seat() {
    return this.view.seats.find((seat) => seat.yours);
  }

  get isOpen() {
    return this.view.phase === "betting" && Boolean(this.seat) && !this.seat.leaves;
  }

  // The round whose cards lie on the felt.
  get shown() {
    return this.view.phase === "betting" ? this.view.round - 1 : this.view.round;
  }

  get staked() {
    return this.isOpen ? this.bets.total : this.seat?.staked ?? 0;
  }

  // Guests may, and who has an account for it; staff watch.
  get mayPlay() {
    return this.me?.acts.includes("play") ?? true;
  }

  get mayBuy() {
    return this.isOpen && this.me?.balance > 0 && this.seat.bankroll + this.seat.staked < 2 * LOW;
  }

  get mayRefill() {
    if (!this.mayPlay || !this.me || this.me.balance >= LOW) return false;
    return this.seat ? this.isOpen && this.seat.bankroll < this.view.limits.minimum : true;
  }

  get more() {
    return Math.min(LOW, this.me?.balance ?? 0);
  }

  // The cents that a seat won or lost in the round that is shown; null without a payment.
  net(seat) {
    const paid = this.view.payments.filter((one) => one.seat === seat);
    return paid.length ? paid.reduce((sum, one) => sum + one.net, 0) : null;
  }

  // -- What comes -----------------------------------------------------------------------------------

  set(changes) {
    Object.assign(this, changes);
    this.changed();
  }

  saw(view) {
    const sat = this.seat;
    const ends = view.seconds === null ? null : performance.now() + 1000 * view.seconds;
    this.set({ view, ends });
    if (sat && !this.seat) whoAmI(true).then((me) => this.set({ me })); // chips went back to the balance
  }

  signedOut() {
    forget();
    this.set({ me: null, busy: false, ended: true });
  }

  // Adds the shown round to what this visit brought, once: whether it was new.
  count() {
    const net = this.seat ? this.net(this.seat.seat) : null;
    if (net === null || this.counted === this.shown) return false;
    this.counted = this.shown;
    this.won += net;
    visiting(this.name, { won: this.won, counted: this.counted });
    return true;
  }

  // -- Acts -----------------------------------------------------------------------------------------

  async act(work) {
    if (this.busy) return;
    this.set({ busy: true, trouble: "" });
    try {
      await work();
    } catch (error) {
      this.trouble = error.message;
    }
    this.set({ busy: false });
  }

  sit(seat) {
    return this.act(async () => {
      this.me = await enter();
      if (this.me.balance < this.view.limits.minimum) await post("/api/refill");
      this.me = await whoAmI(true);
      this.ended = false;
      if (!this.live.socket) this.live.join();
      await this.live.act("sit", { seat, cents: Math.min(BUY_IN, this.me.balance) });
      this.me = await whoAmI(true);
    });
  }

  choose(choice) {
    if (this.busy) return;
    this.onChoice(choice);
    const { seat } = this.seat;
    this.act(() => this.live.act("choose", { seat, round: this.view.round, choice }));
  }

  deal() {
    if (!this.seat?.ready) return this.act(() => this.bets.deal());
  }

  leave() {
    return this.actWithMoney(() => this.live.act("leave", { seat: this.seat.seat }));
  }

  buy() {
    return this.actWithMoney(() => this.live.act("buy", { seat: this.seat.seat, cents: this.more }));
  }

  refill() {
    return this.actWithMoney(async () => {
      await post("/api/refill");
      const { balance } = await whoAmI(true);
      if (this.seat) await this.live.act("buy", { seat: this.seat.seat, cents: Math.min(BUY_IN, balance) });
    });
  }

  actWithMoney(work) {
    return this.act(async () => {
      await work();
      this.me = await whoAmI(true);
    });
  }

  // -- Chips ----------------------------------------------------------------------------------------

  put(spot, cents = this.chip) {
    if (!this.isOpen) return;
    this.picked = spot;
    this.lay({ ...this.bets.draft, [spot]: (this.bets.draft[spot] ?? 0) + cents });
  }

  // Chips that cannot lie there are not put down at all.
  lay(draft) {
    const trouble = this.tooMuch(draft);
    if (!trouble) this.bets.set(draft);
    this.set({ trouble });
  }

  tooMuch(draft) {
    const amounts = Object.values(draft), { maximum } = this.view.limits;
    const total = amounts.reduce((sum, cents) => sum + cents, 0);
    if (total > this.bets.total && total > this.seat.bankroll + this.seat.staked) return "Your bankroll does not cover that.";
    return Math.max(0, ...amounts) > maximum ? `The maximum on a spot is ${dollars(maximum)}.` : "";
  }

  // What can be done with all chips at once, with its key.
  get bettings() {
    const last = this.seat?.last ?? {}, some = Object.keys(last).length > 0;
    const refused = this.bets.refused && !this.bets.sending; // of the newest chips, not of those before them
    const ready = this.busy || refused || this.seat?.ready;
    return [
      { text: "Rebet", key: "r", may: some && !this.bets.total, does: () => this.lay(last) },
      { text: "Double", key: "d", may: some || this.bets.total > 0, does: () => this.lay(this.bets.doubled(last)) },
      { text: "Undo", key: "u", may: this.bets.before.length > 0, does: () => this.bets.undo() },
      { text: "Clear", key: "0", may: this.bets.total > 0, does: () => this.bets.set({}) },
      { text: "Deal", key: "Enter", may: this.bets.total > 0 && !ready, does: () => this.deal() },
    ];
  }

  bet(text) {
    const found = this.bettings.find((one) => one.text === text);
    if (this.isOpen && found.may) found.does();
  }
}
