// @ts-check
// The player's side of a table: the newest view, the action in progress, and everything the player can do.

import { enter, fetchSession, forgetSession, post } from "../shared/api.js";
import { dollars } from "../shared/words.js";
import { Bets } from "./bets.js";
import { finishCards } from "./dealing.js";
import { Live } from "./live.js";
import { Stage } from "./stage.js";
import { Visit } from "./visit.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Felt} Felt */

const BUY_IN = 20_000; // cents that a player brings to the table

export class Play {
  /** @param {string} name @param {Felt} felt @param {View} view @param {import("./redrawing.js").Redrawing} redrawing */
  constructor(name, felt, view, redrawing) {
    this.name = name;
    this.felt = felt;
    this.redrawing = redrawing;
    this.changed = () => redrawing.soon();
    /** @type {View} */
    this.view = { ...view, seconds: null };
    const order = [...felt.rows.far, ...felt.rows.near].flat().map(({ spot }) => spot);
    const wagers = felt.spots.filter((spot) => !spot.raises && !spot.bonus_on);
    this.wagers = wagers.sort((one, other) => order.indexOf(one.spot) - order.indexOf(other.spot)); // as they are read on the felt
    this.picked = (this.wagers.find((spot) => spot.required) ?? this.wagers[0]).spot;
    this.chip = felt.chips[1].cents;
    /** @type {import("../shared/api.js").Session | null} */
    this.me = null;
    this.busy = false; // an action is being sent
    this.isMoneyStale = false; // chips went back, and the balance is not read yet
    this.movesMoney = false; // the action that is being sent changes the balance
    this.trouble = ""; // the reason of the last refusal
    this.isChoiceRefused = false; // the last refusal was of a choice
    this.news = ""; // what was just done, if nothing else shows it
    this.lost = false; // the connection is lost
    this.graced = ""; // the decision whose clock is lengthened for a lost connection
    this.gone = false; // the visitor may no longer see the table
    this.ended = false; // the session has ended
    this.visit = new Visit(name);
    /** @type {Record<string, number>} */
    this.amounts = {}; // cents that the player has set for the open choices
    /** @type {number | null} */
    this.ends = null; // when the phase ends, by this browser's clock
    /** @type {(choice: string) => void} */
    this.onChoice = () => {}; // the coach listens to every choice
    /** @type {(jackpot: import("../shared/meters.js").Jackpot | null) => void} */
    this.onJackpot = () => {}; // the meter listens to what the table's socket tells
    this.live = new Live(name, {
      view: (seen) => this.receiveView(seen),
      state: (state) => this.followConnection(state === "lost"),
      signedOut: () => this.signedOut(),
      gone: () => this.set({ gone: true }),
      jackpot: (jackpot) => this.onJackpot(jackpot),
    });
    this.bets = new Bets(this.live, this.changed);
    this.stage = new Stage(this.changed);
  }

  /** @param {boolean} signedIn */
  async begin(signedIn) {
    if (signedIn) this.me = await fetchSession();
    if (this.me) this.live.connect();
    else this.live.poll();
    this.changed();
  }

  // -- State ----------------------------------------------------------------------------------------

  get seat() {
    return this.view.seats.find((seat) => seat.yours);
  }

  /** Whether the player may put chips down. */
  get isOpen() {
    return this.view.phase === "betting" && Boolean(this.seat) && !this.seat?.leaves;
  }

  /** Whether the payments on the felt are all of their round, and drawn. */
  get isOver() {
    return ["betting", "settling"].includes(this.view.phase) && this.stage.isDone;
  }

  /** Whether the cards of the last round make room for the chips of the next. */
  get isCleared() {
    return this.isOpen && this.bets.total > 0;
  }

  /** The payments that the dealer has made by now. */
  get payments() {
    return this.view.payments.filter((paid) => this.stage.isPaid(paid));
  }

  get staked() {
    return this.isOpen ? this.bets.total : this.seat?.staked ?? 0;
  }

  /** Guests and players may play; staff watch. */
  get mayPlay() {
    return this.me?.acts.includes("play") ?? true;
  }

  get mayBuy() {
    const { me, seat } = this;
    if (!this.isOpen || !this.stage.isDone || !me || !seat || this.view.limit) return false;
    return me.balance > 0 && (seat.bankroll ?? 0) + (seat.staked ?? 0) < 2 * this.felt.refill_below;
  }

