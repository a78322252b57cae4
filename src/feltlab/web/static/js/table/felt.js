// @ts-check
// The felt: pay tables, the dealer, the seats, and the player's own hand and spots.

import { $, element, setAttribute, setText } from "../shared/dom.js";
import { describeResult, dollars, signed } from "../shared/words.js";
import { showChips } from "./chips.js";
import { drawSaid, nameOf } from "./company.js";
import { showHand } from "./dealing.js";
import { dimOthers, drawGroups } from "./groups.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./view.js").SeatView} SeatView */

const SIDES = ["print-left", "print-right"];
// Places of seats on the arc, by their distance from the middle: percents of the felt to the side, and up.
const BESIDE_OWN = [[0, 0], [29.5, 0], [38.2, 7], [44.6, 27]]; // the player's own seat is in the middle
const AROUND = [[0, 2], [14, 4], [28, 11], [41, 27]];
/** @type {number | null} */
let namedRound = null; // the round whose hands are named
const BOARD_ORDER = 98, DEALER_ORDER = 99; // after all seats

// -- Built once ---------------------------------------------------------------------------------------------

/** @param {Play} play */
export function buildFelt(play) {
  const { felt, view } = play;
  printPays(felt.printed);
  $(SIDES[1]).append(element("p", { classes: "felt-notices", "aria-hidden": "true", text: listNotices(felt).join(" · ") }));
  for (const seat of view.seats) $("seats").append(element("div", { classes: "seat", "data-seat": seat.seat }));
  for (const side of /** @type {const} */ (["far", "near"])) {
    const groups = felt.rows[side].map((group) => group.map((spot) => placeOf(play, spot)));
    const drawn = groups.map((spots) => element("div", { classes: "spot-group" }, ...spots));
    if (drawn.length) $("spots").append(element("div", { classes: `spot-row ${side}` }, ...drawn));
  }
  $("own-hand").style.setProperty("--most", felt.most);
  $("own").style.setProperty("--groups", String(felt.groups));
  $("table").classList.toggle("grouped", felt.groups > 2);
  $("spots").style.setProperty("--spots", String(Object.values(felt.rows).flat(2).length));
  for (const side of ["dealer", "board"]) $(`${side}-side`).hidden = !felt.areas.some(({ area }) => area === side);
  for (const { area, cards } of felt.areas) if (area !== "player") $(`${area}-hand`).style.setProperty("--most", String(cards));
}

/** Print each pay table on the side with fewer lines. @param {import("./view.js").Felt["printed"]} tables */
function printPays(tables) {
  const lines = SIDES.map(() => 0);
  for (const table of tables) {
    const side = lines.indexOf(Math.min(...lines));
    $(SIDES[side]).append(payTable(table));
    lines[side] += table.pays.length + 1.5;
  }
  SIDES.forEach((side, n) => $(side).style.setProperty("--rows", String(Math.max(8, lines[n]))));
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
    element("span", { classes: "spot-amount" }),
  ];
  const follows = raises ? "spot raise" : bonus_on ? "spot bonus" : "";
  if (follows) return element("div", { classes: follows, "data-spot": spot, "data-title": title }, ...inside);
  const key = play.wagers.findIndex((one) => one.spot === spot) + 1;
  return element(
    "button",
    { type: "button", classes: "spot", "data-spot": spot, "data-title": title, onclick: () => play.put(spot) },
    element("kbd", { text: key }), ...inside);
}

// -- Cards --------------------------------------------------------------------------------------------------

/** Show all hands; they make room for the chips of the next round. @param {Play} play @param {boolean} animate */
export function drawCards(play, animate) {
  const { isCleared, seat, view } = play, round = isCleared ? null : view.shown;
  /** @param {any} box @param {string[]} cards @param {number} order */
  const show = (box, cards, order) => showHand(box, isCleared ? [] : cards, view.deck, round, { animate, order });
  for (const one of view.seats) if (!one.yours) show(handOf(one.seat), one.cards, one.seat);
  show($("own-hand"), seat?.cards ?? [], seat?.seat ?? 0);
  show($("dealer-hand"), view.dealer, DEALER_ORDER);
  show($("board-hand"), view.board, BOARD_ORDER);
}

/** The small hand of a seat. @param {number} seat */
function handOf(seat) {
  const box = $("seats").children[seat - 1];
  return (box.hand ??= element("div", { classes: "hand small", role: "group" }));
}

