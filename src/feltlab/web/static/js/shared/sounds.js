// @ts-check
// Sounds of the table, made in the browser: a card that slides, chips that touch, a soft chord for a win.

import { readSetting } from "./settings.js";

/** @type {AudioContext | undefined} */
let audio; // created on first use: browsers allow no sound before a click
/** @type {AudioBuffer | undefined} */
let noise;

const CHORDS = { win: [523.25, 659.25, 783.99], "big-win": [523.25, 659.25, 783.99, 1046.5] }; // Hertz
const STAGGER = 0.07; // seconds from one tone of a chord to the next

/**
 * Play a sound after some milliseconds, if sound is on.
 * @param {"card" | "chip" | "win" | "big-win"} kind
 * @param {number} wait
 */
export function playSound(kind, wait) {
  if (!readSetting("sound", false)) return;
  audio ??= new AudioContext();
  const start = audio.currentTime + wait / 1000;
  if (kind === "card") return playNoise(audio, start, { hertz: 2600, seconds: 0.11, volume: 0.05 });
  if (kind === "chip") {
    playTone(audio, start, { hertz: 2350, seconds: 0.045, volume: 0.03 });
    return playTone(audio, start + 0.045, { hertz: 2900, seconds: 0.05, volume: 0.02 });
  }
  CHORDS[kind].forEach((hertz, n) =>
    playTone(/** @type {AudioContext} */ (audio), start + n * STAGGER, { hertz, seconds: kind === "win" ? 0.7 : 1.4, volume: 0.045 }));
}

/** A gain that rises at once and fades. @param {AudioContext} context @param {number} start @param {{seconds: number, volume: number}} shape */
function fade(context, start, { seconds, volume }) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(volume, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  gain.connect(context.destination);
  return gain;
}

/** @param {AudioContext} context @param {number} start @param {{hertz: number, seconds: number, volume: number}} shape */
function playTone(context, start, shape) {
  const tone = context.createOscillator();
  tone.type = "triangle";
  tone.frequency.value = shape.hertz;
  tone.connect(fade(context, start, shape));
  tone.start(start);
  tone.stop(start + shape.seconds);
}

/** @param {AudioContext} context @param {number} start @param {{hertz: number, seconds: number, volume: number}} shape */
function playNoise(context, start, shape) {
  noise ??= makeNoise(context);
  const source = context.createBufferSource(), filter = context.createBiquadFilter();
  source.buffer = noise;
  filter.type = "bandpass";
  filter.frequency.value = shape.hertz;
  source.connect(filter).connect(fade(context, start, shape));
  source.start(start, 0, shape.seconds);
}

/** A quarter of a second of white noise. @param {AudioContext} context */
function makeNoise(context) {
  const buffer = context.createBuffer(1, context.sampleRate / 4, context.sampleRate), data = buffer.getChannelData(0);
  for (let n = 0; n < data.length; n++) data[n] = 2 * Math.random() - 1;
  return buffer;
}
