// @ts-check
// The exam: the player's decisions, the cost of the mistakes, and practice with the same hands.

import { cardNames, drawCard, isFaceDown } from "../shared/cards.js";
import { $, element } from "../shared/dom.js";
import { readSetting, saveSetting } from "../shared/settings.js";
import { choiceInWords, titleOfChoice } from "../shared/words.js";

/**
 * @typedef {object} Decision
 * @property {number} unit cents of the largest wager
 * @property {{choice: string, cost: number}[]} choices best first
 * @property {string[]} cards
 * @property {string} reading
 * @property {string[]} dealer
 * @property {string[]} [board] none in games without one, and in decisions that were stored before there was one
 * @property {string} made the player's choice
 * @property {number} cost of that choice, in cents
 * @property {Record<string, string>} [keys] of the choices; none in decisions that were stored before keys were
 */

const SMALLEST_COST = 0.005; // cents; a smaller cost is no mistake
const MAX_DECISIONS = 500; // stored
const MAX_MISTAKES = 6; // in the report

/** @param {{cost: number}} choice */
export const isMistake = (choice) => choice.cost > SMALLEST_COST;

/** @param {{cost: number, unit: number}} one */
const costInUnits = (one) => one.cost / one.unit;

/** @param {string} text @param {() => void} onclick */
const button = (text, onclick, classes = "") => element("button", { type: "button", classes, text, onclick });

export class Exam {
  /** @param {string} game */
  constructor(game) {
    this.game = game;
    this.name = `exam-${game}`;
    this.box = $("report");
    this.box.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.press(event));
    this.box.addEventListener("close", () => (this.keys = {}));
    /** @type {Record<string, () => void>} */
    this.keys = {}; // what a key does in the open practice
    this.pending = 0; // decisions whose values are being worked out
    this.unvalued = 0; // decisions for which the coach gave no values: chosen before it could see the hand, or it cannot be reached
  }

  /** @returns {Decision[]} */
  get decisions() {
    return readSetting(this.name, []);
  }

  /** @param {Decision} decision */
  add(decision) {
    saveSetting(this.name, [...this.decisions, decision].slice(-MAX_DECISIONS));
  }

  /** @param {string} mode */
  offerReport(mode) {
    $("exam-report").hidden = mode !== "exam" && !this.decisions.length;
  }

  /** What the exam says at the table: that it is on, and what it has recorded. */
  get state() {
    const made = this.decisions.length, { pending, unvalued } = this;
    const parts = [
      made === 1 ? "1 decision recorded" : made ? `${made} decisions recorded` : "nothing recorded yet",
      ...(pending ? [`${pending} being worked out`] : []),
      ...(unvalued ? [`${unvalued} not recorded, without values from the coach`] : []),
    ];
    return `Exam is on: ${parts.join("; ")}. It stays silent until you open the report.`;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const act = this.keys[event.key.toLowerCase()];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    event.preventDefault();
    act();
  }

  /** @param {string} title @param {...Node} parts */
  show(title, ...parts) {
    this.keys = {};
    this.box.replaceChildren(element("h2", { id: "report-title", tabindex: "-1", autofocus: true, text: title }), ...parts);
    if (!this.box.open) this.box.showModal();
  }

  report() {
    const made = this.decisions;
    const wrong = made.filter(isMistake).sort((a, b) => costInUnits(b) - costInUnits(a));
    const worst = wrong.slice(0, MAX_MISTAKES).map(mistakeLine);
    this.show(
      "Exam report",
      element("p", { text: summaryOf(made, wrong) }),
      ...(worst.length ? [element("h3", { text: "Costliest mistakes" }), element("ol", { classes: "weakest" }, ...worst)] : []),
      element("div", { classes: "buttons" },
        ...(worst.length ? [button("Practise these hands", () => this.practise(wrong))] : []),
        element("a", { classes: "button plain", href: `/train/${this.game}`, text: "Train this game" }),
        button("Start over", () => this.startOver(), "plain"),
        button("Close", () => this.box.close(), "plain")));
  }

  startOver() {
    this.unvalued = 0;
    saveSetting(this.name, []);
    this.box.close();
    this.offerReport("");
  }

  /**
   * Ask for the choice in the same hands again, one after the other; the first answer to each counts.
   * @param {Decision[]} list @param {number} [n] @param {Decision[]} [missed]
   */
  practise(list, n = 0, missed = []) {
    if (n === list.length) return this.endPractice(list, missed);
    const one = list[n];
    let isFirst = true;
    const said = element("p", { role: "status", text: "What do you do?" });
    const next = button("Next hand", () => this.practise(list, n + 1, missed));
    next.hidden = true;
    const answers = [...one.choices].sort((a, b) => a.choice.localeCompare(b.choice));
    /** @param {{choice: string, cost: number}} choice */
    const judge = (choice) => {
      said.textContent = verdictOf(one, choice);
      if (isFirst && isMistake(choice)) missed = [...missed, one];
      isFirst = false;
      next.hidden = false;
      next.focus();
    };
    this.show(
      `Practice, hand ${n + 1} of ${list.length}`,
      ...sharedHands(one),
      element("p", { text: one.reading ? `You: ${one.reading}` : "You" }), handOf(one.cards), said,
      element("div", { classes: "buttons" },
        ...answers.map((choice) => answerButton(one, choice.choice, () => judge(choice))), next,
        button("Stop", () => this.box.close(), "plain")));
    for (const choice of answers) if (one.keys?.[choice.choice]) this.keys[one.keys[choice.choice]] = () => judge(choice);
  }

  /** @param {Decision[]} list @param {Decision[]} missed */
  endPractice(list, missed) {
    const right = list.length - missed.length;
    const score = `That was the last hand. ${right} of ${list.length} right: ${Math.round((100 * right) / list.length)} %.`;
    this.show("Practice",
      element("p", { role: "status", text: score }),
      element("div", { classes: "buttons" },
        ...(missed.length ? [button("Once more with those missed", () => this.practise(missed))] : []),
        button("Close", () => this.box.close(), missed.length ? "plain" : "")));
  }
}

