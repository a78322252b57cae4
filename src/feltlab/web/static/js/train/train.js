// @ts-check
// The trainer of a game: deals a decision, takes an answer by click or key, and says at once what it costs and why.

import { fetchPatiently, post } from "../shared/api.js";
import { WORKING, drawChart, fetchChart, lightRow } from "../shared/chart.js";
import { $, element } from "../shared/dom.js";
import { readSetting, saveSetting } from "../shared/settings.js";
import { fetchCopies } from "./account_copy.js";
import { describeHand, inCents, markAnswers, showAnswers, showDecision, verdictText } from "./decision.js";
import { Progress, costOf } from "./progress.js";
import { Again, Drill, Exam, Learn, Mixed } from "./sessions.js";

/** @typedef {import("./decision.js").Decision} Decision */

const WIDE = matchMedia("(min-width: 62rem)");
const WEAKEST_SHOWN = 3;

/** @param {string} text @param {() => void} onclick */
const button = (text, onclick, classes = "") => element("button", { type: "button", classes, text, onclick });

/** A session that begins when the strategy card is there. */
class Waiting {
  task = "This begins when the strategy card is there. Practise mixed hands meanwhile, or wait.";
}

class TrainPage {
  /** @param {any} data */
  constructor(data) {
    this.data = data;
    this.progress = new Progress(data.game.name);
    this.query = new URLSearchParams(data.query);
    /** @type {any} */
    this.session = null;
    /** @type {Decision | null} */
    this.decision = null;
    this.isAnswered = false;
    /** @type {import("../shared/chart.js").Card | null} */
    this.card = null;
    for (const mode of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-mode]")))
      mode.onclick = () => {
        mode.blur(); // Enter asks for the next hand from here on; it must not begin an exam anew
        this.start(mode.dataset.mode ?? "");
      };
    $("open-chart").onclick = () => this.toggleChart();
    addEventListener("keydown", (event) => this.press(event));
    this.loadChart();
    this.begin();
  }

