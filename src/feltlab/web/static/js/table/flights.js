// @ts-check
// Things on their way across the felt: copies that fly above the page, so that nothing below them moves.

import { $ } from "../shared/dom.js";
import { pace } from "../shared/settings.js";

/** The middle of an element, or of the one with this id; in the middle of the screen if it is not shown. @param {string | Element} where */
export function middleOf(where) {
  const box = (typeof where === "string" ? $(where) : where).getBoundingClientRect();
  if (!box.width) return { x: innerWidth / 2, y: innerHeight };
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** A copy of an element above the page, in the same place. @param {Element} shown */
function copyAbove(shown) {
  const box = shown.getBoundingClientRect();
  const copy = /** @type {HTMLElement} */ (shown.cloneNode(true));
  copy.classList.remove("dealt");
  copy.classList.add("flight");
  copy.removeAttribute("role");
  copy.style.setProperty("--flight", `${box.width}px`);
  Object.assign(copy.style, { left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px` });
  $("flights").append(copy);
  return copy;
}

/**
 * Let a copy of an element fly to another; the element itself may be removed.
 * @param {Element} shown
 * @param {string | Element} to
 * @param {{milliseconds?: number, fades?: boolean}} how
 */
export function flyAway(shown, to, { milliseconds = 420, fades = false } = {}) {
  if (!pace() || !shown.getBoundingClientRect().width) return;
  const from = middleOf(shown), end = middleOf(to), copy = copyAbove(shown);
  const moved = `translate(${end.x - from.x}px, ${end.y - from.y}px)`;
  const frames = [{ transform: "none", opacity: 1 }, { opacity: fades ? 0.4 : 1, offset: 0.85 }, { transform: `${moved} scale(.6)`, opacity: 0 }];
  copy.animate(frames, { duration: milliseconds * pace(), easing: "cubic-bezier(.4, 0, .3, 1)", fill: "forwards" }).onfinish = () => copy.remove();
}

/**
 * Let a copy of an element come from another; calls `then` when it is in its place.
 * @param {Element} shown an element that is in its place, but not to be seen yet
 * @param {string | Element} from
 * @param {() => void} then
 * @param {number} milliseconds
 */
export function flyIn(shown, from, then, milliseconds = 380) {
  if (!shown.getBoundingClientRect().width) return then(); // in a part that is not shown
  const start = middleOf(from), end = middleOf(shown), copy = copyAbove(shown);
  const moved = `translate(${start.x - end.x}px, ${start.y - end.y}px)`;
  copy.style.visibility = "visible";
  copy.animate({ transform: [`${moved} scale(.8)`, "none"] }, { duration: milliseconds * pace(), easing: "cubic-bezier(.2, .7, .3, 1)" }).onfinish = () => {
    then();
    copy.remove();
  };
}
