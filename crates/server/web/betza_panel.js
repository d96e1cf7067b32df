// The moves of the word of Betza notation at the cursor: a diagram, and the words in English. It follows every letter.
import { betza } from './api.js';
import { withCode } from './diagnostics.js';
import { el, errorText } from './dom.js';
import { diagramFigure, hasHops, legend } from './move_diagrams.js';
import { sentence } from './names.js';
import { rulesText } from './rules_text.js';
import { stringAt } from './syntax.js';

/** @typedef {import('./types.js').BetzaResult} BetzaResult */
/** @typedef {import('./types.js').GameView} GameView */

/** The pause in typing before a request. */
const PAUSE_MS = 80;
/** On a narrow screen the panel stands below the editor, on a wide one beside it. */
const NARROW = matchMedia('(max-width: 56rem)');

export class BetzaPanel {
  /** @type {HTMLElement} */ #panel;
  /** The word that is shown or asked for. @type {string | null} */ #word = null;
  #code = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /**
   * @param {HTMLElement} panel
   * @param {HTMLElement} beside What the panel stands before on a wide screen.
   * @param {HTMLElement} below What it stands after on a narrow one.
   */
  constructor(panel, beside, below) {
    this.#panel = panel;
    const place = () => (NARROW.matches ? below.after(panel) : beside.before(panel));
    NARROW.addEventListener('change', place);
    place();
  }

  /**
   * Shows the word at the cursor, or hides the panel if there is none.
   * @param {string} text
   * @param {number | null} offset
   * @param {GameView | null} game The last playable version, for the drawing of the piece.
   */
  show(text, offset, game) {
    const found = offset === null ? null : stringAt(text, offset);
    if (found?.key !== 'betza') {
      clearTimeout(this.#timer);
      this.#word = null;
      this.#panel.hidden = true;
      return;
    }
    const word = text.slice(found.from, found.to);
    const code = codeBefore(text.slice(0, found.from));
    if (word === this.#word && code === this.#code) return;
    const isNew = this.#word === null;
    this.#word = word;
    this.#code = code;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(word, code, game), isNew ? 0 : PAUSE_MS);
  }

  /**
   * @param {string} word
   * @param {string} code
   * @param {GameView | null} game
   */
  async #ask(word, code, game) {
    /** @type {Node[]} */
    let shown;
    try {
      const result = await betza({ word });
      shown = draw(word, result, game?.kinds.find((kind) => kind.code === code));
    } catch (error) {
      shown = [el('p', { class: 'notice bad' }, errorText(error))];
    }
    // The cursor may have moved on.
    if (this.#word !== word || this.#code !== code) return;
    this.#panel.replaceChildren(...shown);
    this.#panel.dataset.word = word;
    this.#panel.hidden = false;
  }
}

/** Returns the code of the piece whose word begins after this text. @param {string} before */
function codeBefore(before) {
  const codes = [...before.slice(-4000).matchAll(/"code"\s*:\s*"([^"\\]*)"/g)];
  return codes.at(-1)?.[1] ?? '';
}

/**
 * @param {string} word
 * @param {BetzaResult} result
 * @param {import('./types.js').KindView | undefined} kind
 * @returns {Node[]}
 */
function draw(word, { error, moves }, kind) {
  const letters = [...word];
  const part = (/** @type {number} */ from, to = letters.length) => letters.slice(from, to).join('');
  const title = error
    ? el('code', {}, part(0, error.start), el('mark', { class: 'wrong' }, part(error.start, error.end) || ' '), part(error.end))
    : el('code', {}, word);
  const heading = el('h3', { class: 'betza-word' }, 'Betza ', title);
  if (error) return [el('div', { class: 'betza-text' }, heading, el('p', {}, ...withCode(error.message)), el('p', { class: 'muted small' }, sentence(error.help)))];
  if (!moves) return [el('div', { class: 'betza-text' }, heading)];
  const game = { ...moves.game, kinds: kind ? [kind] : moves.game.kinds };
  const words = el('div', { class: 'betza-english', tabindex: 0 }, rulesText(plain(moves.english)));
  return [diagramFigure(game, moves.diagram), el('div', { class: 'betza-text' }, heading, words, legend(hasHops(moves.diagram)))];
}

/** Leaves out the offsets, which the diagram shows, and the number of a single move. @param {string} english */
function plain(english) {
  const text = english.replaceAll(/\s+\(steps? [^)]*\)|\s+\[-?\d+,-?\d+\]/g, '');
  const items = text.match(/^- /gm)?.length ?? 0;
  return items > 1 ? text : text.replace(/^- Moves? [^:]*: (.)/, (_, first) => String(first).toUpperCase());
}
