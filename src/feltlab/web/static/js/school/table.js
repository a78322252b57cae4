// @ts-check
// Deal a whole table. An act has a kind and mostly a place: press the key of the act, then the number of the place, or
// click the place on the felt. The browser holds the acts; the server deals them again and names the slips.

import { fetchSession, post, wait } from "../shared/api.js";
import { $, element } from "../shared/dom.js";
import { pace, readSetting, saveSetting } from "../shared/settings.js";
import { choiceInWords, dollars } from "../shared/words.js";
import { ChipsAnswer } from "./answers.js";
import { button, describeSlip, releaseKeys } from "./ask.js";
import { drawFelt, wagersOf } from "./felt.js";

const SEEDS = 2 ** 32;
const MAX_THINKING_SECONDS = 2.5; // that a player is waited for,
const MAX_BETTING_SECONDS = 0.9; // and for the bets of one
const ACTS = [
  ["call", "c", "Call"], ["pitch", "d", "Deal"], ["ask", "a", "Ask"], ["turn", "u", "Turn up"], ["take", "t", "Take"],
  ["part", "h", "Take part"], ["push", "p", "Push"], ["pay", "y", "Pay"], ["collect", "l", "Collect"], ["end", "e", "End"],
];
const ON_WAGERS = ["take", "part", "push", "pay"];
const WITH_CHIPS = ["part", "pay"];

const STAY_IN = "stay-in"; // the rule of players without a strategy

/** The strategy of a seat in a word or two. @param {string} name */
function namePlay(name) {
  return { "": "", optimal: "best play", [STAY_IN]: "stays in" }[name] ?? `plays ${name.replaceAll("-", " ")}`;
}

class TablePage {
  constructor() {
    this.data = JSON.parse($("school-data").textContent);
    this.bonuses = Object.fromEntries(Object.keys(this.data.game.bonuses).map((spot) => [spot, ""]));
    this.name = `school-table-${this.data.game.name}`;
    /** @type {any} */
    this.view = null;
    /** @type {any} */
    this.dealt = null;
    /** @type {any} */
    this.sending = null; // the table that waits for an answer
    this.kind = "";
    /** @type {any} */
    this.rack = null;
    this.current = 0;
    this.buttons = ACTS.map(([kind, key, text]) => element("button", { type: "button", classes: "plain act", "data-kind": kind, "aria-pressed": "false", onclick: () => this.choose(kind) },
      element("kbd", { text: key.toUpperCase() }), element("span", { text })));
    $("acts").replaceChildren(...(this.data.record ? [] : this.buttons));
    for (const field of this.data.record ? [] : ["seats", "level"]) {
      releaseKeys($(field));
      $(field).onchange = () => this.begin();
    }
    $("felt").onclick = (/** @type {MouseEvent} */ event) => this.click(event);
    addEventListener("keydown", (event) => this.press(event));
    fetchSession().then(() => this.resume());
  }

  /** Go on with the hand that this browser was dealing, or begin a new one. */
  resume() {
    const dealt = readSetting(this.name, null);
    if (this.data.record) return this.replay(0);
    if (!dealt) return this.begin();
    this.dealt = dealt;
    $("seats").value = String(dealt.seats);
    $("level").value = String(dealt.level);
    this.send(null);
  }

  /** Show a table on record after this many of its acts. @param {number} count */
  async replay(count) {
    const { seed, level, seats, acts, players, slips, seconds } = this.data.record, at = Math.max(0, Math.min(acts.length, count));
    this.dealt = { seed, level, seats, players, plays: [], acts: acts.slice(0, at), began: 0 };
    const sent = this.dealt.acts.map((/** @type {any} */ { kind, place, words, spot, chips }) => ({ kind, place, words, spot, chips }));
    const view = await post(`/api/school/${this.data.game.name}/table`, { seed, level, seats, players, acts: sent });
    const before = this.view && at && this.at === at - 1 ? this.view.slips.length : view.slips.length;
    this.at = at;
    this.view = view;
    this.draw(view);
    $("made").replaceChildren(...acts.map((/** @type {any} */ _, /** @type {number} */ n) => element("li", { text: n < at ? view.made[n] : "…", "aria-current": String(n === at - 1) })));
    $("made").scrollTop = Math.max(0, 20 * at - 60);
    const shown = at === acts.length ? slips : view.slips.slice(before);
    $("verdict").className = `verdict ${shown.length ? "bad" : ""}`;
    $("verdict").replaceChildren(element("p", { classes: "verdict-line", text: at ? view.made[at - 1] : `${acts.length} acts in ${seconds} seconds, ${slips.length} ${slips.length === 1 ? "slip" : "slips"}.` }),
      ...(shown.length ? [element("ul", { classes: "slip" }, ...shown.map(describeSlip))] : []));
    $("prompt").textContent = `Act ${at} of ${acts.length}`;
    $("go").replaceChildren(button("Back", () => this.replay(at - 1), "plain", "←"), button("Next act", () => this.replay(at + 1), "", "→"));
    this.showScore();
  }

