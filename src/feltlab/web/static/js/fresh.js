// What goes on while somebody looks: parts marked with data-fresh are taken anew from the same page.

const EVERY = 5000; // milliseconds

async function refresh() {
  setTimeout(refresh, EVERY);
  if (document.hidden) return;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll("[data-fresh]")) renew(part, page.getElementById(part.id));
}

// What holds the focus stays: nobody loses a place or what was typed.
function renew(part, fresh) {
  if (!fresh || part.contains(document.activeElement) || part.innerHTML === fresh.innerHTML) return;
  part.replaceChildren(...fresh.childNodes);
}

setTimeout(refresh, EVERY);
