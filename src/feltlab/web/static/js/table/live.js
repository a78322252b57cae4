// @ts-check
// The connection to a table: a WebSocket that reconnects, and actions that are sent until they are answered.

import { randomKey } from "../shared/api.js";

/** @typedef {import("./view.js").View} View */

const FIRST_WAIT = 250, LONGEST_WAIT = 4000, POLL = 1500, RETRY = 1000; // milliseconds
const MAX_SILENCE = 10_000; // milliseconds without an answer after which a connection counts as lost
const SIGNED_OUT = 4401, NOT_YOURS = 4403; // codes with which the server closes a socket: no session, no access

/** @typedef {import("../shared/meters.js").Jackpot} Jackpot */

/** The query that carries the code of an invitation on, or "". */
function inviteQuery() {
  const code = new URLSearchParams(globalThis.location?.search ?? "").get("invite");
  return code ? `?invite=${encodeURIComponent(code)}` : "";
}

/** The query of the socket: it tells the meter of the table's progressive, too. */
function socketQuery() {
  const invite = inviteQuery();
  return invite ? `${invite}&meters` : "?meters";
}

export class Live {
  /**
   * @param {string} table
   * @param {{view: (view: View) => void, state: (state: "open" | "lost") => void, signedOut: () => void, gone?: () => void, jackpot?: (jackpot: Jackpot | null) => void}} listeners
   */
  constructor(table, { view, state, signedOut, gone = () => {}, jackpot = () => {} }) {
    this.table = table;
    this.onGone = gone;
    this.onJackpot = jackpot;
    this.onView = view;
    this.onState = state;
    this.onSignedOut = signedOut;
    /** @type {Map<number, {message: string, resolve: () => void, reject: (error: Error) => void}>} */
    this.waiting = new Map(); // actions without an answer, by id
    /** @type {{version: number, resolve: () => void}[]} */
    this.unseen = []; // answered actions whose view has not arrived
    /** @type {WebSocket | null} */
    this.socket = null;
    this.version = 0; // of the newest view
    this.nextId = 1;
    this.wait = FIRST_WAIT;
    this.timer = 0;
    this.silence = 0; // the timer of an answer that is due
  }

  /** Poll the table: a socket is only for visitors with a session. */
  poll(first = POLL) {
    clearTimeout(this.timer);
    const look = async () => {
      try {
        const answer = await fetch(`/api/tables/${this.table}${inviteQuery()}`);
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

  connect() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/live${socketQuery()}`);
    this.socket = socket;
    this.expectAnswer();
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.resolveUnseen(); // a server that has restarted counts versions from 0
      this.onState("open");
      for (const { message } of this.waiting.values()) socket.send(message);
      this.expectAnswer();
    };
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = (event) => this.closed(event);
  }

  /** Drop a connection that is silent while something waits for it: a network may end without a word. */
  expectAnswer() {
    clearTimeout(this.silence);
    const { socket } = this;
    if (!socket || (socket.readyState === WebSocket.OPEN && !this.waiting.size)) return;
    this.silence = setTimeout(() => {
      if (socket !== this.socket || socket.readyState > WebSocket.OPEN) return;
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
      this.closed({ code: 0 });
    }, MAX_SILENCE);
  }

  /** A message is a view, the table's meter, or the answer to an action, which has an id. @param {any} said */
  receive(said) {
    this.readMessage(said);
    this.expectAnswer();
  }

  /** @param {any} said */
  readMessage(said) {
    if ("jackpot" in said) return this.onJackpot(said.jackpot);
    if (!("id" in said)) return this.receiveView(said);
    const asked = this.waiting.get(said.id);
    if (!asked) return;
    if (!said.ok && said.status === 503) return setTimeout(() => this.resend(said.id), RETRY);
    this.waiting.delete(said.id);
    if (!said.ok) asked.reject(new Error(said.error));
    else if (said.version <= this.version) asked.resolve();
    else this.unseen.push({ version: said.version, resolve: asked.resolve });
  }

  /** An action is done when the view after it arrives; until then its button must not work again. @param {View} view */
  receiveView(view) {
    this.version = view.version;
    this.onView(view);
    const done = this.unseen.filter((action) => action.version <= view.version);
    this.unseen = this.unseen.filter((action) => action.version > view.version);
    for (const action of done) action.resolve();
  }

  resolveUnseen() {
    this.version = 0;
    for (const action of this.unseen.splice(0)) action.resolve();
  }

  /** @param {number} id */
  resend(id) {
    const asked = this.waiting.get(id);
    if (asked) this.sendIfOpen(asked.message);
  }

  /** @param {string} message */
  sendIfOpen(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(message);
  }

  /** @param {{code: number}} event */
  closed(event) {
    if (event.code === SIGNED_OUT) {
      this.socket = null;
      for (const asked of this.waiting.values()) asked.reject(new Error("Your session has ended."));
      this.waiting.clear();
      this.onSignedOut();
      return this.poll(0);
    }
    if (event.code === NOT_YOURS) return this.onGone();
    this.onState("lost");
    this.timer = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  /**
   * Send an action. Every repetition carries the same key, so the server performs it once.
   * @param {string} action
   * @param {object} body
   * @returns {Promise<void>} resolved when the view after the action has arrived
   */
  act(action, body = {}) {
    const id = this.nextId++;
    const message = JSON.stringify({ id, act: action, key: randomKey(), ...body });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { message, resolve, reject });
      this.sendIfOpen(message);
      this.expectAnswer();
    });
  }
}
