// @ts-check
// Answers to a question, one class for each form. An answer is a list of words, which the server judges; the browser
// knows no rule.

import { drawCard } from "../shared/cards.js";
import { element } from "../shared/dom.js";
import { dollars } from "../shared/words.js";
import { chipClass, describeFelt, drawFelt, drawStack, splitCards } from "./felt.js";

/** @typedef {{drill: string, game: string, prompt: string, form: string, options: {key: string, text: string}[], events: string[], frames: any[], shows: number[], cards: string, felt: any}} Question */
/** @typedef {{right: boolean, answer: string[], truth: string[], says: string, slips: {kind: string, title: string, what: string, clause: {number: string, text: string, source: string}, house_cents: number, player_cents: number}[], cost: any}} Verdict */

const CARD_KEYS = "asdfghjkl";
const ACTIONS = [["take", "Take"], ["push", "Push"], ["pay", "Pay"]];

/** @param {string} key @param {string} text @param {() => void} onclick @param {string} [classes] */
function keyButton(key, text, onclick, classes = "") {
  return element("button", { type: "button", classes: `answer plain ${classes}`, "aria-pressed": "false", onclick }, element("kbd", { text: key }), element("span", { text }));
}

/** '50¢', '$25', '$1K'. @param {number} cents */
function shortValue(cents) {
  if (cents < 100) return `${cents}¢`;
  return cents < 100_000 ? dollars(cents) : `$${cents / 100_000}K`;
}

/** Choose one option: number keys, or a click. */
export class OneAnswer {
  /** @param {Question} question @param {HTMLElement} box @param {HTMLElement} felt @param {() => void} changed */
  constructor(question, box, felt, changed) {
    this.question = question;
    this.changed = changed;
    this.picked = "";
    this.buttons = question.options.map((option, n) => keyButton(String(n + 1), option.text, () => this.pick(option.key)));
    box.replaceChildren(element("div", { classes: `options${question.options.length > 5 ? " many" : ""}`, role: "group", "aria-label": "Answers" }, ...this.buttons));
  }

  get words() {
    return this.picked ? [this.picked] : [];
  }

  get isComplete() {
    return Boolean(this.picked);
  }

  /** @param {string} key */
  pick(key) {
    this.picked = key;
    this.question.options.forEach((option, n) => this.buttons[n].setAttribute("aria-pressed", String(option.key === key)));
    this.changed();
  }

  /** Show an answer that was given before. @param {string[]} words */
  restore(words) {
    this.pick(words[0]);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const option = this.question.options[Number(event.key) - 1];
    if (!option || !/^[1-9]$/.test(event.key)) return false;
    this.pick(option.key);
    return true;
  }

  /** Show which answer was right. @param {Verdict} verdict */
  mark(verdict) {
    this.question.options.forEach((option, n) => {
      this.buttons[n].disabled = true;
      this.buttons[n].classList.toggle("best", verdict.truth.includes(option.key));
      this.buttons[n].classList.toggle("wrong", option.key === this.picked && !verdict.truth.includes(option.key));
    });
  }
}

/** Name the hand, and pick the cards that play. */
export class HandAnswer extends OneAnswer {
  /** @param {Question} question @param {HTMLElement} box @param {HTMLElement} felt @param {() => void} changed */
  constructor(question, box, felt, changed) {
    super(question, box, felt, changed);
    /** @type {Set<number>} */
    this.playing = new Set();
    this.faces = splitCards(question.cards).map((card, n) => element("button", {
      type: "button", classes: "card-choice", "aria-pressed": "false", onclick: () => this.toggle(n),
    }, drawCard(card, "red"), element("kbd", { text: CARD_KEYS[n].toUpperCase() })));
    box.prepend(element("div", { classes: "card-choices", role: "group", "aria-label": "The cards that play" }, ...this.faces));
  }

  get words() {
    return this.picked ? [this.picked, ...[...this.playing].sort((a, b) => a - b).map(String)] : [];
  }

  /** @param {string[]} words */
  restore([key, ...places]) {
    super.restore([key]);
    for (const place of places) this.toggle(Number(place));
  }

