// Polls while games are still being judged, and shows the whole page when all are.
const place = () => document.querySelector(".past");
// A pause between two requests gives way to the table; after a failed one it is longer.
const BREATH_MS = 200;
const AWAY_MS = 2000;

const said = (page) => page?.querySelector(".adding")?.textContent.trim() ?? null;

// How long to wait before the next request; null when all is there.
async function askAgain() {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return AWAY_MS;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".past");
  const counted = said(fresh);
  if (!fresh || counted === null) {
    place().replaceWith(...(fresh ? [fresh] : []));
    return null;
  }
  // Only the text: a screen reader announces changes in an element that it knows.
  if (counted !== said(place())) place().querySelector(".adding > span").textContent = fresh.querySelector(".adding > span").textContent;
  return BREATH_MS;
}

async function addUp() {
  for (let wait = BREATH_MS; wait !== null; wait = await askAgain()) await new Promise((done) => { setTimeout(done, wait); });
}

addUp();