  begin() {
    this.dealt = { seed: Math.floor(Math.random() * SEEDS), level: Number($("level").value), seats: Number($("seats").value), acts: [], players: [], plays: [], began: Date.now() };
    this.view = null;
    this.note = "";
    this.say("The players take their seats …", "");
    this.send(null);
  }

  /** @param {any} act the next act, or null to look at the table only */
  async send(act) {
    const { dealt } = this;
    if (this.sending === dealt) return;
    this.sending = dealt;
    try {
      await this.perform(dealt, act);
    } catch (error) {
      if (this.dealt === dealt) this.say(error instanceof Error ? error.message : "The school cannot be reached.", "bad");
    }
    if (this.sending === dealt) this.sending = null;
  }

  /** Make an act at a table; nothing is shown if another table was begun meanwhile. @param {any} dealt @param {any} act */
  async perform(dealt, act) {
    const { seed, level, seats, acts, players, began } = dealt, before = this.view, isNew = !players?.length;
    const all = act ? [...acts, act] : acts, seconds = all.length > 1 ? Math.min(86_400, (Date.now() - began) / 1000) : 0;
    const view = await post(`/api/school/${this.data.game.name}/table`, { seed, level, seats, acts: all, players: players ?? [], seconds });
    if (this.dealt !== dealt) return;
    dealt.acts = all;
    if (isNew) Object.assign(dealt, { players: view.players, plays: view.plays });
    if (isNew && view.players.every((/** @type {string} */ name) => name === STAY_IN)) this.note = "The seats stay in with every hand: their strategies are not worked out yet.";
    if (act && !all.slice(0, -1).length) dealt.began = Date.now();
    saveSetting(this.name, view.over ? null : dealt);
    if (isNew && !all.length) await this.letBet(view);
    if (this.dealt === dealt) await this.letThink(before, view);
    if (this.dealt === dealt) this.show(view, view.slips.slice(before?.slips.length ?? view.slips.length), act);
  }

  /** Players put down their bets one after the other. @param {any} view */
  async letBet(view) {
    const { dealt } = this;
    for (let placed = 0; pace() && placed < view.seats.length && this.dealt === dealt; placed += 1) {
      this.draw({ ...view, seats: view.seats.map((/** @type {any} */ seat, /** @type {number} */ n) => (n < placed ? seat : { ...seat, wagers: {} })) });
      this.say(`Seat ${placed + 1} bets …`, "");
      await wait(1000 * pace() * Math.min(MAX_BETTING_SECONDS, view.bets[placed]));
    }
  }

  /** @param {any} view */
  draw(view) {
    const seats = view.seats.map((/** @type {any} */ seat, /** @type {number} */ n) => ({ ...seat, plays: namePlay(this.dealt.players?.[n] ?? ""), playsWords: this.dealt.plays?.[n] ?? "" }));
    drawFelt($("felt"), { seats, spots: view.spots, ...view.shared }, this.data.tray, this.bonuses);
  }

  /** A player takes some time to answer. @param {any} before @param {any} view */
  async letThink(before, view) {
    const answer = view.answers[before?.answers.length ?? view.answers.length];
    if (!answer || !pace()) return;
    this.say(`Seat ${answer.seat} thinks …`, "");
    await wait(1000 * pace() * Math.min(MAX_THINKING_SECONDS, answer.seconds));
  }

