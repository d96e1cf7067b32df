// What the board looked like after any act: the men at the start, and the squares that each act has changed since.
import { squareName } from './names.js';

/** @typedef {import('./types.js').RoomView} RoomView */
/** @typedef {import('./types.js').ActionView} ActionView */
/** @typedef {import('./types.js').PieceView} PieceView */

/**
 * The men after so many acts.
 * @param {PieceView[]} start
 * @param {ActionView[]} acts
 * @param {number} count
 */
export function menAfter(start, acts, count) {
  /** @type {Map<string, PieceView[]>} */
  const squares = new Map();
  for (const man of start) squares.set(squareName(man.at), [...(squares.get(squareName(man.at)) ?? []), man]);
  for (const act of acts.slice(0, count)) {
    for (const [square, men] of act.changes) squares.set(squareName(square), men);
  }
  return [...squares.values()].flat();
}

/** How many acts lie before each position that can be looked at: the start, and after each change. @param {ActionView[]} acts */
export function stops(acts) {
  return [0, ...acts.filter((act) => act.changes.length || act.squares).map((act) => act.n + 1)];
}

/** The last move among so many acts. @param {ActionView[]} acts @param {number} count */
export function lastMove(acts, count) {
  return acts.slice(0, count).filter((act) => act.squares).at(-1);
}

/** Where the leaders of some players stand. @param {import('./types.js').GameView} game @param {PieceView[]} men @param {number[]} players */
export function leadersOf(game, men, players) {
  return men.filter((man) => man.kind === game.leader && players.includes(man.player)).map((man) => man.at);
}
