// What agents were asked, what they answered, and the referee's verdict, newest first. Answers are shown verbatim for debugging.
import { el } from './dom.js';
import { count, displayName, playerName } from './names.js';
import { armies } from './pieces.js';

/** @typedef {import('./types.js').AgentAnswerView} AgentAnswerView */
/** @typedef {import('./types.js').GameView} GameView */

/** Length above which an answer is shown in part. */
const MAX_SHOWN = 400;
/** The most entries in the list. */
const MAX_ENTRIES = 500;
/** Verdicts of accepted answers. */
const ACCEPTED = new Set(['move', 'claim', 'offer', 'accept', 'decline', 'resign', 'exchange', 'withdraw', 'throw']);

export class AgentAnswers {
  /** @type {HTMLElement} */ #host;
  /** @type {GameView} */ #game;
  #player = '';

  /**
   * @param {HTMLElement} host
   * @param {GameView} game
   */
  constructor(host, game) {
    this.#host = host;
    this.#game = game;
    host.replaceChildren();
  }

  /** @param {AgentAnswerView} answer */
  add(answer) {
    const entry = this.#entry(answer);
    entry.hidden = this.#player !== '' && entry.dataset.player !== this.#player;
    this.#host.prepend(entry);
    while (this.#host.childElementCount > MAX_ENTRIES) this.#host.lastElementChild?.remove();
  }

  /** Shows the answers of one player, or all for an empty text. @param {string} player */
  showOnly(player) {
    this.#player = player;
    for (const entry of this.#host.children) {
      if (entry instanceof HTMLElement) entry.hidden = player !== '' && entry.dataset.player !== player;
    }
  }

  /** @param {AgentAnswerView} answer */
  #entry({ why, verdict, player, agent, ms, answer, seen, state }) {
    const isRejected = why !== null || !ACCEPTED.has(verdict);
    const army = armies(this.#game.players)[player] ?? 0;
    return el(
      'li',
      { class: `exchange card${isRejected ? ' refused' : ''}`, 'data-verdict': verdict, 'data-player': player },
      el(
        'div',
        { class: 'exchange-head' },
        el('span', { class: `disc army-${army}`, 'aria-hidden': 'true' }),
        el('strong', {}, playerName(this.#game, player)),
        el('span', { class: 'muted' }, agent),
        el('span', { class: 'grow' }),
        el('span', { class: 'muted small time' }, time(ms)),
        el('span', { class: `tag ${isRejected ? 'bad' : 'good'}` }, `${isRejected ? '✕ ' : ''}${displayName(verdict).toLowerCase()}`),
      ),
      answerText(answer),
      why !== null && el('p', { class: 'notice bad small' }, why),
      el('details', {}, el('summary', { class: 'small' }, `State after ${count(seen, 'action')}`), stateText(state)),
    );
  }
}

/** @param {number} ms */
function time(ms) {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

/** @param {unknown} state */
function stateText(state) {
  return el('pre', { class: 'verbatim', tabindex: 0, role: 'region', 'aria-label': 'State sent to the agent' }, typeof state === 'string' ? state : JSON.stringify(state, null, 2));
}

/** @param {string | null} text */
function answerText(text) {
  if (text === null) return el('p', { class: 'muted small' }, 'No answer.');
  const place = el('pre', { class: 'verbatim answer' });
  if (text.length <= MAX_SHOWN) {
    place.textContent = text;
    return place;
  }
  const more = el('button', { type: 'button', class: 'quiet small more' });
  const show = (/** @type {boolean} */ isOpen) => {
    more.setAttribute('aria-expanded', String(isOpen));
    more.textContent = isOpen ? 'Show less' : `Show all ${text.length} characters`;
    place.textContent = isOpen ? text : `${text.slice(0, MAX_SHOWN)}…`;
  };
  more.addEventListener('click', () => show(more.getAttribute('aria-expanded') !== 'true'));
  show(false);
  return el('div', {}, place, more);
}
