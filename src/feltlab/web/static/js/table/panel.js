// @ts-check
// The panel below the felt: the message, choices or chips, money and the last round; and all of it in words
// for a screen reader.

import { cardNames } from "../shared/cards.js";
import { $, element, setAttribute, setText } from "../shared/dom.js";
import { capitalise, choiceInWords, describeOutcome, describeResult, dollars, signed, titleOfChoice } from "../shared/words.js";
import { amountField } from "./amounts.js";
import { awaitedNames, drawCompany } from "./company.js";
import { describeLoss } from "./connection_loss.js";
import { colour } from "./felt.js";
import { drawSeed } from "./seed.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./view.js").ChoiceView} ChoiceView */
/** @typedef {import("./view.js").PaymentView} PaymentView */

// -- Built once ---------------------------------------------------------------------------------------

/** @param {Play} play */
export function buildPanel(play) {
  for (const { cents, key } of play.felt.chips) $("chips").append(chipButton(play, cents, key));
  for (const { text, key } of play.bettings)
    $("bet-buttons").append(element(
      "button",
      { type: "button", classes: text === "Deal" ? "main" : "plain", "data-bet": text, onclick: () => play.bet(text) },
      text, element("kbd", { text: key === "Enter" ? "↵" : key })));
}

/** @param {Play} play @param {number} cents @param {string} key */
function chipButton(play, cents, key) {
  return element(
    "button",
    {
      type: "button", classes: `chip big c${cents / 100}`, "data-cents": cents,
      "aria-label": `${dollars(cents)} chip`, "aria-pressed": "false", onclick: () => play.set({ chip: cents }),
    },
    element("span", { text: cents / 100 }), element("kbd", { text: key }));
}

// -- Drawn with every view ----------------------------------------------------------------------------

/** @param {Play} play */
export function drawPanel(play) {
  setText($("message"), messageOf(play));
  setAttribute($("message"), "title", messageOf(play));
  $("message").classList.toggle("trouble", Boolean(play.trouble));
  drawBanner(play);
  drawCompany(play);
  drawSeed(play);
  drawChoices(play);
  drawBetting(play);
  drawSeatButtons(play);
  drawResults(play);
  if (play.stage.isDone && play.isMoneyKnown) drawMoney(play); // with the result: the answer to the action may come later
  if (play.stage.isDone) announce(play);
}

/**
 * Draw a part again only if its data has changed, so that focus and animation stay.
 * @param {any} box
 * @param {any} data
 * @param {() => (Node | string)[]} parts
 */
function redraw(box, data, parts) {
  const shape = JSON.stringify(data);
  if (box.shape === shape) return;
  box.shape = shape;
  box.replaceChildren(...parts());
}

/** @param {Play} play */
function drawBanner({ gone, lost, ended, seat, view }) {
  const box = $("banner");
  box.hidden = !lost && !ended && !gone;
  const loss = lost ? describeLoss(view, seat) : "";
  redraw(box, [loss, ended, gone], () => {
    if (gone) return ["You no longer see this private table; its owner can invite you with a link."];
    if (loss) return [loss];
    const link = element("a", { href: `/sign-in?next=${encodeURIComponent(location.pathname)}`, text: "Sign in" });
    return ended ? ["Your session has ended. ", link, " again, or take a seat as a new guest."] : [];
  });
}

/** @param {Play} play */
function drawChoices(play) {
  const choices = play.stage.isNamed ? play.seat?.choices ?? [] : [];
  redraw($("choices"), choices, () => choices.map((one) => choiceOf(play, one)));
  choices.forEach((one, n) => disable($("choices").children[n], play.busy || Boolean(one.barred)));
}

/** Disable the controls of a choice, or enable them; they stay, so that a click costs no layout. @param {Element} box @param {boolean} isDisabled */
function disable(box, isDisabled) {
  /** @type {any} */
  const controls = box.matches("button") ? [box] : box.querySelectorAll("button, input");
  for (const control of controls) control.disabled = isDisabled;
}

