// Focus follows the play: who acts with Tab and Enter is led to what can be done next.

const NEXT = ["#choices button", "[data-bet=Rebet]", "[data-bet=Deal]", "#spots button", ".take"];

let lost = false; // what held the focus is gone, and nothing can be done yet

export function leadFocus(play, draw) {
  const held = document.activeElement;
  draw();
  lost ||= held !== document.body && (!held.isConnected || held.disabled);
  const next = lost && !play.busy && nextPlace();
  if (!next) return;
  next.focus({ preventScroll: true });
  lost = false;
}

function nextPlace() {
  const found = NEXT.map((where) => document.querySelector(`${where}:enabled`));
  return found.find((place) => place?.checkVisibility());
}
