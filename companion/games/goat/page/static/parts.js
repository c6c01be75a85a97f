// Cards, piles, decks and lifebuoys as SVG: the same as templates/goat/parts.html puts together for the first look.

const SVG = "http://www.w3.org/2000/svg";

export function drawn(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function made(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const use = (name, attributes = {}) => drawn("use", { href: `#${name}`, ...attributes });

function card({ boat, colour }) {
  return [
    use("paper"),
    drawn("g", { "clip-path": "url(#panel)" },
      drawn("rect", { width: 63, height: 88, fill: `url(#sky-${colour})` }), use("swell"), use(boat), use("near")),
    use(`sign-${colour}`, { transform: "translate(12.8 12.8) scale(.6)" }),
  ];
}

// As many cards as lie there, as far as they can be told apart; a little askew, as people lay them.
export function pile(top, height) {
  const svg = drawn("svg", { class: `pile ${top?.colour ?? ""}`, viewBox: "-2 -1 67 98", "aria-hidden": "true" });
  if (!height) svg.append(use("berth"));
  for (let layer = Math.min(height - 1, 9); layer > 0; layer -= 1) {
    svg.append(use("edge", { x: ((layer * 7) % 5 - 2) * 0.5, y: layer * 0.9 }));
  }
  if (height) svg.append(...(top ? card(top) : [use("back")]));
  return svg;
}

export function deck(count) {
  const thick = Math.min(1.3, 42 / count);
  const svg = drawn("svg", { class: "deck", viewBox: "0 0 60 52", "aria-hidden": "true" });
  for (let one = 0; one < count; one += 1) {
    svg.append(use(one % 2 ? "edge-dark" : "edge-light", { x: ((one * 7) % 5 - 2) * 0.4, y: 51 - one * thick }));
  }
  svg.append(count ? use("lid", { y: 51.7 - count * thick }) : drawn("path", { class: "no-deck", d: "M4 51h52l-6-9H10z" }));
  return svg;
}

export const head = (seat) =>
  drawn("svg", { class: `goat seat-${seat + 1}`, viewBox: "-27 -29 54 56", "aria-hidden": "true" },
    drawn("circle", { class: "plate", r: 26 }), use(`goat-${seat}`, { transform: "translate(0 -1) scale(1.04)" }));

export function lifebuoy(seat) {
  const svg = drawn("svg", { viewBox: "-30 -30 60 60", "aria-hidden": "true" }, use("lifebuoy"));
  if (seat !== undefined) svg.append(use(`goat-${seat}`, { transform: "translate(0 -1) scale(.98)" }));
  return svg;
}

export const swimmer = (seat) =>
  drawn("svg", { viewBox: "-30 -30 60 60", "aria-hidden": "true" },
    use(`goat-${seat}`, { transform: "translate(0 -3) rotate(-8) scale(1.2)" }),
    drawn("path", { class: "wet", d: "M-32 12q8-7 16 0t16 0 16 0 16 0V34H-32z" }),
    drawn("path", { class: "crest", d: "M-32 12q8-7 16 0t16 0 16 0 16 0" }));

// Without a camera nobody knows the grid: another page.
export const isBlind = ({ state }) => state?.piles === null;

// Puts a value there only if it is another: what hasn't changed is not drawn, nor read out, again.
export function put(element, key, build) {
  if (element.dataset.as === key) return false;
  const first = element.dataset.as === undefined;
  element.dataset.as = key;
  build();
  return !first;
}

export function text(element, words) {
  if (element.textContent !== words) element.textContent = words;
}
