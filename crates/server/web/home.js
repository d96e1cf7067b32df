// The first page: what can be played here, the tables of this browser, and a place to drop a game of one's own.

import { games, opponents } from './api.js';
import { byId, el } from './build.js';
import { inOrder, shelve } from './cards.js';
import { keep } from './keeping.js';
import { forget, recent } from './recent.js';
import { Setup } from './setup.js';

/** Longer files are no games; the server would not take them. */
const LONGEST_FILE = 256 << 10;

const setup = new Setup();
const asked = opponents();
asked.catch(() => {});

async function begin() {
  const host = byId('games');
  try {
    const library = inOrder(await games());
    const choose = async (/** @type {import('./types.js').LibraryGame} */ game) => {
      // Without a list of programs people can still play each other.
      setup.show(game, await asked.catch(() => []));
    };
    shelve(host, library, (game) => void choose(game));
    const chess = library.find((game) => game.name === 'chess');
    if (chess) byId('play-chess').addEventListener('click', () => void choose(chess));
    byId('play-chess').hidden = !chess;
    const open = () => {
      const named = library.find((game) => `#${game.name}` === location.hash);
      if (named) void choose(named);
    };
    open();
    addEventListener('hashchange', open);
  } catch (error) {
    const place = byId('games-error');
    const again = () => {
      place.hidden = true;
      void begin();
    };
    place.replaceChildren(error instanceof Error ? error.message : String(error), ' ', el('button', { type: 'button', onclick: again }, 'Try again'));
    place.hidden = false;
    byId('play-chess').hidden = true;
  }
  host.removeAttribute('aria-busy');
}

/** Shows the tables of this browser. */
function tables() {
  const list = recent();
  byId('recent').hidden = list.length === 0;
  byId('recent-list').replaceChildren(
    ...list.map((table) =>
      el(
        'li',
        {},
        el('a', { href: table.href, class: 'grow' }, el('span', { class: 'recent-title' }, table.title), el('span', { class: 'muted small' }, ` ${table.who} · ${when(table.when)}`)),
        el('button', { type: 'button', class: 'quiet icon', 'aria-label': `Remove ${table.title}, ${table.who}, from this list`, onclick: () => {
          forget(table.id);
          tables();
        } }, '✕'),
      ),
    ),
  );
}

/**
 * @param {number} time
 * @returns {string}
 */
function when(time) {
  const date = new Date(time);
  const today = date.toDateString() === new Date().toDateString();
  return today ? date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }) : date.toLocaleDateString([], { day: 'numeric', month: 'short' });
}

/** @param {File | null | undefined} file */
async function take(file) {
  if (!file) return;
  const place = byId('drop-error');
  place.hidden = true;
  try {
    if (file.size > LONGEST_FILE) throw new Error('This file is too long: a game has at most 256 KiB.');
    const text = await file.text().catch(() => {
      throw new Error('This file cannot be read.');
    });
    if (!keep('sessionStorage', 'tabiya-draft', text)) throw new Error('This browser keeps nothing from one page to the next: open the file in the workshop.');
    location.assign('/workshop');
  } catch (error) {
    place.textContent = error instanceof Error ? error.message : String(error);
    place.hidden = false;
  }
}

const file = byId('file', HTMLInputElement);
file.addEventListener('change', () => void take(file.files?.[0]));
// A file may be dropped anywhere: whoever misses the field would otherwise leave the page.
addEventListener('dragover', (event) => {
  event.preventDefault();
  byId('drop').classList.add('over');
});
addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) byId('drop').classList.remove('over');
});
addEventListener('drop', (event) => {
  event.preventDefault();
  byId('drop').classList.remove('over');
  void take(event.dataTransfer?.files[0]);
});
// Coming back from a table by the browser's own button shows it in the list.
addEventListener('pageshow', tables);

tables();
void begin();
