// @ts-check
// SHA-256 after FIPS 180-4. Browsers offer digests on secure connections only; this is for the others.

const WORD = 2 ** 32;

/** The first 32 bits of the fractional part of a root of each of the first primes. @param {number} count @param {number} root */
function fractions(count, root) {
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  return primes.map((prime) => ((prime ** (1 / root)) % 1) * WORD | 0);
}

const START = fractions(8, 2);
const ROUND = fractions(64, 3);
/** @param {number} word @param {number} by */
const rotate = (word, by) => (word >>> by) | (word << (32 - by));
/** @param {number} word @param {number} a @param {number} b @param {number} c */
const mix = (word, a, b, c) => rotate(word, a) ^ rotate(word, b) ^ rotate(word, c);

/** The text, a one bit, zeros up to a full block, and the length of the text in bits. @param {string} text */
function pad(text) {
  const bytes = new TextEncoder().encode(text);
  const whole = new Uint8Array(((bytes.length + 8 >> 6) + 1) << 6);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setBigUint64(whole.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

/** @param {DataView} view @param {number} at */
function schedule(view, at) {
  const words = Array.from({ length: 16 }, (_, n) => view.getInt32(at + 4 * n));
  for (let n = 16; n < 64; n++) {
    const [early, late] = [words[n - 15], words[n - 2]];
    const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words.push((words[n - 16] + first + words[n - 7] + second) | 0);
  }
  return words;
}

/** @param {number[]} state @param {number[]} words */
function hashBlock(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  words.forEach((word, n) => {
    const one = (h + mix(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + ROUND[n] + word) | 0;
    const two = (mix(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  });
  return [a, b, c, d, e, f, g, h].map((word, n) => (word + state[n]) | 0);
}

/** The digest of a text, in hexadecimal. @param {string} text */
export function sha256(text) {
  const view = pad(text);
  let state = START;
  for (let at = 0; at < view.byteLength; at += 64) state = hashBlock(state, schedule(view, at));
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
