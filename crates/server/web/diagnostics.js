// The list of problems below the editor. A click goes to the text.
import { el } from './dom.js';
import { count } from './names.js';

/** @typedef {import('./types.js').DiagnosticView} DiagnosticView */

/** The look of a label, by severity. */
const TAGS = new Map([
  ['error', 'bad'],
  ['warning', 'warn'],
]);

/**
 * @param {HTMLElement} host
 * @param {readonly DiagnosticView[]} diagnostics
 * @param {(diagnostic: DiagnosticView) => void} select
 */
export function showDiagnostics(host, diagnostics, select) {
  host.replaceChildren(
    ...diagnostics.map((diagnostic) => {
      const { line, column, code, severity, message, help } = diagnostic;
      return el(
        'li',
        { 'data-line': line, 'data-code': code, class: severity },
        el(
          'button',
          { type: 'button', class: 'fault', onclick: () => select(diagnostic) },
          el('span', { class: 'fault-head' },
            el('span', { class: `tag ${TAGS.get(severity) ?? ''}` }, severity),
            el('span', { class: 'place' }, `${line}:${column}`),
            el('code', { class: 'muted' }, code),
          ),
          el('span', { class: 'fault-message' }, ...withCode(message)),
          help ? el('span', { class: 'fault-help muted' }, ...withCode(help)) : null,
        ),
      );
    }),
  );
}

/** Formats text in backticks as code. @param {string} text */
export function withCode(text) {
  return text.split(/`([^`]*)`/).map((part, i) => (i % 2 === 1 ? el('code', {}, part) : part));
}

/**
 * Counts the problems in words.
 * @param {readonly DiagnosticView[]} diagnostics
 * @param {number} leftOut The number of problems that are not listed.
 */
export function countText(diagnostics, leftOut) {
  const parts = [
    ...['error', 'warning', 'note'].flatMap((severity) => {
      const found = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
      return found > 0 ? [count(found, severity)] : [];
    }),
    ...(leftOut > 0 ? [`${leftOut} more`] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'No problems';
}