/** The button of a choice, and the field for its amount if it may be less than the most. @param {Play} play @param {ChoiceView} one */
function choiceOf(play, one) {
  const amount = element("span");
  const showAmount = () => setText(amount, one.cents ? ` ${dollars(play.amountOf(one))}` : "");
  const button = element(
    "button",
    {
      type: "button", classes: `choice ${one.kind}`, "data-choice": one.choice, title: one.barred || one.help,
      onclick: () => play.choose(one),
    },
    element("kbd", { text: one.key }),
    element("span", { classes: "choice-text" }, element("b", { text: titleOfChoice(one.choice) }), amount, element("small", { text: one.barred || one.help })));
  showAmount();
  if (!one.any_amount) return button;
  /** @param {number} cents */
  const change = (cents) => {
    play.amounts[one.choice] = cents;
    showAmount();
  };
  return element("div", { classes: "choice-amount" },
    button, amountField(one, play.amountOf(one), { change, choose: () => play.choose(one) }));
}

/** @param {Play} play */
function drawBetting({ bettings, chip, isOpen, stage }) {
  $("betting").hidden = !isOpen || !stage.isDone;
  for (const button of $("chips").children)
    setAttribute(button, "aria-pressed", String(Number(button.dataset.cents) === chip));
  bettings.forEach(({ may }, n) => ($("bet-buttons").children[n].disabled = !may));
}

/** The buttons for more chips and to leave. @param {Play} play */
function drawSeatButtons(play) {
  /** @type {[string, string, () => void][]} */
  const offers = [];
  if (play.mayBuy) offers.push([`Buy ${dollars(play.more)}`, " more", () => play.buy()]);
  if (play.mayRefill) offers.push(["Refill", "", () => play.refill()]);
  if (play.seat && !play.seat.leaves) offers.push(["Leave", " the table", () => play.leave()]);
  redraw($("sitting"), offers.map(([text]) => text), () => offers.map(([text, more, onclick]) =>
    element("button", { type: "button", classes: "plain small", text, "aria-label": text + more, onclick },
      element("span", { classes: "at-length", text: more }))));
}

/** @param {Play} play */
function drawMoney(play) {
  const { me, money, seat, staked, won } = play;
  const held = (seat?.bankroll ?? 0) + (seat?.staked ?? 0);
  const parts = [
    ...(seat ? [["Chips here", dollars(held - staked)], ["On the felt", dollars(staked)], ["This visit", signed(won)]] : []),
    ...(me ? [["All play money", dollars(money)]] : []),
  ];
  redraw($("money"), parts, () =>
    parts.map(([title, amount]) => element("span", {}, `${title} `, element("b", { text: amount }))));
  $("purse").hidden = !me;
  if (me) setText($("purse"), `${me.name} · ${dollars(money)}`);
}

// -- In words -----------------------------------------------------------------------------------------

/** @param {Play} play */
function messageOf(play) {
  const { bets, busy, lost, news, seat, stage, trouble, view } = play;
  if (lost && busy) return "This is sent as soon as the connection is back.";
  if (trouble && play.isChoiceRefused && !seat?.choices) return "Your choice came too late.";
  if (trouble || news) return trouble || news;
  if (seat && !stage.isDone && !view.held && !(seat.choices && stage.isNamed)) return stage.isNamed ? "The dealer pays and takes." : "Cards are dealt.";
  if (view.held) return view.held;
  if (view.void) return `The round is void: ${view.void.replace(/\.?$/, ".")}${view.waits ? ` ${view.waits}` : play.isOpen ? " Place your bets." : ""}`;
  if (view.phase === "closed") return "This table is closed.";
  if (!seat && view.departed) return view.departed;
  if (!seat) return play.mayPlay ? "You are watching. Take a free seat to play." : "You are watching: your role does not play.";
  if (seat.leaves) return "You leave after this round.";
  if (seat.choices) return "Your turn: make your choice.";
  if (view.limit && view.phase === "betting" && !bets.total) return `${resultOf(play.net(seat.seat))}${view.limit}`;
  if (view.phase === "choosing") return `Waiting for ${awaitedNames(play) || `seat ${view.turn}`}.`;
  if (view.phase === "paying") return "The dealer settles wagers; the round goes on.";
  if (view.phase !== "betting") return `${capitalise(view.phase)}.`;
  if (view.waits) return play.isOpen ? `${view.waits} You can take your bets back.` : view.waits;
  if (seat.ready) return awaitedNames(play) ? `Ready. Waiting for ${awaitedNames(play)}.` : "Ready.";
  if (bets.refused) return bets.refused;
  if (bets.total) return `${dollars(bets.total)} on the felt. Press Deal when you are ready.`;
  const broke = (seat.bankroll ?? 0) < view.limits.minimum;
  return `${resultOf(play.net(seat.seat))}${broke ? "You have less than the table minimum." : "Place your bets."}`;
}

