// The WebSocket connection to the server. It reconnects by itself, to the same session.

/**
 * @import { ClientMessages, FieldArguments, ServerMessage } from "../types/messages.d.ts"
 * @import { ConnectionState } from "../types/page.d.ts"
 */

import { invitedFields } from "./seats.js";
import { knownSessions, rememberSession } from "./storage.js";

// Close codes of the server.
const SUSPENDED = 4001;
const NO_GAME = 4004;
const TRY_AGAIN_LATER = 1013;

const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 5000;

export class Connection {
  /**
   * @param {(message: ServerMessage) => void} onMessage
   * @param {(state: ConnectionState, reason: string) => void} onStateChange
   */
  constructor(onMessage, onStateChange) {
    this.onMessage = onMessage;
    this.onStateChange = onStateChange;
    this.retryMs = FIRST_RETRY_MS;
    this.retryTimer = 0;
    /** The invited game that the connection is for. @type {string | undefined} */
    this.game = undefined;
    this.socket = this.connect();
    // A phone that comes back online should not wait for the next retry.
    addEventListener("online", () => this.reconnectNow());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.reconnectNow();
    });
  }

  connect() {
    clearTimeout(this.retryTimer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/play`);
    this.socket = socket;
    const invited = invitedFields();
    this.game = invited.invited;
    socket.onopen = () => this.send("hello", { ...knownSessions(), ...invited });
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (socket === this.socket) this.closed(event);
    };
    return socket;
  }

  /** @param {ServerMessage} message */
  receive(message) {
    if (message.type === "welcome") {
      this.retryMs = FIRST_RETRY_MS;
      this.game = message.invited ?? undefined; // the server leaves it when another game is opened
      if (message.session) rememberSession(message.session);
      this.onStateChange("open", "");
    }
    this.onMessage(message);
  }

  /** @param {CloseEvent} event */
  closed(event) {
    if (event.code === SUSPENDED) {
      this.onStateChange("suspended", "");
      return;
    }
    if (event.code === NO_GAME) {
      this.onStateChange("unknown", "");
      return;
    }
    this.onStateChange("lost", event.code === TRY_AGAIN_LATER ? event.reason : "");
    const jitter = 0.75 + Math.random() / 2;
    this.retryTimer = setTimeout(() => this.connect(), this.retryMs * jitter);
    this.retryMs = Math.min(this.retryMs * 2, LONGEST_RETRY_MS);
  }

  /** Reconnect at once if the connection is closed. */
  reconnectNow() {
    if (this.socket.readyState === WebSocket.CLOSED) {
      this.retryMs = FIRST_RETRY_MS;
      this.connect();
    }
  }

  /** Connect again, to what is in the address now. */
  rejoin() {
    const { socket } = this;
    this.connect();
    socket.close();
  }

  /**
   * Send a message; return false while there is no connection.
   *
   * @template {keyof ClientMessages} T
   * @param {T} type
   * @param {FieldArguments<T>} fields
   */
  send(type, ...fields) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify({ type, ...fields[0] }));
    return true;
  }
}
