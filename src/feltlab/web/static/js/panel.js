// What stands below the felt: the message, choices or chips, money, the last round; and all of it for ears.

import { inWords } from "./cards.js";
import { $, element, setText } from "./dom.js";
import { colour } from "./felt.js";
import { capital, dollars, signed } from "./words.js";

const VERBS = { win: "wins", lose: "loses", push: "pushes", refund: "is given back" };

// -- Once ---------------------------------------------------------------------------------------------

export function buildPanel(play) {
  for (const { cents, key } of play.felt.chips) $("chips").append(chipButton(play, cents, key));
  for (const { text, key } of play.bettings)
    $("bet-buttons").append(element(
      "button",
      { type: "button", classes: text === "Deal" ? "main" : "plain", "data-bet": text, onclick: () => play.bet(text) },
      text, element("kbd", { text: key === "Enter" ? "↵" : key })));
}

function chipButton(play, cents, key) {
  return element(
    "button",
    {
      type: "button", classes: `chip big c${cents / 100}`, "data-cents": cents,
      "aria-label": `Chip of ${dollars(cents)}`, "aria-pressed": "false", onclick: () => play.set({ chip: cents }),
    },
    element("span", { text: cents / 100 }), element("kbd", { text: key }));
}

// -- With every view ----------------------------------------------------------------------------------

export function drawPanel(play) {
  setText($("message"), messageOf(play));
  $("message").classList.toggle("trouble", Boolean(play.trouble));
  drawBanner(play);
  drawChoices(play);
  drawBetting(play);
  drawSitting(play);
  drawResults(play);
  drawMoney(play);
  say(play);
}

// Draws a part anew only when it is another one: focus and animation stay where they are.
function redraw(box, shape, parts) {
  const is = JSON.stringify(shape);
  if (box.shape === is) return;
  box.shape = is;
  box.replaceChildren(...parts());
}

function drawBanner({ lost, ended }) {
  const box = $("banner");
  box.hidden = !lost && !ended;
  redraw(box, [lost, ended], () => {
    if (lost) return ["The connection is lost; trying again. Your round waits as it is."];
    const back = element("a", { href: `/sign-in?next=${encodeURIComponent(location.pathname)}`, text: "Sign in" });
    return ended ? ["Your session has ended. ", back, " again, or take a seat as a new guest."] : [];
  });
}

function drawChoices(play) {
  const choices = play.seat?.choices ?? [], { busy } = play;
  redraw($("choices"), [choices, busy], () => choices.map((one) => element(
    "button",
    {
      type: "button", classes: "choice", "data-choice": one.choice, title: one.barred || one.help,
      disabled: busy || Boolean(one.barred), onclick: () => play.choose(one.choice),
    },
    element("span", {},
      element("b", { text: capital(one.choice) }), one.cents ? ` ${dollars(one.cents)}` : "",
      element("small", { text: one.barred || one.help })),
    element("kbd", { text: one.key }))));
}

function drawBetting({ bettings, chip, isOpen }) {
  $("betting").hidden = !isOpen;
  for (const button of $("chips").children)
    button.setAttribute("aria-pressed", String(Number(button.dataset.cents) === chip));
  bettings.forEach(({ may }, n) => ($("bet-buttons").children[n].disabled = !may));
}

function drawSitting(play) {
  const offers = [
    play.mayBuy && [`Buy ${dollars(play.more)}`, " more", () => play.buy()],
    play.mayRefill && ["Refill", "", () => play.refill()],
    play.seat && !play.seat.leaves && ["Leave", " the table", () => play.leave()],
  ].filter(Boolean);
  redraw($("sitting"), offers.map(([text]) => text), () => offers.map(([text, more, onclick]) =>
    element("button", { type: "button", classes: "plain small", text, "aria-label": text + more, onclick },
      element("span", { classes: "at-length", text: more }))));
}

