// The game cards of the home page. The board of a card is drawn when the card becomes visible.
import { el } from './dom.js';
import { boardSize } from './names.js';
import { drawing } from './previews.js';

/** @typedef {import('./types.js').LibraryGame} LibraryGame */

/** The array on the card of a game, where it is not the first position of the file. @type {Record<string, string>} */
export const CARD_LAYOUTS = { enochian: 'Fire of Fire' };

/** Games at the top of the list. */
const FIRST = ['chess', 'enochian'];

/** @param {readonly LibraryGame[]} games */
export function sortGames(games) {
  const rank = (/** @type {LibraryGame} */ { name }) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return [...games].sort((a, b) => rank(a) - rank(b));
}

/**
 * @param {HTMLElement} host
 * @param {readonly LibraryGame[]} games
 * @param {(game: LibraryGame) => void} choose
 */
export function showGameCards(host, games, choose) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        observer.unobserve(entry.target);
        void draw(/** @type {HTMLElement} */ (entry.target));
      }
    },
    { rootMargin: '100px' },
  );
  host.replaceChildren(
    ...games.map((game) => {
      const card = el(
        'button',
        { type: 'button', class: 'card game', 'data-game': game.name, onclick: () => choose(game) },
        el('span', { class: 'drawing-place', 'aria-hidden': 'true', 'data-draw': game.name }),
        el('span', { class: 'game-title' }, game.title),
        el('span', { class: 'game-about muted small' }, game.about),
        el('span', { class: 'row game-tags' }, ...tags(game).map((tag) => el('span', { class: 'tag' }, tag))),
      );
      return el('li', {}, card);
    }),
  );
  // Load the page before its drawings.
  const begin = () => host.querySelectorAll('[data-draw]').forEach((place) => observer.observe(place));
  if (document.readyState === 'complete') begin();
  else addEventListener('load', begin, { once: true });
}

/** @param {LibraryGame} game */
function tags(game) {
  const hasTeams = game.players.some((player) => player.team !== null);
  return [
    `${game.players.length} players${hasTeams ? ' in teams' : ''}`,
    boardSize(game.files, game.ranks, game.levels),
    ...(game.offer.layouts.length > 0 ? [`${game.offer.layouts.length} arrays`] : []),
  ];
}

/** @param {HTMLElement} place */
async function draw(place) {
  try {
    const name = place.dataset.draw ?? '';
    const { game, men } = await drawing(name, { layout: CARD_LAYOUTS[name] ?? null, preset: null, options: [] });
    // The board code is the larger part of the page, so it is loaded late.
    const { Board } = await import('./board.js');
    new Board(place, game, { small: true, label: game.title }).show({ pieces: men });
    if (game.layout) place.dataset.layout = game.layout;
    place.classList.add('drawn');
  } catch {
    // A card without a drawing still opens the game.
    place.classList.add('undrawn');
  }
}
