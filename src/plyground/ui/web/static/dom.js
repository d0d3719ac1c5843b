// Looking up and creating elements.

/** @import { Attributes, PageElements } from "../types/page.d.ts" */

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * Return the element of the page with an id.
 *
 * @template {keyof PageElements} Id
 * @param {Id} id
 * @returns {PageElements[Id]}
 */
export function $(id) {
  // tests/web/test_page_types.py compares PageElements with index.html.
  return /** @type {PageElements[Id]} */ (/** @type {unknown} */ (document.getElementById(id)));
}

/**
 * Create an HTML element; children that are null are left out.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * Create an SVG element; children that are null are left out.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

/**
 * Create an icon of index.html.
 *
 * @param {string} id the id of its symbol
 */
export const icon = (id) =>
  svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `#${id}` }));

/**
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {(Node | string | null)[]} children
 * @returns {T}
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice("on".length), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * Replace the children of an element; those that are null are left out.
 *
 * @param {Element} element
 * @param {...(Node | null)} children
 */
export function setChildren(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null));
}

/**
 * Return whether an event happened in an element that a selector matches.
 *
 * @param {Event} event
 * @param {string} selector
 */
export function isInside(event, selector) {
  return event.target instanceof Element && event.target.closest(selector) !== null;
}

/**
 * Set or remove `aria-current`.
 *
 * @param {Element} element
 * @param {"page" | "step" | null} value
 */
export function setCurrent(element, value) {
  if (value) element.setAttribute("aria-current", value);
  else element.removeAttribute("aria-current");
}
