// The socket to a room. It reconnects automatically.
import { loadName } from './storage.js';

/** @typedef {import('./types.js').FromClient} FromClient */
/** @typedef {import('./types.js').FromServer} FromServer */
/** @typedef {'connecting' | 'open' | 'lost' | 'refused'} SocketStatus */

/**
 * Callbacks for what happens on a socket.
 * @typedef {object} SocketHandler
 * @property {(status: SocketStatus) => void} onStatus
 * @property {(room: import('./types.js').RoomView) => void} onRoom
 * @property {(action: import('./types.js').ActionView, state: import('./types.js').StateView, dice?: import('./types.js').DiceView) => void} onAction
 * @property {(answer: import('./types.js').AgentAnswerView) => void} [onAgentAnswer]
 * @property {(present: NonNullable<FromServer['present']>) => void} onPresence
 * @property {(offers: import('./types.js').OffersView) => void} [onOffers]
 * @property {(next: import('./types.js').NextRoomView) => void} [onNext]
 * @property {(error: import('./types.js').ErrorBody) => void} onError
 * @property {(text: string) => void} [onLostAction] An action was sent before a disconnect, and the room does not have it.
 */

/** Errors after which reconnecting is useless. */
const FATAL_ERRORS = new Set(['not_found', 'unreadable', 'other_rules']);
const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 2500;
const PING_INTERVAL_MS = 20000;
const PONG_TIMEOUT_MS = 10000;

/**
 * Reads room id and key from the fragment of the page's address. A fragment is never sent to a server, so keys are not logged.
 * @returns {{id: string, key: string} | null}
 */
export function roomOfPage() {
  const [, id = '', key = ''] = /^#([\w-]+)\.([\w-]+)/.exec(location.hash) ?? [];
  return id && key ? { id, key } : null;
}

export class RoomSocket {
  /** @type {WebSocket | null} */
  #socket = null;
  #retryMs = MIN_RETRY_MS;
  #nonce = 0;
  #isClosed = false;
  #isJoined = false;
  /** The action that was sent and not yet answered. @type {{text: string, seen: number, player?: number} | null} */
  #pendingAction = null;
  #isUndoPending = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retryTimer;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #pingTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pongTimer;

