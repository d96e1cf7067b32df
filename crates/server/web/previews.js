// Starting positions for small drawings. They are loaded two at a time and kept for the session. A choice of rules needs a check
// of the whole spec.
import { check, gameBoard, gameText } from './api.js';
import { loadJson, save } from './storage.js';

/** @typedef {import('./types.js').ChoiceBody} ChoiceBody */
/** @typedef {import('./types.js').LibraryBoard} LibraryBoard */

const MAX_CONCURRENT = 2;
let running = 0;
/** @type {(() => void)[]} */
const waiting = [];

/** @type {Map<string, Promise<string>>} */
const specs = new Map();
/** @type {Map<string, Promise<LibraryBoard>>} */
const drawings = new Map();

/**
 * Returns the starting position of a library game with the given choice.
 * @param {string} name
 * @param {ChoiceBody} [choice]
 * @returns {Promise<LibraryBoard>}
 */
export function drawing(name, choice = { layout: null, preset: null, options: [] }) {
  const key = `tabiya-drawing-${name} ${JSON.stringify(choice)}`;
  return memoized(drawings, key, async () => loadJson('sessionStorage', key) ?? limited(() => fetchDrawing(name, choice, key)));
}

/**
 * @param {string} name
 * @param {ChoiceBody} choice
 * @param {string} key
 */
async function fetchDrawing(name, choice, key) {
  const isSimple = !choice.preset && !choice.options?.length;
  const spec = () => memoized(specs, name, async () => (await gameText(name)).spec);
  const { game, men } = isSimple ? await gameBoard(name, choice.layout) : await checkedGame(await spec(), choice);
  save('sessionStorage', key, JSON.stringify({ game, men }));
  return { game, men };
}

/**
 * Returns the game of a text, with the given choice.
 * @param {string} spec
 * @param {ChoiceBody} choice
 */
export async function checkedGame(spec, choice) {
  const checked = await check({ spec, choice });
  if (!checked.game) throw new Error(checked.diagnostics[0]?.message ?? 'This game cannot be played.');
  return checked.game;
}

/**
 * Returns the cached promise of a key. A promise that fails is removed.
 * @template T
 * @param {Map<string, Promise<T>>} cache
 * @param {string} key
 * @param {() => Promise<T>} make
 */
function memoized(cache, key, make) {
  let found = cache.get(key);
  if (!found) {
    found = make();
    cache.set(key, found);
    found.catch(() => cache.delete(key));
  }
  return found;
}

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function limited(work) {
  if (running >= MAX_CONCURRENT) await new Promise((go) => waiting.push(() => go(undefined)));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}
