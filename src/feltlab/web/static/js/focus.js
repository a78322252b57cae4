// Focus follows the play: who acts with Tab and Enter is led to what can be done next.

// A seat as a whole comes before its spots: Enter deals there, and Tab goes on to the first spot.
const NEXT = ["#choices button:enabled", "[data-bet=Rebet]:enabled", "[data-bet=Deal]:enabled", "#own", ".take:enabled"];

let lost = false; // what held the focus is gone, and nothing can be done yet
let tabs = false; // does the player go about with Tab?

addEventListener("keydown", ({ key }) => (tabs ||= key === "Tab"));
addEventListener("pointerdown", () => (tabs = false));

export const goesByTab = () => tabs;

export function leadFocus(play, draw) {
  const held = document.activeElement;
  draw();
  lost ||= tabs && held !== document.body && (!held.isConnected || held.disabled);
  const next = lost && !play.busy && nextPlace();
  if (!next) return;
  next.focus({ preventScroll: true });
  lost = false;
}

function nextPlace() {
  return NEXT.map((where) => document.querySelector(where)).find((place) => place?.checkVisibility());
}
