// The connection to the server. It comes back by itself, into the same game.

import { kept } from "./dom.js";

const RESTING = 4001;
const BUSY = 1013;

export class Link {
  /** `hear(message)` gets what the server says; `changed(state, why)` hears how the line is. */
  constructor(hear, changed) {
    this.hear = hear;
    this.changed = changed;
    this.wait = 200;
    this.connect();
    // A phone that wakes up should not wait for its turn.
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.hurry();
    });
  }

  connect() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/play`);
    this.socket = socket;
    socket.onopen = () => this.send("hello", { session: kept.get("session") });
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "welcome") {
        this.wait = 200;
        kept.set("session", message.session);
        this.changed("open");
      }
      this.hear(message);
    };
    socket.onclose = (event) => {
      if (socket !== this.socket) return;
      if (event.code === RESTING) {
        this.changed("resting");
        return;
      }
      this.changed("lost", event.code === BUSY ? event.reason : "");
      this.timer = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(this.wait * 2, 5000);
    };
  }

  /** Try again at once, if there is no line. */
  hurry() {
    if (this.socket.readyState === WebSocket.CLOSED) {
      this.wait = 200;
      this.connect();
    }
  }

  /** Say something; false if nobody can hear it. */
  send(type, fields = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify({ type, ...fields }));
    return true;
  }
}
