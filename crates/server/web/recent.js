// The tables of this browser. The key of a seat is only in its link; whoever closes the tab would lose the game without this.

/**
 * @typedef {object} Recent
 * @property {string} id The table.
 * @property {string} href Its link, with the key of one's own seat.
 * @property {string} title The game.
 * @property {string} who What one is there: `You play White`.
 * @property {number} when In milliseconds since 1970.
 */

const KEY = 'tabiya-recent';
const MOST = 12;

/** @returns {Recent[]} Newest first. */
export function recent() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(sound) : [];
  } catch {
    return [];
  }
}

/** @param {Recent} table */
export function remember(table) {
  keep([table, ...recent().filter((other) => other.id !== table.id)].slice(0, MOST));
}

/** @param {string} id */
export function forget(id) {
  keep(recent().filter((table) => table.id !== id));
}

/** @param {Recent[]} tables */
function keep(tables) {
  try {
    localStorage.setItem(KEY, JSON.stringify(tables));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/**
 * Links that were kept are used as links: only those of our own pages are.
 * @param {unknown} table
 * @returns {table is Recent}
 */
function sound(table) {
  if (typeof table !== 'object' || table === null) return false;
  const { id, href, title, who, when } = /** @type {Record<string, unknown>} */ (table);
  return (
    typeof id === 'string' && typeof href === 'string' && /^\/(play|watch)#/.test(href) &&
    typeof title === 'string' && typeof who === 'string' && typeof when === 'number'
  );
}
