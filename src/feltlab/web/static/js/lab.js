// The lab's pages work without this; with it a change of a setting shows its answer in place.
// Nothing is computed here: pages are asked for, and what came is put where the old answer was.

const form = document.getElementById("controls");
const said = document.getElementById("said");
const POLL = 1000; // milliseconds between two looks at what is being worked out
let asking = null; // what ends the question before

const pause = (ms, signal) => new Promise((resolve, reject) => {
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
});

function say(text, bad = false) {
  if (said.textContent !== text) said.textContent = text;
  said.classList.toggle("bad", bad);
}

const answer = () => document.getElementById("answer");

async function page(address, signal) {
  const response = await fetch(address, { headers: { accept: "text/html" }, signal });
  if (response.headers.has("content-disposition")) return { response, file: true };
  return { response, made: new DOMParser().parseFromString(await response.text(), "text/html") };
}

function figures(root) {
  return new Map([...root.querySelectorAll("[data-figure]")].map((at) => [at.dataset.figure, at]));
}

// Put a new answer in place; figures that are others than before say what they were.
function swap(made) {
  const fresh = made.getElementById("answer");
  const old = answer();
  const opened = new Map([...old.querySelectorAll("details[data-name]")].map((at) => [at.dataset.name, at.open]));
  const before = figures(old);
  for (const [name, at] of figures(fresh)) {
    const was = before.get(name)?.firstChild?.textContent;
    if (was && was !== at.textContent) {
      at.classList.add("moved");
      at.insertAdjacentHTML("beforeend", '<span class="before"></span>');
      at.lastChild.textContent = `was ${was}`;
    }
  }
  for (const at of fresh.querySelectorAll("details[data-name]")) at.open = opened.get(at.dataset.name) ?? at.open;
  old.replaceWith(document.adoptNode(fresh));
}

// While only a part is not there yet, replace what is there without a word on what moved.
function refresh(made) {
  const fresh = made.getElementById("answer");
  const sections = [...answer().querySelectorAll(":scope > section")];
  const news = [...fresh.querySelectorAll(":scope > section")];
  sections.forEach((at, n) => { if (at.querySelector("[data-working]") && news[n]) at.replaceWith(document.adoptNode(news[n])); });
}

function percentOf(made) {
  const bar = made.querySelector("[data-working] progress[value]");
  return bar ? `${Math.round(100 * bar.value)} %` : "";
}

function showProgress(made) {
  answer().classList.add("waits");
  const state = made.querySelector("[data-working]");
  const here = answer().querySelector(":scope > .pending");
  if (here) { here.replaceChildren(document.adoptNode(state)); return; }
  const box = document.createElement("section");
  box.className = "card pending";
  box.append(document.adoptNode(state));
  answer().prepend(box);
}

async function ask(address) {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  say("Working …");
  try {
    for (;;) {
      const { response, made } = await page(address, signal);
      if (signal.aborted) return;
      if (response.status === 202) {
        say(`Proving … ${percentOf(made)}`);
        showProgress(made);
        await pause(POLL, signal);
      } else if (response.ok) {
        history.replaceState(null, "", address);
        swap(made);
        hints(made);
        say("Done.");
        return await follow(address, signal);
      } else {
        answer().classList.remove("waits");
        answer().querySelector(":scope > .pending")?.remove();
        say(made.querySelector("main p")?.textContent ?? "That did not work.", true);
        return;
      }
    }
  } catch (error) {
    if (!signal.aborted) say("The server does not answer; try again.", true);
  }
}

// What the form itself says of its settings, such as what a strategy does.
function hints(made) {
  const fresh = made.querySelectorAll("#controls fieldset .hint");
  form?.querySelectorAll("fieldset .hint").forEach((at, n) => { if (fresh[n]) at.textContent = fresh[n].textContent; });
}

// A part of the page that is still being worked out.
async function follow(address, signal) {
  while (answer()?.querySelector(":scope > section [data-working]")) {
    await pause(POLL, signal);
    const { response, made } = await page(address, signal);
    if (signal.aborted || response.status !== 200) return;
    refresh(made);
  }
}

// A page that is nothing but waiting: for another page, or for a file.
async function wait() {
  const { signal } = new AbortController();
  for (;;) {
    await pause(POLL, signal);
    try {
      const { response, made, file } = await page(location.href, signal);
      if (response.status === 202) {
        const state = made.querySelector("[data-working]");
        answer().querySelector("[data-working]").replaceWith(document.adoptNode(state));
      } else if (file) {
        answer().innerHTML = "<p><strong>It is ready.</strong></p>";
        const link = document.createElement("a");
        Object.assign(link, { href: location.href, textContent: "Download it", className: "button" });
        link.setAttribute("download", "");
        answer().append(link);
        say("The download is ready.");
        link.click();
        return;
      } else {
        location.reload();
        return;
      }
    } catch { /* ask again */ }
  }
}

// The address of what the form says; nothing stands in it twice.
function address() {
  const pairs = [...new FormData(form)].filter(([, value]) => value !== "");
  const query = new URLSearchParams(pairs).toString();
  return form.getAttribute("action") + (query ? `?${query}` : "");
}

if (form) {
  let later = 0;
  form.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(later); ask(address()); });
  form.addEventListener("change", () => { clearTimeout(later); if (form.checkValidity()) ask(address()); });
  form.addEventListener("input", (event) => {
    clearTimeout(later);
    if (event.target.matches("input:not([type=checkbox])")) later = setTimeout(() => form.checkValidity() && ask(address()), 500);
  });
  asking = new AbortController();
  follow(location.href, asking.signal).catch(() => {});
} else if (answer()?.querySelector("[data-working]")) {
  wait();
}
