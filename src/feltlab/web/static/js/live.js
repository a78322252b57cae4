// A table as it changes: a socket that comes back by itself, and acts that are sent until they are answered.

const FIRST_WAIT = 250, LONGEST_WAIT = 8000, POLL = 1500, SIGNED_OUT = 4401;

export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Live {
  constructor(table, { view, state, signedOut }) {
    Object.assign(this, { table, onView: view, onState: state, onSignedOut: signedOut });
    this.waiting = new Map(); // acts that are not answered yet, by id
    this.next = 1;
    this.wait = FIRST_WAIT;
  }

  // Without a session a table is looked at every other second: a socket is for those who have one.
  watch(first = POLL) {
    clearTimeout(this.timer);
    const look = async () => {
      try {
        const answer = await fetch(`/api/tables/${this.table}`);
        if (!answer.ok) throw new Error();
        if (!this.socket) this.onView(await answer.json());
        this.onState("open");
      } catch {
        this.onState("lost");
      }
      if (!this.socket) this.timer = setTimeout(look, POLL);
    };
    this.timer = setTimeout(look, first);
  }

  join() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/live`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.onState("open");
      for (const { message } of this.waiting.values()) socket.send(message);
    };
    socket.onmessage = (event) => this.heard(JSON.parse(event.data));
    socket.onclose = (event) => this.closed(event);
  }

  heard(said) {
    if (!("id" in said)) return this.onView(said);
    const asked = this.waiting.get(said.id);
    if (!asked) return;
    if (!said.ok && said.status === 503) return setTimeout(() => this.again(said.id), 1000);
    this.waiting.delete(said.id);
    if (said.ok) asked.resolve(said);
    else asked.reject(new Error(said.error));
  }

  again(id) {
    const asked = this.waiting.get(id);
    if (asked && this.socket?.readyState === WebSocket.OPEN) this.socket.send(asked.message);
  }

  closed(event) {
    if (event.code === SIGNED_OUT) {
      this.socket = null;
      for (const asked of this.waiting.values()) asked.reject(new Error("Your session has ended."));
      this.waiting.clear();
      this.onSignedOut();
      return this.watch(0);
    }
    this.onState("lost");
    this.timer = setTimeout(() => this.join(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  // The same key goes with every sending, so whatever happened on the way, it is done once.
  act(act, body = {}) {
    const id = this.next++;
    const message = JSON.stringify({ id, act, key: randomKey(), ...body });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { message, resolve, reject });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(message);
    });
  }
}
