// @ts-check
// The progressive of a table: its meter, and the bet of the player's seat.

import { post } from "../shared/api.js";
import { $, setText } from "../shared/dom.js";
import { climb, followJackpots, writeMeter } from "../shared/meters.js";

/** @typedef {import("./play.js").Play} Play */

/** @typedef {import("../shared/meters.js").Jackpot} Jackpot */

/** @type {Jackpot | null} */
let jackpot = null;

/** @param {Play} play @param {boolean} signedIn whose socket tells the meter; others open one for the meters alone */
export function buildJackpot(play, signedIn) {
  const name = $("jackpot").dataset.fed;
  /** @param {Jackpot | null | undefined} told */
  const show = (told) => {
    jackpot = told ?? null;
    $("jackpot").hidden = !jackpot;
    if (!jackpot) return;
    setText($("jackpot-title"), jackpot.title);
    climb($("jackpot-meter"), jackpot.meters[0].cents);
    drawJackpot(play);
  };
  play.onJackpot = show;
  if (!signedIn && name) followJackpots((found) => play.live.socket || show(found.find((one) => one.name === name)));
  $("jackpot-bet").onclick = async () => {
    const on = !play.seat?.jackpot;
    $("jackpot-bet").disabled = true;
    await post(`/api/tables/${play.view.table}/jackpot`, { seat: play.seat?.seat, on }).catch((/** @type {Error} */ error) => setText($("message"), error.message));
    drawJackpot(play);
  };
}

/** @param {Play} play */
export function drawJackpot(play) {
  if (!jackpot) return;
  const { seat, view } = play, button = $("jackpot-bet");
  button.hidden = !seat;
  button.disabled = view.phase !== "betting" || Boolean(jackpot.stopped);
  button.title = jackpot.stopped || jackpot.pending;
  setText(button, `${seat?.jackpot ? "Take back" : "Bet"} ${writeMeter(jackpot.bet_cents).replace(".00", "")}`);
  button.setAttribute("aria-pressed", String(Boolean(seat?.jackpot)));
}
