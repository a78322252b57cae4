// @ts-check
// A win of many times the stake, in large figures above the player's cards until the next bet.

import { $, element } from "../shared/dom.js";
import { dollars } from "../shared/words.js";

/** @param {number} net @param {number} staked cents */
export function showBigWin(net, staked) {
  const times = Math.floor(net / staked);
  $("win-banner").replaceChildren(
    element("b", { text: `+${dollars(net)}` }), element("span", { text: `${times} times your stake` }));
  $("win-banner").hidden = false;
  $("own").classList.add("big-win");
}

export function hideBigWin() {
  $("win-banner").hidden = true;
  $("own").classList.remove("big-win");
}
