// The page of a table: it draws the view that the server sends and posts what the player does.

import { Bets } from "./bets.js";
import { inWords } from "./cards.js";
import { Coach } from "./coach.js";
import { $, chipStack, element, setText, showHand, startDealing } from "./dom.js";
import { Live } from "./live.js";
import { dollars, enter, post, whoAmI } from "./pit.js";
import { chime, settle } from "./settings.js";

const { felt, table: first, signed_in: known } = JSON.parse($("felt-data").textContent);
const name = $("table").dataset.table;
const titles = Object.fromEntries(felt.spots.map((spot) => [spot.spot, spot.title]));
const wagerNames = felt.spots.filter((spot) => !spot.raises).map((spot) => spot.spot);
const BUY_IN = 20000, LOW = 10000;

let view = { ...first, seconds: null };
let me = null; // the session
let chip = felt.chips[1].cents;
let picked = wagerNames.find((spot) => felt.spots.find((one) => one.spot === spot).required) ?? wagerNames[0];
let busy = false; // a choice or "deal" is on its way
let trouble = ""; // what was refused last
let ends = null; // when the phase ends, by this clock
let drawnOnce = false;
let won = 0, counted = 0; // of this visit; the last round that is in it
let lost = false;

const live = new Live(name, {
  view: (seen) => {
    const sat = mine();
    view = seen;
    if (sat && !mine()) whoAmI(true).then((known) => { me = known; draw(); }); // chips went back to the balance
    ends = seen.seconds === null ? null : performance.now() + 1000 * seen.seconds;
    busy = false;
    draw();
  },
  state: (state) => {
    lost = state === "lost";
    $("banner").hidden = !lost;
    setText($("banner"), lost ? "The connection is lost; trying again. Your round waits as it is." : "");
  },
  signedOut: () => {
    me = null;
    trouble = "Your session has ended. Take a seat to play on as someone new.";
    draw();
  },
});
const bets = new Bets(live, () => draw());
const coach = new Coach(name, felt.game);

const mine = () => view.seats.find((seat) => seat.yours);
const isOpen = (seat) => view.phase === "betting" && seat && !seat.leaves;
const handsRound = () => (view.phase === "betting" ? view.round - 1 : view.round);

// -- Acts ---------------------------------------------------------------------------------------------

async function tryTo(work) {
  trouble = "";
  try {
    await work();
  } catch (error) {
    trouble = error.message;
  }
  busy = false;
  draw();
}

function sit(seat) {
  if (busy) return;
  busy = true;
  tryTo(async () => {
    me = await enter();
    if (me.balance < view.limits.minimum) await post("/api/refill");
    me = await whoAmI(true);
    if (!live.socket) live.join();
    await live.act("sit", { seat, cents: Math.min(BUY_IN, me.balance) });
    me = await whoAmI(true);
  });
}

function choose(choice) {
  if (busy) return;
  busy = true;
  coach.chose(choice);
  const { seat } = mine();
  tryTo(() => live.act("choose", { seat, round: view.round, choice }));
  draw();
}

function deal() {
  if (busy || mine()?.ready) return;
  busy = true;
  tryTo(() => bets.deal());
}

function withMoney(work) {
  return () => tryTo(async () => {
    await work();
    me = await whoAmI(true);
  });
}

const leave = withMoney(() => live.act("leave", { seat: mine().seat }));
const buy = withMoney(() => live.act("buy", { seat: mine().seat, cents: Math.min(LOW, me.balance) }));
const refill = withMoney(() => post("/api/refill"));

function put(spot, cents = chip) {
  if (!isOpen(mine())) return;
  picked = spot;
  trouble = "";
  bets.add(spot, cents);
}

const betting = [
  { key: "r", text: "Rebet", does: () => bets.set(mine().last), may: (seat) => Object.keys(seat.last).length > 0 && !bets.total },
  { key: "d", text: "Double", does: () => bets.double(mine().last), may: (seat) => bets.total > 0 || Object.keys(seat.last).length > 0 },
  { key: "u", text: "Undo", does: () => bets.undo(), may: () => bets.before.length > 0 },
  { key: "0", text: "Clear", does: () => bets.set({}), may: () => bets.total > 0 },
  { key: "Enter", text: "Deal", does: deal, may: (seat) => bets.total > 0 && !seat.ready, main: true },
];

// -- Drawing ------------------------------------------------------------------------------------------

