// @ts-check
// A decision on the page: the cards, the choices, and the verdict on an answer.

import { cardNames, drawCard } from "../shared/cards.js";
import { $, element } from "../shared/dom.js";
import { capitalise, dollars, titleOfChoice } from "../shared/words.js";

/**
 * @typedef {object} Decision
 * @property {string} query the position as the query of a link
 * @property {Record<string, string[]>} areas the cards that the player sees
 * @property {string} reading
 * @property {string} street
 * @property {string[]} chosen
 * @property {{title: string, cents: number}[]} wagers
 * @property {number} unit cents of the first wager
 * @property {{cents: number, words: string}} measure the cents for which a result is told as one dollar
 * @property {{choice: string, key: string, help: string, cents: number}[]} choices
 * @property {{choice: string, expected: number, cost: number}[]} values best first, in cents
 * @property {import("../shared/chart.js").CardRow | null} row
 * @property {string} reason
 * @property {string} after leads on to the next decision of the hand
 * @property {string} [token] if the server keeps values, row, reason and after until the answer is there
 */

/** @param {Decision} decision */
export function showDecision(decision) {
  const { player, ...others } = decision.areas;
  const shared = Object.entries(others).filter(([, cards]) => cards.length);
  $("shared").replaceChildren(...shared.map(([area, cards]) => drawHand(capitalise(area), cards, "")));
  $("own").replaceChildren(drawHand("You", player, decision.reading));
  const street = decision.street ? `${capitalise(decision.street)}. ` : "";
  const before = decision.chosen.length ? ` You chose ${decision.chosen.map(titleOfChoice).join(", ")}.` : "";
  const staked = decision.wagers.map((wager) => `${wager.title} ${dollars(wager.cents)}`).join(", ");
  $("wagers").textContent = `${street}${staked}.${before}`;
}

/** The hand in words, for screen readers. @param {Decision} decision */
export function describeHand(decision) {
  const hands = Object.entries(decision.areas).filter(([, cards]) => cards.length)
    .map(([area, cards]) => `${area === "player" ? "You" : capitalise(area)}: ${cardNames(cards)}`);
  return `${hands.join(". ")}. ${decision.reading}`;
}

/** @param {string} name @param {string[]} cards @param {string} reading */
function drawHand(name, cards, reading) {
  const faces = cards.map((card) => drawCard(card, "red"));
  const hand = element("div", { classes: `hand${cards.length > 4 ? " many" : ""}`, role: "group", "aria-label": cardNames(cards) }, ...faces);
  return element("div", { classes: "shown-hand" }, element("p", { classes: "place-name", text: name }), hand,
    ...(reading ? [element("p", { classes: "reading", text: reading })] : []));
}

/** The buttons of the choices. @param {Decision} decision @param {(choice: string) => void} answer */
export function showAnswers(decision, answer) {
  const buttons = decision.choices.map((one) => {
    const cost = one.cents ? element("small", { text: dollars(one.cents) }) : "";
    return element("button", { type: "button", classes: "answer plain", "data-choice": one.choice, title: one.help, onclick: () => answer(one.choice) },
      element("kbd", { text: one.key.toUpperCase() }), element("span", { text: titleOfChoice(one.choice) }), cost);
  });
  $("answers").replaceChildren(...buttons);
}

/** Mark the buttons: the answer, and the best one. @param {Decision} decision @param {string} choice */
export function markAnswers(decision, choice) {
  const best = decision.values[0].choice;
  for (const button of $("answers").children) {
    const own = button.dataset.choice;
    button.disabled = true;
    button.classList.toggle("best", own === best);
    button.classList.toggle("wrong", own === choice && own !== best);
  }
}

/** A part of a unit as people say it: '12.4 ¢', '$1.50'. @param {number} units */
export function inCents(units) {
  const cents = 100 * units;
  if (cents >= 100) return `$${units.toFixed(2)}`;
  return cents >= 0.05 ? `${cents.toFixed(1)} ¢` : "less than 0.1 ¢";
}

/** @param {Decision} decision @param {string} choice @param {number} cost in units */
export function verdictText(decision, choice, cost) {
  if (!cost) return "Right.";
  const { cents, words } = decision.measure, lost = inCents((cost * decision.unit) / cents);
  return `${titleOfChoice(choice)} costs ${lost} ${words}; ${titleOfChoice(decision.values[0].choice)} is best.`;
}
