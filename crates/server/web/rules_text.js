// Formats the engine's plain-text rules as headings, lists and paragraphs. Names from specs stay text and never become markup.
import { el } from './dom.js';

/**
 * @param {string} text The rules, with headings underlined by `=` and `-`, and lists marked by `- ` and `1. `.
 * @returns {DocumentFragment}
 */
export function rulesText(text) {
  const fragment = document.createDocumentFragment();
  const lines = text.replaceAll('\r', '').split('\n');
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const under = lines[at + 1] ?? '';
    if (line.trim() === '') {
      at += 1;
    } else if (/^=+$/.test(under) || /^-+$/.test(under)) {
      fragment.append(el(under.startsWith('=') ? 'h2' : 'h3', {}, line.trim()));
      at += 2;
    } else {
      const from = at;
      while (at < lines.length && lines[at]?.trim() !== '' && !(at > from && /^(=+|-{2,})$/.test(lines[at + 1] ?? ''))) at += 1;
      block(lines.slice(from, at), fragment);
    }
  }
  return fragment;
}

/**
 * Formats lines without an empty line between them.
 * @param {string[]} lines
 * @param {DocumentFragment} into
 */
function block(lines, into) {
  if (lines.length > 1 && lines.every(isDiagramLine)) {
    into.append(el('pre', { class: 'drawing' }, lines.join('\n')));
    return;
  }
  const first = lines.findIndex((line) => ITEM.test(line));
  const words = first < 0 ? lines : lines.slice(0, first);
  if (words.length > 0) {
    const text = words.map((line) => line.trim()).join(' ');
    into.append(first > 0 && !/[.:]$/.test(text) ? el('h4', {}, text) : el('p', {}, text));
  }
  if (first >= 0) into.append(list(lines.slice(first)));
}

const ITEM = /^(\s*)(- |\d+\. )(.*)$/;

/**
 * Returns whether a line is part of a board diagram: only short signs with spaces between them.
 * @param {string} line
 */
function isDiagramLine(line) {
  const signs = line.trim().split(/\s+/);
  return /^[\s\d]/.test(line) && signs.length > 1 && signs.every((sign) => sign.length <= 3);
}

/**
 * Formats a list. Indented lines become nested lists.
 * @param {string[]} lines
 * @returns {HTMLElement}
 */
function list(lines) {
  /** @type {{ indent: number, list: HTMLElement, item: HTMLElement }[]} */
  const open = [];
  const top = el('div');
  for (const line of lines) {
    const found = ITEM.exec(line);
    const last = open[open.length - 1];
    if (!found) {
      // A continuation line.
      if (last) last.item.append(` ${line.trim()}`);
      continue;
    }
    const [, space = '', sign = '', text = ''] = found;
    while (open.length > 0 && (open[open.length - 1]?.indent ?? 0) > space.length) open.pop();
    let here = open[open.length - 1];
    if (!here || here.indent < space.length) {
      const made = el(sign === '- ' ? 'ul' : 'ol');
      (here ? here.item : top).append(made);
      here = { indent: space.length, list: made, item: made };
      open.push(here);
    }
    here.item = el('li', {}, text);
    here.list.append(here.item);
  }
  return /** @type {HTMLElement} */ (top.childElementCount === 1 ? top.firstElementChild : top);
}