  /** @param {any} view @param {any[]} slips of the last act @param {any} act */
  show(view, slips, act) {
    this.view = view;
    this.draw(view);
    for (const wager of document.querySelectorAll(".wager")) /** @type {HTMLButtonElement} */ (wager).disabled = false;
    $("made").replaceChildren(...view.made.map((/** @type {string} */ text) => element("li", { text })));
    $("made").scrollTop = $("made").scrollHeight;
    this.choose("");
    if (act) this.showVerdict(view, slips);
    else this.say(view.made.length ? "You were dealing this hand." : `The wagers are down. Close the betting, then deal. ${this.note ?? ""}`.trim(), "");
    this.showScore();
    if (view.over) this.end();
  }

  /** @param {any} view @param {any[]} slips */
  showVerdict(view, slips) {
    const last = view.answers.at(-1), made = view.made.at(-1);
    const said = this.answersShown < view.answers.length && last ? ` Seat ${last.seat}: ${choiceInWords(last.choice)}.` : "";
    $("verdict").className = `verdict ${slips.length ? "bad" : "good"}`;
    $("verdict").replaceChildren(element("p", { classes: "verdict-line", text: `${made}${said}` }),
      ...(slips.length ? [element("ul", { classes: "slip" }, ...slips.map(describeSlip))] : []));
    this.answersShown = view.answers.length;
  }

  /** @param {string} text @param {string} tone */
  say(text, tone) {
    $("verdict").className = `verdict ${tone}`;
    $("verdict").replaceChildren(element("p", { classes: "verdict-line", text }));
    this.answersShown = this.view?.answers.length ?? 0;
  }

  // -- Acts ---------------------------------------------------------------------------------------------

  /** Choose the kind of the next act. @param {string} kind */
  choose(kind) {
    this.kind = !this.view || this.view.over ? "" : kind;
    this.rack = null;
    this.current = 0;
    for (const made of this.buttons) made.setAttribute("aria-pressed", String(made.dataset.kind === this.kind));
    $("answers").replaceChildren();
    $("go").replaceChildren();
    $("prompt").textContent = this.kind ? "" : "Choose an act, then its place.";
    if (["collect", "end"].includes(this.kind)) return this.send({ kind: this.kind, place: "table" });
    if (this.kind) this.showTargets();
  }

  /** The places, calls or wagers that the act may be about. */
  listTargets() {
    const { view, kind } = this;
    if (kind === "call") return view.calls.map((/** @type {string} */ words) => ({ text: words, act: { kind, place: "table", words } }));
    if (ON_WAGERS.includes(kind)) return this.listWagers().map(({ seat, spot, cents }) => ({ text: `Seat ${seat}, ${view.spots[spot]}${cents ? ` ${dollars(cents)}` : ""}`, seat, spot, act: { kind: kind === "part" ? "take" : kind, place: `seat ${seat}`, spot } }));
    const shared = (/** @type {string} */ place) => !place.startsWith("seat") && place !== "table";
    const places = view.places.filter((/** @type {string} */ place) => kind === "ask" ? place.startsWith("seat") : kind === "turn" ? shared(place) && place !== "burn" : place !== "table");
    return places.map((/** @type {string} */ place) => ({ text: place[0].toUpperCase() + place.slice(1), act: { kind, place } }));
  }

  /** Wagers on the felt from the dealer's right to left, and bonuses on them. */
  listWagers() {
    return [...this.view.seats].reverse().flatMap((/** @type {any} */ seat) => wagersOf(seat, this.view.spots, this.bonuses).map(([spot, cents]) => ({ seat: seat.seat, spot, cents })));
  }

  showTargets() {
    this.targets = this.listTargets();
    $("prompt").textContent = { call: "What do you call?", pitch: "To whom?", ask: "Which seat chooses?", turn: "Which cards?" }[this.kind] ?? "Which wager?";
    const buttons = this.targets.map((/** @type {any} */ target, /** @type {number} */ n) => element("button", { type: "button", classes: "answer plain", onclick: () => this.pick(target) },
      ...(n < 9 ? [element("kbd", { text: String(n + 1) })] : []), element("span", { text: target.text })));
    $("answers").replaceChildren(element("div", { classes: "options many targets", role: "group", "aria-label": "Places" }, ...buttons));
    this.mark(0);
  }

  /** Mark a target, which Enter picks. @param {number} n */
  mark(n) {
    const buttons = [...$("answers").querySelectorAll(".answer")];
    if (!buttons.length) return;
    this.current = (n + buttons.length) % buttons.length;
    buttons.forEach((made, at) => made.setAttribute("aria-pressed", String(at === this.current)));
    buttons[this.current].scrollIntoView({ block: "nearest" });
  }

