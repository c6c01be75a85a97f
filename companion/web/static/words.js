// Sentences with {gaps}, in the language of the page. The server fills the same ones by the same rules
// (companion/web/sentences.py).

export const words = JSON.parse(document.getElementById("words").textContent);
const language = document.documentElement.lang;
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

// Fills the gaps once: a name that contains a {gap} is left as it is.
export const filled = (key, gaps = {}) => words[key].replace(/\{(\w+)\}/g, (_, gap) => gaps[gap]);

export const counted = (key, n) => filled(`${key}.${n === 1 ? "one" : "other"}`, { n });

export const joined = (between, parts) =>
  parts.length < 2 ? parts.join("") : filled(between, { first: parts.slice(0, -1).join(", "), last: parts.at(-1) });

export const milliseconds = (us, key = "ms") => filled(key, { n: (us < 10_000 ? fine : whole).format(us / 1000) });
