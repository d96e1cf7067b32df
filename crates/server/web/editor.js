// The text editor of the workshop: a plain textarea, which works with every keyboard and screen reader. Line numbers and marks
// are drawn beside and behind it and scroll with it.
import { el } from './dom.js';

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

export class Editor {
  /** @type {HTMLTextAreaElement} */ #field;
  /** @type {HTMLElement} */ #numbers;
  /** @type {HTMLElement} */ #signs;
  /** @type {HTMLElement} */ #marks;
  #lines = 0;
  #tabLeaves = false;

  /**
   * @param {HTMLTextAreaElement} field
   * @param {HTMLElement} gutter
   * @param {HTMLElement} backdrop
   * @param {() => void} changed Called when the text changes.
   */
  constructor(field, gutter, backdrop, changed) {
    this.#field = field;
    this.#numbers = el('pre', { class: 'line-numbers' });
    this.#signs = el('div', { class: 'signs' });
    this.#marks = el('div', { class: 'marks' });
    gutter.append(this.#numbers, this.#signs);
    backdrop.append(this.#marks);
    field.addEventListener('input', () => {
      this.#updateNumbers();
      changed();
    });
    field.addEventListener('scroll', () => this.#scroll(), { passive: true });
    field.addEventListener('keydown', (event) => this.#key(event));
    field.addEventListener('blur', () => {
      this.#tabLeaves = false;
    });
  }

  get text() {
    return this.#field.value;
  }

  set text(text) {
    this.#field.value = text;
    this.#field.setSelectionRange(0, 0);
    this.#field.scrollTo(0, 0);
    this.mark([]);
    this.#updateNumbers();
    this.#scroll();
  }

  /**
   * Marks problems: a sign at the line, and the text itself.
   * @param {readonly DiagnosticView[]} diagnostics
   */
  mark(diagnostics) {
    const text = this.text.split('\n');
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
        const left = widthBefore(here, from);
        const mark = el('div', { class: `mark ${diagnostic.severity}` });
        mark.style.setProperty('--line', String(line - 1));
        mark.style.setProperty('--from', String(left));
        mark.style.setProperty('--wide', String(Math.max(1, widthBefore(here, to) - left)));
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

  /** Updates the line numbers if the number of lines has changed. */
  #updateNumbers() {
    let lines = 1;
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) lines += 1;
    if (lines === this.#lines) return;
    this.#lines = lines;
    this.#numbers.textContent = Array.from({ length: lines }, (_, i) => i + 1).join('\n');
  }

  /** Scrolls numbers and marks with the text. */
  #scroll() {
    const { scrollTop, scrollLeft } = this.#field;
    for (const beside of [this.#numbers, this.#signs]) beside.style.setProperty('transform', `translateY(${-scrollTop}px)`);
    this.#marks.style.setProperty('transform', `translate(${-scrollLeft}px, ${-scrollTop}px)`);
  }
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