  /** @param {number} n */
  toggle(n) {
    if (!this.playing.delete(n)) this.playing.add(n);
    this.faces[n].setAttribute("aria-pressed", String(this.playing.has(n)));
    this.changed();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const n = event.key.length === 1 ? CARD_KEYS.indexOf(event.key.toLowerCase()) : -1;
    if (n < 0 || n >= this.faces.length) return super.press(event);
    this.toggle(n);
    return true;
  }

  /** @param {Verdict} verdict */
  mark(verdict) {
    super.mark({ ...verdict, truth: verdict.truth.slice(0, 1) });
    const right = new Set(verdict.truth.slice(1).map(Number));
    this.faces.forEach((face, n) => {
      face.disabled = true;
      face.classList.toggle("best", right.has(n));
      face.classList.toggle("wrong", this.playing.has(n) && !right.has(n));
    });
  }
}

/** Watch a round and find the event that is wrong: arrow keys walk through it, number keys say what is wrong. */
export class EventAnswer extends OneAnswer {
  /** @param {Question} question @param {HTMLElement} box @param {HTMLElement} felt @param {() => void} changed @param {import("./felt.js").Chip[]} tray */
  constructor(question, box, felt, changed, tray) {
    super(question, box, felt, changed);
    this.felt = felt;
    this.tray = tray;
    this.at = 0;
    this.lines = question.events.map((text, n) => element("button", { type: "button", classes: "event", "aria-pressed": "false", onclick: () => this.choose(n + 1) },
      element("b", { text: String(n + 1) }), element("span", { text })));
    this.list = element("div", { classes: "events-box", role: "group", "aria-label": "Events of the round", tabindex: "0" }, ...this.lines);
    this.spoken = element("p", { classes: "visually-hidden", "aria-live": "polite" });
    const walk = [["‹ Back", -1], ["Next event ›", 1]].map(([text, step]) => element("button", { type: "button", classes: "plain small", text: String(text), onclick: () => this.walk(Number(step)) }));
    box.prepend(this.list, element("div", { classes: "walk" }, ...walk, element("span", { classes: "hint", text: "↑ ↓ walk through the round" })), this.spoken);
    this.show();
  }

  /** The table after the event that is chosen. */
  show() {
    const frame = this.question.frames[this.question.shows[Math.max(0, this.at - 1)]];
    if (!frame) return;
    drawFelt(this.felt, frame, this.tray, {});
    this.showPlace();
    this.spoken.textContent = describeFelt(frame);
  }

  /** Where the felt of a phone is too small for all seats, show the one that the event is about. */
  showPlace() {
    const seat = /\bseat (\d+)/i.exec(this.question.events[this.at - 1] ?? "")?.[1];
    const place = this.felt.querySelector(seat ? `.school-seat[data-seat="${seat}"]` : ".school-shared");
    const [inner, outer] = [place, this.felt].map((one) => /** @type {Element} */ (one).getBoundingClientRect());
    if (inner.top < outer.top || inner.bottom > outer.bottom) this.felt.scrollTop += inner.top - outer.top;
  }

  /** @param {number} step */
  walk(step) {
    this.choose(Math.min(this.lines.length, Math.max(1, this.at + step)));
  }

  /** @param {string[]} words */
  restore([at, key]) {
    if (Number(at)) this.choose(Number(at));
    this.pick(key);
  }

  get isNothing() {
    return this.picked === "none";
  }

  get words() {
    return this.isNothing ? ["0", "none"] : [String(this.at), this.picked];
  }

  get isComplete() {
    return this.isNothing || Boolean(this.picked && this.at);
  }

  /** @param {number} number */
  choose(number) {
    this.at = number;
    this.lines.forEach((line, n) => line.setAttribute("aria-pressed", String(n + 1 === number)));
    const line = this.lines[number - 1];
    if (line) this.list.scrollTop = Math.max(0, line.offsetTop - this.list.offsetTop - this.list.clientHeight / 2);
    this.show();
    this.changed();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return super.press(event);
    this.walk(step);
    return true;
  }

  /** @param {Verdict} verdict */
  mark(verdict) {
    super.mark({ ...verdict, truth: verdict.truth.slice(1) });
    const right = Number(verdict.truth[0]), given = this.at;
    if (right) this.choose(right);
    this.lines.forEach((line, n) => {
      line.classList.toggle("best", n + 1 === right);
      line.classList.toggle("wrong", n + 1 === given && given !== right && !this.isNothing);
    });
  }
}

