// How things of a game are called in sentences. Specs shout (`WHITE`, `THREEFOLD_REPETITION`); people do not.

/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {import('./types.js').Square} Square */

/** `WHITE` as `White`, `LEADER_CAPTURED` as `Leader captured`; what is not all capitals stays as it is. @param {string} name */
export function called(name) {
  const spaced = name.replaceAll('_', ' ');
  const quiet = spaced === spaced.toUpperCase() ? spaced.toLowerCase() : spaced;
  return quiet.charAt(0).toUpperCase() + quiet.slice(1);
}

/** A sentence as one begins and ends it. @param {string} words */
export const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?…]$/.test(words) ? '' : '.');

/** `White, Black and Red`. @param {string[]} names @param {string} [last] */
export function list(names, last = 'and') {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}

/** @param {GameView} game @param {number} player */
export const playerName = (game, player) => called(game.players[player]?.name ?? `Player ${player + 1}`);

/** @param {GameView} game @param {number[]} players */
export const playerNames = (game, players) => list(players.map((player) => playerName(game, player)));

/** `KNIGHT` as `knight`, `QPAWN` as `queen's pawn`. @param {GameView} game @param {number} kind */
export function kindName(game, kind) {
  const code = game.kinds[kind]?.code ?? '?';
  const patron = /^(.)_?PAWN$/i.exec(code);
  const whose = patron && game.kinds.find((other) => other.letter === patron[1] && other.code !== code);
  return whose ? `${called(whose.code).toLowerCase()}'s pawn` : called(code).toLowerCase();
}

/** `white knight`. @param {GameView} game @param {{kind: number, player: number}} man */
export const manName = (game, man) => `${playerName(game, man.player)} ${kindName(game, man.kind)}`;

/** The letters of a column: a … z, aa, ab … @param {number} x @returns {string} */
export const fileName = (x) => (x >= 26 ? fileName(Math.floor(x / 26) - 1) : '') + String.fromCharCode(97 + (x % 26));

/** `e4`. @param {Square} square */
export const squareName = ([x, y]) => `${fileName(x)}${y + 1}`;

/** `⚄`, or `[8]` for a die with more faces than that. @param {number} face */
export const dieFace = (face) => (face >= 1 && face <= 6 ? String.fromCodePoint(0x267f + face) : `[${face}]`);
