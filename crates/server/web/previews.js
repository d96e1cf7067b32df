// Starting positions for small drawings. They are loaded two at a time and kept for the session. A choice other than the default
// needs a check of the whole spec.
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
  const isDefault = !choice.layout && !choice.preset && !choice.options?.length;
  const { game, men } = isDefault ? await gameBoard(name) : await checkedGame(name, choice);
  save('sessionStorage', key, JSON.stringify({ game, men }));
  return { game, men };
}

/**
 * @param {string} name
 * @param {ChoiceBody} choice
 */
async function checkedGame(name, choice) {
  const spec = await memoized(specs, name, async () => (await gameText(name)).spec);
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
