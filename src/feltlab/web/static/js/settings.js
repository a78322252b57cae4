// What a visitor has set, kept in this browser.

const KEPT = "feltlab-";
const PACE = 110; // milliseconds from one card to the next

export function kept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(KEPT + name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(KEPT + name, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing plays all the same
  }
}

// What a visit to a table has brought, as long as its tab is open.
export function visited(table) {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT + table)) ?? { won: 0, counted: 0 };
  } catch {
    return { won: 0, counted: 0 };
  }
}

export function visiting(table, visit) {
  try {
    sessionStorage.setItem(KEPT + table, JSON.stringify(visit));
  } catch {
    // as above
  }
}

export function dealDelay(n) {
  const speed = Number(kept("speed", 1));
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return still || !speed ? null : Math.round(n * PACE * speed);
}

// The fields of the settings, as they were left and as they are changed.
export function settle() {
  const [speed, four, sound] = ["set-speed", "set-four", "set-sound"].map((id) => document.getElementById(id));
  speed.value = String(kept("speed", 1));
  four.checked = kept("four", false);
  sound.checked = kept("sound", false);
  const apply = () => {
    keep("speed", Number(speed.value));
    keep("four", four.checked);
    keep("sound", sound.checked);
    document.body.classList.toggle("four", four.checked);
    document.body.classList.toggle("quick", Number(speed.value) < 1);
  };
  for (const field of [speed, four, sound]) field.onchange = apply;
  apply();
}

let audio; // made when it is first heard: before a click, a browser allows none

export function chime(wait) {
  if (!kept("sound", false)) return;
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
