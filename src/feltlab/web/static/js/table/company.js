// @ts-check
// The company at a table: names, presence, polite phrases, and the invitation to a table of one's own.

import { post } from "../shared/api.js";
import { $, element, setText } from "../shared/dom.js";
import { readSetting } from "../shared/settings.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./view.js").SeatView} SeatView */

const COPIED = "Link copied. Send it to the people you want to play with.";
const COPIED_MILLISECONDS = 4000; // for which the button says that the link is copied

/** What people call the player at a seat. @param {SeatView | undefined} seat */
export function nameOf(seat) {
  return seat?.yours ? "you" : seat?.name || seat?.player || `seat ${seat?.seat}`;
}

/** 'Quiet Heron and Blue Fox', of the seats that the table waits for, without the visitor's own. @param {Play} play */
export function awaitedNames({ view }) {
  const names = view.seats.filter((one) => view.awaits.includes(one.seat) && !one.yours).map(nameOf);
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}` : names[0] ?? "";
}

/** @param {Play} play */
export function buildCompany(play) {
  for (const phrase of play.felt.phrases)
    $("phrases").append(element("button", { type: "button", classes: "plain small", text: phrase, onclick: () => say(play, phrase) }));
  $("invite").onclick = () => invite(play);
}

/** @param {Play} play @param {string} phrase */
function say(play, phrase) {
  $("say").open = false;
  return play.act(() => post(`/api/tables/${play.name}/say`, { phrase }));
}

/** Copy the link of the invitation, or show it if the browser does not allow that. @param {Play} play */
function invite(play) {
  return play.act(async () => {
    const { link } = await post(`/api/tables/${play.name}/invite`);
    const address = new URL(link, location.href).href;
    try {
      await navigator.clipboard.writeText(address);
      setText($("invite"), "Copied");
      play.news = COPIED;
    } catch {
      prompt("Send this link to the person you invite:", address);
    }
    setTimeout(() => {
      setText($("invite"), "Invite");
      if (play.news === COPIED) play.set({ news: "" });
    }, COPIED_MILLISECONDS);
  });
}

/** @param {Play} play */
export function drawCompany({ seat, view }) {
  $("invite").hidden = !view.own;
  $("say").hidden = !seat || (view.private && !view.shared);
  $("practice").hidden = !view.practice;
  setText($("practice"), view.practice);
  drawSaid($("own-said"), seat);
}

/** The bubble with a phrase that was just said, unless phrases are off. @param {HTMLElement} box @param {SeatView | undefined} seat */
export function drawSaid(box, seat) {
  const said = readSetting("mute", false) ? "" : seat?.said ?? "";
  setText(box, said);
  box.hidden = !said;
}