  /** @param {any} target */
  pick(target) {
    if (!WITH_CHIPS.includes(this.kind)) return this.send(target.act);
    $("prompt").textContent = `${this.kind === "pay" ? "Pay" : "Take a part of"} ${target.text}`;
    const give = button(this.kind === "pay" ? "Pay" : "Take", () => this.send({ ...target.act, chips: this.rack.words.map(Number) }), "confirm", "Enter");
    $("go").replaceChildren(give);
    this.rack = new ChipsAnswer(/** @type {any} */ ({}), $("answers"), $("felt"), () => (give.disabled = !this.rack?.isComplete), this.data.tray);
    give.disabled = true;
  }

  /** A click on the felt: a wager, a seat or shared cards. @param {MouseEvent} event */
  click(event) {
    if (this.view?.over || !this.kind || this.rack || this.data.record) return;
    const target = /** @type {Element} */ (event.target), wager = /** @type {HTMLElement | null} */ (target.closest(".wager"));
    const seat = /** @type {HTMLElement | null} */ (target.closest(".school-seat"))?.dataset.seat;
    const side = /** @type {HTMLElement | null} */ (target.closest("[data-place]"))?.dataset.place;
    const found = (this.targets ?? []).find((/** @type {any} */ one) => wager && ON_WAGERS.includes(this.kind)
      ? one.spot === wager.dataset.spot && String(one.seat) === wager.dataset.seat
      : one.act.place === (seat ? `seat ${seat}` : side) && !one.spot && !one.act.words);
    if (found) this.pick(found);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
    if (this.pressKey(event)) event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  pressKey(event) {
    const walk = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (this.data.record) return walk ? (this.replay((this.at ?? 0) + walk), true) : false;
    const act = ACTS.find(([, key]) => key === event.key.toLowerCase());
    if (event.key === "Escape") return this.choose(""), true;
    if (this.rack?.press(event)) return true;
    if (event.key === "Enter" && !event.repeat) return this.enter(/** @type {Element} */ (event.target));
    if (act && !event.repeat) return this.choose(act[0]), true;
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step && this.kind && !this.rack) return this.mark(this.current + step), true;
    const found = /^[1-9]$/.test(event.key) && this.kind && !this.rack ? this.targets[Number(event.key) - 1] : null;
    return found ? (this.pick(found), true) : false;
  }

  /** @param {Element} target */
  enter(target) {
    if (target.closest("a, summary")) return false;
    const go = /** @type {HTMLButtonElement | null} */ ($("go").querySelector("button"));
    if (go) go.disabled || go.click();
    else if (this.kind && this.targets?.length) this.pick(this.targets[this.current]);
    else return false;
    return true;
  }

  // -- Score --------------------------------------------------------------------------------------------

  showScore() {
    const { slips, cost, target_seconds: target } = this.view;
    const facts = [["Slips", String(slips.length)], ["Cost", dollars(cost)], ["Target", `${Math.round(target)} s`], ["Acts", String(this.dealt.acts.length)]];
    $("score").replaceChildren(element("dl", { classes: "facts" }, ...facts.map(([term, value]) => element("div", {}, element("dt", { text: term }), element("dd", { text: value })))));
  }

  end() {
    const { slips, cost, target_seconds: target } = this.view, seconds = Math.max(1, Math.round((Date.now() - this.dealt.began) / 1000));
    $("verdict").className = `verdict ${slips.length ? "bad" : "good"}`;
    const line = slips.length ? `The round is over with ${slips.length} ${slips.length === 1 ? "slip" : "slips"}, ${dollars(cost)} moved wrongly.` : "The round is over without a slip.";
    $("verdict").replaceChildren(element("p", { classes: "verdict-line", text: `${line} ${seconds} seconds, ${Math.round(3600 / seconds)} rounds an hour; the target is ${Math.round(3600 / target)}.` }),
      ...(slips.length ? [element("ul", { classes: "slip" }, ...slips.map(describeSlip))] : []));
    $("prompt").textContent = "";
    const again = button("Next hand", () => this.begin(), "next", "Enter");
    $("go").replaceChildren(again);
    again.focus({ preventScroll: true });
  }
}

new TablePage();
