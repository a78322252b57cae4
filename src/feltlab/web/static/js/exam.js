// An exam: decisions as they were made, what the mistakes cost, and the same hands again.

import { drawn, inWords, isDown } from "./cards.js";
import { $, element } from "./dom.js";
import { keep, kept } from "./settings.js";
import { capital } from "./words.js";

const TOO_SMALL = 0.005; // cents; less is no mistake
const MOST = 500; // decisions that are kept
const WORST = 6; // that the report shows

export const isMistake = (choice) => choice.cost > TOO_SMALL;
const units = (one) => one.cost / one.unit;
const button = (text, onclick, classes = "") => element("button", { type: "button", classes, text, onclick });

export class Exam {
  constructor(game) {
    this.name = `exam-${game}`;
    this.box = $("report");
  }

  get decisions() {
    return kept(this.name, []);
  }

  add(decision) {
    keep(this.name, [...this.decisions, decision].slice(-MOST));
  }

  offer(mode) {
    $("exam-report").hidden = mode !== "exam" && !this.decisions.length;
  }

  show(title, ...parts) {
    this.box.replaceChildren(element("h2", { id: "report-title", tabindex: "-1", autofocus: true, text: title }), ...parts);
    if (!this.box.open) this.box.showModal();
  }

  report() {
    const made = this.decisions;
    const wrong = made.filter(isMistake).sort((a, b) => units(b) - units(a));
    const worst = wrong.slice(0, WORST).map(mistake);
    this.show(
      "Exam report",
      element("p", { text: summary(made, wrong) }),
      ...(worst.length ? [element("h3", { text: "Weakest spots" }), element("ol", { classes: "weakest" }, ...worst)] : []),
      element("div", { classes: "buttons" },
        ...(worst.length ? [button("Practise exactly those", () => this.practise(wrong, 0))] : []),
        button("Start anew", () => this.anew(), "plain"),
        button("Close", () => this.box.close(), "plain")));
  }

  anew() {
    keep(this.name, []);
    this.box.close();
    this.offer("");
  }

  // The same hands again, one after the other.
  practise(list, n) {
    if (n === list.length)
      return this.show("Practice", element("p", { text: "That was all of them." }), button("Close", () => this.box.close()));
    const one = list[n];
    const said = element("p", { role: "status", text: "What do you do?" });
    const next = button("Next hand", () => this.practise(list, n + 1));
    next.hidden = true;
    const answers = [...one.choices].sort((a, b) => a.choice.localeCompare(b.choice));
    const answered = (choice) => {
      said.textContent = judged(one, choice);
      next.hidden = false;
      next.focus();
    };
    this.show(
      `Practice, hand ${n + 1} of ${list.length}`,
      element("p", { text: "Dealer" }), hand(one.dealer),
      element("p", { text: one.reading ? `You: ${one.reading}` : "You" }), hand(one.cards), said,
      element("div", { classes: "buttons" },
        ...answers.map((choice) => button(capital(choice.choice), () => answered(choice))), next,
        button("Leave", () => this.box.close(), "plain")));
  }
}

function summary(made, wrong) {
  if (!made.length) return "No decision yet: play some hands with the coach at exam.";
  const cost = wrong.reduce((sum, one) => sum + units(one), 0);
  const right = `${made.length - wrong.length} of ${made.length} decisions right.`;
  return `${right} Mistakes cost ${cost.toFixed(3)} units of your largest wager.`;
}

function mistake(one) {
  const dealer = one.dealer.filter((card) => !isDown(card));
  const against = dealer.length ? [element("span", { text: "against" }), hand(dealer)] : [];
  const reading = one.reading ? `${one.reading}. ` : "";
  const text = `${reading}You chose ${one.made}; ${one.choices[0].choice} is better by ${units(one).toFixed(3)} units.`;
  return element("li", {}, hand(one.cards), ...against, element("span", { text }));
}

function judged(one, choice) {
  if (!isMistake(choice)) return `Right: ${choice.choice}.`;
  const cost = units({ ...choice, unit: one.unit }).toFixed(3);
  return `${capital(choice.choice)} costs ${cost} units: ${one.choices[0].choice} is best.`;
}

function hand(cards) {
  const faces = cards.map((card) => drawn(card, "red"));
  return element("span", { classes: "hand mini", role: "img", "aria-label": inWords(cards) }, ...faces);
}
