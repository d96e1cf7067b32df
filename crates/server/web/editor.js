// The field in which a spec is written: a plain textarea, because that is what every keyboard, every screen reader and every
// browser knows; line numbers and the marks of faults lie beside and behind it and move with it.

import { el } from './build.js';

/** @typedef {import('./types.js').DiagnosticView} DiagnosticView */

/** Marks are drawn for so many lines of one fault; it may be about a whole list. */
const MOST_LINES = 60;

export class Editor {
  /** @type {HTMLTextAreaElement} */ #field;
  /** @type {HTMLElement} */ #numbers;
  /** @type {HTMLElement} */ #signs;
  /** @type {HTMLElement} */ #marks;
  #lines = 0;
  #leaving = false;

  /**
   * @param {HTMLTextAreaElement} field
   * @param {HTMLElement} gutter
   * @param {HTMLElement} backdrop
   * @param {() => void} changed Called whenever the text is another.
   */
  constructor(field, gutter, backdrop, changed) {
    this.#field = field;
    this.#numbers = el('pre', { class: 'line-numbers' });
    this.#signs = el('div', { class: 'signs' });
    this.#marks = el('div', { class: 'marks' });
    gutter.append(this.#numbers, this.#signs);
    backdrop.append(this.#marks);
    field.addEventListener('input', () => {
      this.#number();
      changed();
    });
    field.addEventListener('scroll', () => this.#follow(), { passive: true });
    field.addEventListener('keydown', (event) => this.#key(event));
    field.addEventListener('blur', () => {
      this.#leaving = false;
    });
  }

  /** The text. */
  get text() {
    return this.#field.value;
  }

  set text(text) {
    this.#field.value = text;
    this.#field.setSelectionRange(0, 0);
    this.#field.scrollTo(0, 0);
    this.mark([]);
    this.#number();
    this.#follow();
  }

  /**
   * Marks faults: a sign at the line, and the span itself.
   * @param {readonly DiagnosticView[]} faults
   */
  mark(faults) {
    const text = this.text.split('\n');
    const marks = document.createDocumentFragment();
    /** @type {Map<number, { severity: string, messages: string[] }>} */
    const signs = new Map();
    for (const fault of faults) {
      const sign = signs.get(fault.line) ?? { severity: 'warning', messages: [] };
      if (fault.severity === 'error') sign.severity = 'error';
      sign.messages.push(fault.message);
      signs.set(fault.line, sign);
      const last = Math.min(fault.end_line, fault.line + MOST_LINES, text.length);
      for (let line = fault.line; line <= last; line += 1) {
        const here = text[line - 1] ?? '';
        const from = line === fault.line ? fault.column : here.length - here.trimStart().length + 1;
        const to = line === fault.end_line ? fault.end_column : [...here].length + 1;
        const left = shown(here, from);
        const mark = el('div', { class: `mark ${fault.severity}` });
        mark.style.setProperty('--line', String(line - 1));
        mark.style.setProperty('--from', String(left));
        mark.style.setProperty('--wide', String(Math.max(1, shown(here, to) - left)));
        marks.append(mark);
      }
    }
    this.#marks.replaceChildren(marks);
    this.#signs.replaceChildren(
      ...[...signs].map(([line, { severity, messages }]) => {
        const sign = el('div', { class: `sign ${severity}`, title: messages.join('\n') }, severity === 'error' ? '●' : '▲');
        sign.style.setProperty('--line', String(line - 1));
        return sign;
      }),
    );
  }

  /**
   * Goes to the text of a fault and selects it.
   * @param {DiagnosticView} fault
   */
  show(fault) {
    const from = this.#offset(fault.line, fault.column);
    const to = this.#offset(fault.end_line, fault.end_column);
    this.#field.focus();
    this.#field.setSelectionRange(from, Math.max(from, to));
    const style = getComputedStyle(this.#field);
    const height = parseFloat(style.lineHeight);
    this.#field.scrollTop = Math.max(0, (fault.line - 1) * height - this.#field.clientHeight / 3);
    this.#field.scrollLeft = fault.column > 60 ? (fault.column - 30) * 7 : 0;
  }

  /**
   * Where in the text a line and a column are; columns count characters, and some characters are two units here.
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
    // Whoever came by Tab must be able to leave by Tab: Escape says so.
    if (event.key === 'Escape') {
      this.#leaving = true;
      return;
    }
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing;
    if (event.key === 'Tab' && !event.shiftKey && plain && !this.#leaving) {
      event.preventDefault();
      this.#type('  ');
    } else if (event.key === 'Enter' && !event.shiftKey && plain) {
      event.preventDefault();
      const { value, selectionStart } = this.#field;
      const line = value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart);
      const indent = /^\s*/.exec(line)?.[0] ?? '';
      this.#type(`\n${indent}${/[[{]\s*$/.test(line) ? '  ' : ''}`);
    }
    if (event.key !== 'Shift') this.#leaving = false;
  }

  /**
   * Types for the writer, such that undoing undoes it.
   * @param {string} text
   */
  #type(text) {
    if (document.execCommand('insertText', false, text)) return;
    this.#field.setRangeText(text, this.#field.selectionStart, this.#field.selectionEnd, 'end');
    this.#field.dispatchEvent(new Event('input'));
  }

  /** Writes the line numbers, if there are more or fewer than before. */
  #number() {
    let lines = 1;
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) lines += 1;
    if (lines === this.#lines) return;
    this.#lines = lines;
    this.#numbers.textContent = Array.from({ length: lines }, (_, i) => i + 1).join('\n');
  }

  /** Numbers and marks go where the text goes. */
  #follow() {
    const { scrollTop, scrollLeft } = this.#field;
    for (const beside of [this.#numbers, this.#signs]) beside.style.setProperty('transform', `translateY(${-scrollTop}px)`);
    this.#marks.style.setProperty('transform', `translate(${-scrollLeft}px, ${-scrollTop}px)`);
  }
}

/** How wide a tab is shown; the style sheet says the same. */
const TAB = 2;

/**
 * How many letters' widths lie before a column.
 * @param {string} line
 * @param {number} column
 */
function shown(line, column) {
  let width = 0;
  let at = 1;
  for (const letter of line) {
    if (at >= column) break;
    width += letter === '\t' ? TAB - (width % TAB) : 1;
    at += 1;
  }
  return width;
}
