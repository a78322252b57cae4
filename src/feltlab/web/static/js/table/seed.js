// @ts-check
// Seeds of the player's own: the browser seals one for each shuffle, and reveals it when the bets have closed.

import { randomKey } from "../shared/api.js";
import { $, setText } from "../shared/dom.js";
import { readSetting, saveSetting } from "../shared/settings.js";
import { sha256 } from "../shared/sha256.js";

/** @typedef {import("./play.js").Play} Play */

const WHY = "They mix the cards that the table has committed to, so that nobody alone chooses their order.";
const MIXED = "Your seed mixes these cards. The replay of the round checks it.";
const MOST_KEPT = 20; // seeds in this browser: a page that is loaded again still has to reveal its own

let tried = ""; // what was last sent: a refusal is not repeated
let trouble = "";

/** @param {Play} play */
export function buildSeed(play) {
  $("seed-on").checked = readSetting("seed", false);
  $("seed-on").onchange = () => {
    saveSetting("seed", $("seed-on").checked);
    play.changed();
  };
}

/** @param {Play} play */
export function drawSeed(play) {
  const { seat, view } = play, own = view.seeds.find((one) => one.seat === seat?.seat);
  $("seed").hidden = !seat;
  setText($("seed-state"), describe(own, view.no_seed));
  setText($("seed-mark"), own ? "Seed ✓" : "Seed");
  if (seat && play.live.socket) sendSeed(play, own);
}

/** @param {{digest: string, revealed: boolean} | undefined} own @param {string} why no seed can be sealed now */
function describe(own, why) {
  if (own?.revealed) return MIXED;
  if (own) return `Sealed as ${own.digest.slice(0, 16)}… and revealed when the bets have closed.`;
  return $("seed-on").checked ? trouble || why : WHY;
}

/** Seal a seed or reveal it, if it is due. @param {Play} play @param {{digest: string, revealed: boolean} | undefined} own */
function sendSeed(play, own) {
  const { view } = play, kept = readSetting("seeds", {}), seed = own && kept[own.digest];
  if (own && !own.revealed && seed && view.phase === "no more bets") send(play, "reveal-seed", { seed }, own.digest);
  if ($("seed-on").checked && !view.no_seed && !own?.revealed && !seed) {
    const fresh = randomKey(), digest = sha256(fresh);
    if (send(play, "seal-seed", { digest }, view.commitment)) saveSetting("seeds", Object.fromEntries([...Object.entries(kept), [digest, fresh]].slice(-MOST_KEPT)));
  }
}

/**
 * Send an act once for what it is about; returns whether it was sent.
 * @param {Play} play @param {string} act @param {object} data @param {string} about
 */
function send(play, act, data, about) {
  const sent = `${act} ${about}`;
  if (tried === sent) return false;
  tried = sent;
  trouble = "";
  play.live.act(act, { seat: play.seat?.seat, round: play.view.round, ...data }).catch((/** @type {Error} */ error) => {
    trouble = error.message;
    play.changed();
  });
  return true;
}