  get mayRefill() {
    if (!this.mayPlay || !this.me || this.view.limit || this.me.balance >= this.felt.refill_below) return false;
    return this.seat ? this.isOpen && this.stage.isDone && (this.seat.bankroll ?? 0) < this.view.limits.minimum : true;
  }

  /** The cents of a further buy-in. */
  get more() {
    return Math.min(this.felt.refill_below, this.me?.balance ?? 0);
  }

  /** All cents of the player: here, at other tables, and at none. */
  get money() {
    const others = Object.entries(this.me?.at_tables ?? {}).filter(([table]) => table !== this.name);
    const here = this.view.seats.filter((seat) => seat.yours).map((seat) => (seat.bankroll ?? 0) + (seat.staked ?? 0));
    return [this.me?.balance ?? 0, ...here, ...others.map(([, cents]) => cents)].reduce((sum, cents) => sum + cents, 0);
  }

  /** The cents won in this visit, with what is settled of the round on the felt. */
  get won() {
    const { seat, view, visit } = this;
    return visit.won + (seat && visit.misses(view.shown) ? this.net(seat.seat) ?? 0 : 0);
  }

  /** The cents that a seat has won or lost so far in the round on the felt; null if nothing was settled. @param {number} seat */
  net(seat) {
    const paid = this.payments.filter((one) => one.seat === seat);
    return paid.length ? paid.reduce((sum, one) => sum + one.net, 0) : null;
  }

  // -- Changes --------------------------------------------------------------------------------------

  /** Whether the amounts of the view and of the balance belong together. */
  get isMoneyKnown() {
    return !this.isMoneyStale && !this.movesMoney;
  }

  /** @param {Partial<Play>} changes */
  set(changes) {
    Object.assign(this, changes);
    this.changed();
  }

  /** @param {View} view */
  receiveView(view) {
    const wasSeated = this.seat;
    const ends = view.seconds === null ? null : performance.now() + 1000 * view.seconds;
    this.isMoneyStale ||= Boolean(wasSeated) && view.seats.every((seat) => !seat.yours);
    if (view.phase !== this.view.phase || view.round !== this.view.round) this.news = "";
    Object.assign(this, { view, ends });
    this.redrawing.later();
    if (!this.seat?.choices) this.amounts = {};
    if (this.isMoneyStale) this.refreshMoney();
  }

  /** Note whether the connection is lost; the clock of an open choice then runs as the server lengthens it: once. @param {boolean} lost */
  followConnection(lost) {
    const decision = `${this.view.round} ${this.seat?.position ?? ""}`;
    if (lost && !this.lost && this.seat?.choices && this.ends !== null && this.graced !== decision) {
      this.graced = decision;
      this.ends = Math.max(this.ends, performance.now() + 1000 * this.view.grace);
    }
    this.set({ lost });
  }

  signedOut() {
    forgetSession();
    this.set({ me: null, busy: false, ended: true });
  }

  /** Add the round on the felt to the result of this visit, once, when it is over; returns whether it was new. */
  countRound() {
    if (!this.isOver) return false;
    const net = this.seat ? this.net(this.seat.seat) : null;
    return net !== null && this.visit.count(this.view.shown, net);
  }

  // -- Actions --------------------------------------------------------------------------------------

  /** Run an action unless one is running; a refusal becomes the message. @param {() => Promise<void>} work */
  async act(work) {
    if (this.busy) return;
    this.set({ busy: true, trouble: "", news: "", isChoiceRefused: false });
    try {
      await work();
    } catch (error) {
      this.trouble = /** @type {Error} */ (error).message;
    }
    this.set({ busy: false });
  }

  /** Take a seat with a first buy-in; a visitor becomes a guest first. @param {number} seat */
  sit(seat) {
    return this.actWithMoney(async () => {
      this.me = await enter();
      if (this.me.balance < this.view.limits.minimum) await post("/api/refill");
      this.me = await fetchSession(true);
      this.ended = false;
      if (!this.live.socket) this.live.connect();
      await this.live.act("sit", { seat, cents: Math.min(BUY_IN, this.me?.balance ?? 0) });
    });
  }

  /** @param {import("./view.js").ChoiceView} open */
  choose(open) {
    if (this.busy || !this.seat) return;
    const { choice } = open, amount = open.any_amount ? { cents: this.amountOf(open) } : {};
    if (amount.cents === 0) return this.set({ trouble: `Enter the amount in dollars, at most ${dollars(open.cents)}.` });
    this.onChoice(choice);
    const { seat } = this.seat, { round } = this.view;
    this.act(() => this.live.act("choose", { seat, round, choice, ...amount }).catch((error) => {
      this.isChoiceRefused = true;
      throw error;
    }));
  }

