// The coach: hints while you choose, or an exam that says nothing until its report.
// What a choice is worth comes from the server; here it is only shown and added up.

import { $, element } from "./dom.js";
import { Exam, isMistake } from "./exam.js";
import { keep, kept } from "./settings.js";
import { capital } from "./words.js";

const MODES = ["off", "hint", "exam"];

export class Coach {
  constructor(play) {
    this.play = play;
    this.asked = null; // about the choice that is open
    this.exam = new Exam(play.felt.game);
    const wished = new URLSearchParams(location.search).get("coach");
    if (MODES.includes(wished)) keep("coach", wished);
    if (wished !== null) history.replaceState(null, "", location.pathname); // or a reload would set it again
    this.picker = $("coach-mode");
    this.picker.value = kept("coach", "off");
    this.picker.onchange = () => this.changed();
    $("exam-report").onclick = () => this.exam.report();
    play.onChoice = (choice) => this.chose(choice);
    this.exam.offer(this.mode);
  }

  get mode() {
    return this.picker.value;
  }

  changed() {
    keep("coach", this.mode);
    this.exam.offer(this.mode);
    this.show();
    this.asked = null;
    this.look();
  }

  show(...parts) {
    $("coach").hidden = !parts.length;
    $("coach").replaceChildren(...parts);
  }

  // A view came: is there something to advise on?
  look() {
    const { seat, view } = this.play;
    if (!seat?.choices || this.mode === "off") {
      if (this.asked) this.show();
      this.asked = null;
      return;
    }
    const moment = JSON.stringify([view.round, seat.cards, view.dealer, seat.choices]);
    if (this.asked?.moment === moment) return;
    this.asked = { moment, seat, dealer: view.dealer, answer: this.ask(seat.seat) };
    if (this.mode === "hint") this.hint(this.asked);
  }

  async ask(seat) {
    try {
      const answer = await fetch(`/api/tables/${this.play.name}/advice?seat=${seat}`);
      return await answer.json();
    } catch {
      return { error: "The coach cannot be reached; play on without it." };
    }
  }

  async hint(asked) {
    this.show(element("p", { classes: "thinking", text: "The coach is counting …" }));
    const said = await asked.answer;
    if (this.asked === asked) this.show(said.error ? element("p", { text: said.error }) : worth(said));
  }

  // A choice was made: add it up, and say so only when it mattered.
  async chose(choice) {
    const { asked, mode } = this;
    if (!asked) return;
    const said = await asked.answer;
    const made = said.choices?.find((one) => one.choice === choice);
    if (!made) return;
    if (mode === "exam") {
      const { cards, reading } = asked.seat;
      this.exam.add({ ...said, cards, reading, dealer: asked.dealer, made: choice, cost: made.cost });
      this.exam.offer(mode);
    } else if (isMistake(made)) {
      this.asked = null;
      const text = `${capital(choice)} cost ${money(made.cost)} on average; ${said.choices[0].choice} was best.`;
      this.show(element("p", { text }));
    }
  }
}

function money(cents) {
  return `${cents < 0 ? "−" : ""}$${(Math.abs(cents) / 100).toFixed(2)}`;
}

function worth(said) {
  const rows = said.choices.map((one, n) =>
    element("li", { classes: n ? "" : "best" },
      element("span", { text: capital(one.choice) }),
      element("span", { classes: "figure", text: money(one.expected) }),
      element("span", { classes: "quiet", text: isMistake(one) ? `costs ${money(one.cost)}` : "best" })));
  return element("ul", { classes: "worth", "aria-label": "Expected result of each choice" }, ...rows);
}
