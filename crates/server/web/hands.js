// The pieces in hand, one row for each player. Pieces of the player to move are picked up by click, drag or keyboard, and the
// board drops them. The hands of others only show what they hold.
import { el } from './dom.js';
import { count, displayName, kindName, playerName, squareName } from './names.js';
import { swatch } from './pieces.js';

/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {import('./types.js').MoveView} MoveView */

export class Hands {
  /** The row of each player; empty if the game has no hands. @type {HTMLElement[]} */
  rows = [];
  /** The player whose pieces can be picked up. @type {number | null} */
  #dropper = null;

  /**
   * @param {GameView} game
   * @param {(kind: number, event?: PointerEvent) => void} [onPick] Called when a piece is picked up; without an event by keyboard.
   */
  constructor(game, onPick) {
    this.game = game;
    this.onPick = onPick;
    if (!game.hands) return;
    this.rows = game.players.map((_, player) => el('div', { class: 'hand', role: 'group', 'aria-label': `Hand of ${playerName(game, player)}` }));
    for (const row of this.rows) this.#listen(row);
  }

  /**
   * Shows the hands. Pieces that stay keep their elements, and with them the focus.
   * @param {number[][]} hands For each player, the number of each kind.
   * @param {{you?: number[], dropper?: number | null, moves?: MoveView[]}} [options] `dropper` is the player whose pieces can be picked up.
   */
  show(hands, { you = [], dropper = null, moves = [] } = {}) {
    this.#dropper = dropper;
    this.rows.forEach((row, player) => {
      const targets = (/** @type {number} */ kind) => (player === dropper ? new Set(moves.filter((move) => move.drop === kind).map((move) => squareName(move.to))).size : 0);
      const held = (hands[player] ?? []).flatMap((number, kind) => (number ? [{ kind, number }] : []));
      const tag = you.includes(player) ? 'button' : 'span';
      const old = new Map([...row.children].map((piece) => [`${piece.localName} ${piece.getAttribute('data-kind')}`, piece]));
      const pieces = held.map(({ kind, number }) => {
        const code = this.game.kinds[kind]?.code ?? '';
        const piece = old.get(`${tag} ${code}`) ?? this.#piece(tag, kind, player);
        this.#describe(piece, kind, number, targets(kind));
        return piece;
      });
      const shown = pieces.length ? pieces : [el('span', { class: 'hand-empty small' }, 'Nothing in hand')];
      const isSame = shown.length === row.children.length && shown.every((piece, i) => piece === row.children[i]);
      if (!isSame) row.replaceChildren(...shown);
    });
  }

  /** Marks the kind that is picked up. @param {number | null} kind */
  mark(kind) {
    this.rows.forEach((row, player) => {
      for (const piece of row.querySelectorAll('button')) {
        piece.setAttribute('aria-pressed', String(player === this.#dropper && Number(piece.dataset.index) === kind));
      }
    });
  }

  /** Moves the focus to a piece of the player to move. @param {number} kind */
  focus(kind) {
    this.#find(this.#dropper ?? -1, kind)?.focus();
  }

  /** Returns where a piece is in the window, or its hand if it is not there. @param {number} player @param {number} kind @returns {DOMRect | undefined} */
  place(player, kind) {
    return (this.#find(player, kind) ?? this.rows[player])?.getBoundingClientRect();
  }

  /** @param {number} player @param {number} kind @returns {HTMLElement | null} */
  #find(player, kind) {
    return this.rows[player]?.querySelector(`[data-index="${kind}"]`) ?? null;
  }

  /** @param {'button' | 'span'} tag @param {number} kind @param {number} player */
  #piece(tag, kind, player) {
    const attributes = tag === 'button' ? { type: 'button', 'aria-pressed': 'false' } : { role: 'img' };
    return el(tag, { class: 'in-hand', 'data-kind': this.game.kinds[kind]?.code, 'data-index': kind, ...attributes },
      swatch(this.game, kind, player), el('span', { class: 'number', 'aria-hidden': 'true' }));
  }

  /** @param {Element} piece @param {number} kind @param {number} number @param {number} targets */
  #describe(piece, kind, number, targets) {
    const name = displayName(kindName(this.game, kind));
    piece.setAttribute('data-count', String(number));
    piece.setAttribute('title', name);
    piece.setAttribute('aria-label', `${name}, ${number} in hand${targets ? `, can be dropped on ${count(targets, 'square')}` : ''}`);
    if (piece.localName === 'button') piece.setAttribute('aria-disabled', String(!targets));
    const shown = piece.querySelector('.number');
    if (shown) shown.textContent = number > 1 ? String(number) : '';
  }

  /** @param {HTMLElement} row */
  #listen(row) {
    /** Returns the kind of the piece that can be picked up there. @param {Event} event */
    const kindAt = ({ target }) => {
      const piece = target instanceof Element ? target.closest('button') : null;
      return piece && piece.getAttribute('aria-disabled') === 'false' ? Number(piece.dataset.index) : null;
    };
    row.addEventListener('pointerdown', (event) => {
      const kind = kindAt(event);
      if (kind !== null && event.button === 0 && event.isPrimary) this.onPick?.(kind, event);
    });
    // As on the board: a click keeps the keyboard focus, and a long press opens no menu.
    row.addEventListener('mousedown', (event) => event.preventDefault());
    row.addEventListener('contextmenu', (event) => event.pointerType === 'touch' && event.preventDefault());
    // The keyboard and screen readers send clicks without a pointer.
    row.addEventListener('click', (event) => {
      const kind = kindAt(event);
      if (kind !== null && event.detail === 0) this.onPick?.(kind);
    });
  }
}
