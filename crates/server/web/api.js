// How pages talk with the server: asking over HTTP, and a line to a table that heals itself.

/** @typedef {import('./types.js').ErrorBody} ErrorBody */
/** @typedef {import('./types.js').FromClient} FromClient */
/** @typedef {import('./types.js').FromServer} FromServer */

/** The server said no, and why. */
export class Refused extends Error {
  /** @param {ErrorBody} refusal @param {number} [status] */
  constructor(refusal, status = 0) {
    super(refusal.why);
    this.name = 'Refused';
    this.rule = refusal.rule;
    this.why = refusal.why;
    this.diagnostics = refusal.diagnostics ?? [];
    this.status = status;
  }
}

/**
 * @param {string} path
 * @param {RequestInit} [how]
 * @returns {Promise<any>}
 */
async function ask(path, how) {
  let answer;
  try {
    answer = await fetch(path, how);
  } catch {
    throw new Refused({ rule: 'no_answer', why: 'The server does not answer. Is the network there?' });
  }
  const body = await answer.json().catch(() => null);
  if (!answer.ok || body === null) {
    const why = typeof body?.why === 'string' ? body.why : `The server answered ${answer.status}.`;
    throw new Refused({ rule: body?.rule ?? 'no_answer', why, diagnostics: body?.diagnostics }, answer.status);
  }
  return body;
}

/** @param {string} path @param {unknown} body */
const post = (path, body) =>
  ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** @returns {Promise<import('./types.js').LibraryGame[]>} */
export const games = () => ask('/api/games');

/** @param {string} name @returns {Promise<import('./types.js').LibraryText>} */
export const gameText = (name) => ask(`/api/games/${encodeURIComponent(name)}`);

/** @param {string} name @returns {Promise<import('./types.js').LibraryBoard>} */
export const gameBoard = (name) => ask(`/api/games/${encodeURIComponent(name)}/board`);

/** @returns {Promise<import('./types.js').Opponent[]>} */
export const opponents = () => ask('/api/opponents');

/** @param {import('./types.js').SpecBody} body @returns {Promise<import('./types.js').CheckResult>} */
export const check = (body) => post('/api/check', body);

/** @param {import('./types.js').RoomBody} body @returns {Promise<import('./types.js').OpenedRoom>} */
export const openTable = (body) => post('/api/tables', body);

/** @returns {Promise<any>} */
export const version = () => ask('/api/version');

/** @param {string} id @param {string} key @param {'pgn' | 'json'} format */
export const recordLink = (id, key, format) =>
  `/api/tables/${encodeURIComponent(id)}/record?key=${encodeURIComponent(key)}&format=${format}`;

/**
 * Table and key from the fragment of the page's address. They stand there because a fragment is never sent to a server, so no
 * log has them.
 * @returns {{id: string, key: string} | null}
 */
export function tableOfPage() {
  const [, id = '', key = ''] = /^#([\w-]+)\.([\w-]+)/.exec(location.hash) ?? [];
  return id && key ? { id, key } : null;
}

/** @typedef {'connecting' | 'open' | 'lost' | 'refused'} LineStatus */

/**
 * What a line tells whoever holds it.
 * @typedef {object} Hearer
 * @property {(status: LineStatus) => void} [onStatus]
 * @property {(table: import('./types.js').RoomView) => void} [onTable]
 * @property {(act: import('./types.js').ActionView, state: import('./types.js').StateView) => void} [onDone]
 * @property {(asked: import('./types.js').AgentAnswerView) => void} [onAsked]
 * @property {(players: number[], watching: number) => void} [onPresent]
 * @property {(refusal: ErrorBody) => void} [onRefused]
 * @property {(text: string) => void} [onLost] An act was said, the line broke, and the table does not have it.
 */

const FOR_GOOD = new Set(['not_found', 'unreadable', 'other_rules']);
const FIRST_WAIT = 250;
const LONGEST_WAIT = 2500;
const PING_EVERY = 20000;
const PONG_WITHIN = 10000;

/** A socket to a table that comes back by itself. */
export class Line {
  /** @type {WebSocket | null} */
  #socket = null;
  #wait = FIRST_WAIT;
  #nonce = 0;
  #closed = false;
  #isSeated = false;
  /** What was said and not yet answered. @type {{text: string, seen: number} | null} */
  #unanswered = null;
  #undoing = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #again;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #pinging;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pong;

