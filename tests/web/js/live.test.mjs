// The connection to a table.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Live } from "../../../src/feltlab/web/static/js/table/live.js";

const OPEN = 1;

class Socket {
  static OPEN = OPEN;
  static all = [];
  readyState = 0;
  sent = [];

  constructor(address) {
    this.address = address;
    Socket.all.push(this);
  }

  open() {
    this.readyState = OPEN;
    this.onopen();
  }

  send(message) {
    this.sent.push(JSON.parse(message));
  }

  say(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  close(code = 1006) {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

let live, seen, states, signedOut;

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, {
    WebSocket: Socket,
    location: { protocol: "https:", host: "felt.example" },
    document: { hidden: false },
  });
  Socket.all = [];
  seen = [];
  states = [];
  signedOut = 0;
  live = new Live("war-1", {
    view: (view) => seen.push(view.version),
    state: (state) => states.push(state),
    signedOut: () => (signedOut += 1),
  });
});

afterEach(() => mock.timers.reset());

function connected() {
  live.connect();
  const socket = Socket.all.at(-1);
  socket.open();
  return socket;
}

/** Whether a promise is settled by now: "done", "failed" or "pending". */
async function stateOf(promise) {
  let state = "pending";
  promise.then(() => (state = "done"), () => (state = "failed"));
  await new Promise((done) => setImmediate(done));
  return state;
}

test("the socket's address follows the page's protocol", () => {
  live.connect();
  assert.equal(Socket.all[0].address, "wss://felt.example/api/tables/war-1/live?meters");
});

test("an action is done when the view after it has arrived, not before", async () => {
  const socket = connected();
  const action = live.act("choose", { choice: "war" });
  const { id, act, choice } = socket.sent[0];
  assert.deepEqual([act, choice], ["choose", "war"]);
  socket.say({ id, ok: true, version: 5 });
  assert.equal(await stateOf(action), "pending");
  socket.say({ version: 5 });
  assert.equal(await stateOf(action), "done");
  assert.deepEqual(seen, [5]);
});

test("a refusal rejects with its sentence", async () => {
  const socket = connected();
  const action = live.act("sit");
  socket.say({ id: socket.sent[0].id, ok: false, status: 409, error: "Seat 1 is taken." });
  await assert.rejects(action, /Seat 1 is taken\./);
});

test("an action is sent again with the same key after a lost connection", async () => {
  const first = connected();
  const action = live.act("wager");
  first.close();
  assert.equal(states.at(-1), "lost");
  mock.timers.tick(1000);
  const second = Socket.all.at(-1);
  assert.notEqual(second, first);
  second.open();
  assert.deepEqual(second.sent, first.sent);
  second.say({ version: 1 });
  second.say({ id: second.sent[0].id, ok: true, version: 1 });
  assert.equal(await stateOf(action), "done");
});

test("an action without an open socket waits for one", () => {
  live.act("ready");
  const socket = connected();
  assert.equal(socket.sent.length, 1);
});

test("while the ledger is down, an action is repeated a second later", () => {
  const socket = connected();
  live.act("ready");
  socket.say({ id: socket.sent[0].id, ok: false, status: 503, error: "The ledger cannot be reached." });
  assert.equal(socket.sent.length, 1);
  mock.timers.tick(1000);
  assert.equal(socket.sent.length, 2);
  assert.equal(socket.sent[0].key, socket.sent[1].key);
});

test("after a restart of the server, answered actions do not wait for old versions", async () => {
  const socket = connected();
  const action = live.act("ready");
  socket.say({ id: socket.sent[0].id, ok: true, version: 900 });
  socket.close();
  mock.timers.tick(1000);
  Socket.all.at(-1).open();
  assert.equal(await stateOf(action), "done");
});

test("the pause before a reconnection grows, up to four seconds", () => {
  live.connect();
  const pauses = [];
  for (let n = 0; n < 8; n++) {
    pauses.push(live.wait);
    Socket.all.at(-1).close();
    mock.timers.tick(10_000);
  }
  assert.deepEqual(pauses, [250, 500, 1000, 2000, 4000, 4000, 4000, 4000]);
});

test("a connection that is silent for ten seconds while an action waits is lost, and the action is sent again", () => {
  const first = connected();
  live.act("choose");
  mock.timers.tick(9000);
  first.say({ version: 1 }); // something is heard: not lost yet
  mock.timers.tick(9000);
  assert.equal(states.at(-1), "open");
  mock.timers.tick(1000);
  assert.equal(states.at(-1), "lost");
  mock.timers.tick(1000);
  const second = Socket.all.at(-1);
  assert.notEqual(second, first);
  second.open();
  assert.deepEqual(second.sent, first.sent);
});

test("a connection that never opens is tried again", () => {
  live.connect();
  mock.timers.tick(10_000);
  mock.timers.tick(1000);
  assert.equal(Socket.all.length, 2);
});

test("a connection on which nothing waits may be silent", () => {
  connected();
  mock.timers.tick(600_000);
  assert.equal(states.at(-1), "open");
  assert.equal(Socket.all.length, 1);
});

test("an ended session rejects what waits, and the table is polled", async () => {
  const socket = connected();
  let asked = 0;
  globalThis.fetch = async () => ((asked += 1), { ok: true, json: async () => ({ version: 3 }) });
  const action = live.act("ready");
  socket.close(4401);
  await assert.rejects(action, /session has ended/);
  assert.equal(signedOut, 1);
  mock.timers.tick(0);
  await new Promise((done) => setImmediate(done));
  assert.equal(asked, 1);
  assert.deepEqual(seen, [3]);
});
