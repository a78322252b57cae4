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
    this.unseen = []; // acts that are answered but whose view has not come yet
    this.version = 0; // of the newest view
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
      if (!this.socket) again();
    };
    const again = (wait = POLL) => (this.timer = setTimeout(() => (document.hidden ? again() : look()), wait));
    again(first);
  }

  join() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/live`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.seenAll(); // a server that was started anew counts from 0
      this.onState("open");
      for (const { message } of this.waiting.values()) socket.send(message);
    };
    socket.onmessage = (event) => this.heard(JSON.parse(event.data));
    socket.onclose = (event) => this.closed(event);
  }

  heard(said) {
    if (!("id" in said)) return this.saw(said);
    const asked = this.waiting.get(said.id);
    if (!asked) return;
    if (!said.ok && said.status === 503) return setTimeout(() => this.again(said.id), 1000);
    this.waiting.delete(said.id);
    if (!said.ok) asked.reject(new Error(said.error));
    else if (said.version <= this.version) asked.resolve();
    else this.unseen.push({ version: said.version, resolve: asked.resolve });
  }

  // An act is done once the table after it is seen: what was clicked before could be clicked again until then.
  saw(view) {
    this.version = view.version;
    this.onView(view);
    const done = this.unseen.filter((act) => act.version <= view.version);
    this.unseen = this.unseen.filter((act) => act.version > view.version);
    for (const act of done) act.resolve();
  }

  seenAll() {
    this.version = 0;
    for (const act of this.unseen.splice(0)) act.resolve();
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