  /**
   * @param {string} id
   * @param {string} key
   * @param {Hearer} hearer
   */
  constructor(id, key, hearer) {
    this.id = id;
    this.key = key;
    this.hearer = hearer;
    addEventListener('online', () => this.#hurry());
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.#hurry());
    this.#open();
  }

  /** Whether something can be said now. */
  get isOpen() {
    return this.#isSeated && this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Something is done at the table.
   * @param {string} text
   * @param {number} seen
   * @returns {boolean} whether it was said
   */
  act(text, seen) {
    // A double click says it once.
    if (this.isOpen && this.#unanswered?.text === text && this.#unanswered.seen === seen) return true;
    const said = this.#say({ act: { text, seen } });
    if (said) this.#unanswered = { text, seen };
    return said;
  }

  /** @param {number} seen */
  undo(seen) {
    if (this.isOpen && this.#undoing) return true;
    this.#undoing = this.#say({ undo: { seen } });
    return this.#undoing;
  }

  /** Breaks the line and makes it anew: the server then tells everything again. */
  again() {
    this.#socket?.close();
    this.#lost();
  }

  /** For good. */
  close() {
    this.#closed = true;
    clearTimeout(this.#again);
    this.#quietly();
  }

  /** @param {FromClient} words */
  #say(words) {
    if (!this.isOpen && !words.hello) return false;
    this.#socket?.send(JSON.stringify(words));
    return true;
  }

  #open() {
    this.hearer.onStatus?.('connecting');
    const address = new URL(`/api/tables/${encodeURIComponent(this.id)}/socket`, location.href);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    address.hash = '';
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => this.#say({ hello: { key: this.key } });
    socket.onmessage = (event) => this.#socket === socket && this.#hear(JSON.parse(event.data));
    socket.onclose = () => this.#socket === socket && this.#lost();
    // A socket that neither opens nor fails is as good as none.
    this.#pong = setTimeout(() => this.#socket === socket && !this.#isSeated && this.again(), PONG_WITHIN);
  }

  /** Nothing more comes from the socket that there was. */
  #quietly() {
    clearInterval(this.#pinging);
    clearTimeout(this.#pong);
    const socket = this.#socket;
    this.#socket = null;
    this.#isSeated = false;
    this.#undoing = false;
    socket?.close();
  }

  #lost() {
    if (this.#closed) return;
    this.#quietly();
    this.hearer.onStatus?.('lost');
    clearTimeout(this.#again);
    // Not everybody at once, when a server has come back.
    this.#again = setTimeout(() => this.#open(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  /** The network or the person is back: no need to wait any longer. */
  #hurry() {
    if (this.#closed || this.#socket) return;
    clearTimeout(this.#again);
    this.#wait = FIRST_WAIT;
    this.#open();
  }

  #ping() {
    this.#nonce += 1;
    this.#say({ ping: { nonce: this.#nonce } });
    clearTimeout(this.#pong);
    this.#pong = setTimeout(() => this.again(), PONG_WITHIN);
  }

  /** @param {FromServer} words */
  #hear(words) {
    if (words.table) {
      this.#seated();
      this.#undoing = false;
      this.#settle(words.table.acts);
      this.hearer.onTable?.(words.table);
    } else if (words.done) {
      const { act, state } = words.done;
      if (this.#unanswered && act.n >= this.#unanswered.seen) this.#unanswered = null;
      this.hearer.onDone?.(act, state);
    } else if (words.refused) {
      this.#unanswered = null;
      this.#undoing = false;
      // Whoever has no key is not let in by knocking again, nor does a table come back that cannot be read.
      if (!this.#isSeated && FOR_GOOD.has(words.refused.rule)) {
        this.close();
        this.hearer.onStatus?.('refused');
      }
      this.hearer.onRefused?.(words.refused);
    } else if (words.present) {
      this.hearer.onPresent?.(words.present.players, words.present.watching);
    } else if (words.asked) {
      this.hearer.onAsked?.(words.asked);
    } else if (words.pong?.nonce === this.#nonce) {
      clearTimeout(this.#pong);
    }
  }

  #seated() {
    if (this.#isSeated) return;
    this.#isSeated = true;
    this.#wait = FIRST_WAIT;
    clearTimeout(this.#pong);
    clearInterval(this.#pinging);
    this.#pinging = setInterval(() => this.#ping(), PING_EVERY);
    this.hearer.onStatus?.('open');
  }

  /**
   * After a break: was what we said heard? It is never said twice blindly; the person is told.
   * @param {import('./types.js').ActionView[]} acts
   */
  #settle(acts) {
    const said = this.#unanswered;
    this.#unanswered = null;
    if (!said) return;
    const heard = acts.slice(said.seen).some((act) => said.text === act.text || said.text.startsWith(`${act.text} `) || said.text.endsWith(` ${act.text}`));
    if (!heard) this.hearer.onLost?.(said.text);
  }
}
