// @ts-check
// Card faces as SVG: a large index that is readable on a phone, and one large pip.

const SVG = "http://www.w3.org/2000/svg";
const PIPS = {
  s: "M50 8C58 24 88 40 88 62a19 19 0 0 1-33 13c1 9 4 15 10 19H35c6-4 9-10 10-19a19 19 0 0 1-33-13C12 40 42 24 50 8Z",
  h: "M50 92C20 66 8 52 8 34a21 21 0 0 1 42-7 21 21 0 0 1 42 7c0 18-12 32-42 58Z",
  d: "M50 6C60 24 72 38 86 50 72 62 60 76 50 94 40 76 28 62 14 50 28 38 40 24 50 6Z",
  c: "M50 8a20 20 0 0 1 17 31 20 20 0 1 1-12 35c1 9 4 16 10 20H35c6-4 9-11 10-20a20 20 0 1 1-12-35A20 20 0 0 1 50 8Z",
};
const CROWN = "M10 78 4 30l24 20L50 14l22 36 24-20-6 48Z";
const SUITS = { s: "Spades", h: "Hearts", d: "Diamonds", c: "Clubs" };
const RANKS = {
  2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine",
  T: "Ten", J: "Jack", Q: "Queen", K: "King", A: "Ace",
};

/** @param {string} card */
export const isFaceDown = (card) => card === "##" || card === "??";

/** 'King of Diamonds', for screen readers. @param {string} card */
export function cardName(card) {
  if (isFaceDown(card)) return "face down";
  return card === "Jk" ? "Joker" : `${RANKS[card[0]]} of ${SUITS[card[1]]}`;
}

/** The names of several cards. @param {string[]} cards */
export function cardNames(cards) {
  const open = cards.filter((card) => !isFaceDown(card)).map(cardName);
  const down = cards.length - open.length;
  return [...open, ...(down ? [`${down} face down`] : [])].join(", ") || "no cards";
}

/** @param {Element} parent @param {string} name @param {Record<string, any>} attributes @param {string} [text] */
function add(parent, name, attributes, text) {
  const added = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) added.setAttribute(key, value);
  if (text) added.textContent = text;
  parent.append(added);
  return added;
}

/** @param {Element} svg @param {string} path @param {number} x @param {number} y @param {number} size */
function drawPip(svg, path, x, y, size) {
  add(svg, "path", { d: path, transform: `translate(${x} ${y}) scale(${size / 100})`, class: "pip" });
}

/** A card as SVG. @param {string} card @param {string} deck the colour of the back */
export function drawCard(card, deck) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 100 140");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", cardName(card));
  svg.setAttribute("class", classesOf(card, deck));
  add(svg, "rect", { x: 1.5, y: 1.5, width: 97, height: 137, rx: 9, class: "paper" });
  if (isFaceDown(card)) return drawBack(svg);
  return card === "Jk" ? drawJoker(svg) : drawFront(svg, card);
}

/** @param {string} card @param {string} deck */
function classesOf(card, deck) {
  if (isFaceDown(card)) return `face back ${deck === "blue" ? "blue" : "red"}`;
  return `face suit-${card === "Jk" ? "joker" : card[1]}`;
}

/** @param {SVGSVGElement} svg */
function drawBack(svg) {
  add(svg, "rect", { x: 8, y: 8, width: 84, height: 124, rx: 5, class: "field" });
  for (let row = 0; row < 6; row++)
    for (let column = 0; column < 4; column++)
      add(svg, "path", { d: "M0-9 9 0 0 9-9 0Z", transform: `translate(${20 + column * 20} ${20 + row * 20})`, class: "weave" });
  return svg;
}

/** @param {SVGSVGElement} svg @param {string} card */
function drawFront(svg, card) {
  const rank = card[0] === "T" ? "10" : card[0];
  add(svg, "text", { x: rank === "10" ? 31 : 25, y: 46, class: rank === "10" ? "index ten" : "index" }, rank);
  drawPip(svg, PIPS[card[1]], 11, 53, 29);
  drawPip(svg, PIPS[card[1]], 40, 76, 54);
  if ("JQK".includes(card[0])) add(svg, "path", { d: CROWN, transform: "translate(54 46) scale(.27)", class: "crown" });
  return svg;
}

/** @param {SVGSVGElement} svg */
function drawJoker(svg) {
  add(svg, "text", { x: 25, y: 44, class: "index ten" }, "J");
  [..."OKER"].forEach((letter, n) => add(svg, "text", { x: 25, y: 66 + n * 20, class: "joker-letter" }, letter));
  drawPip(svg, "M50 2 61 37H98L68 58 79 94 50 72 21 94 32 58 2 37H39Z", 42, 44, 52);
  return svg;
}
