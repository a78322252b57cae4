// A round that is over, walked step by step, and the commitment to its cards checked by the browser.

const replay = document.getElementById("replay");
const last = Number(replay.dataset.steps);
const where = document.getElementById("where");
let step = last;

const GO = { first: () => 0, back: () => step - 1, on: () => step + 1, last: () => last };
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

function show(number) {
  step = Math.max(0, Math.min(last, number));
  for (const thing of replay.querySelectorAll("[data-step]")) {
    const fallen = Number(thing.dataset.step) <= step;
    thing.classList.toggle("later", !fallen);
    thing.setAttribute("aria-hidden", String(!fallen));
    thing.classList.toggle("now", Number(thing.dataset.step) === step);
  }
  replay.querySelectorAll(".steps > li").forEach((item, n) => {
    item.classList.toggle("later", n + 1 > step);
    item.removeAttribute("aria-current");
    if (n + 1 === step) {
      item.setAttribute("aria-current", "step");
      keepInView(item);
    }
  });
  where.textContent = step ? `Step ${step} of ${last}` : `Before the first of ${last}`;
  for (const button of replay.querySelectorAll("[data-go]")) {
    const atEnd = ["first", "back"].includes(button.dataset.go) ? step === 0 : step === last;
    button.setAttribute("aria-disabled", String(atEnd));
  }
  history.replaceState(null, "", step === last ? location.pathname : `#step-${step}`);
}

// The list scrolls, the page does not.
function keepInView(item) {
  const list = item.parentElement;
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}

replay.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-go]");
  if (button) show(GO[button.dataset.go]());
});
document.addEventListener("keydown", (event) => {
  const go = KEYS[event.key];
  if (!go || event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea, pre")) return;
  event.preventDefault();
  show(GO[go]());
});

replay.querySelector(".walk").hidden = false;
replay.querySelector(".keys").hidden = false;
const asked = /^#step-(\d+)$/.exec(location.hash);
show(asked ? Number(asked[1]) : last);

// -- The commitment ----------------------------------------------------------------------------------

async function digest(text) {
  const found = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(found)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Each card that was laid open must lie in the order where the round began; a burnt one was never seen.
function misplaced({ order, start, fell }) {
  const promised = order.split(" ");
  const cards = fell ? fell.split(" ") : [];
  return cards.findIndex((card, n) => card !== "##" && card !== promised[Number(start) + n]);
}

async function judge({ commitment, salt, order, start, fell }) {
  if (!globalThis.crypto?.subtle) {
    return [false, "This browser computes digests only on a secure connection; check it yourself with the line below.", "unsure"];
  }
  const found = await digest(`${salt}:${order}`);
  if (found !== commitment) return [false, `The order does not fit: your browser computes ${found}.`];
  const wrong = misplaced({ order, start, fell });
  if (wrong >= 0) return [false, `The order fits the commitment, but card ${wrong + 1} of this round is not where it lies in it.`];
  const cards = fell ? " and every card of this round lies where it should" : "";
  return [true, `Yes. Your browser has just computed the same digest from the order that was shown afterwards,${cards || " though no card was laid open"}.`];
}

const shuffle = document.getElementById("shuffle");
if (shuffle.dataset.order) {
  const [good, sentence, kind] = await judge(shuffle.dataset);
  const verdict = document.getElementById("verdict");
  verdict.textContent = sentence;
  verdict.dataset.verdict = kind ?? (good ? "good" : "bad");
}
