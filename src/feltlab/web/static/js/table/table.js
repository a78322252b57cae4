// @ts-check
// The page of a table: draws the view that the server sends and sends the player's actions.

import { $, moveChips, revealAfterDealing, setText, startDealing } from "../shared/dom.js";
import { bindSettings, playChime } from "../shared/settings.js";
import { Coach } from "./coach.js";
import { buildFelt, drawFelt } from "./felt.js";
import { moveFocus } from "./focus.js";
import { listen } from "./keys.js";
import { buildPanel, drawPanel } from "./panel.js";
import { Play } from "./play.js";
import { remindPlayer } from "./reality_check.js";

const { felt, table, signed_in: signedIn } = JSON.parse($("felt-data").textContent);
const play = new Play($("table").dataset.table, felt, table, draw);
const coach = new Coach(play);
let drawnOnce = false;

function draw() {
  play.bets.follow(play.view, play.seat);
  startDealing();
  if (!drawnOnce && !play.counted && play.isOver) play.counted = play.view.shown ?? 0; // a round before this visit
  const ended = play.countRound();
  moveFocus(play, () => {
    drawFelt(play, drawnOnce);
    drawPanel(play);
  });
  coach.update();
  const wait = revealAfterDealing(document.querySelectorAll("[data-after-deal]"));
  moveChips(document.querySelectorAll(".spot-chips"), wait);
  if (ended && play.seat && (play.net(play.seat.seat) ?? 0) > 0) playChime(wait);
  drawnOnce = true;
}

setInterval(() => {
  const left = play.ends === null || play.lost ? null : Math.max(0, Math.ceil((play.ends - performance.now()) / 1000));
  setText($("clock"), left === null ? "" : `${left} s`);
}, 250);

bindSettings();
buildFelt(play);
buildPanel(play);
listen(play);
draw();
await play.begin(signedIn);
document.body.dataset.ready = "yes";
remindPlayer(() => Boolean(play.seat));