/** Settle wager by wager: arrow keys choose one, 1 takes, 2 pushes, 3 pays; Backspace takes the last step back. */
export class SettleAnswer {
  /** @param {Question} question @param {HTMLElement} box @param {HTMLElement} felt @param {() => void} changed */
  constructor(question, box, felt, changed) {
    this.changed = changed;
    /** @type {{at: string, action: string}[]} */
    this.done = [];
    this.wagers = /** @type {HTMLButtonElement[]} */ ([...felt.querySelectorAll(".wager")]);
    this.current = 0;
    this.actions = ACTIONS.map(([action, text], n) => keyButton(String(n + 1), text, () => this.act(action), `act-${action}`));
    this.undoing = element("button", { type: "button", classes: "plain small", onclick: () => this.undo() }, element("kbd", { text: "⌫" }), element("span", { text: "Undo" }));
    this.count = element("p", { classes: "hint", text: "" });
    box.replaceChildren(element("div", { classes: "options in-row", role: "group", "aria-label": "Take, push or pay" }, ...this.actions),
      element("div", { classes: "settle-foot" }, this.count, this.undoing));
    this.wagers.forEach((wager, n) => Object.assign(wager, { disabled: false, onclick: () => this.choose(n) }));
    this.choose(0);
  }

  /** @param {HTMLButtonElement} wager */
  placeOf(wager) {
    return `${wager.dataset.seat} ${wager.dataset.spot}`;
  }

  /** A bonus that is left alone is no step. */
  get words() {
    const bonuses = this.wagers.filter((wager) => wager.classList.contains("bonus-spot")).map((wager) => this.placeOf(wager));
    return this.done.filter(({ at, action }) => action !== "push" || !bonuses.includes(at)).map(({ at, action }) => `${at} ${action}`);
  }

  get isComplete() {
    return this.done.length > 0;
  }

  /** @param {number} n */
  choose(n) {
    this.current = (n + this.wagers.length) % this.wagers.length;
    this.wagers.forEach((wager, at) => wager.classList.toggle("picked", at === this.current));
    this.show();
  }

  /** @param {string} action */
  act(action) {
    const at = this.placeOf(this.wagers[this.current]);
    this.done = this.done.filter((step) => step.at !== at);
    this.done.push({ at, action });
    this.show();
  }

  /** @param {string[]} words */
  restore(words) {
    this.done = words.map((word) => ({ at: word.slice(0, word.lastIndexOf(" ")), action: word.slice(word.lastIndexOf(" ") + 1) }));
    this.show();
  }

  undo() {
    this.done.pop();
    this.show();
  }

  show() {
    this.wagers.forEach((wager) => {
      const n = this.done.findIndex((step) => step.at === this.placeOf(wager)), mark = /** @type {Element} */ (wager.querySelector(".wager-mark"));
      mark.textContent = n < 0 ? "" : `${n + 1} ${this.done[n].action}`;
      wager.dataset.action = n < 0 ? "" : this.done[n].action;
    });
    this.count.textContent = `${this.done.length} of ${this.wagers.length} settled`;
    this.changed();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) this.choose(this.current + step);
    else if (event.key === "Backspace") this.undo();
    else if (/^[123]$/.test(event.key)) this.act(ACTIONS[Number(event.key) - 1][0]);
    else return false;
    return true;
  }

  /** @param {Verdict} verdict */
  mark(verdict) {
    const right = new Map(verdict.truth.map((word, n) => [word.slice(0, word.lastIndexOf(" ")), `${n + 1} ${word.slice(word.lastIndexOf(" ") + 1)}`]));
    for (const wager of this.wagers) {
      const mark = /** @type {Element} */ (wager.querySelector(".wager-mark")), due = right.get(this.placeOf(wager)) ?? "";
      const given = mark.textContent;
      wager.classList.remove("picked");
      wager.classList.toggle("wrong", given !== due);
      wager.classList.toggle("best", given === due);
      mark.replaceChildren(...(given === due ? [] : [element("s", { text: given || "–" }), " "]), due || "leave");
      wager.disabled = true;
    }
    for (const button of this.actions) button.disabled = true;
    this.undoing.hidden = true;
  }
}

