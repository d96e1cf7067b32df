// The shelf of games on the first page: a card for each, with a drawing of its start that comes when the card is in sight.

import { el } from './build.js';
import { drawing } from './previews.js';

/** @typedef {import('./types.js').LibraryGame} LibraryGame */

/** What most people look for comes first, and what is most unlike it next. */
const FIRST = ['chess', 'enochian'];

/**
 * @param {readonly LibraryGame[]} games
 * @returns {LibraryGame[]}
 */
export function inOrder(games) {
  const place = (/** @type {LibraryGame} */ game) => {
    const at = FIRST.indexOf(game.name);
    return at < 0 ? FIRST.length : at;
  };
  return [...games].sort((a, b) => place(a) - place(b));
}

/**
 * @param {HTMLElement} host
 * @param {readonly LibraryGame[]} games
 * @param {(game: LibraryGame) => void} choose
 */
export function shelve(host, games, choose) {
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        seen.unobserve(entry.target);
        void draw(/** @type {HTMLElement} */ (entry.target));
      }
    },
    { rootMargin: '100px' },
  );
  host.replaceChildren(
    ...games.map((game) => {
      const place = el('span', { class: 'drawing-place', 'aria-hidden': 'true', 'data-draw': game.name });
      const card = el(
        'button',
        { type: 'button', class: 'card game', 'data-game': game.name },
        place,
        el('span', { class: 'game-title' }, game.title),
        el('span', { class: 'game-about muted small' }, game.about),
        el('span', { class: 'row game-tags' }, ...facts(game).map((fact) => el('span', { class: 'tag' }, fact))),
      );
      card.addEventListener('click', () => choose(game));
      return el('li', {}, card);
    }),
  );
  // First the page, then its pictures.
  const begin = () => host.querySelectorAll('[data-draw]').forEach((place) => seen.observe(place));
  if (document.readyState === 'complete') begin();
  else addEventListener('load', begin, { once: true });
}

/** @param {LibraryGame} game */
function facts(game) {
  const teams = game.players.some((player) => player.team !== null);
  return [
    `${game.players.length} players${teams ? ' in teams' : ''}`,
    `${game.files} × ${game.ranks}`,
    ...(game.offer.layouts.length > 0 ? [`${game.offer.layouts.length} arrays`] : []),
  ];
}

/** @param {HTMLElement} place */
async function draw(place) {
  try {
    const { game, men } = await drawing(place.dataset.draw ?? '');
    // The page is there before it can draw: what draws is the larger part of it.
    const { Board } = await import('./board.js');
    new Board(place, game, { small: true, label: game.title }).show({ men });
    place.classList.add('drawn');
  } catch {
    // A card without its drawing still opens the game.
    place.classList.add('undrawn');
  }
}
