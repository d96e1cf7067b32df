// The list of moves: a row for each round with a cell for each player, and what was said between them.
import { el } from './build.js';
import { dieFace, playerName } from './names.js';
import { emblem, swatch } from './pieces.js';
import { saying } from './standing.js';

/** @typedef {import('./types.js').ActionView} ActionView */
/** @typedef {import('./types.js').GameView} GameView */

export class MoveList {
  #ply = 0;
  #round = 0;
  /** What the die showed since the last move. @type {number[]} */
  #thrown = [];
  /** @type {HTMLTableCellElement[]} */
  #cells = [];

  /**
   * @param {HTMLTableElement} table
   * @param {HTMLElement} scroll what scrolls it
   * @param {GameView} game
   * @param {(count: number) => void} onGo somebody wants to see the position after so many acts
   */
  constructor(table, scroll, game, onGo) {
    this.table = table;
    this.scroll = scroll;
    this.game = game;
    this.body = /** @type {HTMLTableSectionElement} */ (table.tBodies[0]);
    const head = game.players.map((_, index) =>
      el('th', { scope: 'col' }, swatch(game, emblem(game), index), el('span', {}, playerName(game, index))));
    table.tHead?.replaceChildren(el('tr', {}, el('th', { scope: 'col' }, el('span', { class: 'hidden-text' }, 'Round')), ...head));
    this.body.onclick = (event) => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      if (button) onGo(Number(button.dataset.act) + 1);
    };
  }

  /** @param {ActionView[]} acts */
  reset(acts) {
    this.#ply = 0;
    this.#round = 0;
    this.#thrown = [];
    this.body.replaceChildren();
    for (const act of acts) this.add(act);
  }

  /** @param {ActionView} act */
  add(act) {
    if (act.san !== undefined || act.squares) this.#move(act);
    else if (act.text !== 'throw') this.#note(saying(this.game, act));
    this.#thrown.push(...(act.throws ?? []));
  }

  /** Marks the move after which the position is that is shown. @param {number} count how many acts lie before it */
  mark(count) {
    this.body.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const button = [...this.body.querySelectorAll('button')].filter((one) => Number(one.dataset.act) < count).at(-1);
    button?.setAttribute('aria-current', 'true');
    if (!button) this.scroll.scrollTop = 0;
    else this.#reveal(button);
  }

  /** Scrolls the list only: the page stays where it is. @param {HTMLElement} button */
  #reveal(button) {
    const [outer, inner] = [this.scroll.getBoundingClientRect(), button.getBoundingClientRect()];
    const head = this.table.tHead?.offsetHeight ?? 0;
    if (inner.top < outer.top + head) this.scroll.scrollTop -= outer.top + head - inner.top;
    else if (inner.bottom > outer.bottom) this.scroll.scrollTop += inner.bottom - outer.bottom + 4;
  }

  /** @param {ActionView} act */
  #move(act) {
    if (act.round !== this.#round) {
      this.#round = act.round;
      this.#cells = this.game.players.map(() => el('td'));
      this.body.append(el('tr', { 'data-round': act.round }, el('th', { scope: 'row' }, String(act.round)), ...this.#cells));
    }
    this.#ply += 1;
    const thrown = this.#thrown;
    this.#thrown = [];
    const words = act.san ?? act.text;
    const by = act.by === undefined ? '' : `moved by ${playerName(this.game, act.by)}`;
    // The last throw let somebody move; with those before it nobody could.
    const about = [thrown.length ? `thrown: ${thrown.join(', ')}` : '', by].filter(Boolean).join('; ');
    const button = el('button', { type: 'button', 'data-ply': this.#ply, 'data-act': act.n, title: about || null },
      thrown.length > 0 && el('span', { class: 'thrown' }, dieFace(thrown.at(-1) ?? 0)), words);
    this.#cells[act.player]?.append(button);
  }

  /** @param {string} words */
  #note(words) {
    this.body.append(el('tr', { class: 'note' }, el('td', { colspan: this.game.players.length + 1 }, words)));
  }
}
