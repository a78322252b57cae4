// @ts-check
// The felt: pay tables, the dealer, the seats, and the player's own hand and spots.

import { $, chipStack, element, setText, showHand, showLeaving } from "../shared/dom.js";
import { describeResult, dollars, signed } from "../shared/words.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./view.js").SeatView} SeatView */

const SIDES = ["print-left", "print-right"];

// -- Built once ---------------------------------------------------------------------------------------------

/** @param {Play} play */
export function buildFelt(play) {
  const { felt, view } = play;
  felt.printed.forEach((table, n) => $(SIDES[n % 2]).append(payTable(table)));
  $(SIDES[1]).append(element("p", { classes: "felt-notices", "aria-hidden": "true", text: listNotices(felt).join(" · ") }));
  for (const seat of view.seats) $("seats").append(element("div", { classes: "seat", "data-seat": seat.seat }));
  for (const side of /** @type {const} */ (["far", "near"])) {
    const groups = felt.rows[side].map((group) => group.map((spot) => placeOf(play, spot)));
    const drawn = groups.map((spots) => element("div", { classes: "spot-group" }, ...spots));
    if (drawn.length) $("spots").append(element("div", { classes: `spot-row ${side}` }, ...drawn));
  }
  $("own-hand").style.setProperty("--most", felt.most);
  for (const side of ["dealer", "board"]) $(`${side}-side`).hidden = !felt.areas.some(({ area }) => area === side);
  for (const { area, cards } of felt.areas) if (area !== "player") $(`${area}-hand`).style.setProperty("--most", String(cards));
}

/** All that the layout prints besides pay tables, for screens without room at the spots. @param {import("./view.js").Felt} felt */
function listNotices({ notes, rows }) {
  const spots = [...rows.near, ...rows.far].flat();
  return [...notes, ...spots.flatMap(({ title, notices }) => notices.map((text) => `${title}: ${text}`))];
}

/** @param {{title: string, pays: {outcome: string, pays: string}[]}} table */
function payTable(table) {
  const rows = table.pays.map(({ outcome, pays }) =>
    element("tr", {}, element("td", { text: outcome }), element("td", { text: pays })));
  return element("table", {}, element("caption", { text: table.title }), element("tbody", {}, ...rows));
}

/** A spot with the notices that the layout prints below it. @param {Play} play @param {import("./view.js").FeltSpot} spot */
function placeOf(play, spot) {
  const notices = spot.notices.map((text) => element("p", { classes: "spot-notice", text }));
  return element("div", { classes: "spot-place" }, spotOf(play, spot), ...notices);
}

/** @param {Play} play @param {import("./view.js").FeltSpot} spot */
function spotOf(play, { spot, title, raises, bonus_on }) {
  const inside = [
    element("span", { classes: "spot-title", text: title }), element("span", { classes: "spot-chips" }),
    element("span", { classes: "spot-amount", "data-after-deal": true }),
  ];
  const follows = raises ? "spot raise" : bonus_on ? "spot bonus" : "";
  if (follows) return element("div", { classes: follows, "data-spot": spot, "data-title": title }, ...inside);
  const key = play.wagers.findIndex((one) => one.spot === spot) + 1;
  return element(
    "button",
    { type: "button", classes: "spot", "data-spot": spot, "data-title": title, onclick: () => play.put(spot) },
    element("kbd", { text: key }), ...inside);
}

// -- Drawn with every view ----------------------------------------------------------------------------------

/** @param {Play} play @param {boolean} animate */
export function drawFelt(play, animate) {
  for (const seat of play.view.seats) drawSeat(play, seat, animate);
  drawOwn(play, animate);
  drawDealer(play, animate);
}

/** @param {Play} play @param {boolean} animate */
function drawDealer({ view }, animate) {
  showHand($("dealer-hand"), view.dealer, view.deck, view.shown, animate);
  showHand($("board-hand"), view.board, view.deck, view.shown, animate);
  setText($("dealer-reading"), view.dealer_reading);
  setText($("calls"), view.calls.map((call) => `“${call}”`).join(" "));
  setText($("round-number"), view.round ? `round ${view.round}` : "");
}

/** @param {Play} play @param {SeatView} seat @param {boolean} animate */
function drawSeat(play, seat, animate) {
  const box = $("seats").children[seat.seat - 1];
  const { view } = play, turn = view.turn === seat.seat, net = play.net(seat.seat);
  box.classList.toggle("turn", turn);
  box.classList.toggle("mine", Boolean(seat.yours));
  const shape = JSON.stringify(seat.player ? [seat, view.phase, turn, net, seat.yours && play.staked] : [mayTake(play), play.busy]);
  if (box.shape === shape) return;
  box.shape = shape;
  if (!seat.player) {
    box.hand = null;
    return box.replaceChildren(emptySeat(play, seat));
  }
  box.hand ??= element("div", { classes: "hand small", role: "group" });
  box.replaceChildren(
    box.hand, stakeOf(play, seat.yours ? play.staked : seat.staked ?? 0, net),
    element("span", { classes: "seat-name", text: seat.yours ? "You" : seat.player }),
    element("span", { classes: "seat-note", text: noteOf(play, seat, turn), "data-after-deal": true }));
  if (!seat.yours) showHand(box.hand, seat.cards, view.deck, view.shown, animate);
}

