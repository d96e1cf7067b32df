// What was chosen before the game began, on the page of a table: the array below the title, and the rules for whoever asks.
import { byId, el } from './build.js';
import { called } from './names.js';
import { niceValue } from './words.js';

/** @param {import('./types.js').GameView} game */
export function showChosen({ layout, options }) {
  byId('array').hidden = layout === null;
  byId('array').textContent = layout === null ? '' : `Array: ${layout}`;
  byId('rules').hidden = options.length === 0;
  byId('chosen').replaceChildren(...options.flatMap(([name, value]) => [el('dt', {}, called(name)), el('dd', {}, niceValue(value))]));
}
