// The rules of the game in a room, with diagrams of all pieces: a drawer beside the board, or a third column on a wide screen.
// They are loaded when they are needed. The diagram of a single piece is shown beside it.
import { roomRules } from './api.js';
import { byId, el } from './dom.js';
import { displayName, optionValue } from './names.js';
import { load, save } from './storage.js';

/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {import('./types.js').RulesView} RulesView */
/** @typedef {import('./types.js').PieceView} PieceView */
/** @typedef {import('./types.js').DiceView} DiceView */

const KEY = 'tabiya-rules';

export class RulesSide {
  /** @type {Promise<RulesView> | null} */
  #loading = null;
  /** @type {RulesView | null} */
  #rules = null;
  #isDrawn = false;
  /** How the throws can be checked. */
  #dice = el('div', { id: 'dice' });
  /** @type {PieceView | null} */
  #inspected = null;

  /** @param {string} id @param {string} key @param {(rules: RulesView) => void} onLoaded */
  constructor(id, key, onLoaded) {
    this.id = id;
    this.key = key;
    this.onLoaded = onLoaded;
    /** @type {GameView | null} */
    this.game = null;
    byId('rules-open').addEventListener('click', () => this.#toggle(byId('rules').hidden, true));
    byId('rules-close').addEventListener('click', () => this.#toggle(false, true));
    byId('rules').addEventListener('keydown', (event) => event.key === 'Escape' && this.#toggle(false, true));
  }

  /** Shows a game. On a wide screen the rules are open at first. @param {import('./types.js').RoomView} room */
  show({ game, dice }) {
    this.#dice.replaceChildren(...(dice ? diceText(dice) : []));
    if (this.game) return;
    this.game = game;
    if (matchMedia('(min-width: 115rem)').matches && load('localStorage', KEY) !== 'closed') this.#toggle(true, false);
  }

  /**
   * Shows beside a rectangle of the window how a piece moves, or hides it.
   * @param {PieceView | null} piece
   * @param {DOMRect} [beside]
   * @param {number} [turn] Quarter turns of the board.
   */
  async inspect(piece, beside, turn = 0) {
    const card = byId('piece-card');
    card.hidden = true;
    this.#inspected = piece;
    const game = this.game;
    const rules = piece && game ? await this.load() : null;
    const diagram = rules?.diagrams.find(({ kind }) => kind === piece?.kind);
    if (!piece || !game || !beside || !diagram) return;
    const { diagramFigure } = await import('./move_diagrams.js');
    if (this.#inspected !== piece) return;
    card.replaceChildren(diagramFigure(game, diagram, { turn, player: piece.player }));
    card.hidden = false;
    const { width, height } = card.getBoundingClientRect();
    const isRight = beside.right + width + 8 < innerWidth;
    const left = isRight ? beside.right + 8 : Math.max(4, beside.left - width - 8);
    const top = Math.min(Math.max(4, beside.top + beside.height / 2 - height / 2), innerHeight - height - 4);
    card.style.setProperty('left', `${left}px`);
    card.style.setProperty('top', `${top}px`);
  }

  /** Loads the rules once. Returns `null` if the server does not answer. */
  async load() {
    this.#loading ??= roomRules(this.id, this.key);
    try {
      if (!this.#rules) {
        this.#rules = await this.#loading;
        this.onLoaded(this.#rules);
      }
    } catch {
      this.#loading = null;
    }
    return this.#rules;
  }

  /** @param {boolean} isOpen @param {boolean} byUser */
  #toggle(isOpen, byUser) {
    byId('rules').hidden = !isOpen;
    byId('rules-open').setAttribute('aria-expanded', String(isOpen));
    if (byUser) {
      save('localStorage', KEY, isOpen ? null : 'closed');
      byId(isOpen ? 'rules-close' : 'rules-open').focus();
    }
    if (isOpen) void this.#draw();
  }

  async #draw() {
    if (this.#isDrawn || !this.game) return;
    const body = byId('rules-body');
    body.replaceChildren(el('p', { class: 'muted' }, 'Loading…'));
    const [rules, { showMoveDiagrams }, { rulesText }] = await Promise.all([this.load(), import('./move_diagrams.js'), import('./rules_text.js')]);
    if (!rules) {
      body.replaceChildren(el('p', { class: 'notice bad' }, 'The rules could not be loaded. Close them and try again.'));
      return;
    }
    this.#isDrawn = true;
    const { options } = this.game;
    const chosen = el('dl', { class: 'facts small', id: 'chosen' }, ...options.flatMap(([name, value]) => [el('dt', {}, displayName(name)), el('dd', {}, optionValue(value))]));
    const diagrams = el('div');
    showMoveDiagrams(diagrams, this.game, rules.diagrams);
    body.replaceChildren(
      ...(options.length ? [el('h3', {}, 'Chosen rules'), chosen] : []),
      el('h3', {}, 'How the pieces move'), diagrams, rulesText(rules.english), this.#dice);
  }
}

/** Describes the commitment to all throws of a game. @param {DiceView} dice */
function diceText({ commitment, secret }) {
  const after = secret === null
    ? 'The secret is part of the JSON record once the game is over, so that every throw can be checked.'
    : el('span', {}, 'The game is over, so here is the secret: ', el('code', { 'data-secret': '' }, secret));
  return [
    el('h3', {}, 'Fair dice'),
    el('p', {}, 'All throws follow from a secret. The SHA-256 hash of the secret is fixed before the first throw: ', el('code', { 'data-commitment': '' }, commitment)),
    el('p', {}, after),
  ];
}