/** @param {number | null} net */
function resultOf(net) {
  if (net === null) return "";
  return net > 0 ? `You win ${dollars(net)}. ` : net < 0 ? `You lose ${dollars(-net)}. ` : "You break even. ";
}

/** @param {Play} play @param {string} spot */
function titleOf(play, spot) {
  return play.felt.spots.find((one) => one.spot === spot)?.title ?? spot;
}

/** The wagers settled so far, in the dealer's order; the replay once the round is over. @param {Play} play */
function drawResults(play) {
  const { isOver, name, seat, view } = play, { shown } = view;
  const paid = play.payments.filter((one) => (!seat || one.seat === seat.seat) && (one.staked || one.net)); // not a bonus of nothing
  $("results").hidden = !paid.length;
  redraw($("results"), [paid, shown, isOver], () => [
    element("h2", { text: `Round ${shown}${isOver ? "" : ", so far"}` }),
    element("ul", {}, ...paid.map((one, n) => resultLine(play, one, paid.slice(0, n).some((before) => before.why === one.why)))),
    ...(isOver ? [replayLink(`/tables/${name}/rounds/${shown}`)] : []),
  ]);
}

/** @param {string} href */
function replayLink(href) {
  return element("p", {}, element("a", { href, text: "Replay this round and check its shuffle" }));
}

/** @param {Play} play @param {PaymentView} one @param {boolean} isKnown whether a line above has the same reason */
function resultLine(play, one, isKnown) {
  const wager = `${play.seat ? "" : `Seat ${one.seat}, `}${titleOf(play, one.spot)}`;
  const isSaid = one.why.toLowerCase().startsWith(one.outcome.toLowerCase()); // 'bust with 27' says the outcome, too
  const reason = one.why ? `${isSaid ? ":" : ";"} ${one.why}` : ""; // why is hidden as long as the hand is
  const result = ` ${dollars(one.staked)} ${describeResult(one.result)}${isSaid && !isKnown ? "" : describeOutcome(one)}`;
  const why = element("span", { classes: isKnown ? "known" : "", text: reason });
  return element("li", { classes: colour(one.net) },
    element("span", {}, element("b", { text: wager }), result, why, "."), element("span", { classes: "figure", text: signed(one.net) }));
}

/** The words that were said last, and the payments of a round that have been said. */
const said = { text: "", round: /** @type {number | null} */ (null), payments: 0 };

/** Say the view in words, for a screen reader, and each payment once. @param {Play} play */
function announce(play) {
  const { seat, view } = play;
  const paid = view.payments.filter((one) => one.seat === seat?.seat);
  if (said.round !== view.shown) Object.assign(said, { round: view.shown, payments: 0 });
  const news = paid.slice(said.payments).map((one) => paymentInWords(play, one));
  const text = tableInWords(play);
  if (text === said.text && !news.length) return;
  Object.assign(said, { text, payments: paid.length });
  setText($("said"), [text, ...news].join(" "));
}

/** @param {Play} play */
function tableInWords(play) {
  const { seat, view } = play;
  const parts = [...view.calls];
  if (view.dealer.length) parts.push(`Dealer: ${handInWords(view.dealer, view.dealer_reading)}`);
  if (view.board.length) parts.push(`Board: ${handInWords(view.board, "")}`);
  if (seat?.cards.length) parts.push(`You: ${handInWords(seat.cards, seat.reading)}`);
  if (seat?.choices) parts.push(`Your choice: ${seat.choices.map((one) => `${choiceInWords(one.choice)}, key ${one.key}`).join("; ")}.`);
  if (play.trouble || !seat?.choices) parts.push(messageOf(play));
  return parts.join(" ");
}

/** @param {Play} play @param {PaymentView} one */
function paymentInWords(play, one) {
  return `${titleOf(play, one.spot)} ${describeResult(one.result)}${describeOutcome(one)}, ${signed(one.net)}.`;
}

/** @param {string[]} cards @param {string} reading */
function handInWords(cards, reading) {
  return `${cardNames(cards)}${reading ? `, ${reading}` : ""}.`;
}
