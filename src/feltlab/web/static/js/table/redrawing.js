// @ts-check
// When the page is drawn: once for all changes of a moment, and after an action is sent, not before.

export class Redrawing {
  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
    this.isDue = false;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => this.run();
    this.nextTask = port2;
  }

  /** Draw when the running script has ended. */
  soon() {
    this.isDue = true;
    queueMicrotask(() => this.run());
  }

  /** Draw in the next task, unless something is drawn before: a view may end an action, and both are drawn at once. */
  later() {
    this.isDue = true;
    this.nextTask.postMessage(null);
  }

  run() {
    if (!this.isDue) return;
    this.isDue = false;
    this.draw();
  }
}
