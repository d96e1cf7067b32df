// The colored text of the editor: a layer over the textarea with the same font, in which only the visible lines exist. The text
// of the textarea is invisible; its cursor, selection and input methods work as usual.
import { el } from './dom.js';
import { keyBefore, tokenize } from './syntax.js';

/** Lines drawn above and below the visible ones. */
const MARGIN_LINES = 8;
/** Longer lines are colored only around their visible part. */
const LONG_LINE = 1500;
/** The columns colored on both sides of the visible part of a long line. */
const MARGIN_COLUMNS = 200;

/**
 * A drawn line. `colored` is the range of its colors.
 * @typedef {{ text: string, key: string, after: string, colored: [number, number], element: HTMLElement }} Row
 */

export class SyntaxLayer {
  /** @type {HTMLElement} */ #host;
  /** @type {HTMLTextAreaElement} */ #field;
  /** @type {HTMLElement} */ #rows = el('div', { class: 'rows' });
  /** @type {string[]} */ #lines = [''];
  /** The drawn lines by number. @type {Map<number, Row>} */ #drawn = new Map();
  #first = 0;
  /** The height of a line and the width of a character. */
  #size = { row: 20, column: 8 };

  /**
   * @param {HTMLElement} host
   * @param {HTMLTextAreaElement} field
   */
  constructor(host, field) {
    this.#host = host;
    this.#field = field;
    const probe = el('span', {}, '0'.repeat(100));
    host.append(probe);
    this.#size = { row: parseFloat(getComputedStyle(host).lineHeight) || 20, column: probe.getBoundingClientRect().width / 100 || 8 };
    probe.remove();
    host.append(this.#rows);
    new ResizeObserver(() => this.draw()).observe(field);
  }

  /** The lines of the text. */
  get lines() {
    return this.#lines;
  }

  /** Takes a new text and draws it. @param {string} text */
  set text(text) {
    this.#lines = text.split('\n');
    this.draw();
  }

  /** Draws the visible lines that are not drawn yet, and moves the layer with the text. */
  draw() {
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.#field;
    if (clientHeight === 0) return;
    const { row, column } = this.#size;
    const first = Math.max(0, Math.floor(scrollTop / row) - MARGIN_LINES);
    const last = Math.min(this.#lines.length, Math.ceil((scrollTop + clientHeight) / row) + MARGIN_LINES);
    /** @type {Map<number, Row>} */
    const drawn = new Map();
    let key = keyBefore(this.#lines.slice(Math.max(0, first - 3), first).join('\n'));
    for (let number = first; number < last; number += 1) {
      const text = this.#lines[number] ?? '';
      const after = this.#lines[number + 1] ?? '';
      /** @type {[number, number]} */
      const colored =
        text.length <= LONG_LINE
          ? [0, text.length]
          : [indexAt(text, scrollLeft / column - MARGIN_COLUMNS), indexAt(text, (scrollLeft + clientWidth) / column + MARGIN_COLUMNS)];
      const old = this.#drawn.get(number);
      const isSame = old && old.text === text && old.key === key && old.after === after && `${old.colored}` === `${colored}`;
      const { tokens, key: next } = tokenize(text, key, after);
      drawn.set(number, isSame ? old : { text, key, after, colored, element: line(text, tokens, colored) });
      key = next;
    }
    const elements = [...drawn.values()].map((each) => each.element);
    const isKept = this.#first === first && elements.length === this.#rows.childElementCount;
    if (isKept) elements.forEach((element, i) => this.#rows.children[i] !== element && this.#rows.children[i]?.replaceWith(element));
    else this.#rows.replaceChildren(...elements);
    this.#drawn = drawn;
    this.#first = first;
    this.#rows.style.setProperty('transform', `translate(${-scrollLeft}px, ${first * row - scrollTop}px)`);
  }

  /**
   * Returns where a character is on the screen; `null` if its line is not drawn.
   * @param {number} number The number of the line, from 0.
   * @param {number} index The index in the line.
   * @returns {DOMRect | null}
   */
  rectangle(number, index) {
    const element = this.#drawn.get(number)?.element;
    if (!element) return null;
    const range = document.createRange();
    range.setStart(element, 0);
    let left = index;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const length = node.nodeValue?.length ?? 0;
      if (left <= length) {
        range.setEnd(node, left);
        break;
      }
      left -= length;
    }
    const { top, height } = element.getBoundingClientRect();
    const at = index === 0 || range.collapsed ? element.getBoundingClientRect().left : range.getBoundingClientRect().right;
    return new DOMRect(at, top, 0, height);
  }
}

/**
 * Returns the index of the character at a column. Characters of East Asian scripts and pictures take two columns.
 * @param {string} text
 * @param {number} column
 */
function indexAt(text, column) {
  let at = 0;
  for (let taken = 0; at < text.length && taken < column; at += 1) {
    const unit = text.charCodeAt(at);
    taken += unit < 0x1100 ? 1 : unit >= 0xdc00 && unit < 0xe000 ? 0 : 2;
  }
  return at;
}

/**
 * @param {string} text
 * @param {import('./syntax.js').Token[]} tokens
 * @param {[number, number]} colored
 */
function line(text, tokens, [start, end]) {
  const element = el('div', { class: 'code-line' });
  let at = 0;
  for (const { kind, from, to } of tokens) {
    if (to <= start) continue;
    if (from >= end) break;
    if (from > at) element.append(text.slice(at, from));
    element.append(el('span', { class: `code-${kind}` }, text.slice(from, to)));
    at = to;
  }
  if (at < text.length) element.append(text.slice(at));
  return element;
}
