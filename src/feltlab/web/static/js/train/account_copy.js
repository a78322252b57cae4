// @ts-check
// The copy of a visitor's progress that the server keeps for the account. The later of the two records of a game counts.

import { fetchSession, post } from "../shared/api.js";
import { readSetting, saveSetting } from "../shared/settings.js";

/** @typedef {{at?: number, owner?: string, isGuests?: boolean, missed?: object[]}} Stored what a browser stores of a game */

const SEND_AFTER = 1000; // milliseconds after the last change
const TIMEOUT = 3000; // milliseconds that the page waits for the server's records
const MAX_BYTES = 20_000; // of a record that is sent; hands that were missed longest ago are left out

/** @type {import("../shared/api.js").Session | null} */
let session = null; // of the account whose records were fetched
/** @type {Map<string, number>} */
const timers = new Map(); // by game: a record that is still to be sent

/** @param {string} game */
const settingOf = (game) => `train-${game}`;

/** Whether a record in this browser may become the account's: it is, or was a guest's, or nobody's. @param {Stored} stored @param {string} account */
export function belongsTo({ owner, isGuests }, account) {
  return !owner || isGuests || owner === account;
}

/** The record to go on with, and whether the server lacks it. @param {Stored | null} here @param {{at: number, stored: Stored} | undefined} there @param {string} account */
export function chooseRecord(here, there, account) {
  const own = here && belongsTo(here, account) ? here : null;
  if (there && (!own || there.at >= (own.at ?? 0))) return { stored: { ...there.stored, at: there.at }, isNew: false };
  return { stored: own, isNew: Boolean(own) };
}

/** A record without the oldest missed hands, so that it is small enough. @param {Stored} stored */
export function trim({ at, owner, isGuests, ...stored }) {
  const size = () => new TextEncoder().encode(JSON.stringify(stored)).length;
  while (stored.missed?.length && size() > MAX_BYTES) stored.missed = stored.missed.slice(1);
  return stored;
}

/** Bring the records of this browser and of the account together; without a session nothing happens. @param {string[]} games */
export async function fetchCopies(games) {
  if (!document.querySelector("[data-account]")) return;
  try {
    const mine = await fetchSession();
    const answer = await fetch("/api/train/progress", { signal: AbortSignal.timeout(TIMEOUT) });
    if (!mine || !answer.ok) return;
    session = mine;
    const records = await answer.json();
    for (const game of games) {
      const here = readSetting(settingOf(game), null), { stored, isNew } = chooseRecord(here, records[game], mine.account);
      if (stored || here) saveSetting(settingOf(game), stored && { ...stored, ...ownerOf(mine) });
      if (stored && isNew) keepCopy(game, stored);
    }
  } catch {
    // this browser's own records are enough to go on
  }
}

/** @param {import("../shared/api.js").Session} mine */
const ownerOf = (mine) => ({ owner: mine.account, isGuests: mine.role === "guest" });

/** Note the change of a record, and send it soon. @param {string} game @param {Stored} stored */
export function keepCopy(game, stored) {
  if (!session) return;
  Object.assign(stored, ownerOf(session));
  clearTimeout(timers.get(game));
  timers.set(game, setTimeout(() => send(game), SEND_AFTER));
}

/** @param {string} game */
async function send(game, isLast = false) {
  clearTimeout(timers.get(game));
  timers.delete(game);
  const stored = readSetting(settingOf(game), null);
  if (!stored) return;
  await post(`/api/train/${game}/progress`, { at: stored.at ?? 0, stored: trim(stored) }, isLast).catch(() => {}); // the next change is sent again
}

globalThis.document?.addEventListener("visibilitychange", () => {
  if (document.hidden) for (const game of [...timers.keys()]) send(game, true);
});
