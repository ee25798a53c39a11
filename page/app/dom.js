/** Elements of the page. Texts of others only ever become text nodes: nothing that arrives is read as markup. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element: `h("p.status", { role: "status" }, text)`. Attributes with functions become listeners, `false`, null
 * and undefined are left out.
 * @param {string} name with its classes
 * @param {Record<string, any> | Child} [attributes] or the first child
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  return /** @type {HTMLElement} */ (fill(document.createElement(tag), classes, attributes, children));
}

/**
 * The same for a drawing.
 * @param {string} name
 * @param {Record<string, any> | Child} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function s(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  return /** @type {SVGElement} */ (fill(document.createElementNS(SVG, tag), classes, attributes, children));
}

/**
 * @param {Element} element
 * @param {string[]} classes
 * @param {Record<string, any> | Child} first
 * @param {Child[]} children
 */
function fill(element, classes, first, children) {
  if (classes.length) element.setAttribute("class", classes.join(" "));
  if (first && typeof first === "object" && !(first instanceof Node)) set(element, first);
  else children.unshift(first);
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(/** @type {any} */ (child));
  }
  return element;
}

/** @param {Element} element @param {Record<string, any>} attributes */
function set(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else if (key === "value" || key === "checked") /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
}

/** The line that says how things stand, which is read aloud when it changes. @param {string} text */
export function statusLine(text) {
  return h("p.status", { role: "status" }, text);
}

/** A part of a view under a heading of its own. @param {string} title @param {...Child} children */
export function card(title, ...children) {
  return h("section.card", h("h2", title), ...children);
}

/** What scrolls sideways, also by keys, where it is wider than its place. @param {string} label @param {...Child} children */
export function wide(label, ...children) {
  return h("div.wide", { role: "region", tabindex: 0, "aria-label": label }, ...children);
}

/** What a form does; it loads nothing. @param {() => unknown} act @returns {(event: Event) => void} */
export const does = (act) => (event) => {
  event.preventDefault();
  act();
};

/** A field whose name also stands in it as long as it is empty. @param {string} label @param {Record<string, any>} [attributes] */
export function input(label, attributes = {}) {
  return /** @type {HTMLInputElement} */ (h("input", { autocomplete: "off", "aria-label": label, placeholder: label, ...attributes }));
}

/**
 * A line to type into, with its button.
 * @param {string} action of the button
 * @param {string} text
 * @param {() => unknown} submit
 * @param {...Child} fields
 */
export function form(action, text, submit, ...fields) {
  return h("form.typed", { submit: does(submit) }, ...fields,
    h("button", { type: "submit", "data-action": action }, text));
}

/**
 * One choice of several: a button that stays pressed.
 * @param {string} name of all of them
 * @param {string | number} value
 * @param {string} text
 * @param {boolean} chosen
 * @param {() => void} choose
 * @param {Record<string, any>} [more]
 */
export function chip(name, value, text, chosen, choose, more = {}) {
  return h("label.chip", h("input", { type: "radio", name, value, checked: chosen, change: choose, ...more }), h("span", text));
}

/**
 * A button with its action's name, for scripts and tests.
 * @param {string} action
 * @param {string} text
 * @param {(event: any) => void} run
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

/** The next Tab goes on from an element, or from what holds it if that is hidden: not from the top of the page. @param {Element} element */
export function stayAt(element) {
  /** @type {Element | null} */
  let place = element;
  while (place && !place.checkVisibility()) place = place.parentElement;
  if (!place) return;
  if (!place.hasAttribute("tabindex")) place.setAttribute("tabindex", "-1");
  /** @type {HTMLElement} */ (place).focus({ preventScroll: true });
}

/** The control of an action, below an element. @param {ParentNode} element @param {string | undefined} action */
export function controlOf(element, action) {
  return action ? /** @type {HTMLElement | null} */ (element.querySelector(`[data-action="${CSS.escape(action)}"]`)) : null;
}

/**
 * The same, only if they look different: so a listener uses nothing of its time that does not show. The focus stays with
 * the control of the same action, which for a link leads to the same place, or where that was.
 * @param {Element} element
 * @param {...(Node | null | false)} children
 */
export function update(element, ...children) {
  const fresh = document.createElement("div");
  replace(fresh, ...children);
  if (fresh.innerHTML !== element.innerHTML) redraw(element, () => element.replaceChildren(...fresh.childNodes));
}

/**
 * The same for lists and tables: rows that look the same stay, with what is pressed, focused or selected in them. So what a
 * row does must follow from what is written in it, attributes included.
 * @param {Element} element
 * @param {...(Node | null | false)} children
 */
export function keep(element, ...children) {
  redraw(element, () => settle(element, /** @type {Node[]} */ (children.filter(Boolean))));
}

/** What has rows, and nothing that is to be clicked by itself. */
const HOLDERS = ["TABLE", "THEAD", "TBODY", "UL", "OL", "DIV"];

/** @param {ParentNode} element @param {Node[]} fresh */
function settle(element, fresh) {
  const old = new Set(element.childNodes);
  const take = (/** @type {(one: Node) => boolean} */ is) => {
    const found = [...old].find(is);
    if (found) old.delete(found);
    return found;
  };
  const kept = fresh.map((node) => take((one) => one.isEqualNode(node)));
  const nodes = fresh.map((node, n) => {
    const place = kept[n] ?? (HOLDERS.includes(node.nodeName) ? take((one) => one.cloneNode().isEqualNode(node.cloneNode())) : null);
    if (place && !kept[n]) settle(/** @type {Element} */ (place), [...node.childNodes]);
    return place ?? node;
  });
  for (const one of old) one.remove();
  /** @type {Node | null} */
  let at = element.firstChild;
  for (const node of nodes) {
    if (at !== node && at?.nextSibling === node) {
      element.append(at); // its turn comes later, and the others stay where they are
      at = node;
    }
    if (at === node) at = node.nextSibling;
    else element.insertBefore(node, at);
  }
}

/** Draws an element anew, and the focus stays in it. @param {Element} element @param {() => void} draw */
function redraw(element, draw) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const isIn = before && element.contains(before);
  draw();
  if (!isIn || document.activeElement === before) return;
  (before.isConnected ? before : find(element, before))?.focus();
  if (document.activeElement === document.body) stayAt(element);
}

/** The control that does the same as another one. @param {Element} element @param {HTMLElement} other */
function find(element, other) {
  const sign = (/** @type {HTMLElement} */ one) => JSON.stringify([one.getAttribute("href"), { ...one.dataset }]);
  const controls = /** @type {HTMLElement[]} */ ([...element.querySelectorAll("[data-action]")]);
  return controls.find((one) => sign(one) === sign(other));
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
