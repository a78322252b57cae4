// @ts-check
// The visitor's settings, stored in this browser.

const PREFIX = "feltlab-";

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

const still = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)"); // asked for many times a click

/** How long movements take: 1 at normal speed, 0 if nothing moves. */
export function pace() {
  if (still?.matches) return 0;
  return Number(readSetting("speed", 1)) || 0;
}

/** Fill in the fields of the settings, and save and apply every change. */
export function bindSettings() {
  const speed = /** @type {HTMLSelectElement} */ (document.getElementById("set-speed"));
  const four = /** @type {HTMLInputElement} */ (document.getElementById("set-four"));
  const mute = /** @type {HTMLInputElement} */ (document.getElementById("set-mute"));
  const sound = /** @type {HTMLInputElement} */ (document.getElementById("set-sound"));
  speed.value = String(readSetting("speed", 1));
  four.checked = readSetting("four", false);
  mute.checked = readSetting("mute", false);
  sound.checked = readSetting("sound", false);
  const apply = () => {
    saveSetting("speed", Number(speed.value));
    saveSetting("four", four.checked);
    saveSetting("mute", mute.checked);
    saveSetting("sound", sound.checked);
    document.body.classList.toggle("four", four.checked);
    document.body.classList.toggle("quick", Number(speed.value) < 1);
  };
  for (const field of [speed, four, mute, sound]) field.onchange = apply;
  for (const box of document.querySelectorAll(".table-tools details")) closeOnEscape(/** @type {HTMLDetailsElement} */ (box));
  apply();
}

/** Let Escape close an open box, wherever the focus is, and give the focus to its title. @param {HTMLDetailsElement} box */
function closeOnEscape(box) {
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.open) return;
    box.open = false;
    box.querySelector("summary")?.focus();
  });
}
