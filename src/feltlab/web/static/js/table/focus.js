// @ts-check
// Focus follows the play: a player who uses Tab and Enter is taken to the next control.

// In order of preference. The seat comes before its spots: Enter deals there, and Tab goes to the first spot.
const NEXT = ["#choices button:enabled", "[data-bet=Rebet]:enabled", "[data-bet=Deal]:enabled", "#own", ".take:enabled"];

let lost = false; // the focused control is gone, and no other can be used yet
let tabs = false; // the player uses Tab

addEventListener("keydown", ({ key }) => (tabs ||= key === "Tab"));
addEventListener("pointerdown", () => (tabs = false));

export const usesTab = () => tabs;

/** Draw, and move the focus if its control is gone. @param {{busy: boolean}} play @param {() => void} draw */
export function moveFocus(play, draw) {
  const held = /** @type {any} */ (document.activeElement);
  draw();
  lost ||= tabs && held !== document.body && (!held.isConnected || held.disabled);
  const next = lost && !play.busy && nextControl();
  if (!next) return;
  /** @type {HTMLElement} */ (next).focus({ preventScroll: true });
  lost = false;
}

function nextControl() {
  return NEXT.map((where) => document.querySelector(where)).find((place) => place?.checkVisibility());
}