  /** The cents that a choice puts down: the most, unless the player has set another amount. @param {import("./view.js").ChoiceView} open */
  amountOf({ choice, cents }) {
    return this.amounts[choice] ?? cents;
  }

  deal() {
    if (!this.seat?.ready) return this.act(() => this.bets.deal());
  }

  leave() {
    return this.actWithMoney(() => this.live.act("leave", { seat: this.seat?.seat }));
  }

  buy() {
    return this.actWithMoney(() => this.live.act("buy", { seat: this.seat?.seat, cents: this.more }));
  }

  refill() {
    return this.actWithMoney(async () => {
      await post("/api/refill");
      const me = await fetchSession(true);
      const cents = Math.min(BUY_IN, me?.balance ?? 0);
      if (this.seat) await this.live.act("buy", { seat: this.seat.seat, cents });
    });
  }

  /** Read the player's money again. */
  async refreshMoney() {
    const me = this.me && (await fetchSession(true).catch(() => null));
    this.set({ me: me ?? this.me, isMoneyStale: false });
  }

  /** An action after which the balance is another; until it is read, the old amounts stay. @param {() => Promise<void>} work */
  actWithMoney(work) {
    return this.act(async () => {
      this.movesMoney = true;
      try {
        await work();
        this.me = await fetchSession(true);
      } finally {
        this.movesMoney = false;
      }
    });
  }

  // -- Chips ----------------------------------------------------------------------------------------

  /** Select a spot for the keys of the chips. @param {string} spot */
  pick(spot) {
    const { title } = this.wagers.find((one) => one.spot === spot) ?? { title: spot };
    const keys = this.felt.chips.map(({ key }) => key).join(", ");
    this.set({ picked: spot, trouble: "", news: `${title} is selected: ${keys} add a chip.` });
  }

  /** Put a chip on a spot, and on every spot that must equal it. @param {string} spot @param {number} cents */
  put(spot, cents = this.chip) {
    if (!this.isOpen) return;
    this.picked = spot;
    const { equals, fixed_cents: fixed } = this.wagers.find((one) => one.spot === spot) ?? {}, main = equals || spot;
    const amount = fixed || (this.bets.draft[spot] ?? 0) + cents;
    const equal = this.wagers.filter((one) => one.spot === spot || one.spot === main || one.equals === main);
    this.place({ ...this.bets.draft, ...Object.fromEntries(equal.map((one) => [one.spot, amount])) });
  }

  /** Show the end of the last round at once: the player goes on. */
  hurry() {
    finishCards();
    this.stage.finish();
  }

  /** Put wagers down, or say why they are too large and leave them as they were. @param {Record<string, number>} draft */
  place(draft) {
    this.hurry();
    const trouble = this.excess(draft);
    if (!trouble) this.bets.set(draft);
    this.set({ trouble, news: "" });
  }

  /** Why wagers are too large, or "". @param {Record<string, number>} draft */
  excess(draft) {
    const amounts = Object.values(draft), { maximum } = this.view.limits;
    const total = amounts.reduce((sum, cents) => sum + cents, 0);
    const funds = (this.seat?.bankroll ?? 0) + (this.seat?.staked ?? 0);
    if (total > this.bets.total && total > funds) return "You have too few chips here for that.";
    return Math.max(0, ...amounts) > maximum ? `The maximum on a spot is ${dollars(maximum)}.` : "";
  }

  /** The buttons that change all wagers at once, each with its key. */
  get bettings() {
    const last = this.seat?.last ?? {}, some = Object.keys(last).length > 0;
    const refused = this.bets.refused && !this.bets.sending; // an older draft's refusal does not count
    const blocked = this.busy || refused || this.seat?.ready;
    return [
      { text: "Rebet", key: "r", may: some && !this.bets.total, does: () => this.place(last) },
      { text: "Double", key: "d", may: some || this.bets.total > 0, does: () => this.place(this.bets.doubled(last)) },
      { text: "Undo", key: "u", may: this.bets.before.length > 0, does: () => this.bets.undo() },
      { text: "Clear", key: "0", may: this.bets.total > 0, does: () => this.bets.set({}) },
      { text: "Deal", key: "Enter", may: this.bets.total > 0 && !blocked, does: () => this.deal() },
    ];
  }

  /** Press one of those buttons. @param {string} text */
  bet(text) {
    const found = this.bettings.find((one) => one.text === text);
    if (this.isOpen && found?.may) found.does();
  }
}