function build() {
  const numbers = Object.fromEntries(wagerNames.map((spot, n) => [spot, n + 1]));
  for (const side of ["far", "near"]) {
    const row = element("div", { classes: `spot-row ${side}` });
    for (const group of felt.rows[side]) row.append(element("div", { classes: "spot-group" }, ...group.map((spot) => spotElement(spot, numbers))));
    if (row.children.length) $("spots").append(row);
  }
  for (const { cents, key } of felt.chips)
    $("chips").append(element("button", { type: "button", classes: `chip big c${cents / 100}`, "data-cents": cents, "aria-label": `Chip of ${dollars(cents)}`, "aria-pressed": "false", onclick: () => { chip = cents; draw(); } },
      element("span", { text: `${cents / 100}` }), element("kbd", { text: key })));
  for (const { key, text, does, main } of betting)
    $("bet-buttons").append(element("button", { type: "button", classes: main ? "main" : "plain", "data-bet": text, onclick: does }, text, element("kbd", { text: key === "Enter" ? "↵" : key })));
  felt.printed.forEach((table, n) => $(n % 2 ? "print-right" : "print-left").append(payTable(table)));
  for (const seat of view.seats) $("seats").append(element("div", { classes: "seat", "data-seat": seat.seat }));
}

function spotElement(spot, numbers) {
  const inside = [element("span", { classes: "spot-title", text: spot.title }), element("span", { classes: "spot-chips" }), element("span", { classes: "spot-amount" })];
  if (spot.raises) return element("div", { classes: "spot raise", "data-spot": spot.spot }, ...inside);
  return element("button", { type: "button", classes: "spot", "data-spot": spot.spot, onclick: () => put(spot.spot) }, element("kbd", { text: numbers[spot.spot] }), ...inside);
}

function payTable(table) {
  const rows = table.pays.map((line) => element("tr", {}, element("td", { text: line.outcome }), element("td", { text: line.pays })));
  return element("table", {}, element("caption", { text: table.title }), element("tbody", {}, ...rows));
}

function draw() {
  const seat = mine();
  bets.follow(view, seat);
  startDealing();
  count(seat);
  for (const other of view.seats) drawSeat(other, seat);
  drawOwn(seat);
  drawDealer();
  drawControls(seat);
  drawResults(seat);
  drawMoney(seat);
  coach.look(view, seat);
  say(seat);
  drawnOnce = true;
}

function drawDealer() {
  showHand($("dealer-hand"), view.dealer, view.deck, handsRound(), drawnOnce);
  setText($("dealer-reading"), view.dealer_reading);
  setText($("calls"), view.calls.map((call) => `“${call}”`).join(" "));
  setText($("round-number"), view.round ? `round ${view.round}` : "");
}

function drawSeat(seat, own) {
  const box = $("seats").children[seat.seat - 1];
  box.classList.toggle("turn", view.turn === seat.seat);
  box.classList.toggle("mine", Boolean(seat.yours));
  const net = netOf(seat.seat);
  const sitting = !own && view.phase !== "closed" && me?.acts?.includes("play") !== false;
  const shape = JSON.stringify([seat, view.turn, net, sitting, seat.yours ? bets.total : 0]);
  if (box.shape === shape) return;
  box.shape = shape;
  if (!seat.player) {
    box.replaceChildren(sitting ? element("button", { type: "button", classes: "take", "aria-label": `Take seat ${seat.seat}`, onclick: () => sit(seat.seat) }, "Sit", element("small", { text: `seat ${seat.seat}` })) : element("span", { classes: "empty", text: seat.seat }));
    box.hand = null;
    return;
  }
  box.hand ??= element("div", { classes: "hand small", role: "group" });
  const staked = seat.yours && isOpen(seat) ? bets.total : seat.staked;
  box.replaceChildren(
    box.hand,
    element("span", { classes: "seat-stake" }, ...(staked ? [chipStack(staked), dollars(staked)] : []), ...(net !== null && !staked ? [element("span", { classes: net > 0 ? "win" : net < 0 ? "loss" : "", text: signed(net) })] : [])),
    element("span", { classes: "seat-name", text: seat.yours ? "You" : seat.player }),
    element("span", { classes: "seat-note", text: seat.leaves ? "leaves" : view.turn === seat.seat ? "chooses" : seat.ready ? "ready" : dollars(seat.bankroll) }));
  if (!seat.yours) showHand(box.hand, seat.cards, view.deck, handsRound(), drawnOnce);
}

