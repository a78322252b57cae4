// @ts-check
// Words and amounts as people write them.

/** @param {string} text */
export function capitalise(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A choice in words: 'raise 4x'. @param {string} choice */
export function choiceInWords(choice) {
  return choice.replaceAll("-", " ");
}

/** A choice as the text of a button: 'Raise 4x'. @param {string} choice */
export function titleOfChoice(choice) {
  return capitalise(choiceInWords(choice));
}

const GROUPED = new Intl.NumberFormat("en-US"); // made once: a page writes hundreds of amounts

/** '$5', '$7.50', '−$0.05'. @param {number} cents */
export function dollars(cents) {
  const whole = GROUPED.format(Math.floor(Math.abs(cents) / 100));
  const rest = Math.abs(cents) % 100;
  return `${cents < 0 ? "−" : ""}$${whole}${rest ? "." + String(rest).padStart(2, "0") : ""}`;
}

/** '+$5', '−$5', '$0'. @param {number} cents */
export function signed(cents) {
  return cents > 0 ? `+${dollars(cents)}` : dollars(cents);
}

/** @type {Record<string, string>} */
const VERBS = { win: "wins", lose: "loses", push: "pushes", refund: "is returned" };

/** 'wins', 'is returned'. @param {string} result */
export function describeResult(result) {
  return VERBS[result] ?? result;
}

/** ': tie', or '' where the outcome is called like its result. @param {{outcome: string, result: string}} paid */
export function describeOutcome({ outcome, result }) {
  return outcome === result ? "" : `: ${outcome}`;
}
