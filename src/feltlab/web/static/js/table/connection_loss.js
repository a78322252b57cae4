// @ts-check
// A lost connection in words: what happens to the round and to the seat of a player who is away.

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").SeatView} SeatView */

const KEPT = "Your chips stay yours.";

/** @param {View} view @param {SeatView | undefined} seat the visitor's own */
export function describeLoss(view, seat) {
  return ["Connection lost; reconnecting.", ...(seat ? [...describeRound(view, seat), KEPT] : [])].join(" ");
}

/** @param {View} view @param {SeatView} seat */
function describeRound(view, seat) {
  const away = timeInWords(view.away), plays = Boolean(seat.staked);
  if (!plays) return [`After ${away} your seat is given up.`];
  if (view.grace === view.away) return [`Your round waits for ${away}. Then the house rule plays it to its end, and your seat is given up.`];
  const ending = `After the round, your seat is given up if you have been away for ${away}.`;
  if (view.timers.choosing === null) return ["The table waits for your choices.", ending];
  if (seat.choices) return ["If the clock runs out before you are back, the house rule chooses for you.", ending];
  return [`In your turn, the house rule chooses for you after ${timeInWords(view.grace)} at the earliest.`, ending];
}

/** @param {number} seconds */
function timeInWords(seconds) {
  return seconds >= 120 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds)} seconds`;
}
