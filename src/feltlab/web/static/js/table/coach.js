// @ts-check
// The coach: hints while the player chooses, or an exam that is silent until its report.
// The server computes the value of each choice; this module shows the values and adds them up.

import { $, element } from "../shared/dom.js";
import { readSetting, saveSetting } from "../shared/settings.js";
import { choiceInWords, titleOfChoice } from "../shared/words.js";
import { Exam, isMistake } from "./exam.js";

/** @typedef {{choice: string, expected: number, cost: number}} Valued a choice with its value and its cost, in cents */
/** @typedef {{unit: number, choices: Valued[], error?: string}} Advice choices, best first */

const MODES = ["off", "hint", "exam"];

export class Coach {
  /** @param {import("./play.js").Play} play */
  constructor(play) {
    this.play = play;
    /** @type {{moment: string, seat: any, board: string[], dealer: string[], answer: Promise<Advice>} | null} */
    this.asked = null; // the question about the open choice
    /** @type {{round: number, text: string} | null} */
    this.verdict = null; // on the last mistake; it stays beside the hint for the next street
    this.exam = new Exam(play.felt.game);
    const wished = new URLSearchParams(location.search).get("coach");
    if (wished !== null && MODES.includes(wished)) saveSetting("coach", wished);
    if (wished !== null) history.replaceState(null, "", location.pathname); // a reload must not set it again
    this.picker = $("coach-mode");
    this.picker.value = readSetting("coach", "off");
    this.picker.onchange = () => this.changeMode();
    $("exam-report").onclick = () => this.exam.report();
    play.onChoice = (choice) => this.recordChoice(choice);
    this.exam.offerReport(this.mode);
  }

  get mode() {
    return this.picker.value;
  }

  changeMode() {
    saveSetting("coach", this.mode);
    this.exam.offerReport(this.mode);
    this.show();
    this.asked = null;
    this.update();
  }

  /** @param {...Node} parts */
  show(...parts) {
    $("coach").hidden = !parts.length;
    $("coach").replaceChildren(...parts);
  }

  /** Follow a new view: ask for advice if a choice is open. A choice that is being sent is open no more. */
  update() {
    const { busy, seat, view } = this.play;
    if (busy) return;
    if (this.mode === "exam") this.showExam();
    if (!seat?.choices || this.mode === "off") {
      if (this.asked && this.mode !== "exam") this.show();
      this.asked = null;
      return;
    }
    const { board, dealer, round } = view;
    const moment = JSON.stringify([round, seat.cards, board, dealer, seat.choices]);
    if (this.asked?.moment === moment) return;
    this.asked = { moment, seat, board, dealer, answer: this.ask(seat.seat) };
    if (this.mode === "hint") this.hint(this.asked);
  }

  /** Say that the exam is on, and how many decisions it has recorded. */
  showExam() {
    const { state } = this.exam;
    if ($("coach").hidden || $("coach").textContent !== state) this.show(element("p", { classes: "exam-state", text: state }));
  }

  /** @param {number} seat @returns {Promise<Advice>} */
  async ask(seat) {
    try {
      const answer = await fetch(`/api/tables/${this.play.name}/advice?seat=${seat}`);
      return await answer.json();
    } catch {
      return { unit: 1, choices: [], error: "The coach cannot be reached; you can play on without it." };
    }
  }

  /** @param {NonNullable<Coach["asked"]>} asked */
  async hint(asked) {
    const { verdict } = this, { round } = this.play.view;
    const before = verdict?.round === round ? [element("p", { text: verdict.text })] : [];
    this.show(...before, element("p", { classes: "thinking", text: "The coach is working out the best choice …" }));
    const said = await asked.answer;
    if (this.asked === asked) this.show(...before, said.error ? element("p", { text: said.error }) : valueList(said));
  }

  /** Record a choice: in an exam silently, with hints only if it was a mistake. @param {string} choice */
  async recordChoice(choice) {
    const { asked, mode } = this, { round } = this.play.view;
    this.verdict = null;
    if (!asked) return;
    if (mode === "exam") return this.examine(asked, choice);
    const said = await asked.answer;
    const made = said.choices?.find((one) => one.choice === choice);
    if (made && isMistake(made)) {
      if (this.asked === asked) this.asked = null;
      const best = choiceInWords(said.choices[0].choice);
      const text = `${titleOfChoice(choice)} costs ${costInWords(said, made)} on average; ${best} was best.`;
      this.verdict = { round, text };
      if (!this.asked) this.show(element("p", { text }));
    }
  }

  /** Record a choice in the exam, once its values are there. @param {NonNullable<Coach["asked"]>} asked @param {string} choice */
  async examine({ answer, seat, board, dealer }, choice) {
    const { exam } = this, { cards, reading } = seat;
    exam.pending += 1;
    const said = await answer, made = said.choices?.find((one) => one.choice === choice);
    exam.pending -= 1;
    const keys = Object.fromEntries(seat.choices.map((/** @type {any} */ one) => [one.choice, one.key]));
    if (made) exam.add({ ...said, cards, reading, board, dealer, made: choice, cost: made.cost, keys });
    else exam.unvalued += 1;
    if (this.mode !== "exam") return;
    exam.offerReport("exam");
    this.showExam();
  }
}

/** @param {number} cents */
function money(cents) {
  return `${cents < 0 ? "−" : ""}$${(Math.abs(cents) / 100).toFixed(2)}`;
}

/** The cost of a choice as the difference of the values shown, to the cent. @param {Advice} said @param {Valued} made */
function costInWords(said, made) {
  const cents = Math.round(said.choices[0].expected) - Math.round(made.expected);
  return cents ? money(cents) : "less than a cent";
}

/** @param {Advice} said */
function valueList(said) {
  const rows = said.choices.map((one, n) =>
    element("li", { classes: n ? "" : "best", "data-valued": one.choice },
      element("span", { text: titleOfChoice(one.choice) }),
      element("span", { classes: "figure", text: money(one.expected) }),
      element("span", { classes: "quiet", text: isMistake(one) ? `costs ${costInWords(said, one)}` : "best" })));
  return element("ul", { classes: "worth", "aria-label": "Expected result of each choice" }, ...rows);
}
