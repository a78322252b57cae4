// @ts-check
// The page of a table: draws the view that the server sends and sends the player's actions.

import { openChart } from "../shared/chart.js";
import { $, setText } from "../shared/dom.js";
import { bindSettings } from "../shared/settings.js";
import { playSound } from "../shared/sounds.js";
import { Coach } from "./coach.js";
import { buildCompany } from "./company.js";
import { moveCards } from "./dealing.js";
import { buildFelt, drawCards, drawFelt, drawNames } from "./felt.js";
import { moveFocus } from "./focus.js";
import { buildJackpot, drawJackpot } from "./jackpot.js";
import { listen } from "./keys.js";
import { buildPanel, drawPanel } from "./panel.js";
import { Play } from "./play.js";
import { remindPlayer } from "./reality_check.js";
import { Redrawing } from "./redrawing.js";
import { buildSeed } from "./seed.js";
import { followVisit } from "./summary.js";
import { hideBigWin, showBigWin } from "./win.js";

const BIG_WIN = 5; // times the stake

const { felt, table, signed_in: signedIn } = JSON.parse($("felt-data").textContent);
const play = new Play($("table").dataset.table, felt, table, new Redrawing(draw));
const coach = new Coach(play);
let drawnOnce = false;

function draw() {
  play.bets.follow(play.view, play.seat);
  drawCards(play, drawnOnce);
  play.stage.plan(play.view, moveCards(), drawnOnce);
  if (play.seat) play.visit.begin(play.view.round);
  const ended = play.countRound();
  moveFocus(play, () => {
    drawFelt(play, drawnOnce);
    drawPanel(play);
    drawNames(play); // last: brackets measure the cards, which costs a layout
  });
  drawJackpot(play);
  coach.update();
  followVisit(play);
  if (play.isCleared || !play.seat) hideBigWin();
  if (ended && drawnOnce) celebrate(play);
  drawnOnce = true;
}

/** A win sounds, and a win of many times the stake is shown large; a loss is quiet. @param {Play} play */
function celebrate({ seat, view }) {
  const own = view.payments.filter((one) => one.seat === seat?.seat);
  const net = own.reduce((sum, one) => sum + one.net, 0), staked = own.reduce((sum, one) => sum + one.staked, 0);
  if (net <= 0) return;
  const isBig = net >= BIG_WIN * staked;
  playSound(isBig ? "big-win" : "win", 0);
  if (isBig) showBigWin(net, staked);
}

setInterval(() => {
  const isKnown = play.ends !== null && (!play.lost || play.seat?.choices); // without a connection, only the own clock
  const left = !isKnown ? null : Math.max(0, Math.ceil((play.ends - performance.now()) / 1000));
  setText($("clock"), left === null ? "" : `${left} s`);
}, 250);

bindSettings();
buildFelt(play);
buildPanel(play);
buildCompany(play);
buildSeed(play);
buildJackpot(play, signedIn);
$("chart").onclick = () => openChart(felt.game, play.seat?.position ?? felt.terms);
listen(play);
addEventListener("resize", draw);
document.addEventListener("visibilitychange", () => document.hidden || play.refreshMoney()); // it may have moved in another tab
draw();
await play.begin(signedIn);
document.body.dataset.ready = "yes";
remindPlayer(() => Boolean(play.seat));
