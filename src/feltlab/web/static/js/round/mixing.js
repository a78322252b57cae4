// @ts-check
// The order in which a shuffle is dealt after the seats' seeds: the method of `feltlab.shuffling.seeds`.

const WORDS = 2 ** 32;
const WORD_DIGITS = 8; // hexadecimal
const WORDS_IN_BLOCK = 8;

/**
 * @param {string[]} cards in the committed order
 * @param {string} salt
 * @param {string[]} seeds in the order of their seats
 * @param {(text: string) => Promise<string>} digest SHA-256 in hexadecimal digits
 */
export async function mixCards(cards, salt, seeds, digest) {
  if (!seeds.length) return cards;
  const key = await digest([salt, ...(await Promise.all(seeds.map(digest)))].join(":"));
  const mixed = [...cards], words = drawWords(key, digest);
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const taken = await drawBelow(last + 1, words);
    [mixed[last], mixed[taken]] = [mixed[taken], mixed[last]];
  }
  return mixed;
}

/** @param {number} limit @param {AsyncGenerator<number>} words */
async function drawBelow(limit, words) {
  const fair = WORDS - (WORDS % limit);
  for (;;) {
    const { value } = await words.next();
    if (value < fair) return value % limit;
  }
}

/** @param {string} key @param {(text: string) => Promise<string>} digest */
async function* drawWords(key, digest) {
  for (let number = 0; ; number += 1) {
    const block = await digest(`${key}:${number}`);
    for (let word = 0; word < WORDS_IN_BLOCK; word += 1) yield parseInt(block.slice(word * WORD_DIGITS, (word + 1) * WORD_DIGITS), 16);
  }
}
