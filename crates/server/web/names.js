// Names of players, pieces, squares and options as people read them. Specs write them in capitals (`WHITE`).

/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {import('./types.js').Square} Square */

/** `WHITE` becomes `White`, `LEADER_CAPTURED` becomes `Leader captured`. Mixed case is kept. @param {string} name */
export function displayName(name) {
  const spaced = name.replaceAll('_', ' ');
  const lowered = spaced === spaced.toUpperCase() ? spaced.toLowerCase() : spaced;
  return lowered.charAt(0).toUpperCase() + lowered.slice(1);
}

/** Adds the capital and the full stop of a sentence. @param {string} words */
export const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?…]$/.test(words) ? '' : '.');

/** `1 square`, `2 squares`. @param {number} number @param {string} noun */
export const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** `White, Black and Red`. @param {string[]} names */
export function list(names) {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** @param {GameView} game @param {number} player */
export const playerName = (game, player) => displayName(game.players[player]?.name ?? `Player ${player + 1}`);

/** @param {GameView} game @param {number[]} players */
export const playerNames = (game, players) => list(players.map((player) => playerName(game, player)));

/** `KNIGHT` becomes `knight`, `QPAWN` becomes `queen's pawn`. @param {GameView} game @param {number} kind */
export function kindName(game, kind) {
  const code = game.kinds[kind]?.code ?? '?';
  const patron = /^(.)_?PAWN$/i.exec(code);
  const owner = patron && game.kinds.find((other) => other.letter === patron[1] && other.code !== code);
  return owner ? `${displayName(owner.code).toLowerCase()}'s pawn` : displayName(code).toLowerCase();
}

/** `White knight`. @param {GameView} game @param {{kind: number, player: number}} piece */
export const pieceName = (game, piece) => `${playerName(game, piece.player)} ${kindName(game, piece.kind)}`;

/** Column letters: a … z, aa, ab … unless the game has its own. @param {number} x @param {GameView} [game] @returns {string} */
export const fileName = (x, game) => game?.file_letters?.[x] ?? (x >= 26 ? fileName(Math.floor(x / 26) - 1) : '') + String.fromCharCode(97 + (x % 26));

/** `8 × 8`, or `5 × 5 × 5`. @param {number} files @param {number} ranks @param {number} levels */
export const boardSize = (files, ranks, levels) => `${files} × ${ranks}${levels > 1 ? ` × ${levels}` : ''}`;

/** `e4`. On levels and hexagons it is only a key: rows are counted through all levels. @param {Square} square */
export const squareName = ([x, y]) => `${fileName(x)}${y + 1}`;

/** `⚄`, or `[8]` for a die with more than six faces. @param {number} face */
export const dieFace = (face) => (face >= 1 && face <= 6 ? String.fromCodePoint(0x267f + face) : `[${face}]`);

/** `CHECKS_GIVEN` becomes `checks given`. Mixed case is kept. @param {string} code */
export const counterName = (code) => (code === code.toUpperCase() ? displayName(code).toLowerCase() : code.replaceAll('_', ' '));

/** The value of an option: `true` becomes `yes`; the name of a square is kept. @param {string} value */
export function optionValue(value) {
  return value === 'true' ? 'yes' : value === 'false' ? 'no' : /^[a-z]+\d+$/.test(value) ? value : displayName(value);
}

/** The label of an opponent in a list. @param {import('./types.js').Opponent} opponent */
export function opponentName({ who, name }) {
  const level = /^player:level(\d+)$/.exec(who)?.[1];
  const about = OPPONENTS[who];
  const label = level ? `Level ${level}` : about ? displayName(name) : name;
  return about ? `${label} (${about})` : label;
}

/** @type {Record<string, string>} */
const OPPONENTS = {
  'player:level1': 'beginner',
  'player:level10': 'the strongest',
  'player:random': 'any legal move',
  'player:greedy': 'captures what it can',
  'player:mcts': 'Monte Carlo tree search',
  'player:search': 'alpha-beta search',
};