function drawOwn(seat) {
  $("own").hidden = !seat;
  $("table").classList.toggle("seated", Boolean(seat));
  $("table").classList.toggle("alone", Boolean(seat) && view.seats.every((one) => one.yours || !one.player));
  if (!seat) return;
  showHand($("own-hand"), seat.cards, view.deck, handsRound(), drawnOnce);
  setText($("own-reading"), seat.reading);
  const open = isOpen(seat);
  const stakes = open ? bets.draft : seat.stakes;
  for (const spot of document.querySelectorAll(".spot")) {
    const called = spot.dataset.spot, cents = stakes[called] ?? 0;
    const paid = open && !bets.total ? view.payments.find((one) => one.seat === seat.seat && one.spot === called) : null;
    spot.classList.toggle("picked", open && called === picked);
    spot.classList.toggle("waits", open && Boolean(bets.refused) && cents > 0);
    spot.dataset.result = paid?.result ?? "";
    setText(spot.querySelector(".spot-amount"), cents ? dollars(cents) : paid ? signed(paid.net) : "");
    const chips = spot.querySelector(".spot-chips");
    if (chips.cents !== cents) chips.replaceChildren(...(cents ? [chipStack(cents)] : []));
    chips.cents = cents;
    if (spot.tagName === "BUTTON") {
      spot.disabled = !open;
      spot.setAttribute("aria-label", `${titles[called]}${cents ? `, ${dollars(cents)} on it` : ""}${open ? `: put ${dollars(chip)} more` : ""}`);
    }
  }
}

function drawControls(seat) {
  setText($("message"), messageOf(seat));
  $("message").classList.toggle("trouble", Boolean(trouble));
  drawChoices(seat);
  const open = isOpen(seat);
  $("betting").hidden = !open;
  for (const button of $("chips").children) button.setAttribute("aria-pressed", String(Number(button.dataset.cents) === chip));
  if (open) for (const { text, may } of betting) $("bet-buttons").querySelector(`[data-bet="${text}"]`).disabled = busy || !may(seat);
  drawSitting(seat);
}

function drawChoices(seat) {
  const choices = seat?.choices ?? [];
  const shape = JSON.stringify([choices, busy]);
  const box = $("choices");
  if (box.shape === shape) return;
  box.shape = shape;
  box.replaceChildren(...choices.map((one) =>
    element("button", { type: "button", classes: "choice", "data-choice": one.choice, title: one.barred || one.help, disabled: busy || Boolean(one.barred), onclick: () => choose(one.choice) },
      element("span", {}, element("b", { text: one.choice[0].toUpperCase() + one.choice.slice(1) }), one.cents ? ` ${dollars(one.cents)}` : "", element("small", { text: one.barred || one.help })), element("kbd", { text: one.key }))));
}

function drawSitting(seat) {
  const shape = JSON.stringify([seat?.seat, seat?.leaves, me?.balance, isOpen(seat), (seat?.bankroll ?? 0) < LOW]);
  const box = $("sitting");
  if (box.shape === shape) return;
  box.shape = shape;
  const plain = (text, does) => element("button", { type: "button", classes: "plain small", text, onclick: does });
  const buttons = [];
  if (isOpen(seat) && me?.balance > 0 && seat.bankroll + seat.staked < 2 * LOW) buttons.push(plain(`Buy ${dollars(Math.min(LOW, me.balance))} more`, buy));
  if (me && me.balance < LOW && (!seat || seat.bankroll < view.limits.minimum)) buttons.push(plain("Refill", refill));
  if (seat && !seat.leaves) buttons.push(plain("Leave the table", leave));
  box.replaceChildren(...buttons);
}

function messageOf(seat) {
  if (trouble) return trouble;
  if (view.void) return `The round is void: ${view.void}`;
  if (view.phase === "closed") return "This table is closed.";
  if (!seat) return "Take a free seat to play. You watch until then.";
  if (seat.leaves) return "You leave after this round.";
  if (seat.choices) return "Your choice.";
  if (view.phase === "choosing") return `Seat ${view.turn} chooses.`;
  if (view.phase !== "betting") return view.phase[0].toUpperCase() + view.phase.slice(1) + ".";
  if (seat.ready) return "Ready. The cards come when all are.";
  if (bets.refused) return bets.refused;
  if (bets.total) return `${dollars(bets.total)} on the felt. Deal when ready.`;
  const net = netOf(seat.seat);
  return `${net === null ? "" : net > 0 ? `You win ${dollars(net)}. ` : net < 0 ? `You lose ${dollars(-net)}. ` : "You break even. "}Place your wagers.`;
}

// -- Results ------------------------------------------------------------------------------------------

function netOf(seat) {
  const paid = view.payments.filter((one) => one.seat === seat);
  return paid.length ? paid.reduce((sum, one) => sum + one.net, 0) : null;
}