  /** @param {string} [row] @param {string} [after] @param {boolean} [exam] @returns {Promise<Decision>} */
  deal = async (row = "", after = "", exam = false) => {
    const query = new URLSearchParams(this.query);
    if (row) query.set("row", row);
    if (after) query.set("after", after);
    if (exam) query.set("exam", "1");
    const answer = await fetchPatiently(`/api/train/${this.data.game.name}/next?${query}`);
    const said = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(said.error), { isRare: row !== "" && answer.status === 404 });
    return said;
  };

  // -- Kinds of training ------------------------------------------------------------------------------

  /** The decision that the page is about, from the page or, if it took long, from the server. */
  async fetchFirst() {
    const { decision, position, daily, game } = this.data;
    if (decision) return decision;
    this.say("The hand is being worked out …");
    const answer = await fetchPatiently(daily ? "/api/train/daily" : `/api/train/${game.name}/position?${new URLSearchParams(position)}`);
    const said = await answer.json();
    if (answer.ok) return (this.data.decision = said);
    this.say(said.error);
    return null;
  }

  async begin() {
    const { position, mode, row, daily } = this.data;
    if (daily) return this.startDaily();
    if (row) return this.drill(row);
    if (Object.keys(position).length) {
      const decision = await this.fetchFirst();
      if (!decision || this.session) return;
      this.session = new Mixed(this.deal, this.progress);
      this.markMode("mixed");
      return this.show(decision, "A hand by link. What do you do?");
    }
    this.start(["learn", "mixed", "exam"].includes(mode) ? mode : this.progress.stored.count ? "mixed" : "learn");
  }

  /** @param {string} mode */
  async start(mode) {
    this.markMode(mode);
    if (mode === "exam") this.session = new Exam(this.deal, this.data.exam, this.data.pass);
    else if (mode === "mixed") this.session = new Mixed(this.deal, this.progress);
    else {
      this.hideChart(false);
      const waiting = new Waiting();
      const card = await this.awaitChart(waiting);
      if (this.session !== waiting) return;
      this.session = card?.rows.length ? new Learn(this.deal, this.progress, card) : new Mixed(this.deal, this.progress);
    }
    this.hideChart(mode === "exam");
    if (mode === "exam") this.tick();
    await this.next();
  }

  /** The strategy card, or null if it cannot be had; until it is there, the page says how far it is. @param {Waiting} waiting */
  async awaitChart(waiting) {
    this.session = waiting;
    if (!this.card) {
      this.clearHand(waiting.task);
      this.say(this.chartState);
    }
    return this.chart.catch(() => null);
  }

  /** @param {string} row */
  async drill(row) {
    this.markMode("");
    this.hideChart(false);
    const waiting = new Waiting();
    await this.awaitChart(waiting);
    if (this.session !== waiting) return;
    const [, chart, at] = row.split("/");
    const words = this.card?.rows.find((one) => one.name === row)?.words ?? this.card?.charts[Number(chart)]?.rows[Number(at)]?.[0];
    this.session = new Drill(this.deal, row, words ?? "one row of the card");
    await this.next();
  }

  async startDaily() {
    if (!(await this.fetchFirst())) return;
    this.session = { task: "The hand of the day. What do you do?", answered: () => {}, next: async () => null };
    const { date, choice } = readSetting("daily", {});
    this.show(this.data.decision, this.session.task);
    if (date === this.data.daily && choice) this.answer(choice, false);
  }

  /** @param {string} mode */
  markMode(mode) {
    for (const one of document.querySelectorAll("[data-mode]"))
      one.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (one).dataset.mode === mode));
  }

  // -- One decision -----------------------------------------------------------------------------------

  async next() {
    const { session } = this;
    $("goes-on").replaceChildren();
    try {
      const waiting = setTimeout(() => this.say("The next hand is being worked out …"), 400);
      const decision = await session.next().finally(() => clearTimeout(waiting));
      if (this.session !== session) return;
      if (decision) this.show(decision, session.task);
      else this.end();
    } catch (error) {
      if (this.session !== session) return;
      this.say(error instanceof Error ? error.message : "The trainer cannot be reached.");
      $("goes-on").replaceChildren(button("Try again", () => this.next()));
    }
  }

  /** @param {Decision} decision @param {string} task */
  show(decision, task) {
    this.decision = decision;
    this.isAnswered = false;
    $("task").textContent = task;
    showDecision(decision);
    showAnswers(decision, (choice) => this.answer(choice));
    $("verdict").replaceChildren(element("p", { classes: "visually-hidden", text: describeHand(decision) }));
    $("verdict").className = "verdict";
    $("goes-on").replaceChildren();
    if (this.card) lightRow($("chart-box"), null);
    $("task").scrollIntoView({ block: "nearest" });
    this.showScore();
  }

  /** @param {string} choice @param {boolean} [counts] */
  async answer(choice, counts = true) {
    const { decision, session } = this;
    if (!decision || this.isAnswered || !decision.choices.some((one) => one.choice === choice)) return;
    this.isAnswered = true;
    if (decision.token && !decision.values && !(await this.openVerdict(decision, choice, counts))) return;
    const cost = counts ? this.progress.record(decision, choice) : costOf(decision, choice);
    session.answered(decision, cost, choice);
    if (session.isSilent) return this.next();
    this.showVerdict(decision, choice, cost);
    if (this.data.daily) return this.endDaily(decision, choice, cost);
    const next = button("Next hand", () => this.next(), "next");
    next.append(" ", element("kbd", { text: "Enter" }));
    $("goes-on").replaceChildren(next, this.linkTo(decision));
    next.focus({ preventScroll: true });
    $("goes-on").scrollIntoView({ block: "nearest" }); // on a low screen the verdict is below the hand
    this.showScore();
  }

  /** Send an answer whose verdict the server keeps; false if it fails. @param {Decision} decision @param {string} choice @param {boolean} counts */
  async openVerdict(decision, choice, counts) {
    const { session } = this;
    try {
      Object.assign(decision, await post("/api/train/verdict", { token: decision.token, choice }));
      return this.session === session;
    } catch (error) {
      if (this.session !== session) return false;
      this.isAnswered = false;
      this.say(error instanceof Error ? error.message : "The trainer cannot be reached.");
      $("goes-on").replaceChildren(button("Try again", () => this.answer(choice, counts)),
        ...(session.isSilent ? [button("Another hand", () => this.next(), "plain")] : []));
      return false;
    }
  }

  /** @param {Decision} decision @param {string} choice @param {number} cost */
  showVerdict(decision, choice, cost) {
    markAnswers(decision, choice);
    $("verdict").className = `verdict ${cost ? "bad" : "good"}`;
    $("verdict").replaceChildren(
      element("p", { classes: "verdict-line", text: verdictText(decision, choice, cost) }),
      element("p", { classes: "why", text: decision.reason }));
    if (this.card) lightRow($("chart-box"), decision.row);
  }

  /** A link to this position. @param {Decision} decision */
  linkTo(decision) {
    const address = `/train/${this.data.game.name}?${decision.query}`;
    return element("a", { classes: "quiet", href: address, text: "Link to this hand" });
  }

  /** @param {string} text */
  say(text) {
    $("verdict").className = "verdict";
    $("verdict").replaceChildren(element("p", { text }));
  }

  /** @param {string} task */
  clearHand(task) {
    this.decision = null;
    $("task").textContent = task;
    for (const part of ["shared", "own", "answers", "wagers", "goes-on"]) $(part).replaceChildren();
  }

  // -- The end of a session -----------------------------------------------------------------------------

  end() {
    this.clearHand("");
    const { session } = this;
    if (session instanceof Exam) return this.endExam(session);
    if (session instanceof Again) {
      $("task").textContent = "Practice is over.";
      this.say(session.summary);
      const more = session.right < session.list.length ? [button("Once more", () => this.again(session.list))] : [];
      return $("goes-on").replaceChildren(...more, button("Take the exam", () => this.start("exam")), button("Practise mixed hands", () => this.start("mixed"), "plain"));
    }
    $("task").textContent = "You have been through every row.";
    this.say("Practise mixed hands now; those that you miss return. Then take the exam.");
    $("goes-on").replaceChildren(button("Practise", () => this.start("mixed")), button("Exam", () => this.start("exam"), "plain"));
  }

  /** @param {Exam} exam */
  endExam(exam) {
    this.hideChart(false);
    const { mistakes, percent, weighed, passed, seconds, made } = exam;
    this.progress.addExam({ percent, weighed, at: new Date().toISOString() });
    $("task").textContent = passed ? `Passed: ${percent} %.` : `${percent} %: ${this.data.pass} % is a pass.`;
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const lost = exam.made.reduce((sum, one) => sum + one.cost, 0) / made.length;
    const cost = lost ? `Your mistakes cost ${inCents(lost)} per dollar and decision.` : "You lost nothing against the best play.";
    const listed = mistakes.map(({ decision, choice, cost }) => element("li", {},
      element("b", { text: `${Object.values(decision.areas).flat().filter((card) => card !== "##").join(" ")} ` }),
      element("span", { text: `${verdictText(decision, choice, cost)} ${decision.reason}` })));
    $("verdict").className = `verdict report ${passed ? "good" : "bad"}`;
    $("verdict").replaceChildren(
      element("p", { classes: "verdict-line", text: `${made.length - mistakes.length} of ${made.length} right in ${time}; by cost ${weighed} %. ${cost}` }),
      ...(listed.length ? [element("ol", { classes: "mistakes" }, ...listed)] : []));
    $("goes-on").replaceChildren(
      ...(mistakes.length ? [button("Practise these hands", () => this.again(mistakes.map((one) => one.decision)))] : []),
      button("Another exam", () => this.start("exam"), "plain"), button("Practise mixed hands", () => this.start("mixed"), "plain"));
    this.showScore();
  }

  /** @param {Decision[]} list */
  again(list) {
    this.markMode("");
    this.session = new Again(list);
    this.next();
  }

  /** @param {Decision} decision @param {string} choice @param {number} cost */
  endDaily(decision, choice, cost) {
    const { game, daily } = this.data, before = readSetting("daily", {});
    const yesterday = new Date(Date.parse(daily) - 86_400_000).toISOString().slice(0, 10);
    const days = before.date === daily ? before.days : before.date === yesterday ? before.days + 1 : 1;
    saveSetting("daily", { date: daily, choice, right: !cost, days });
    const result = cost ? `✘ ${inCents(cost)} a dollar` : "✔ right";
    const line = `feltlab, hand of ${daily}: ${game.title}, ${result}. ${location.origin}/train/daily`;
    const shared = element("input", { readonly: true, value: line, "aria-label": "Your result in one line", classes: "share-line" });
    const copy = button("Copy", async () => {
      shared.select();
      await navigator.clipboard?.writeText(line).catch(() => {});
      copy.textContent = "Copied";
    });
    const row = days > 1 ? element("p", { text: `${days} days in a row.` }) : "";
    $("goes-on").replaceChildren(row, shared, copy, element("a", { classes: "button plain", href: `/train/${game.name}`, text: `Train ${game.title}` }));
  }

  // -- Beside the hand ----------------------------------------------------------------------------------

  showScore() {
    if (this.session instanceof Exam && this.decision) return this.showClock();
    const { count, right, streak, longest, missed } = this.progress.stored;
    const share = count ? `${Math.round((100 * right) / count)} %` : "–";
    const facts = [["Right", share], ["Streak", String(streak)], ["Longest", String(longest)], ["To return", String(missed.length)]];
    const weakest = this.progress.weakestRows().slice(0, WEAKEST_SHOWN).map(([name, row]) =>
      element("li", {}, button(`${row.words}: ${row.right} of ${row.seen}`, () => this.drill(name), "drill")));
    $("score").replaceChildren(
      element("dl", { classes: "facts" }, ...facts.map(([term, value]) => element("div", {}, element("dt", { text: term }), element("dd", { text: value })))),
      ...(weakest.length && !(this.session instanceof Exam) ? [element("p", { classes: "weak-head", text: "Weakest rows; press one to drill it" }), element("ul", { classes: "weakest-rows" }, ...weakest)] : []));
  }

  showClock() {
    const exam = /** @type {Exam} */ (this.session);
    const seconds = Math.round((Date.now() - exam.began) / 1000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    $("score").replaceChildren(element("dl", { classes: "facts" },
      ...[["Decision", `${Math.min(exam.made.length + 1, exam.total)} of ${exam.total}`], ["Time", time]].map(([term, value]) =>
        element("div", {}, element("dt", { text: term }), element("dd", { text: value })))));
  }

  tick() {
    const exam = this.session;
    const clock = setInterval(() => {
      if (this.session !== exam || exam.made.length >= exam.total) clearInterval(clock);
      else this.showScore();
    }, 1000);
  }

  loadChart() {
    const box = $("chart-box");
    this.chartState = `${WORKING} …`;
    const state = element("p", { classes: "quiet", text: this.chartState });
    box.replaceChildren(state);
    this.chart = fetchChart(this.data.game.name, String(this.query), (words) => {
      this.chartState = state.textContent = words;
      if (this.session instanceof Waiting) this.say(words);
    });
    this.chart.then((card) => {
      this.card = card;
      box.replaceChildren(drawChart(card, (row) => this.drill(row)));
      if (this.isAnswered && this.decision) lightRow(box, this.decision.row);
      if (this.session instanceof Exam) this.hideChart(true);
    }).catch((error) => box.replaceChildren(element("p", { classes: "quiet", text: error.message })));
  }

  /** In an exam there is no card to look at. @param {boolean} hidden */
  hideChart(hidden) {
    $("chart-box").hidden = hidden;
    $("open-chart").hidden = hidden;
  }

  toggleChart() {
    if (WIDE.matches) return $("chart-box").scrollIntoView({ block: "nearest" });
    const box = $("chart-dialog"), chart = $("chart-box");
    const close = button("Close", () => box.close(), "plain");
    box.replaceChildren(element("div", { classes: "chart-dialog-top" }, element("h2", { id: "chart-dialog-title", text: "Strategy card" }), close), chart);
    box.onclose = () => $("beside").append(chart);
    box.showModal();
    if (this.isAnswered && this.decision) lightRow(chart, this.decision.row);
  }

  // -- Keys -----------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  press(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || target.closest("input, select, textarea, dialog")) return;
    const made = this.decision?.choices.find((one) => one.key.toLowerCase() === event.key.toLowerCase());
    if (made && !this.isAnswered) {
      event.preventDefault();
      this.answer(made.choice);
    } else if (event.key === "Enter" && !target.closest("button, a, summary")) {
      const next = /** @type {HTMLElement | null} */ ($("goes-on").querySelector("button"));
      if (next) event.preventDefault();
      next?.click();
    }
  }
}

const data = JSON.parse($("train-data").textContent);
document.body.classList.toggle("four", readSetting("four", false));
await fetchCopies([data.game.name]);
new TrainPage(data);
