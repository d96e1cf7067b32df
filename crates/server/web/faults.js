// The list of faults below the editor: what is wrong, where, and how to mend it; a click goes there.

import { el } from './build.js';

/** @typedef {import('./types.js').DiagnosticView} DiagnosticView */

/**
 * @param {HTMLElement} host
 * @param {readonly DiagnosticView[]} faults
 * @param {(fault: DiagnosticView) => void} go
 */
export function listFaults(host, faults, go) {
  host.replaceChildren(
    ...faults.map((fault) =>
      el(
        'li',
        { 'data-line': fault.line, 'data-code': fault.code, class: fault.severity },
        el(
          'button',
          { type: 'button', class: 'fault', onclick: () => go(fault) },
          el('span', { class: 'fault-head' },
            el('span', { class: `tag ${fault.severity === 'error' ? 'bad' : 'warn'}` }, fault.severity),
            el('span', { class: 'place' }, `${fault.line}:${fault.column}`),
            el('code', { class: 'muted' }, fault.code),
          ),
          el('span', { class: 'fault-message' }, ...ticks(fault.message)),
          fault.help ? el('span', { class: 'fault-help muted' }, ...ticks(fault.help)) : null,
        ),
      ),
    ),
  );
}

/**
 * Messages quote the file between backticks: that is set as code.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function ticks(text) {
  return text.split(/`([^`]*)`/).map((part, i) => (i % 2 === 1 ? el('code', {}, part) : part));
}

/**
 * How many faults there are, in words.
 * @param {readonly DiagnosticView[]} faults
 * @param {number} leftOut How many more there are than are told.
 */
export function countFaults(faults, leftOut) {
  const errors = faults.filter((fault) => fault.severity === 'error').length;
  const warnings = faults.length - errors;
  const parts = [
    ...(errors > 0 ? [`${errors} ${errors === 1 ? 'error' : 'errors'}`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
    ...(leftOut > 0 ? [`${leftOut} more`] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'No faults';
}
