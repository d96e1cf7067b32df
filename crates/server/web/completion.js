// The list of keys and codes below the cursor. It opens while a text between quotes is typed, and with Control and Space. The focus
// stays in the editor: a textarea may not have the role of a combobox, so it names the list and its active option itself.
import { complete } from './api.js';
import { withCode } from './diagnostics.js';
import { el } from './dom.js';
import { count } from './names.js';

/** @typedef {import('./types.js').CompletionView} CompletionView */

/** The pause in typing before a request. */
const PAUSE_MS = 60;
/** The most entries of the list. */
const MAX_SHOWN = 50;
/** Space between the list and the edge of the screen. */
const EDGE = 8;

export class Completion {
  /** @type {import('./editor.js').Editor} */ #editor;
  /** @type {HTMLElement} */ #list;
  /** @type {HTMLElement} */ #status;
  /** The answer, and the text that it is about. @type {{ text: string, items: CompletionView[] } | null} */ #answer = null;
  /** The entries of the list. @type {CompletionView[]} */ #shown = [];
  #active = 0;
  /** Counts requests: only the newest answer is used. */
  #number = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /**
   * @param {import('./editor.js').Editor} editor
   * @param {HTMLElement} list
   * @param {HTMLElement} status Says how many entries there are.
   */
  constructor(editor, list, status) {
    this.#editor = editor;
    this.#list = list;
    this.#status = status;
    const { field } = editor;
    field.setAttribute('aria-autocomplete', 'list');
    field.setAttribute('aria-haspopup', 'listbox');
    field.setAttribute('aria-controls', list.id);
    field.addEventListener('input', (event) => this.#input(/** @type {InputEvent} */ (event)));
    for (const name of ['blur', 'scroll', 'pointerdown']) field.addEventListener(name, () => this.close());
    addEventListener('resize', () => this.close());
    editor.beforeKey = (event) => this.#key(event);
  }

  get isOpen() {
    return !this.#list.hidden;
  }

  close() {
    clearTimeout(this.#timer);
    this.#number += 1;
    this.#answer = null;
    if (!this.isOpen) return;
    this.#list.hidden = true;
    this.#status.textContent = '';
    this.#editor.field.removeAttribute('aria-activedescendant');
  }

  /** @param {InputEvent} event */
  #input(event) {
    const { cursor, text } = this.#editor;
    const isTyped = event.inputType === 'insertText' && /^["\w$]$/.test(event.data ?? '');
    const isErased = event.inputType === 'deleteContentBackward' && this.isOpen;
    if (cursor === null || event.isComposing || !(isTyped || isErased) || !isInString(text, cursor)) return this.close();
    // Narrow the list at once; the server follows.
    if (this.isOpen) this.#show(false);
    this.#ask(PAUSE_MS, false);
  }

  /**
   * @param {number} pause
   * @param {boolean} isWanted Whether the user asked for the list.
   */
  #ask(pause, isWanted) {
    clearTimeout(this.#timer);
    this.#number += 1;
    const mine = this.#number;
    this.#timer = setTimeout(async () => {
      const { cursor, text } = this.#editor;
      if (cursor === null) return;
      const items = await complete({ spec: text, offset: cursor }).then(({ completions }) => completions, () => []);
      if (mine !== this.#number || this.#editor.text !== text || this.#editor.cursor !== cursor) return;
      this.#answer = { text, items };
      this.#show(isWanted);
    }, pause);
  }

  /** Returns the entries for the current text. The text may have changed within what they replace. */
  #fitting() {
    const { cursor, text } = this.#editor;
    const answer = this.#answer;
    if (!answer || cursor === null) return [];
    const grown = text.length - answer.text.length;
    const moved = answer.items.map((item) => ({ ...item, end: item.end + grown }));
    const first = moved[0];
    const isSame = first && text.slice(0, first.start) === answer.text.slice(0, first.start) && text.slice(first.end) === answer.text.slice(first.end - grown);
    if (!isSame) return [];
    /** @type {[CompletionView[], CompletionView[]]} */
    const [begin, contain] = [[], []];
    for (const item of moved) {
      const typed = text.slice(item.start, Math.max(item.start, cursor)).replace(/^"/, '').toLowerCase();
      const label = item.label.toLowerCase();
      if (item.kind === 'letter' || label.startsWith(typed)) begin.push(item);
      else if (typed.length > 1 && label.includes(typed)) contain.push(item);
    }
    return [...begin, ...contain].slice(0, MAX_SHOWN);
  }

  /** @param {boolean} isWanted */
  #show(isWanted) {
    const { text } = this.#editor;
    let items = this.#fitting();
    // A letter of a word and a finished text need no list, unless it is asked for.
    if (!isWanted) items = items.filter((item) => item.kind !== 'letter');
    if (!isWanted && items.length === 1 && items[0] && items[0].insert.trim().replace(/:$/, '') === text.slice(items[0].start, items[0].end).trim()) items = [];
    const place = items[0] ? this.#editor.rectangle(items[0].start) : null;
    if (!place || items.length === 0) {
      const answer = this.#answer;
      this.close();
      if (isWanted && answer) this.#status.textContent = 'No suggestions';
      return;
    }
    this.#shown = items;
    this.#list.replaceChildren(...items.map((item, i) => this.#option(item, i)));
    this.#list.hidden = false;
    this.#status.textContent = count(items.length, 'suggestion');
    this.#place(place);
    this.#select(0);
  }