// -- Drawn with every view ----------------------------------------------------------------------------------

/** @param {Play} play @param {boolean} animate */
export function drawFelt(play, animate) {
  const { seat, stage, view } = play;
  $("table").classList.toggle("performing", !stage.isDone);
  for (const one of view.seats) drawSeat(play, one, animate);
  drawOwn(play, animate);
  setText($("calls"), view.calls.map((call) => `“${call}”`).join(" "));
  setText($("round-number"), view.round ? `round ${view.round}` : "");
  $("table").classList.toggle("seated", Boolean(seat));
}

/** Name the hands once their cards lie; at the result, with the cards that count for each name. @param {Play} play */
export function drawNames({ isCleared, seat, stage, view }) {
  const isOver = !isCleared && view.payments.some((one) => !seat || one.seat === seat.seat) && ["reveal", "settling", "betting"].includes(view.phase);
  const isDue = stage.isNamed && !isCleared;
  if (!stage.isNamed && namedRound === view.shown) return; // the names before the newest cards stay
  namedRound = view.shown;
  const own = isDue && isOver ? seat?.groups ?? [] : [], dealer = isDue && isOver ? view.dealer_groups : [];
  const watched = isDue && isOver && !seat ? view.seats.flatMap((one) => one.groups) : [];
  nameHands([
    { whose: "own", reading: isDue ? seat?.reading ?? "" : "", groups: own },
    { whose: "dealer", reading: isDue ? view.dealer_reading : "", groups: dealer },
  ]);
  const board = [...own, ...watched, ...dealer].flatMap((group) => group.board);
  dimOthers($("board-hand"), board.length ? new Set(board) : null);
}

/** @param {{whose: string, reading: string, groups: import("./view.js").GroupView[]}[]} hands */
function nameHands(hands) {
  for (const { whose, reading, groups } of hands) {
    setText($(`${whose}-reading`), reading);
    $(`${whose}-reading`).classList.toggle("visually-hidden", groups.length > 0);
  }
  drawGroups(hands.map(({ whose, groups }) => ({ box: $(`${whose}-groups`), hand: $(`${whose}-hand`), groups })));
  for (const { whose, groups } of hands)
    dimOthers($(`${whose}-hand`), groups.length ? new Set(groups.flatMap((group) => group.cards)) : null);
}

/** @param {Play} play @param {SeatView} seat @param {boolean} animate */
function drawSeat(play, seat, animate) {
  const box = $("seats").children[seat.seat - 1];
  const { stage, view } = play, turn = view.turn === seat.seat && stage.isDone, net = play.net(seat.seat);
  box.classList.toggle("turn", turn);
  box.classList.toggle("mine", Boolean(seat.yours));
  box.classList.toggle("free", !seat.player);
  placeOnArc(play, box, seat.seat);
  const stake = stakeShown(play, seat);
  const shape = JSON.stringify(seat.player ? [seat, view.phase, turn, net, stage.isDone, stake] : mayTake(play) && [play.busy]);
  if (box.shape === shape) return;
  box.shape = shape;
  if (!seat.player) return box.replaceChildren(emptySeat(play, seat));
  const chips = (box.chipBox ??= element("span", { classes: "seat-chips" }));
  box.replaceChildren(
    handOf(seat.seat), stakeOf(play, chips, stake, net),
    nameTag(seat), element("span", { classes: "seat-note", text: noteOf(play, seat, turn) }), bubbleOf(seat));
  showChips(chips, { stake, pays: 0, taken: (net ?? 0) < 0 }, play.felt.chips, { animate, purse: () => box });
}

/** The cents of a seat on the felt, with the wagers that the dealer has still to settle. @param {Play} play @param {SeatView} seat */
function stakeShown({ stage, view }, { seat, staked = 0 }) {
  const open = view.payments.filter((one) => one.seat === seat && !stage.isPaid(one));
  return staked + open.reduce((sum, one) => sum + one.staked, 0);
}

/** A player's name, with a dot that says whether the player is there. @param {SeatView} seat */
function nameTag(seat) {
  const away = seat.present === false;
  const dot = element("span", { classes: away ? "dot away" : "dot", title: away ? "away" : "here" });
  return element("span", { classes: "seat-name", title: seat.player }, dot, nameOf(seat), element("span", { classes: "visually-hidden", text: away ? ", away" : "" }));
}

