// @ts-check
// The visitor's settings, stored in this browser.

const PREFIX = "feltlab-";
const DEAL_MILLISECONDS = 110; // from one card to the next

/** @param {string} name @param {any} fallback */
export function readSetting(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null") ?? fallback;
  } catch {
    return fallback;
  }
}

/** @param {string} name @param {any} value */
export function saveSetting(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // a browser without storage can still play
  }
}

/**
 * The result of this visit to a table, which lasts as long as its tab is open.
 * @param {string} table
 * @returns {{won: number, counted: number}} cents won, and the last round that is included
 */
export function readVisit(table) {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + table) ?? "null") ?? { won: 0, counted: 0 };
  } catch {
    return { won: 0, counted: 0 };
  }
}

/** @param {string} table @param {{won: number, counted: number}} visit */
export function saveVisit(table, visit) {
  try {
    sessionStorage.setItem(PREFIX + table, JSON.stringify(visit));
  } catch {
    // as above
  }
}

/** Milliseconds until the n-th card is dealt; null if cards appear at once. @param {number} n */
export function dealDelay(n) {
  const speed = Number(readSetting("speed", 1));
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return still || !speed ? null : Math.round(n * DEAL_MILLISECONDS * speed);
}

/** Fill in the fields of the settings, and save and apply every change. */
export function bindSettings() {
  const speed = /** @type {HTMLSelectElement} */ (document.getElementById("set-speed"));
  const four = /** @type {HTMLInputElement} */ (document.getElementById("set-four"));
  const sound = /** @type {HTMLInputElement} */ (document.getElementById("set-sound"));
  speed.value = String(readSetting("speed", 1));
  four.checked = readSetting("four", false);
  sound.checked = readSetting("sound", false);
  const apply = () => {
    saveSetting("speed", Number(speed.value));
    saveSetting("four", four.checked);
    saveSetting("sound", sound.checked);
    document.body.classList.toggle("four", four.checked);
    document.body.classList.toggle("quick", Number(speed.value) < 1);
  };
  for (const field of [speed, four, sound]) field.onchange = apply;
  closeOnEscape(speed.closest("details"));
  apply();
}

/** Let Escape close an open box, and give the focus back to its title. @param {HTMLDetailsElement | null} box */
function closeOnEscape(box) {
  box?.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.open) return;
    box.open = false;
    box.querySelector("summary")?.focus();
  });
}

/** @type {AudioContext | undefined} */
let audio; // created on first use: browsers allow no sound before a click

/** Play a short tone after some milliseconds, if sound is on. @param {number} wait */
export function playChime(wait) {
  if (!readSetting("sound", false)) return;
  audio ??= new AudioContext();
  const start = audio.currentTime + wait / 1000;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = 880;
  volume.gain.setValueAtTime(0.08, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + 0.35);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + 0.4);
}
