// What came of a tap, said beside it. It lies over nothing: either it has a place of its own (`#slot`), or it takes
// that of the heading above what was touched.
const answered = document.getElementById("answer");

// `detail`: what only the rig can explain, in its own words.
export function reply(word, detail = "") {
  answered.replaceChildren(word);
  if (detail) {
    const small = document.createElement("small");
    small.lang = "en";
    small.textContent = detail;
    answered.append(" ", small);
  }
  if (word && !isInSight(answered)) answered.scrollIntoView({ block: "nearest" });
}

function isInSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

// After the page around it was built anew.
export function settle() {
  const slot = document.getElementById("slot");
  if (slot) slot.append(answered);
  else if (!answered.isConnected) document.getElementById("face").before(answered);
}

function moveTo(touched) {
  if (document.getElementById("slot") || !touched.closest("#face") || touched.closest("dialog")) return;
  let around = touched;
  while (!around.querySelector(":scope > :is(h2, h3)") && around.id !== "face") around = around.parentElement;
  const heading = around.querySelector(":scope > :is(h2, h3)");
  const own = touched.closest("p, ol, .choices") ?? touched;
  (heading && isInSight(heading) ? heading : own).after(answered);
}

// It stays until something else is touched: nobody has to read against the clock. What is said as soon as a finger
// comes down has been answered by the time it is lifted.
document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-at-once]")) return;
  reply("");
  moveTo(target);
}, true);

settle();