/** Build a payment from the rack: number keys choose a chip and add one, + and − change its count. */
export class ChipsAnswer {
  /** @param {Question} question @param {HTMLElement} box @param {HTMLElement} felt @param {() => void} changed @param {import("./felt.js").Chip[]} tray */
  constructor(question, box, felt, changed, tray) {
    this.changed = changed;
    this.tray = tray;
    this.counts = tray.map(() => 0);
    this.current = -1;
    this.tubes = tray.map((chip, n) => this.drawTube(chip, n));
    this.total = element("output", { classes: "chips-total", "aria-live": "polite" });
    box.replaceChildren(element("div", { classes: "rack", role: "group", "aria-label": "The rack" }, ...this.tubes),
      element("p", { classes: "chips-line" }, this.total, element("span", { classes: "hint", text: " 1 to 7 add a chip, + and − change it, ⌫ empties" })));
    this.show();
  }

  /** @param {import("./felt.js").Chip} chip @param {number} n */
  drawTube(chip, n) {
    const value = shortValue(chip.cents);
    const add = element("button", { type: "button", classes: `chip big ${chipClass(chip)}`, "aria-label": `Add ${chip.colour}, ${value}`, onclick: () => this.add(n, 1) },
      element("span", { text: value }), element("kbd", { text: String(n + 1) }));
    const less = element("button", { type: "button", classes: "less plain", "aria-label": `Remove ${chip.colour}, ${value}`, onclick: () => this.add(n, -1), text: "−" });
    return element("div", { classes: "tube" }, add, element("b", { classes: "tube-count", text: "0" }), less);
  }

  get words() {
    return this.tray.flatMap((chip, n) => Array(this.counts[n]).fill(String(chip.cents))).reverse();
  }

  get isComplete() {
    return this.counts.some(Boolean);
  }

  /** @param {string[]} words */
  restore(words) {
    this.counts = this.tray.map((chip) => words.filter((word) => Number(word) === chip.cents).length);
    this.show();
  }

  /** @param {number} n @param {number} by */
  add(n, by) {
    this.current = n;
    this.counts[n] = Math.max(0, Math.min(99, this.counts[n] + by));
    this.show();
  }

  show() {
    const cents = this.tray.reduce((sum, chip, n) => sum + chip.cents * this.counts[n], 0);
    this.tubes.forEach((tube, n) => {
      tube.querySelector(".tube-count").textContent = String(this.counts[n]);
      tube.classList.toggle("picked", n === this.current);
    });
    this.total.replaceChildren(element("b", { text: dollars(cents) }), drawStack(cents, this.tray));
    this.changed();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const n = Number(event.key) - 1;
    if (/^[1-9]$/.test(event.key) && n < this.tray.length) this.add(n, 1);
    else if ("+=".includes(event.key) && this.current >= 0) this.add(this.current, 1);
    else if ("-_−".includes(event.key) && this.current >= 0) this.add(this.current, -1);
    else if (event.key === "Backspace") {
      this.counts.fill(0);
      this.show();
    } else return false;
    return true;
  }

  /** @param {Verdict} verdict */
  mark(verdict) {
    this.tubes.forEach((tube, n) => {
      const due = verdict.truth.filter((word) => Number(word) === this.tray[n].cents).length;
      tube.classList.remove("picked");
      tube.classList.toggle("wrong", due !== this.counts[n]);
      tube.querySelector(".tube-count").textContent = due === this.counts[n] ? String(due) : `${this.counts[n]} → ${due}`;
      for (const button of tube.querySelectorAll("button")) button.disabled = true;
    });
  }
}

/** @type {Record<string, any>} */
const FORMS = { one: OneAnswer, hand: HandAnswer, event: EventAnswer, settle: SettleAnswer, chips: ChipsAnswer };

/** The answer to a question, drawn into a box. @param {Question} question @param {HTMLElement} box @param {HTMLElement} felt @param {() => void} changed @param {import("./felt.js").Chip[]} tray */
export function openAnswer(question, box, felt, changed, tray) {
  return new FORMS[question.form](question, box, felt, changed, tray);
}
