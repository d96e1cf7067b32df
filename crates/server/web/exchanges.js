// What agents were asked, what they answered and what the referee said to it, newest first. Answers are shown to the letter:
// whoever debugs an agent must see what it really said.

import { el } from './build.js';
import { called, playerName } from './names.js';
import { armies } from './pieces.js';

/** @typedef {import('./types.js').AgentAnswerView} AgentAnswerView */
/** @typedef {import('./types.js').GameView} GameView */

/** Longer answers are clipped until somebody asks for all. */
const SHORT = 400;
/** The oldest go when there are more. */
const MOST = 500;
/** What the referee took. All else was refused. */
const TAKEN = new Set(['move', 'claim', 'offer', 'accept', 'decline', 'resign', 'exchange', 'withdraw', 'throw']);

export class Exchanges {
  /** @type {HTMLElement} */ #host;
  /** @type {GameView} */ #game;
  #whose = '';

  /**
   * @param {HTMLElement} host
   * @param {GameView} game
   */
  constructor(host, game) {
    this.#host = host;
    this.#game = game;
    host.replaceChildren();
  }

  /** @param {AgentAnswerView} asked */
  add(asked) {
    const item = this.#item(asked);
    item.hidden = this.#whose !== '' && item.dataset.player !== this.#whose;
    this.#host.prepend(item);
    while (this.#host.childElementCount > MOST) this.#host.lastElementChild?.remove();
  }

  /**
   * Shows only those of one player; all with an empty text.
   * @param {string} player
   */
  only(player) {
    this.#whose = player;
    for (const item of this.#host.children) {
      if (item instanceof HTMLElement) item.hidden = player !== '' && item.dataset.player !== player;
    }
  }

  /** @param {AgentAnswerView} asked */
  #item(asked) {
    const refused = asked.why !== null || !TAKEN.has(asked.verdict);
    const army = armies(this.#game.players)[asked.player] ?? 0;
    return el(
      'li',
      { class: `exchange card${refused ? ' refused' : ''}`, 'data-verdict': asked.verdict, 'data-player': asked.player },
      el(
        'div',
        { class: 'exchange-head' },
        el('span', { class: `disc army-${army}`, 'aria-hidden': 'true' }),
        el('strong', {}, playerName(this.#game, asked.player)),
        el('span', { class: 'muted' }, asked.agent),
        el('span', { class: 'grow' }),
        el('span', { class: 'muted small time' }, time(asked.ms)),
        el('span', { class: `tag ${refused ? 'bad' : 'good'}` }, `${refused ? '✕ ' : ''}${called(asked.verdict).toLowerCase()}`),
      ),
      answer(asked.answer),
      asked.why !== null ? el('p', { class: 'notice bad small' }, asked.why) : null,
      el('details', {}, el('summary', { class: 'small' }, `What it saw, after ${asked.seen} ${asked.seen === 1 ? 'act' : 'acts'}`), state(asked.state)),
    );
  }
}

/** @param {number} ms */
function time(ms) {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

/** @param {unknown} seen */
function state(seen) {
  return el('pre', { class: 'verbatim', tabindex: 0, role: 'region', 'aria-label': 'What it saw' }, typeof seen === 'string' ? seen : JSON.stringify(seen, null, 2));
}

/** @param {string | null} text */
function answer(text) {
  if (text === null) return el('p', { class: 'muted small' }, 'No answer.');
  const place = el('pre', { class: 'verbatim answer' }, text.length > SHORT ? `${text.slice(0, SHORT)}…` : text);
  if (text.length <= SHORT) return place;
  const more = el('button', { type: 'button', class: 'quiet small more', 'aria-expanded': 'false' }, `Show all ${text.length} characters`);
  more.addEventListener('click', () => {
    const open = more.getAttribute('aria-expanded') !== 'true';
    more.setAttribute('aria-expanded', String(open));
    more.textContent = open ? 'Show less' : `Show all ${text.length} characters`;
    place.textContent = open ? text : `${text.slice(0, SHORT)}…`;
  });
  return el('div', {}, place, more);
}
