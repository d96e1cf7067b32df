// Words for what is chosen before a game: the values of options, and who can be asked to play.

import { called } from './names.js';

/**
 * The value of an option: `true` is yes, and the name of a square stays as it is.
 * @param {string} value
 */
export function niceValue(value) {
  return value === 'true' ? 'yes' : value === 'false' ? 'no' : /^[a-z]+\d+$/.test(value) ? value : called(value);
}

/**
 * How one of the opponents is called in a list.
 * @param {{ who: string, name: string, kind: string }} opponent
 */
export function opponentName(opponent) {
  const level = /^player:level(\d+)$/.exec(opponent.who);
  if (level) {
    const about = LEVELS[Number(level[1])];
    return `Level ${level[1]}${about ? ` (${about})` : ''}`;
  }
  const about = PLAYERS[opponent.who];
  return about ? `${called(opponent.name)} (${about})` : opponent.name;
}

/** @type {Record<number, string>} What to expect of some levels. */
const LEVELS = { 1: 'overlooks much', 10: 'the strongest' };

/** @type {Record<string, string>} What the other players of ours do. */
const PLAYERS = {
  'player:random': 'any legal move',
  'player:greedy': 'takes what it can',
  'player:mcts': 'tries moves out',
  'player:search': 'looks ahead',
};
