// The text editor of the workshop: a plain textarea, which works with every keyboard and screen reader. Line numbers, marks and
// colors are drawn beside, behind and over it and scroll with it.
import { el } from './dom.js';
import { SyntaxLayer } from './syntax_layer.js';

/** @typedef {import('./types.js').DiagnosticView} DiagnosticView */

/** The severities, the worst last, and their signs at the line. */
const SEVERITIES = ['note', 'warning', 'error'];
const SIGNS = new Map([
  ['note', '•'],
  ['warning', '▲'],
  ['error', '●'],
]);

/** The most lines that are marked for one problem. */
const MAX_MARKED_LINES = 60;
/** Marks on longer lines are placed by counting characters. */
const LONG_LINE = 1500;

export class Editor {
  /** @type {HTMLTextAreaElement} */ #field;
  /** @type {HTMLElement} */ #numbers;
  /** @type {HTMLElement} */ #signs;
  /** @type {HTMLElement} */ #marks;
  /** @type {SyntaxLayer} */ #layer;
  #lineCount = 0;
  #height = 0;
  #tabLeaves = false;
  /**
   * Sees keys before the editor. Returns whether it has used the key.
   * @type {(event: KeyboardEvent) => boolean}
   */
  beforeKey = () => false;

  /**
   * @param {HTMLElement} sheet The element with the textarea and the places around it.
   * @param {() => void} [changed] Called when the text changes.
   * @param {() => void} [moved] Called when the cursor moves.
   */
  constructor(sheet, changed = () => {}, moved = () => {}) {
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (sheet.querySelector(name));
    const field = /** @type {HTMLTextAreaElement} */ (part('textarea'));
    this.#field = field;
    this.#numbers = el('pre', { class: 'line-numbers' });
    this.#signs = el('div', { class: 'signs' });
    this.#marks = el('div', { class: 'marks' });
    this.#layer = new SyntaxLayer(part('.colors'), field);
    part('.gutter').append(this.#numbers, this.#signs);
    part('.backdrop').append(this.#marks);
    field.addEventListener('input', () => {
      this.#update();
      changed();
      moved();
    });
    field.addEventListener('scroll', () => this.#scroll(), { passive: true });
    field.addEventListener('keydown', (event) => this.#key(event));
    field.addEventListener('blur', () => {
      this.#tabLeaves = false;
    });
    new ResizeObserver(() => this.#keepCursorVisible()).observe(field);
    document.addEventListener('selectionchange', () => document.activeElement === field && moved());
    // An input method draws its own underlines, in the color of the text.
    field.addEventListener('compositionstart', () => sheet.classList.add('composing'));
    field.addEventListener('compositionend', () => sheet.classList.remove('composing'));
  }

  get field() {
    return this.#field;
  }

  get text() {
    return this.#field.value;
  }

  set text(text) {
    this.#field.value = text;
    this.#field.setSelectionRange(0, 0);
    this.#field.scrollTo(0, 0);
    this.mark([]);
    this.#update();
    this.#scroll();
  }

  /** Shows another version of the text and keeps the place. @param {string} text */
  refresh(text) {
    if (text === this.text) return;
    const { scrollTop, scrollLeft } = this.#field;
    this.text = text;
    this.#field.scrollTo(scrollLeft, scrollTop);
    this.#scroll();
  }

  /** The offset of the cursor in UTF-16 units; `null` if text is selected. */
  get cursor() {
    const { selectionStart, selectionEnd } = this.#field;
    return selectionStart === selectionEnd ? selectionStart : null;
  }

  /**
   * Replaces a part of the text so that the browser's undo works. Only what differs is replaced.
   * @param {string} text
   * @param {number} [from]
   * @param {number} [to]
   */
  replace(text, from = 0, to = this.text.length) {
    const old = this.text.slice(from, to);
    let same = 0;
    while (same < Math.min(old.length, text.length) && old[same] === text[same]) same += 1;
    let tail = 0;
    while (tail < Math.min(old.length, text.length) - same && old.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
    if (old === text) return;
    const before = document.activeElement;
    this.#field.focus({ preventScroll: true });
    this.#field.setSelectionRange(from + same, to - tail);
    this.#insert(text.slice(same, text.length - tail));
    if (before instanceof HTMLElement && before !== this.#field) before.focus({ preventScroll: true });
  }

  /** Returns where a character is on the screen; `null` if it is not visible. @param {number} offset */
  rectangle(offset) {
    const before = this.text.slice(0, offset);
    const line = before.split('\n').length - 1;
    const found = this.#layer.rectangle(line, offset - before.lastIndexOf('\n') - 1);
    const paper = this.#field.getBoundingClientRect();
    return found && found.top >= paper.top - 1 && found.bottom <= paper.bottom + 1 ? found : null;
  }

  /**
   * Marks problems: a sign at the line, and the text itself.
   * @param {readonly DiagnosticView[]} diagnostics
   */
  mark(diagnostics) {
    const text = this.#layer.lines;
    const marks = document.createDocumentFragment();
    /** @type {Map<number, { severity: string, messages: string[] }>} */
    const signs = new Map();
    for (const diagnostic of diagnostics) {
      const sign = signs.get(diagnostic.line) ?? { severity: 'note', messages: [] };
      if (SEVERITIES.indexOf(diagnostic.severity) > SEVERITIES.indexOf(sign.severity)) sign.severity = diagnostic.severity;
      sign.messages.push(diagnostic.message);
      signs.set(diagnostic.line, sign);
      const last = Math.min(diagnostic.end_line, diagnostic.line + MAX_MARKED_LINES, text.length);
      for (let line = diagnostic.line; line <= last; line += 1) {
        const here = text[line - 1] ?? '';
        const from = line === diagnostic.line ? diagnostic.column : here.length - here.trimStart().length + 1;
        const to = line === diagnostic.end_line ? diagnostic.end_column : [...here].length + 1;
        const mark = markOf(here, from, to, diagnostic.severity);
        mark.style.setProperty('--line', String(line - 1));
        marks.append(mark);
      }
    }
    this.#marks.replaceChildren(marks);
    this.#signs.replaceChildren(
      ...[...signs].map(([line, { severity, messages }]) => {
        const sign = el('div', { class: `sign ${severity}`, title: messages.join('\n') }, SIGNS.get(severity) ?? '');
        sign.style.setProperty('--line', String(line - 1));
        return sign;
      }),
    );
  }

  /**
   * Selects the text of a problem.
   * @param {DiagnosticView} diagnostic
   */
  show(diagnostic) {
    const from = this.#offset(diagnostic.line, diagnostic.column);
    const to = this.#offset(diagnostic.end_line, diagnostic.end_column);
    this.#field.focus();
    this.#field.setSelectionRange(from, Math.max(from, to));
    const style = getComputedStyle(this.#field);
    const height = parseFloat(style.lineHeight);
    this.#field.scrollTop = Math.max(0, (diagnostic.line - 1) * height - this.#field.clientHeight / 3);
    this.#field.scrollLeft = diagnostic.column > 60 ? (diagnostic.column - 30) * 7 : 0;
    this.#scroll();
  }

  /**
   * Returns the offset of a line and a column in UTF-16 units. Columns count characters.
   * @param {number} line
   * @param {number} column
   */
  #offset(line, column) {
    const text = this.text;
    let at = 0;
    for (let i = 1; i < line; i += 1) {
      const next = text.indexOf('\n', at);
      if (next < 0) return text.length;
      at = next + 1;
    }
    const end = text.indexOf('\n', at);
    const here = text.slice(at, end < 0 ? text.length : end);
    return at + [...here].slice(0, column - 1).join('').length;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (this.#field.readOnly) return;
    if (!event.isComposing && this.beforeKey(event)) {
      event.preventDefault();
      return;
    }
    // After Escape, Tab leaves the field: keyboard users must not be trapped.
    if (event.key === 'Escape') {
      this.#tabLeaves = true;
      return;
    }
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing;
    if (event.key === 'Tab' && !event.shiftKey && plain && !this.#tabLeaves) {
      event.preventDefault();
      this.#insert('  ');
    } else if (event.key === 'Enter' && !event.shiftKey && plain) {
      event.preventDefault();
      const { value, selectionStart } = this.#field;
      const line = value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart);
      const indent = /^\s*/.exec(line)?.[0] ?? '';
      this.#insert(`\n${indent}${/[[{]\s*$/.test(line) ? '  ' : ''}`);
    }
    if (event.key !== 'Shift') this.#tabLeaves = false;
  }

  /**
   * Inserts text so that the browser's undo works.
   * @param {string} text
   */
  #insert(text) {
    if (document.execCommand('insertText', false, text)) return;
    this.#field.setRangeText(text, this.#field.selectionStart, this.#field.selectionEnd, 'end');
    this.#field.dispatchEvent(new Event('input'));
  }

  /** Updates the colors, and the line numbers if the number of lines has changed. */
  #update() {
    this.#layer.text = this.text;
    const count = this.#layer.lines.length;
    if (count === this.#lineCount) return;
    this.#lineCount = count;
    this.#numbers.textContent = Array.from({ length: count }, (_, i) => i + 1).join('\n');
  }

  /** Scrolls to the cursor if the list of problems has grown over it. */
  #keepCursorVisible() {
    const { clientHeight, scrollTop, selectionEnd } = this.#field;
    const [height, grown] = [this.#height, clientHeight - this.#height];
    this.#height = clientHeight;
    if (grown >= 0 || document.activeElement !== this.#field) return;
    const row = parseFloat(getComputedStyle(this.#field).lineHeight);
    const bottom = (this.text.slice(0, selectionEnd).split('\n').length + 1) * row;
    const wasVisible = bottom - row <= scrollTop + height;
    if (wasVisible && bottom > scrollTop + clientHeight) this.#field.scrollTop = bottom - clientHeight;
  }

  /** Scrolls numbers, marks and colors with the text. */
  #scroll() {
    const { scrollTop, scrollLeft } = this.#field;
    for (const beside of [this.#numbers, this.#signs]) beside.style.setProperty('transform', `translateY(${-scrollTop}px)`);
    this.#marks.style.setProperty('transform', `translate(${-scrollLeft}px, ${-scrollTop}px)`);
    this.#layer.draw();
  }
}

/**
 * Creates the mark of a part of a line. An invisible copy of the text gives it its place and width; a very long line would make many
 * long copies, so there characters are counted.
 * @param {string} line
 * @param {number} from The first column, counted in characters from 1.
 * @param {number} to The column after the last one.
 * @param {string} severity
 */
function markOf(line, from, to, severity) {
  if (line.length <= LONG_LINE) {
    const letters = [...line];
    const marked = letters.slice(from - 1, Math.max(from, to - 1)).join('') || ' ';
    return el('div', { class: 'mark-line' }, letters.slice(0, from - 1).join(''), el('span', { class: `mark ${severity}` }, marked));
  }
  const left = widthBefore(line, from);
  const mark = el('div', { class: `mark long ${severity}` });
  mark.style.setProperty('--from', String(left));
  mark.style.setProperty('--wide', String(Math.max(1, widthBefore(line, to) - left)));
  return mark;
}

/** The width of a tab, as in the style sheet. */
const TAB_WIDTH = 2;

/**
 * Returns the width before a column, in characters.
 * @param {string} line
 * @param {number} column
 */
function widthBefore(line, column) {
  let width = 0;
  let at = 1;
  for (const letter of line) {
    if (at >= column) break;
    width += letter === '\t' ? TAB_WIDTH - (width % TAB_WIDTH) : 1;
    at += 1;
  }
  return width;
}
