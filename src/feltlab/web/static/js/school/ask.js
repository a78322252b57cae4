// @ts-check
// A question on the page: the table, the answer that is being given, and the verdict on it.

import { $, element } from "../shared/dom.js";
import { dollars } from "../shared/words.js";
import { openAnswer } from "./answers.js";
import { describeFelt, drawFelt } from "./felt.js";

/** @typedef {import("./answers.js").Question} Question */
/** @typedef {import("./answers.js").Verdict} Verdict */

/** @param {string} text @param {() => void} onclick @param {string} [classes] @param {string} [key] */
export function button(text, onclick, classes = "", key = "") {
  const made = element("button", { type: "button", classes, onclick }, element("span", { text }));
  if (key) made.append(" ", element("kbd", { text: key }));
  return made;
}

/** Give the keys back to the page after a choice by mouse or touch; who chooses by keyboard stays in the list. @param {HTMLElement} list */
export function releaseKeys(list) {
  let isPointed = false;
  list.addEventListener("pointerdown", () => (isPointed = true));
  list.addEventListener("keydown", () => (isPointed = false));
  list.addEventListener("change", () => isPointed && list.blur());
}

export class AskView {
  /** @param {import("./felt.js").Chip[]} tray @param {import("./felt.js").Bonuses} bonuses @param {(words: string[]) => void} send */
  constructor(tray, bonuses, send) {
    this.tray = tray;
    this.bonuses = bonuses;
    this.send = send;
    /** @type {any} */
    this.answer = null;
    this.isOpen = false;
    addEventListener("keydown", (event) => this.press(event));
  }

  /** @param {Question} question */
  show(question) {
    const felt = $("felt"), hasFelt = Boolean(question.felt?.seats?.length);
    this.isOpen = true;
    this.answer = null;
    felt.classList.toggle("bare", !hasFelt);
    if (hasFelt) drawFelt(felt, question.felt, this.tray, this.bonuses);
    else felt.replaceChildren(element("p", { classes: "felt-words", text: felt.dataset.title ?? "", "aria-hidden": "true" }));
    $("prompt").textContent = question.prompt;
    $("verdict").className = "verdict";
    $("verdict").replaceChildren(...(hasFelt ? [element("p", { classes: "visually-hidden", text: describeFelt(question.felt) })] : []));
    this.confirm = button("Answer", () => this.give(), "confirm", "Enter");
    $("go").replaceChildren(this.confirm);
    this.answer = openAnswer(question, $("answers"), felt, () => this.change(), this.tray);
    this.change();
  }

  change() {
    if (this.answer && this.confirm) this.confirm.disabled = !this.answer.isComplete;
  }

  give() {
    if (!this.isOpen || !this.answer?.isComplete) return;
    this.isOpen = false;
    if (this.confirm) this.confirm.disabled = true;
    this.send(this.answer.words);
  }

  /** Let the same answer be given again, after it could not be sent. */
  reopen() {
    this.isOpen = true;
    this.change();
  }

  /** @param {Verdict} verdict @param {() => void} next @param {string} [label] */
  showVerdict(verdict, next, label = "Next") {
    this.answer?.mark(verdict);
    $("verdict").className = `verdict ${verdict.right ? "good" : "bad"}`;
    $("verdict").replaceChildren(...describeVerdict(verdict));
    const go = button(label, next, "next", "Enter");
    $("go").replaceChildren(go);
    go.focus({ preventScroll: true });
  }

  /** Show a question that was answered: the answer, what was right, the clauses. @param {any} asked */
  replay(asked) {
    this.show(asked);
    this.answer.restore(asked.answer);
    this.isOpen = false;
    this.answer.mark(asked.verdict);
    $("verdict").className = `verdict ${asked.verdict.right ? "good" : "bad"}`;
    $("verdict").replaceChildren(...describeVerdict(asked.verdict));
    $("go").replaceChildren();
  }

  /** @param {string} text */
  say(text) {
    $("verdict").className = "verdict bad";
    $("verdict").replaceChildren(element("p", { classes: "verdict-line", text }));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
    if (event.key === "Enter" && !event.repeat && !target.closest("a, summary")) {
      const go = /** @type {HTMLButtonElement | null} */ ($("go").querySelector("button"));
      if (go) event.preventDefault();
      if (go && !go.disabled) go.click();
    } else if (this.isOpen && this.answer?.press(event)) event.preventDefault();
  }
}

/** @param {Verdict} verdict @returns {Node[]} */
export function describeVerdict(verdict) {
  const line = element("p", { classes: "verdict-line", text: `${verdict.right ? "Right." : "Not right."} ${verdict.says}` });
  if (verdict.right) return [line];
  return [line, element("ul", { classes: "slip" }, ...verdict.slips.map(describeSlip))];
}

/** A slip with its cost and its clause. @param {any} slip */
export function describeSlip(slip) {
  const costs = [["The house", slip.house_cents], ["The player", slip.player_cents]].filter(([, cents]) => cents)
    .map(([side, cents]) => `${side} loses ${dollars(Number(cents))}.`).join(" ");
  return element("li", {}, element("span", { text: `${slip.title ?? slip.kind}: ${slip.what} ` }),
    element("span", { classes: costs ? "cost" : "hint", text: costs || "No money moves." }),
    ...(slip.clause ? [element("span", { classes: "clause", text: `Clause ${slip.clause.number}: ${slip.clause.text}` })] : []));
}
