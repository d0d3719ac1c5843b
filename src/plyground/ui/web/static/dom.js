// Elements in one call, and what a browser keeps for us.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export const el = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** Replace everything in an element. */
export const put = (element, ...children) => element.replaceChildren(...children.filter(Boolean));

/** What is kept in this browser; without storage it lasts as long as the page. */
const memory = new Map();
export const kept = {
  get(name, otherwise = null) {
    try {
      const text = localStorage.getItem(`plyground.${name}`);
      return text === null ? otherwise : JSON.parse(text);
    } catch {
      return memory.has(name) ? memory.get(name) : otherwise;
    }
  },
  set(name, value) {
    memory.set(name, value);
    try {
      localStorage.setItem(`plyground.${name}`, JSON.stringify(value));
    } catch {
      // A browser that keeps nothing is asked again next time.
    }
  },
};
