// The elements of the form for a new game. `setup.js` fills them in.
import { el, options } from './dom.js';

/** Adds the dialog to the page. @returns {HTMLDialogElement} */
export function setupForm() {
  const button = (/** @type {string} */ id, /** @type {string} */ label, attributes = {}) => el('button', { type: 'button', id, ...attributes }, label);
  const field = (/** @type {string} */ id, /** @type {string} */ label, /** @type {HTMLElement} */ control, attributes = {}) =>
    el('div', { class: 'field', ...attributes }, el('label', { for: id, id: `${id}-label` }, label), control);
  const number = (/** @type {string} */ id, /** @type {number} */ min, /** @type {number} */ value) =>
    el('input', { id, type: 'number', min, max: 600, step: 'any', value, inputmode: 'decimal' });
  const pressed = { 'aria-pressed': 'false' };
  const game = el('div', { class: 'setup-game' },
    el('div', { id: 'setup-board', class: 'drawing-place' }),
    el('p', { id: 'setup-about', class: 'muted small' }),
    el('p', { class: 'small', id: 'setup-rules-line' }, el('a', { id: 'setup-rules', href: '/workshop' }, 'Rules and pieces')));
  const clocks = options([['none', 'No clock'], ['180+2', '3 minutes + 2 seconds per move'], ['600+5', '10 minutes + 5 seconds per move'], ['1800+0', '30 minutes'], ['custom', 'Custom…']]);
  const fields = el('div', { class: 'stack' },
    el('div', { class: 'presets', role: 'group', 'aria-label': 'Presets' },
      button('preset-computer', 'Play against the computer', pressed),
      button('preset-friend', 'Play a friend', pressed),
      button('preset-local', 'Both sides on one screen', pressed),
      button('preset-watch', 'Watch programs play', pressed)),
    el('div', { id: 'quick', class: 'row quick', hidden: true },
      field('side', 'You play', el('div', { class: 'row nowrap' }, el('select', { id: 'side', class: 'grow' }), button('lot', 'Random')), { id: 'side-field' }),
      field('level', 'Computer', el('select', { id: 'level' }), { class: 'field grow' })),
    el('fieldset', { class: 'seats' }, el('legend', {}, 'Who plays'), el('div', { id: 'seats', class: 'seat-list' })),
    el('p', { id: 'seats-note', class: 'muted small seats-note', 'aria-live': 'polite' }),
    el('div', { id: 'setup-choices', class: 'stack' }),
    el('div', { class: 'row clock-row' },
      field('clock', 'Clock', el('select', { id: 'clock' }, ...clocks), { class: 'field grow' }),
      el('div', { id: 'custom', class: 'row nowrap', hidden: true },
        field('minutes', 'Minutes', number('minutes', 0.1, 15)),
        field('increment', 'Seconds per move', number('increment', 0, 10)))),
    field('setup-name', 'Your name (optional)', el('input', { id: 'setup-name', maxlength: 30, autocomplete: 'nickname', spellcheck: 'false' }), { class: 'field name-row' }));
  const dialog = el('dialog', { id: 'setup', class: 'setup', 'aria-labelledby': 'setup-title' },
    el('form', { id: 'setup-form', novalidate: true },
      el('div', { class: 'setup-head' }, el('h2', { id: 'setup-title' }, 'Play'), button('setup-close', '✕', { class: 'quiet icon', 'aria-label': 'Close' })),
      el('div', { class: 'setup-body' }, game, fields),
      el('div', { class: 'setup-foot' },
        el('p', { id: 'setup-error', class: 'notice bad', role: 'alert', hidden: true }),
        el('div', { class: 'dialog-actions' }, button('cancel', 'Cancel'), el('button', { type: 'submit', id: 'start', class: 'primary' }, 'Start')))));
  document.body.append(dialog);
  return dialog;
}