/** @param {SeatView} seat */
function bubbleOf(seat) {
  const bubble = element("span", { classes: "bubble", role: "status" });
  drawSaid(bubble, seat);
  return bubble;
}

/** @param {Play} play @param {any} box @param {number} number */
function placeOnArc({ seat, view }, box, number) {
  const count = view.seats.length, half = Math.floor(count / 2);
  const at = seat ? ((number - seat.seat + count + half) % count) - half : number - (count + 1) / 2;
  if (box.at === `${at} ${Boolean(seat)}`) return;
  box.at = `${at} ${Boolean(seat)}`;
  const arc = seat ? BESIDE_OWN : AROUND, low = Math.floor(Math.abs(at)), part = Math.abs(at) - low;
  const next = arc[Math.min(low + 1, arc.length - 1)];
  const [x, y] = arc[low].map((from, n) => from + part * (next[n] - from));
  box.style.setProperty("--x", `${50 + Math.sign(at) * x}%`);
  box.style.setProperty("--y", `${y}%`);
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

/** The chips on the felt, and what was won or lost so far. @param {Play} play @param {Node} chips @param {number} staked @param {number | null} net */
function stakeOf({ isOver }, chips, staked, net) {
  const box = element("span", { classes: "seat-stake" }, chips);
  if (staked) box.append(dollars(staked));
  if (net !== null && !(staked && isOver)) box.append(element("span", { classes: colour(net), text: signed(net) }));
  return box;
}

/** @param {Play} play @param {SeatView} seat @param {boolean} turn */
function noteOf({ view }, seat, turn) {
  if (seat.leaves) return "leaving";
  if (turn) return seat.yours ? "your turn" : seat.present === false ? "away" : "choosing";
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
  $("table").classList.toggle("alone", Boolean(seat) && view.seats.every((one) => one.yours || !one.player));
  if (seat) for (const spot of document.querySelectorAll(".spot")) drawSpot(play, spot, animate);
}

/** @param {Play} play @param {any} spot @param {boolean} animate */
function drawSpot(play, spot, animate) {
  const { bets, isCleared, isOpen, seat, stage, view } = play, name = spot.dataset.spot;
  const found = isCleared ? undefined : view.payments.find((one) => one.seat === seat?.seat && one.spot === name);
  const settled = found && stage.isPaid(found) ? found : undefined;
  const draft = isOpen ? bets.draft : seat?.stakes ?? {};
  const cents = settled ? 0 : found ? found.staked : draft[name] ?? 0;
  spot.classList.toggle("picked", isOpen && stage.isDone && name === play.picked);
  spot.classList.toggle("waits", isOpen && Boolean(bets.refused) && cents > 0);
  setAttribute(spot, "data-result", settled?.result ?? "");
  setText(spot.querySelector(".spot-amount"), cents ? dollars(cents) : settled ? signed(settled.net) : "");
  showChips(spot.querySelector(".spot-chips"), chipsOn(play, cents, settled), play.felt.chips, { animate, purse: () => purseOf(play) });
  if (spot.tagName !== "BUTTON") return;
  spot.disabled = !isOpen;
  setAttribute(spot, "aria-label", `${spot.dataset.title}${stateOf(cents, settled)}${isOpen ? `: add ${dollars(play.chip)}` : ""}`);
}

/** The chips on a spot: the wager, then what it is paid, until the player has both. @param {Play} play @param {number} cents @param {import("./view.js").PaymentView | undefined} settled */
function chipsOn({ stage }, cents, settled) {
  if (!settled) return { stake: cents, pays: 0, taken: false };
  const left = settled.staked + Math.min(0, settled.net); // of the wager
  if (!left || stage.isCollected(settled)) return { stake: 0, pays: 0, taken: !left };
  return { stake: left, pays: Math.max(0, settled.net), taken: settled.net < 0 };
}

/** Where the player's own chips are: the chip that is picked, or the bankroll. @param {Play} play */
function purseOf({ chip, isOpen }) {
  const picked = document.querySelector(`#chips [data-cents="${chip}"]`);
  return isOpen && picked?.checkVisibility() ? picked : "money";
}

/** @param {number} cents @param {import("./view.js").PaymentView | undefined} settled */
function stateOf(cents, settled) {
  if (settled) return ` ${describeResult(settled.result)}, ${signed(settled.net)}`;
  return cents ? `, ${dollars(cents)} wagered` : "";
}
