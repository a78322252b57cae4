// @ts-check
// A box above a long list: only the entries with all typed words stay, and the headings of groups that have some.

const MANY = 8; // entries from which on the box is shown

/** @param {HTMLInputElement} box */
function listEntries(box) {
  return /** @type {HTMLElement[]} */ ([...document.querySelectorAll(box.dataset.find ?? "")]);
}

/** @param {HTMLInputElement} box */
function showFound(box) {
  const typed = box.value.toLowerCase().split(/\s+/).filter(Boolean), entries = listEntries(box);
  for (const entry of entries) {
    const words = (entry.dataset.words ?? entry.textContent ?? "").toLowerCase();
    entry.hidden = !typed.every((word) => words.includes(word));
  }
  for (const group of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-group]"))) group.hidden = !hasEntries(group);
  const found = entries.filter((entry) => !entry.hidden).length;
  const said = box.closest(".find")?.querySelector("[role=status]");
  const text = typed.length ? `${found} of ${entries.length}` : "";
  if (said && said.textContent !== text) said.textContent = text;
}

/** Whether an entry below the heading of a group is shown. @param {Element} group */
function hasEntries(group) {
  let next = /** @type {HTMLElement | null} */ (group.nextElementSibling);
  for (; next && !next.hasAttribute("data-group"); next = /** @type {HTMLElement | null} */ (next.nextElementSibling))
    if (next.dataset.words && !next.hidden) return true;
  return false;
}

/** Make the boxes of the page work; an answer that replaces entries is searched again. */
export function enableFinding() {
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-find]"))) {
    if (listEntries(box).length < MANY) continue;
    const line = box.closest(".find");
    if (line instanceof HTMLElement) line.hidden = false;
    box.addEventListener("input", () => showFound(box));
    new MutationObserver(() => box.value && showFound(box)).observe(document.body, { childList: true, subtree: true });
  }
}
