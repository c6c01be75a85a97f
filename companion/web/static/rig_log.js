// Shows the newest lines of the log while it is open.

const LOOK_MS = 2000;

const log = document.getElementById("log");
const lines = document.getElementById("lines");
const copied = document.getElementById("copied");
let count = "";
let timer = 0;

// Selected text, to be copied, is not replaced.
function isMarked() {
  const marked = document.getSelection();
  return !marked.isCollapsed && marked.containsNode(lines, true);
}

async function look() {
  clearTimeout(timer);
  if (!log.open) return;
  if (document.visibilityState === "visible" && !isMarked()) {
    try {
      const answer = await fetch(`${lines.dataset.from}?after=${count}`, { cache: "no-store" });
      if (answer.status === 200) {
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("fresh-lines");
        count = fresh.dataset.count;
        lines.replaceChildren(...fresh.children);
      }
    } catch {
      // The page itself says that there is no connection.
    }
  }
  clearTimeout(timer);
  timer = setTimeout(look, LOOK_MS);
}

// Without HTTPS a page has no clipboard API, but it may copy a selection.
function copy() {
  const marked = document.getSelection();
  marked.selectAllChildren(lines);
  const done = document.execCommand("copy");
  if (done) marked.removeAllRanges();
  copied.textContent = done ? copied.dataset.done : copied.dataset.marked;
}

log.addEventListener("toggle", look);
document.getElementById("copy").addEventListener("click", copy);
