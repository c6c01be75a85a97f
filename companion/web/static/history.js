// While games are still being added up, asks again and again, and shows the whole when it is whole.
const place = () => document.querySelector(".past");

async function askAgain() {
  const answer = await fetch(location.href);
  if (!answer.ok) return false;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".past");
  const waiting = fresh?.querySelector(".adding");
  if (waiting) place().querySelector(".adding").replaceWith(waiting);
  else if (fresh) place().replaceWith(fresh);
  return Boolean(waiting);
}

async function addUp() {
  // A breath between two askings leaves the table its turn.
  do await new Promise((done) => setTimeout(done, 200));
  while (await askAgain());
}

addUp();