  /**
   * @param {string} id
   * @param {string} key
   * @param {SocketHandler} handler
   */
  constructor(id, key, handler) {
    this.id = id;
    this.key = key;
    this.handler = handler;
    addEventListener('online', () => this.#retryNow());
    addEventListener('offline', () => this.#socket && this.reconnect());
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.#retryNow());
    this.#connect();
  }

  /** Whether messages can be sent. */
  get isOpen() {
    return this.#isJoined && this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Sends an action.
   * @param {string} text
   * @param {number} seen
   * @param {number} [player] The player that resigns.
   * @returns {boolean} Whether it was sent.
   */
  act(text, seen, player) {
    // A double click sends it once.
    const sent = this.#pendingAction;
    if (this.isOpen && sent?.text === text && sent.seen === seen && sent.player === player) return true;
    const isSent = this.#send({ act: { text, seen, player } });
    if (isSent) this.#pendingAction = { text, seen, player };
    return isSent;
  }

  /** @param {number} seen */
  undo(seen) {
    if (this.isOpen && this.#isUndoPending) return true;
    this.#isUndoPending = this.#send({ undo: { seen } });
    return this.#isUndoPending;
  }

  /** Sends another message, such as an answer to a proposal. @param {FromClient} message @returns {boolean} Whether it was sent. */
  send(message) {
    return this.#send(message);
  }

  /** Reconnects. The server then sends the complete state. */
  reconnect() {
    this.#socket?.close();
    this.#onLost();
  }

  #close() {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    this.#discard();
  }

  /** @param {FromClient} message */
  #send(message) {
    if (!this.isOpen && !message.hello) return false;
    this.#socket?.send(JSON.stringify(message));
    return true;
  }

  #connect() {
    this.handler.onStatus('connecting');
    const address = new URL(`/api/tables/${encodeURIComponent(this.id)}/socket`, location.href);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    address.hash = '';
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => this.#send({ hello: { key: this.key, name: loadName() ?? undefined } });
    socket.onmessage = (event) => this.#socket === socket && this.#receive(JSON.parse(event.data));
    socket.onclose = () => this.#socket === socket && this.#onLost();
    // Give up on a socket that neither opens nor fails.
    this.#pongTimer = setTimeout(() => this.#socket === socket && !this.#isJoined && this.reconnect(), PONG_TIMEOUT_MS);
  }

  /** Closes the current socket and ignores what it still sends. */
  #discard() {
    clearInterval(this.#pingTimer);
    clearTimeout(this.#pongTimer);
    const socket = this.#socket;
    this.#socket = null;
    this.#isJoined = false;
    this.#isUndoPending = false;
    socket?.close();
  }

  #onLost() {
    if (this.#isClosed) return;
    this.#discard();
    this.handler.onStatus('lost');
    clearTimeout(this.#retryTimer);
    // Random delays keep clients from reconnecting all together after a restart.
    this.#retryTimer = setTimeout(() => this.#connect(), this.#retryMs * (0.75 + Math.random() / 2));
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
  }

  /** Reconnects without delay, because the network or the user is back. */
  #retryNow() {
    if (this.#isClosed || this.#socket) return;
    clearTimeout(this.#retryTimer);
    this.#retryMs = MIN_RETRY_MS;
    this.#connect();
  }

  #ping() {
    this.#nonce += 1;
    this.#send({ ping: { nonce: this.#nonce } });
    clearTimeout(this.#pongTimer);
    this.#pongTimer = setTimeout(() => this.reconnect(), PONG_TIMEOUT_MS);
  }

  /** @param {FromServer} message */
  #receive(message) {
    if (message.table) {
      this.#onJoined();
      this.#isUndoPending = false;
      this.#reportLostAction(message.table.acts);
      this.handler.onRoom(message.table);
    } else if (message.done) {
      const { act, state, dice } = message.done;
      if (this.#pendingAction && act.n >= this.#pendingAction.seen) this.#pendingAction = null;
      this.handler.onAction(act, state, dice);
    } else if (message.refused) {
      this.#pendingAction = null;
      this.#isUndoPending = false;
      if (!this.#isJoined && FATAL_ERRORS.has(message.refused.rule)) {
        this.#close();
        this.handler.onStatus('refused');
      }
      this.handler.onError(message.refused);
    } else if (message.present) {
      this.handler.onPresence(message.present);
    } else if (message.offers) {
      this.handler.onOffers?.(message.offers);
    } else if (message.next) {
      this.handler.onNext?.(message.next);
    } else if (message.asked) {
      this.handler.onAgentAnswer?.(message.asked);
    } else if (message.pong?.nonce === this.#nonce) {
      clearTimeout(this.#pongTimer);
    }
  }

  #onJoined() {
    if (this.#isJoined) return;
    this.#isJoined = true;
    this.#retryMs = MIN_RETRY_MS;
    clearTimeout(this.#pongTimer);
    clearInterval(this.#pingTimer);
    this.#pingTimer = setInterval(() => this.#ping(), PING_INTERVAL_MS);
    this.handler.onStatus('open');
  }

  /**
   * Reports an action that was sent before a disconnect and did not arrive. It is never sent again without the user.
   * @param {import('./types.js').ActionView[]} actions
   */
  #reportLostAction(actions) {
    const sent = this.#pendingAction;
    this.#pendingAction = null;
    if (!sent) return;
    const isThere = actions.slice(sent.seen).some(({ text }) => sent.text === text || sent.text.startsWith(`${text} `) || sent.text.endsWith(` ${text}`));
    if (!isThere) this.handler.onLostAction?.(sent.text);
  }
}
