// @ts-check
// The field for the amount of a choice that may put down less than the most, in steps.

import { element } from "../shared/dom.js";
import { dollars } from "../shared/words.js";

/** @typedef {import("./view.js").ChoiceView} ChoiceView */

/** @type {Record<string, number>} */
const KEYS = { ArrowUp: 1, ArrowDown: -1 };

/** The next amount above (1) or below (-1): a multiple of the step, or the most. @param {number} cents @param {ChoiceView} choice @param {number} way */
export function nextAmount(cents, { step, cents: most }, way) {
  const next = way > 0 ? (Math.floor(cents / step) + 1) * step : (Math.ceil(cents / step) - 1) * step;
  return Math.min(most, Math.max(Math.min(step, most), next));
}

/** The cents that a text in dollars names; 0 if it names none. @param {string} text */
export function readDollars(text) {
  const found = /^\$?(\d{1,9})(?:\.(\d{0,2}))?$/.exec(text.replace(/[\s,]/g, ""));
  return found ? 100 * Number(found[1]) + Number((found[2] ?? "").padEnd(2, "0")) : 0;
}

/**
 * The field with a button on each side. Arrow keys step, Enter makes the choice.
 * @param {ChoiceView} choice
 * @param {number} cents
 * @param {{change: (cents: number) => void, choose: () => void}} does
 */
export function amountField(choice, cents, { change, choose }) {
  const name = `${dollars(choice.step)} or more, at most ${dollars(choice.cents)}`;
  const field = element("input", {
    type: "text", inputmode: "decimal", autocomplete: "off", value: dollars(cents),
    "aria-label": `Amount to ${choice.choice}: ${name}`, title: name,
  });
  /** @param {number} way */
  const move = (way) => {
    cents = nextAmount(cents, choice, way);
    field.value = dollars(cents);
    change(cents);
  };
  field.oninput = () => change((cents = readDollars(field.value)));
  field.onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && !KEYS[event.key]) return;
    event.preventDefault();
    if (KEYS[event.key]) move(KEYS[event.key]);
    else if (!event.repeat) choose();
  };
  /** @param {string} text @param {string} label @param {number} way */
  const button = (text, label, way) => element(
    "button", { type: "button", classes: "plain small", text, "aria-label": label, onclick: () => move(way) });
  return element("span", { classes: "amount", role: "group", "aria-label": `Amount to ${choice.choice}` },
    button("−", "Less", -1), field, button("+", "More", 1));
}
