/** Elements of the page. Texts of others only ever become text nodes: nothing that arrives is read as markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element. Attributes with functions become listeners, `false`, null and undefined are left out.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | number | null | undefined | false)} children
 * @returns {HTMLElement}
 */
export function h(name, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (fill(document.createElement(name), attributes, children));
}

/**
 * The same for a drawing.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {SVGElement}
 */
export function s(name, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (fill(document.createElementNS(SVG, name), attributes, children));
}

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes
 * @param {any[]} children
 */
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else if (key === "value" || key === "checked") /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/**
 * A button with its action's name, for scripts and tests.
 * @param {string} action
 * @param {string} text
 * @param {() => void} run
 * @param {Record<string, any>} [more]
 */
export function button(action, text, run, more = {}) {
  return h("button", { type: "button", "data-action": action, click: run, ...more }, text);
}

/**
 * Puts children into an element in place of those before.
 * @param {Element} element
 * @param {...(Node | string | null | false)} children
 */
export function replace(element, ...children) {
  element.replaceChildren(.../** @type {any[]} */ (children.filter((child) => child !== null && child !== false)));
}

/**
 * The same, only if they look different; the focus stays with the control of the same action.
 * @param {Element} element
 * @param {...(Node | null | false)} children
 */
export function update(element, ...children) {
  const fresh = document.createElement("div");
  replace(fresh, ...children);
  if (fresh.innerHTML === element.innerHTML) return;
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const action = focused && element.contains(focused) ? focused.dataset.action : undefined;
  element.replaceChildren(...fresh.childNodes);
  if (action) /** @type {HTMLElement | null} */ (element.querySelector(`[data-action="${action}"]`))?.focus();
}

/**
 * Sets a text, if it is another one: live regions announce each change once.
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Sets a text that is to be heard even if it is the one before: a space that nobody sees makes it another.
 * @param {Element} element
 * @param {string} text
 */
export function announce(element, text) {
  element.textContent = text && element.textContent === text ? `${text}\u00a0` : text;
}
