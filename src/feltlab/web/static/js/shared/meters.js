// @ts-check
// Meters of progressives: pushed by the server, and paced so that a number climbs instead of jumping.

/** @typedef {{name: string, title: string, bet_cents: number, meters: {name: string, cents: number, must_hit: string}[], stopped: string, pending: string}} Jackpot */

const READ_MILLISECONDS = 1000; // between two requests, while nothing is pushed
const FIRST_WAIT = 500, LONGEST_WAIT = 8000; // milliseconds until the next try to connect
const CLIMB_MILLISECONDS = 500, STEPS = 10; // in which a meter climbs to the amount that was told

/** @param {number} cents */
export const writeMeter = (cents) => (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });

/**
 * Call `tell` with the progressives now and whenever they change. Where no socket can be opened, they are asked for every second.
 * @param {(found: Jackpot[]) => void} tell
 */
export function followJackpots(tell) {
  let isOpen = false, wait = FIRST_WAIT;
  const read = async () => {
    if (document.hidden || isOpen) return;
    const answer = await fetch("/api/jackpots").catch(() => null);
    if (answer?.ok) tell(await answer.json());
  };
  const connect = () => {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/jackpots/live`);
    socket.onmessage = (event) => {
      [isOpen, wait] = [true, FIRST_WAIT];
      tell(JSON.parse(event.data).jackpots);
    };
    socket.onclose = () => {
      isOpen = false;
      setTimeout(connect, wait * (0.75 + Math.random() / 2));
      wait = Math.min(2 * wait, LONGEST_WAIT);
    };
  };
  setInterval(read, READ_MILLISECONDS);
  connect();
}

/** Let a meter climb to an amount; it falls at once, because a fall is a win. @param {HTMLElement} place @param {number} cents */
export function climb(place, cents) {
  const from = Number(place.dataset.cents ?? cents);
  place.dataset.cents = String(cents);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (cents <= from || isStill) return void (place.textContent = writeMeter(cents));
  for (let step = 1; step <= STEPS; step += 1) {
    setTimeout(() => {
      if (place.dataset.cents === String(cents)) place.textContent = writeMeter(Math.round(from + ((cents - from) * step) / STEPS));
    }, (step * CLIMB_MILLISECONDS) / STEPS);
  }
}
