// The coach: hints while you choose, or an exam that says nothing until its report.
// What a choice is worth comes from the server; here it is only shown and added up.

import { drawn, inWords } from "./cards.js";
import { $, element } from "./dom.js";
import { keep, kept } from "./settings.js";

const TOO_SMALL = 0.005; // cents; less is no mistake
const MOST = 500; // decisions of an exam that are kept

export class Coach {
  constructor(table, game) {
    this.table = table;
    this.game = game;
    this.asked = null;
    const wished = new URLSearchParams(location.search).get("coach");
    if (["off", "hint", "exam"].includes(wished)) keep("coach", wished);
    this.picker = $("coach-mode");
    this.picker.value = kept("coach", "off");
    this.picker.onchange = () => this.changed();
    $("exam-report").onclick = () => this.report();
    this.offerReport();
  }

  get mode() {
    return this.picker.value;
  }

  get records() {
    return kept(`exam-${this.game}`, []);
  }

  changed() {
    keep("coach", this.mode);
    this.offerReport();
    this.hide();
    if (this.last) this.look(this.last.view, this.last.seat);
  }

  offerReport() {
    $("exam-report").hidden = !this.records.length && this.mode !== "exam";
  }

  hide() {
    $("coach").hidden = true;
    $("coach").replaceChildren();
    this.asked = null;
  }

  // A view came: is there something to advise on?
  look(view, seat) {
    this.last = { view, seat };
    if (!seat?.choices || this.mode === "off") {
      if (this.asked) this.hide();
      return;
    }
    const moment = JSON.stringify([view.round, seat.cards, view.dealer, seat.choices]);
    if (this.asked?.moment === moment) return;
    const answer = fetch(`/api/tables/${this.table}/advice?seat=${seat.seat}`)
      .then(async (found) => {
        const said = await found.json();
        if (!found.ok) throw new Error(said.error);
        return said;
      })
      .catch((error) => ({ error: error.message }));
    this.asked = { moment, answer, seat, dealer: view.dealer };
    if (this.mode === "hint") this.hint(this.asked);
  }

  async hint(asked) {
    const box = $("coach");
    box.hidden = false;
    box.replaceChildren(element("p", { classes: "thinking", text: "The coach is counting …" }));
    const said = await asked.answer;
    if (this.asked !== asked) return;
    if (said.error) return box.replaceChildren(element("p", { text: said.error }));
    box.replaceChildren(worth(said));
  }

  // A choice was made: add it up, and say so only when it mattered.
  async chose(choice) {
    const asked = this.asked;
    if (!asked || this.mode === "off") return;
    const mode = this.mode;
    const said = await asked.answer;
    const made = said.choices?.find((one) => one.choice === choice);
    if (!made) return;
    if (mode === "hint" && made.cost > TOO_SMALL) {
      $("coach").hidden = false;
      $("coach").replaceChildren(
        element("p", { text: `${title(choice)} cost ${money(made.cost)} on average; ${said.choices[0].choice} was best.` }));
      this.asked = null;
    }
    if (mode === "exam") {
      const { cards, reading } = asked.seat;
      const record = { cards, reading, dealer: asked.dealer, unit: said.unit, choices: said.choices, made: choice, cost: made.cost };
      keep(`exam-${this.game}`, [...this.records, record].slice(-MOST));
      this.offerReport();
    }
  }

  report() {
    const records = this.records;
    const wrong = records.filter((one) => one.cost > TOO_SMALL).sort((a, b) => b.cost / b.unit - a.cost / a.unit);
    const units = wrong.reduce((sum, one) => sum + one.cost / one.unit, 0);
    const box = $("report");
    const right = records.length - wrong.length;
    box.replaceChildren(
      element("h2", { id: "report-title", text: "Exam report" }),
      element("p", {
        text: records.length
          ? `${right} of ${records.length} decisions right. Mistakes cost ${units.toFixed(3)} units of your largest wager.`
          : "No decision yet: play some hands with the coach at exam.",
      }),
      ...(wrong.length ? [element("h3", { text: "Weakest spots" }), element("ol", { classes: "weakest" }, ...wrong.slice(0, 6).map(mistake))] : []),
      element("div", { classes: "buttons" },
        ...(wrong.length ? [element("button", { type: "button", text: "Practise exactly those", onclick: () => practise(wrong, 0) })] : []),
        element("button", { type: "button", classes: "plain", text: "Start anew", onclick: () => this.anew() }),
        element("button", { type: "button", classes: "plain", text: "Close", onclick: () => box.close() })));
    if (!box.open) box.showModal();
  }

  anew() {
    keep(`exam-${this.game}`, []);
    $("report").close();
    this.offerReport();
  }
}

function title(choice) {
  return choice[0].toUpperCase() + choice.slice(1);
}

function money(cents) {
  const sign = cents < 0 ? "−" : "";
  return `${sign}$${(Math.abs(cents) / 100).toFixed(2)}`;
}

function worth(said) {
  const rows = said.choices.map((one, n) =>
    element("li", { classes: n ? "" : "best" },
      element("span", { text: title(one.choice) }),
      element("span", { classes: "figure", text: money(one.expected) }),
      element("span", { classes: "quiet", text: one.cost > TOO_SMALL ? `costs ${money(one.cost)}` : "best" })));
  return element("ul", { classes: "worth", "aria-label": "Expected result of each choice" }, ...rows);
}

function small(cards) {
  return element("span", { classes: "hand mini", role: "img", "aria-label": inWords(cards) }, ...cards.map((card) => drawn(card, "red")));
}

function mistake(one) {
  return element("li", {}, small(one.cards), ...(one.dealer.some((card) => card !== "##") ? [element("span", { text: "against" }), small(one.dealer.filter((card) => card !== "##"))] : []),
    element("span", { text: `${one.reading ? one.reading + ". " : ""}You chose ${one.made}; ${one.choices[0].choice} is better by ${(one.cost / one.unit).toFixed(3)} units.` }));
}

// The same hands again, until each is known.
function practise(list, n) {
  const box = $("report");
  const done = n >= list.length;
  const one = list[n];
  const said = element("p", { role: "status", text: done ? "That was all of them." : "What do you do?" });
  const next = element("button", { type: "button", text: done ? "Close" : "Next hand", onclick: () => (done ? box.close() : practise(list, n + 1)) });
  next.hidden = !done;
  const answer = (choice) => {
    said.textContent = choice.cost > TOO_SMALL
      ? `${title(choice.choice)} costs ${(choice.cost / one.unit).toFixed(3)} units: ${one.choices[0].choice} is best.`
      : `Right: ${choice.choice}.`;
    next.hidden = false;
    next.focus();
  };
  const shuffled = done ? [] : [...one.choices].sort((a, b) => a.choice.localeCompare(b.choice));
  box.replaceChildren(
    element("h2", { id: "report-title", text: done ? "Practice" : `Practice, hand ${n + 1} of ${list.length}` }),
    ...(done ? [] : [element("p", { text: "Dealer" }), small(one.dealer), element("p", { text: `You: ${one.reading}` }), small(one.cards)]),
    said,
    element("div", { classes: "buttons" },
      ...shuffled.map((choice) => element("button", { type: "button", text: title(choice.choice), onclick: () => answer(choice) })), next,
      element("button", { type: "button", classes: "plain", text: "Leave", onclick: () => box.close() })));
}

