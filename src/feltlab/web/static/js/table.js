// The page of a table: it draws the view that the server sends and posts what the player does.

import { Coach } from "./coach.js";
import { $, setText, startDealing, tellAfterDealing } from "./dom.js";
import { buildFelt, drawFelt } from "./felt.js";
import { leadFocus } from "./focus.js";
import { listen } from "./keys.js";
import { buildPanel, drawPanel } from "./panel.js";
import { Play } from "./play.js";
import { chime, settle } from "./settings.js";

const { felt, table, signed_in: known } = JSON.parse($("felt-data").textContent);
const play = new Play($("table").dataset.table, felt, table, draw);
const coach = new Coach(play);
let drawnOnce = false;

function draw() {
  play.bets.follow(play.view, play.seat);
  startDealing();
  if (!drawnOnce && !play.counted) play.counted = play.shown; // a round from before this visit
  const over = play.count();
  leadFocus(play, () => {
    drawFelt(play, drawnOnce);
    drawPanel(play);
  });
  coach.look();
  const wait = tellAfterDealing(document.querySelectorAll("[data-tells]"));
  if (over && play.net(play.seat.seat) > 0) chime(wait);
  drawnOnce = true;
}

setInterval(() => {
  const left = play.ends === null || play.lost ? null : Math.max(0, Math.ceil((play.ends - performance.now()) / 1000));
  setText($("clock"), left === null ? "" : `${left} s`);
}, 250);

settle();
buildFelt(play);
buildPanel(play);
listen(play);
draw();
await play.begin(known);
document.body.dataset.ready = "yes";
