// The move list: a row for each round, a cell for each player, and a note for each other action.
import { el } from './dom.js';
import { dieFace, playerName } from './names.js';
import { emblem, swatch } from './pieces.js';
import { actionText } from './status_text.js';

/** @typedef {import('./types.js').ActionView} ActionView */
/** @typedef {import('./types.js').GameView} GameView */

export class MoveList {
  #ply = 0;
  #round = 0;
  /** Dice thrown since the last move. @type {number[]} */
  #thrown = [];
  /** @type {HTMLTableCellElement[]} */
  #cells = [];

  /**
   * @param {HTMLTableElement} table
   * @param {HTMLElement} scroll The element that scrolls the table.
   * @param {GameView} game
   * @param {(count: number) => void} onSelect Called with the number of actions before the chosen position.
   */
  constructor(table, scroll, game, onSelect) {
    this.table = table;
    this.scroll = scroll;
    this.game = game;
    this.body = /** @type {HTMLTableSectionElement} */ (table.tBodies[0]);
    const head = game.order.map((index) =>
      el('th', { scope: 'col' }, swatch(game, emblem(game), index), el('span', {}, playerName(game, index))));
    table.tHead?.replaceChildren(el('tr', {}, el('th', { scope: 'col' }, el('span', { class: 'hidden-text' }, 'Round')), ...head));
    this.body.onclick = (event) => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      if (button) onSelect(Number(button.dataset.act) + 1);
    };
  }

  /** @param {ActionView[]} actions @param {number[]} [throws] The dice thrown before the first action. */
  reset(actions, throws = []) {
    this.#ply = 0;
    this.#round = 0;
    this.#thrown = [...throws];
    this.body.replaceChildren();
    for (const action of actions) this.add(action);
  }

  /** @param {ActionView} action */
  add(action) {
    if (action.san !== undefined || action.squares) this.#addMove(action);
    else if (action.text !== 'throw') this.#addNote(actionText(this.game, action));
    this.#thrown.push(...(action.throws ?? []));
  }

  /** Marks the move before the shown position. @param {number} count The number of actions before the position. */
  mark(count) {
    this.body.querySelector('[aria-current]')?.removeAttribute('aria-current');
    // The cells of a row stand in the order of turns, but another player may have begun.
    const made = [...this.body.querySelectorAll('button')].filter((one) => Number(one.dataset.act) < count);
    const last = Math.max(...made.map((one) => Number(one.dataset.act)));
    const button = made.find((one) => Number(one.dataset.act) === last);
    button?.setAttribute('aria-current', 'true');
    if (!button) this.scroll.scrollTop = 0;
    // Notes after the last move belong to the current position.
    else if (made.length === this.#ply) this.scroll.scrollTop = this.scroll.scrollHeight;
    else this.#reveal(button);
  }

  /** Scrolls the list, but not the page. @param {HTMLElement} button */
  #reveal(button) {
    const [outer, inner] = [this.scroll.getBoundingClientRect(), button.getBoundingClientRect()];
    const head = this.table.tHead?.offsetHeight ?? 0;
    if (inner.top < outer.top + head) this.scroll.scrollTop -= outer.top + head - inner.top;
    else if (inner.bottom > outer.bottom) this.scroll.scrollTop += inner.bottom - outer.bottom + 4;
  }

  /** @param {ActionView} action */
  #addMove(action) {
    if (action.round !== this.#round) {
      this.#round = action.round;
      this.#cells = this.game.players.map(() => el('td'));
      const inOrder = this.game.order.map((player) => this.#cells[player]);
      this.body.append(el('tr', { 'data-round': action.round }, el('th', { scope: 'row' }, String(action.round)), ...inOrder));
    }
    this.#ply += 1;
    const thrown = this.#thrown;
    this.#thrown = [];
    const by = action.by === undefined ? '' : `moved by ${playerName(this.game, action.by)}`;
    // The last throw allowed this move; earlier throws allowed none.
    const title = [thrown.length ? `thrown: ${thrown.join(', ')}` : '', by].filter(Boolean).join('; ');
    const button = el('button', { type: 'button', 'data-ply': this.#ply, 'data-act': action.n, title: title || null },
      thrown.length > 0 && el('span', { class: 'thrown' }, dieFace(thrown.at(-1) ?? 0)), action.san ?? action.text);
    this.#cells[action.player]?.append(button);
  }

  /** Adds a note. Later moves of the same round stand below it. @param {string} text */
  #addNote(text) {
    this.#round = 0;
    this.body.append(el('tr', { class: 'note' }, el('td', { colspan: this.game.players.length + 1 }, text)));
  }
}
