// @ts-check
// An exam: questions one after the other, with a clock and without verdicts. The server holds the attempt, so a reload
// or a restart goes on with the question that is open. When it is over, every hand is drawn again with its verdict.

import { fetchPatiently, fetchSession, post } from "../shared/api.js";
import { $, element } from "../shared/dom.js";
import { dollars } from "../shared/words.js";
import { AskView, button } from "./ask.js";

const TICK_MILLISECONDS = 500;

class ExamPage {
  constructor() {
    this.data = JSON.parse($("school-data").textContent);
    this.address = `/api/school/attempts/${this.data.attempt}`;
    this.view = new AskView(this.data.tray, {}, (words) => this.answer(words));
    /** @type {any} */
    this.attempt = null;
    setInterval(() => this.tick(), TICK_MILLISECONDS);
    fetchSession().then(() => this.load());
  }

  /** The attempt as the server has it, with the open question. */
  async load() {
    try {
      const found = await fetchPatiently(this.address), said = await found.json();
      if (!found.ok) throw new Error(said.error);
      this.show(said);
    } catch (error) {
      this.view.say(error instanceof Error ? error.message : "The school cannot be reached.");
      $("go").replaceChildren(button("Try again", () => this.load()));
    }
  }

  /** @param {any} attempt */
  show(attempt) {
    this.attempt = attempt;
    this.skew = Date.now() - Date.parse(attempt.now ?? new Date().toISOString());
    this.tick();
    if (attempt.ended) return this.end();
    const { question } = attempt, game = this.data.games[question.game.split(" ")[0]];
    this.dress(game);
    this.view.show(question);
    $("prompt").prepend(element("small", { classes: "number", text: `Question ${attempt.next} of ${attempt.hands}. ` }));
  }

  /** The felt of a game. @param {any} game */
  dress(game) {
    $("felt").className = `school-felt felt look-${game.look.colour} pattern-${game.look.pattern}`;
    this.view.bonuses = game.bonuses;
    $("exam-game").textContent = game.title;
    $("felt").dataset.title = game.title;
  }

  /** @param {string[]} words */
  async answer(words) {
    try {
      await post(`${this.address}/answers`, { question: this.attempt.next, answer: words });
    } catch (error) {
      this.view.say(error instanceof Error ? error.message : "The school cannot be reached.");
      this.view.reopen();
      $("go").append(button("Reload the question", () => this.load(), "plain"));
      return;
    }
    this.load();
  }

  tick() {
    if (!this.attempt) return;
    const left = this.attempt.ended ? 0 : Math.max(0, Math.ceil((Date.parse(this.attempt.ends_at) - Date.now() + (this.skew ?? 0)) / 1000));
    $("clock").textContent = this.attempt.ended ? "" : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    $("clock").classList.toggle("short", left < 60);
    $("answered").textContent = `${this.attempt.answered} of ${this.attempt.hands} answered`;
    if (!left && !this.attempt.ended && !this.isLate) {
      this.isLate = true;
      this.load();
    }
  }

  /** The result, and below it the replay of every hand. */
  end() {
    const { passed, percent, right, hands, cost, exam, certificate, questions } = this.attempt;
    const line = `${right} of ${hands} right; ${exam.pass_percent} % is a pass. ${cost ? `The mistakes would have moved ${dollars(cost)} wrongly.` : "No money would have been moved wrongly."}`;
    /** @type {any[]} */
    this.asked = questions ?? [];
    this.buttons = this.asked.map((one, n) => element("button", { type: "button", classes: `hand-number ${one.verdict.right ? "good" : "bad"}`, text: String(n + 1), "aria-label": `Question ${n + 1}, ${one.verdict.right ? "right" : "wrong"}`, onclick: () => this.look(n) }));
    const [back, next] = [["‹", -1], ["›", 1]].map(([text, step]) => element("button", { type: "button", classes: "plain small", "aria-label": Number(step) < 0 ? "Question before" : "Next question", text: String(text), onclick: () => this.look(this.at + Number(step)) }));
    $("result").replaceChildren(
      element("p", { classes: `result-line ${passed ? "good" : "bad"}` }, element("b", { text: passed ? `Passed: ${percent} %` : `Not passed: ${percent} %` }), ` ${line}`),
      element("p", { classes: "ways" },
        ...(certificate ? [element("a", { classes: "button", href: `/school/certificates/${certificate}.pdf`, text: "Certificate as PDF", download: "" })] : []),
        element("a", { classes: "button plain", href: this.data.back, text: "Back" })),
      element("div", { classes: "hand-numbers", role: "group", "aria-label": "Every hand of the exam" }, back, ...this.buttons, next));
    $("result").hidden = false;
    this.at = 0;
    if (this.asked.length) this.look(Math.max(0, this.asked.findIndex((one) => !one.verdict.right)));
    else this.showNothing();
    addEventListener("keydown", (event) => this.pressReplay(event));
  }

  showNothing() {
    $("felt").classList.add("bare");
    $("felt").replaceChildren(element("p", { classes: "felt-words", text: "No question was answered." }));
    for (const place of ["prompt", "answers", "verdict", "go"]) $(place).replaceChildren();
  }

  /** Look at one hand: the table, the answer, what was right, the clause. @param {number} n */
  look(n) {
    this.at = (n + this.asked.length) % this.asked.length;
    const asked = this.asked[this.at], game = this.data.games[asked.game.split(" ")[0]];
    this.dress(game);
    this.view.replay(asked);
    $("prompt").prepend(element("small", { classes: "number", text: `Question ${this.at + 1}, ${asked.seconds} s. ` }));
    this.buttons.forEach((made, at) => made.setAttribute("aria-current", String(at === this.at)));
  }

  /** @param {KeyboardEvent} event */
  pressReplay(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], target = /** @type {Element} */ (event.target);
    if (!step || !this.asked?.length || target.closest("input, select, textarea, dialog")) return;
    event.preventDefault();
    this.look((this.at ?? 0) + step);
  }
}

new ExamPage();