/** @param {Decision} one @param {string} choice @param {() => void} onclick */
function answerButton(one, choice, onclick) {
  const key = one.keys?.[choice];
  const made = button(titleOfChoice(choice), onclick);
  if (key) made.append(" ", element("kbd", { "aria-hidden": "true", text: key.toUpperCase() }));
  return made;
}

/** @param {Decision[]} made @param {Decision[]} wrong */
function summaryOf(made, wrong) {
  if (!made.length) return "No decisions yet: set the coach to exam and play some hands.";
  const cost = wrong.reduce((sum, one) => sum + costInUnits(one), 0);
  const right = `${made.length - wrong.length} of ${made.length} decisions were right.`;
  return `${right} The mistakes cost ${cost.toFixed(3)} units; a unit is your largest wager.`;
}

/** @param {Decision} one */
function mistakeLine(one) {
  const shown = [["on", one.board ?? []], ["against", one.dealer]].flatMap(([word, cards]) => {
    const open = /** @type {string[]} */ (cards).filter((card) => !isFaceDown(card));
    return open.length ? [element("span", { text: word }), handOf(open)] : [];
  });
  const reading = one.reading ? `${one.reading}. ` : "";
  const made = choiceInWords(one.made), best = choiceInWords(one.choices[0].choice);
  const text = `${reading}You chose ${made}; ${best} is better by ${costInUnits(one).toFixed(3)} units.`;
  return element("li", {}, handOf(one.cards), ...shown, element("span", { text }));
}

/** @param {Decision} one @param {{choice: string, cost: number}} choice */
function verdictOf(one, choice) {
  if (!isMistake(choice)) return `Right: ${choiceInWords(choice.choice)}.`;
  const cost = costInUnits({ cost: choice.cost, unit: one.unit }).toFixed(3);
  return `${titleOfChoice(choice.choice)} costs ${cost} units; ${choiceInWords(one.choices[0].choice)} is best.`;
}

/** The hands that all seats share, each below its name. @param {Decision} one */
function sharedHands({ board = [], dealer }) {
  const hands = [["Dealer", dealer], ["Board", board]].filter(([, cards]) => cards.length);
  return hands.flatMap(([name, cards]) => [element("p", { text: name }), handOf(/** @type {string[]} */ (cards))]);
}

/** @param {string[]} cards */
function handOf(cards) {
  const faces = cards.map((card) => drawCard(card, "red"));
  return element("span", { classes: "hand mini", role: "img", "aria-label": cardNames(cards) }, ...faces);
}