function drawMoney(play) {
  const { me, seat, staked, won } = play;
  const parts = [
    seat && ["Bankroll", dollars(seat.bankroll + seat.staked - staked)],
    seat && ["On the felt", dollars(staked)],
    seat && ["This visit", signed(won)],
    me && ["Balance", dollars(me.balance)],
  ].filter(Boolean);
  redraw($("money"), parts, () => parts.map(([what, worth]) => element("span", {}, `${what} `, element("b", { text: worth }))));
  $("purse").hidden = !me;
  if (me) setText($("purse"), `${me.role === "guest" ? "guest · " : ""}${dollars(me.balance)}`);
}

// -- In words -----------------------------------------------------------------------------------------

function messageOf(play) {
  const { bets, seat, trouble, view } = play;
  if (trouble) return trouble;
  if (view.void) return `The round is void: ${view.void.replace(/\.?$/, ".")}${play.isOpen ? " Place your wagers." : ""}`;
  if (view.phase === "closed") return "This table is closed.";
  if (!seat) return play.mayPlay ? "Take a free seat to play. You watch until then." : "You watch: your role does not play.";
  if (seat.leaves) return "You leave after this round.";
  if (seat.choices) return "Your choice.";
  if (view.phase === "choosing") return `Seat ${view.turn} chooses.`;
  if (view.phase !== "betting") return `${capital(view.phase)}.`;
  if (seat.ready) return "Ready. The cards come when all are.";
  if (bets.refused) return bets.refused;
  if (bets.total) return `${dollars(bets.total)} on the felt. Deal when ready.`;
  const broke = seat.bankroll < view.limits.minimum;
  return `${resultOf(play.net(seat.seat))}${broke ? "Your chips are fewer than the minimum." : "Place your wagers."}`;
}

function resultOf(net) {
  if (net === null) return "";
  return net > 0 ? `You win ${dollars(net)}. ` : net < 0 ? `You lose ${dollars(-net)}. ` : "You break even. ";
}

function titleOf(play, spot) {
  return play.felt.spots.find((one) => one.spot === spot).title;
}

function drawResults(play) {
  const { name, seat, shown, view } = play;
  const paid = view.payments.filter((one) => !seat || one.seat === seat.seat);
  $("results").hidden = !paid.length;
  redraw($("results"), [paid, shown], () => [
    element("h2", { text: `Round ${shown}` }),
    element("ul", {}, ...paid.map((one) => resultLine(play, one))),
    element("p", {}, element("a", { href: `/tables/${name}/rounds/${shown}`, text: "Replay this round and check its shuffle" })),
  ]);
}

function resultLine(play, one) {
  const what = `${play.seat ? "" : `Seat ${one.seat}, `}${titleOf(play, one.spot)}`;
  const why = ` ${dollars(one.staked)} ${VERBS[one.result] ?? one.result}: ${one.outcome}; ${one.why}.`;
  return element("li", { classes: colour(one.net) },
    element("span", {}, element("b", { text: what }), why), element("span", { classes: "figure", text: signed(one.net) }));
}

// The same view for a screen reader.
function say(play) {
  const { seat, view } = play;
  const parts = [...view.calls];
  if (view.dealer.length) parts.push(`Dealer: ${handInWords(view.dealer, view.dealer_reading)}`);
  if (seat?.cards.length) parts.push(`You: ${handInWords(seat.cards, seat.reading)}`);
  if (seat?.choices) parts.push(`Your choice: ${seat.choices.map((one) => `${one.choice}, key ${one.key}`).join("; ")}.`);
  else parts.push(messageOf(play));
  for (const one of view.payments.filter((paid) => paid.seat === seat?.seat))
    parts.push(`${titleOf(play, one.spot)} ${VERBS[one.result] ?? one.result}: ${one.outcome}, ${signed(one.net)}.`);
  setText($("said"), parts.join(" "));
}

function handInWords(cards, reading) {
  return `${inWords(cards)}${reading ? `, ${reading}` : ""}.`;
}
