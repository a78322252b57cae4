// @ts-check
// Helpers for elements.

/** The element with this id, which the page has. @param {string} id @returns {any} */
export const $ = (id) => document.getElementById(id);

/**
 * A new element. Attributes that begin with "on" are listeners; false and null attributes are left out.
 * @param {string} tag
 * @param {Record<string, any>} attributes
 * @param {...(Node | string)} children
 */
export function element(tag, { classes = "", text = "", ...attributes } = {}, ...children) {
  const made = /** @type {any} */ (document.createElement(tag));
  if (classes) made.className = classes;
  if (text) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made[name] = value;
    else if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** Set an attribute if it is another: also an equal one costs. @param {Element} target @param {string} name @param {string} value */
export function setAttribute(target, name, value) {
  if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

/** @param {Element} target @param {string} text */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}
