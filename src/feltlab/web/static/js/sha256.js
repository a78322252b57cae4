// SHA-256 of a text, in hexadecimal. Browsers compute digests only on secure connections; on a plain one
// this page does it itself, after FIPS 180-4.

const WORD = 2 ** 32;

// The first bits behind the point of a root of each of the first primes.
function fractions(count, root) {
  const primes = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  return primes.map((prime) => ((prime ** (1 / root)) % 1) * WORD | 0);
}

const START = fractions(8, 2);
const ROUND = fractions(64, 3);
const turn = (word, by) => (word >>> by) | (word << (32 - by));
const mixed = (word, a, b, c) => turn(word, a) ^ turn(word, b) ^ turn(word, c);

// The text, a one, noughts up to a full block, and how many bits the text has.
function padded(text) {
  const bytes = new TextEncoder().encode(text);
  const whole = new Uint8Array(((bytes.length + 8 >> 6) + 1) << 6);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setBigUint64(whole.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

function schedule(view, at) {
  const words = Array.from({ length: 16 }, (_, n) => view.getInt32(at + 4 * n));
  for (let n = 16; n < 64; n++) {
    const [early, late] = [words[n - 15], words[n - 2]];
    const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words.push((words[n - 16] + first + words[n - 7] + second) | 0);
  }
  return words;
}

function block(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  words.forEach((word, n) => {
    const one = (h + mixed(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + ROUND[n] + word) | 0;
    const two = (mixed(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  });
  return [a, b, c, d, e, f, g, h].map((word, n) => (word + state[n]) | 0);
}

export function sha256(text) {
  const view = padded(text);
  let state = START;
  for (let at = 0; at < view.byteLength; at += 64) state = block(state, schedule(view, at));
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
