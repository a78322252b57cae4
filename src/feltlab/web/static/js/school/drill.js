// @ts-check
// Drills of one game: questions that grow harder with success; those that were missed come back.

import { fetchSession, post } from "../shared/api.js";
import { $, element } from "../shared/dom.js";
import { dollars } from "../shared/words.js";
import { AskView, button, releaseKeys } from "./ask.js";
import { Progress } from "./progress.js";

class DrillPage {
  constructor() {
    this.data = JSON.parse($("school-data").textContent);
    this.progress = new Progress(this.data.game.name);
    this.view = new AskView(this.data.tray, this.data.game.bonuses, (words) => this.answer(words));
    /** @type {any} */
    this.asked = null;
    releaseKeys($("drill"));
    $("drill").onchange = () => {
      history.replaceState(null, "", $("drill").value ? `?drill=${$("drill").value}` : location.pathname);
      this.next();
    };
    fetchSession().then(() => this.next());
  }

  async next() {
    $("go").replaceChildren();
    try {
      this.asked = await post(`/api/school/${this.data.game.name}/question`, { drill: $("drill").value, practice: this.progress.stored.practice });
      this.began = performance.now();
      this.view.show(this.asked);
      this.showScore();
    } catch (error) {
      this.view.say(error instanceof Error ? error.message : "The school cannot be reached.");
      $("go").replaceChildren(button("Try again", () => this.next()));
    }
  }

  /** @param {string[]} words */
  async answer(words) {
    const { drill, seed, level } = this.asked, seconds = (performance.now() - (this.began ?? 0)) / 1000;
    try {
      const { verdict, practice } = await post(`/api/school/${this.data.game.name}/answer`, { drill, seed, level, answer: words, seconds, practice: this.progress.stored.practice });
      this.progress.record(verdict, practice, seconds);
      this.view.showVerdict(verdict, () => this.next());
    } catch (error) {
      this.view.say(error instanceof Error ? error.message : "The school cannot be reached.");
      this.view.reopen();
    }
    this.showScore();
  }

  showScore() {
    const { count, right, streak, cost } = this.progress.stored;
    const facts = [
      ["Level", `${this.asked?.level ?? 1} of ${this.data.levels}`], ["Right", count ? `${Math.round((100 * right) / count)} %` : "–"],
      ["Streak", String(streak)], ["Seconds", this.progress.pace()], ["Cost", dollars(cost)],
    ];
    const waiting = element("small", { classes: "hint", text: "Missed questions that come back:" });
    const boxes = element("ol", { classes: "boxes", "aria-label": "Missed questions that come back, by box" },
      ...this.progress.countBoxes(this.data.boxes).map((missed, n) => element("li", {}, element("b", { text: String(missed) }), element("small", { text: `box ${n + 1}` }))));
    $("score").replaceChildren(element("dl", { classes: "facts" }, ...facts.map(([term, value]) => element("div", {}, element("dt", { text: term }), element("dd", { text: value })))), element("div", { classes: "come-back" }, waiting, boxes),
      ...(this.asked?.is_return ? [element("p", { classes: "hint", text: "You missed this question before." })] : []));
  }
}

new DrillPage();
