// The recent games of this browser. The key of a seat is only in its link, so closing the tab would lose the game without this.
import { playerNames } from './names.js';
import { loadJson, save } from './storage.js';

/**
 * @typedef {object} RecentGame
 * @property {string} id The id of the room.
 * @property {string} href The link with the user's key.
 * @property {string} title The title of the game.
 * @property {string} who The user's role: `You play White`.
 * @property {number} when Milliseconds since 1970.
 */

const KEY = 'tabiya-recent';
const MAX_GAMES = 12;

/** @returns {RecentGame[]} Newest first. */
export function recentGames() {
  const saved = loadJson('localStorage', KEY);
  return Array.isArray(saved) ? saved.filter(isValid) : [];
}

/** @param {RecentGame} game */
export function addRecentGame(game) {
  store([game, ...recentGames().filter((other) => other.id !== game.id)].slice(0, MAX_GAMES));
}

/**
 * Adds the game of a link that was opened, unless it is known.
 * @param {import('./types.js').RoomView} room
 * @param {string} key
 */
export function addVisitedGame({ id, game, you }, key) {
  if (recentGames().some((known) => known.id === id)) return;
  const who = you.length === game.players.length ? 'You play all sides' : `You play ${playerNames(game, you)}`;
  addRecentGame({ id, href: `/play#${id}.${key}`, title: game.title, who, when: Date.now() });
}

/** @param {string} id */
export function removeRecentGame(id) {
  store(recentGames().filter((game) => game.id !== id));
}

/** @param {RecentGame[]} games */
const store = (games) => save('localStorage', KEY, JSON.stringify(games));

/**
 * Checks a stored entry. Only links to our own pages are accepted.
 * @param {unknown} game
 * @returns {game is RecentGame}
 */
function isValid(game) {
  if (typeof game !== 'object' || game === null) return false;
  const { id, href, title, who, when } = /** @type {Record<string, unknown>} */ (game);
  return (
    typeof id === 'string' && typeof href === 'string' && /^\/(play|watch)#/.test(href) &&
    typeof title === 'string' && typeof who === 'string' && typeof when === 'number'
  );
}