function signed(cents) {
  return cents > 0 ? `+${dollars(cents)}` : cents < 0 ? `−${dollars(-cents)}` : "$0";
}

function count(seat) {
  const net = seat ? netOf(seat.seat) : null;
  if (net === null || counted === handsRound()) return;
  counted = handsRound();
  if (!drawnOnce) return; // a round from before this visit
  won += net;
  if (net > 0) chime();
}

const VERBS = { win: "wins", lose: "loses", push: "pushes", refund: "is given back" };

function drawResults(seat) {
  const paid = view.payments.filter((one) => !seat || one.seat === seat.seat);
  const box = $("results");
  const shape = JSON.stringify([paid, handsRound()]);
  if (box.shape === shape) return;
  box.shape = shape;
  box.hidden = !paid.length;
  const lines = paid.map((one) => element("li", { classes: one.net > 0 ? "win" : one.net < 0 ? "loss" : "" },
    element("span", {}, element("b", { text: `${seat ? "" : `Seat ${one.seat}, `}${titles[one.spot]}` }), ` ${dollars(one.staked)} ${VERBS[one.result] ?? one.result}: ${one.outcome}; ${one.why}.`),
    element("span", { classes: "figure", text: signed(one.net) })));
  const round = handsRound();
  box.replaceChildren(
    element("h2", { text: `Round ${round}` }), element("ul", {}, ...lines),
    element("p", {}, element("a", { href: `/tables/${name}/rounds/${round}`, text: "Replay this round and check its shuffle" })));
}

function drawMoney(seat) {
  const parts = [];
  const staked = seat ? (isOpen(seat) ? bets.total : seat.staked) : 0;
  if (seat) parts.push(["Bankroll", dollars(seat.bankroll + seat.staked - staked)], ["On the felt", dollars(staked)], ["This visit", signed(won)]);
  if (me) parts.push(["Balance", dollars(me.balance)]);
  const box = $("money"), shape = JSON.stringify(parts);
  if (box.shape === shape) return;
  box.shape = shape;
  box.replaceChildren(...parts.map(([what, worth]) => element("span", {}, `${what} `, element("b", { text: worth }))));
  if (me) {
    $("purse").hidden = false;
    setText($("purse"), `${me.account.replace(/-.*/, "")} · ${dollars(me.balance)}`);
  }
}

// -- For ears, keys and clocks ------------------------------------------------------------------------

function say(seat) {
  const parts = [...view.calls];
  if (view.dealer.length) parts.push(`Dealer: ${inWords(view.dealer)}${view.dealer_reading ? `, ${view.dealer_reading}` : ""}.`);
  if (seat?.cards.length) parts.push(`You: ${inWords(seat.cards)}${seat.reading ? `, ${seat.reading}` : ""}.`);
  if (seat?.choices) parts.push(`Your choice: ${seat.choices.map((one) => `${one.choice}, key ${one.key}`).join("; ")}.`);
  else parts.push(messageOf(seat));
  for (const one of view.payments.filter((paid) => paid.seat === seat?.seat)) parts.push(`${titles[one.spot]} ${VERBS[one.result] ?? one.result}: ${one.outcome}, ${signed(one.net)}.`);
  setText($("said"), parts.join(" "));
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || $("report").open) return;
  if (event.target.closest("input, select, textarea")) return;
  const seat = mine();
  if (event.key === "Enter" && event.target.closest("button, a, summary")) return;
  const chosen = seat?.choices?.find((one) => one.key === event.key.toLowerCase() && !one.barred);
  if (chosen) return handled(event, () => choose(chosen.choice));
  if (!isOpen(seat)) return;
  const bet = betting.find((one) => one.key.toLowerCase() === event.key.toLowerCase());
  if (bet) return bet.may(seat) && !busy ? handled(event, bet.does) : undefined;
  const coin = felt.chips.find((one) => one.key === event.key.toLowerCase());
  if (coin) return handled(event, () => put(picked, event.key === coin.key ? coin.cents : -coin.cents));
  const spot = wagerNames[Number(event.key) - 1];
  if (spot) handled(event, () => { picked = spot; draw(); });
});

function handled(event, does) {
  event.preventDefault();
  does();
}

setInterval(() => {
  const left = ends === null ? null : Math.max(0, Math.ceil((ends - performance.now()) / 1000));
  setText($("clock"), left === null || lost ? "" : `${left} s`);
}, 250);

// -- The beginning ------------------------------------------------------------------------------------

settle();
build();
draw();
if (known) me = await whoAmI();
if (me) live.join();
else live.watch();
draw();
document.body.dataset.ready = "yes";
