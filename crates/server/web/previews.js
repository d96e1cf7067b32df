// The start of a game, for small drawings of it: asked for only when the drawing comes into sight, two games at a time, and
// kept as long as the tab. With another array than the game's own the whole game is looked at, which takes its text.

import { check, gameBoard, gameText } from './api.js';

/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {import('./types.js').PieceView} PieceView */
/** @typedef {import('./types.js').ChoiceBody} ChoiceBody */
/** @typedef {{ game: GameView, men: PieceView[] }} Drawing */

const AT_ONCE = 2;
let busy = 0;
/** @type {(() => void)[]} */
const waiting = [];

/** @type {Map<string, Promise<string>>} */
const texts = new Map();
/** @type {Map<string, Promise<Drawing>>} */
const drawings = new Map();

/**
 * The board and the men of a library game, with what is chosen of it.
 * @param {string} name
 * @param {ChoiceBody} [choice]
 * @returns {Promise<Drawing>}
 */
export function drawing(name, choice = { layout: null, preset: null, options: [] }) {
  const key = `tabiya-drawing-${name} ${JSON.stringify(choice)}`;
  let found = drawings.get(key);
  if (!found) {
    found = kept(key) ?? inTurn(() => ask(name, choice, key));
    drawings.set(key, found);
    // What failed may be asked for again.
    found.catch(() => drawings.delete(key));
  }
  return found;
}

/**
 * @param {string} name
 * @param {ChoiceBody} choice
 * @param {string} key
 */
async function ask(name, choice, key) {
  const isPlain = !choice.layout && !choice.preset && !choice.options?.length;
  const { game, men } = isPlain ? await gameBoard(name) : await look(name, choice);
  try {
    sessionStorage.setItem(key, JSON.stringify({ game, men }));
  } catch {
    // It is only for speed.
  }
  return { game, men };
}

/**
 * @param {string} name
 * @param {ChoiceBody} choice
 */
async function look(name, choice) {
  let text = texts.get(name);
  if (!text) {
    text = gameText(name).then((answer) => answer.spec);
    texts.set(name, text);
    text.catch(() => texts.delete(name));
  }
  const checked = await check({ spec: await text, choice });
  if (!checked.game) throw new Error(checked.diagnostics[0]?.message ?? 'This game cannot be played.');
  return checked.game;
}

/** @param {string} key */
function kept(key) {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? null : Promise.resolve(/** @type {Drawing} */ (JSON.parse(text)));
  } catch {
    return null;
  }
}

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function inTurn(work) {
  if (busy >= AT_ONCE) await new Promise((go) => waiting.push(() => go(undefined)));
  busy += 1;
  try {
    return await work();
  } finally {
    busy -= 1;
    waiting.shift()?.();
  }
}