  /**
   * @param {CompletionView} item
   * @param {number} i
   */
  #option(item, i) {
    return el(
      'li',
      {
        role: 'option', id: `completion-${i}`, class: 'completion', 'data-kind': item.kind,
        // A press would move the focus, and the list would close.
        onmousedown: (/** @type {Event} */ event) => event.preventDefault(),
        onclick: () => this.#accept(i),
      },
      el('span', { class: 'completion-label' }, item.label),
      el('span', { class: 'completion-kind muted' }, item.kind),
      item.description ? el('span', { class: 'completion-about muted' }, ...withCode(item.description)) : null,
    );
  }

  /** Puts the list below the text, or above it where there is more space. @param {DOMRect} at */
  #place(at) {
    const height = visualViewport?.height ?? innerHeight;
    const below = height - at.bottom - EDGE;
    const isBelow = below >= Math.min(200, at.top - EDGE);
    const { style } = this.#list;
    style.setProperty('max-height', `${Math.min(280, (isBelow ? below : at.top) - EDGE)}px`);
    style.setProperty('left', `${Math.max(EDGE, Math.min(at.left, innerWidth - this.#list.offsetWidth - EDGE))}px`);
    style.setProperty('top', isBelow ? `${at.bottom + 2}px` : 'auto');
    style.setProperty('bottom', isBelow ? 'auto' : `${innerHeight - at.top + 2}px`);
  }

  /** @param {number} i */
  #select(i) {
    this.#active = i;
    [...this.#list.children].forEach((option, at) => option.setAttribute('aria-selected', String(at === i)));
    const option = this.#list.children[i];
    option?.scrollIntoView({ block: 'nearest' });
    this.#editor.field.setAttribute('aria-activedescendant', `completion-${i}`);
  }

  /** @param {number} i */
  #accept(i) {
    const item = this.#shown[i];
    this.close();
    if (!item) return;
    this.#editor.replace(item.insert, item.start, item.end);
    const end = item.start + item.insert.length;
    this.#editor.field.setSelectionRange(end, end);
    // The change of the text asked for another list.
    this.close();
  }

  /** @param {KeyboardEvent} event @returns {boolean} Whether the key was used. */
  #key(event) {
    if (event.ctrlKey && !event.altKey && !event.metaKey && event.code === 'Space') {
      this.#ask(0, true);
      return true;
    }
    if (!this.isOpen || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return false;
    const last = this.#shown.length - 1;
    switch (event.key) {
      case 'ArrowDown':
        this.#select(this.#active < last ? this.#active + 1 : 0);
        return true;
      case 'ArrowUp':
        this.#select(this.#active > 0 ? this.#active - 1 : last);
        return true;
      case 'PageDown':
        this.#select(Math.min(last, this.#active + 8));
        return true;
      case 'PageUp':
        this.#select(Math.max(0, this.#active - 8));
        return true;
      case 'Enter':
      case 'Tab':
        this.#accept(this.#active);
        return true;
      case 'Escape':
        this.close();
        return true;
      case 'ArrowLeft':
      case 'ArrowRight':
      case 'Home':
      case 'End':
        this.close();
        return false;
      default:
        return false;
    }
  }
}

/**
 * Returns whether an offset is between quotes, which may be open.
 * @param {string} text
 * @param {number} offset
 */
function isInString(text, offset) {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return (line.replaceAll(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1;
}