/** Whether the visitor may take a free seat. @param {Play} play */
function mayTake({ mayPlay, seat, view }) {
  return !seat && view.phase !== "closed" && mayPlay;
}

/** @param {Play} play @param {SeatView} place */
function emptySeat(play, { seat }) {
  if (!mayTake(play)) return element("span", { classes: "empty", text: seat });
  return element(
    "button",
    { type: "button", classes: "take", "aria-label": `Take seat ${seat}`, disabled: play.busy, onclick: () => play.sit(seat) },
    "Sit", element("small", { text: `seat ${seat}` }));
}

/** The chips on the felt, and what was won or lost so far. @param {Play} play @param {number} staked @param {number | null} net */
function stakeOf({ felt, isOver }, staked, net) {
  const box = element("span", { classes: "seat-stake", "data-after-deal": true });
  if (staked) box.append(chipStack(staked, felt.chips), dollars(staked));
  if (net !== null && !(staked && isOver)) box.append(element("span", { classes: colour(net), text: signed(net) }));
  return box;
}

/** @param {Play} play @param {SeatView} seat @param {boolean} turn */
function noteOf({ view }, seat, turn) {
  if (seat.leaves) return "leaving";
  if (turn) return seat.yours ? "your turn" : "choosing";
  return seat.ready && view.phase === "betting" ? "ready" : dollars(seat.bankroll ?? 0);
}

/** The class of an amount won or lost. @param {number} net */
export function colour(net) {
  return net > 0 ? "win" : net < 0 ? "loss" : "";
}

// -- The player's own seat -----------------------------------------------------------------------------------

/** @param {Play} play @param {boolean} animate */
function drawOwn(play, animate) {
  const { seat, view } = play;
  $("own").hidden = !seat;
  $("table").classList.toggle("seated", Boolean(seat));
  $("table").classList.toggle("alone", Boolean(seat) && view.seats.every((one) => one.yours || !one.player));
  if (!seat) return;
  showHand($("own-hand"), seat.cards, view.deck, view.shown, animate);
  setText($("own-reading"), seat.reading);
  for (const spot of document.querySelectorAll(".spot")) drawSpot(play, spot, animate);
}

/** @param {Play} play @param {any} spot @param {boolean} animate */
function drawSpot(play, spot, animate) {
  const { bets, isOpen, seat, view } = play, name = spot.dataset.spot;
  const settled = isOpen && bets.total ? undefined : view.payments.find((one) => one.seat === seat?.seat && one.spot === name);
  const cents = settled ? 0 : (isOpen ? bets.draft : seat?.stakes ?? {})[name] ?? 0;
  spot.classList.toggle("picked", isOpen && name === play.picked);
  spot.classList.toggle("waits", isOpen && Boolean(bets.refused) && cents > 0);
  spot.dataset.result = settled?.result ?? "";
  setText(spot.querySelector(".spot-amount"), cents ? dollars(cents) : settled ? signed(settled.net) : "");
  drawChips(play, spot.querySelector(".spot-chips"), cents, settled, animate);
  if (spot.tagName !== "BUTTON") return;
  spot.disabled = !isOpen;
  spot.setAttribute("aria-label", `${spot.dataset.title}${stateOf(cents, settled)}${isOpen ? `: add ${dollars(play.chip)}` : ""}`);
}

/** @param {number} cents @param {import("./view.js").PaymentView | undefined} settled */
function stateOf(cents, settled) {
  if (settled) return ` ${describeResult(settled.result)}, ${signed(settled.net)}`;
  return cents ? `, ${dollars(cents)} wagered` : "";
}

/**
 * The chips on a spot. Those of a wager that was settled since the last view are taken or paid, once.
 * @param {Play} play
 * @param {any} box
 * @param {number} cents
 * @param {import("./view.js").PaymentView | undefined} settled
 * @param {boolean} animate
 */
function drawChips({ felt, view }, box, cents, settled, animate) {
  if (box.cents !== cents) box.replaceChildren(...(cents > 0 ? [chipStack(cents, felt.chips)] : []));
  box.cents = cents;
  if (!settled || box.settledRound === view.shown) return;
  box.settledRound = view.shown;
  const stack = chipStack(settled.staked + Math.max(0, settled.net), felt.chips);
  if (animate) showLeaving(box, stack, settled.result === "lose" ? -1 : 1);
}
