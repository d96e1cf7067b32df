// The home page: the games of the library, the recent games of this browser, and a drop zone for a game file.
import { games, opponents } from './api.js';
import { acceptDroppedFile, byId, el, errorText, showNotice } from './dom.js';
import { CARD_LAYOUTS, showGameCards, sortGames } from './game_cards.js';
import { recentGames, removeRecentGame } from './recent_games.js';
import { Setup } from './setup.js';
import { MAX_SPEC_BYTES, saveDroppedFile } from './drafts.js';

const setup = new Setup();
const opponentList = opponents();
opponentList.catch(() => {});

async function begin() {
  const host = byId('games');
  try {
    const library = sortGames(await games());
    const choose = async (/** @type {import('./types.js').LibraryGame} */ game) => {
      // Without the list of programs people can still play each other.
      setup.show(game, await opponentList.catch(() => []), null, CARD_LAYOUTS[game.name] ?? null);
    };
    showGameCards(host, library, (game) => void choose(game));
    const chess = library.find((game) => game.name === 'chess');
    if (chess) byId('play-chess').addEventListener('click', () => void choose(chess));
    byId('play-chess').hidden = !chess;
    const openFromAddress = () => {
      const named = library.find((game) => `#${game.name}` === location.hash);
      if (named) void choose(named);
    };
    openFromAddress();
    addEventListener('hashchange', openFromAddress);
  } catch (error) {
    const notice = byId('games-error');
    const retry = () => {
      notice.hidden = true;
      void begin();
    };
    notice.replaceChildren(errorText(error), ' ', el('button', { type: 'button', onclick: retry }, 'Try again'));
    notice.hidden = false;
    byId('play-chess').hidden = true;
  }
  host.removeAttribute('aria-busy');
}

function showRecentGames() {
  const list = recentGames();
  byId('recent').hidden = list.length === 0;
  byId('recent-list').replaceChildren(
    ...list.map(({ id, href, title, who, when }) => {
      const remove = () => {
        removeRecentGame(id);
        showRecentGames();
      };
      return el(
        'li',
        {},
        el('a', { href, class: 'grow' }, el('span', { class: 'recent-title' }, title), el('span', { class: 'muted small' }, ` ${who} · ${timeText(when)}`)),
        el('button', { type: 'button', class: 'quiet icon', 'aria-label': `Remove ${title}, ${who}, from this list`, onclick: remove }, '✕'),
      );
    }),
  );
}

/** @param {number} time */
function timeText(time) {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }) : date.toLocaleDateString([], { day: 'numeric', month: 'short' });
}

/** Opens a game file in the workshop. @param {File | undefined} file */
async function openFile(file) {
  if (!file) return;
  const notice = byId('drop-error');
  showNotice(notice, null);
  if (file.size > MAX_SPEC_BYTES) return showNotice(notice, 'This file is too large: a game may have at most 256 KiB.');
  try {
    const text = await file.text();
    if (saveDroppedFile(text)) location.assign('/workshop');
    else showNotice(notice, 'This browser does not store data. Open the file in the workshop instead.');
  } catch {
    showNotice(notice, 'This file cannot be read.');
  }
}

const file = byId('file', HTMLInputElement);
file.addEventListener('change', () => void openFile(file.files?.[0]));
acceptDroppedFile(byId('drop'), (dropped) => void openFile(dropped));
// The list may have changed when the user returns from a game.
addEventListener('pageshow', showRecentGames);

showRecentGames();
void begin();
