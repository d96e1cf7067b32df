// How a game stands, in words: whose turn it is, what else there is to know, and how it ended.
import { called, kindName, playerName, playerNames, squareName } from './names.js';

/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {import('./types.js').StateView} StateView */
/** @typedef {import('./types.js').RoomView} RoomView */
/** @typedef {import('./types.js').ExchangeOffer} ExchangeOffer */
/** @typedef {import('./types.js').ActionView} ActionView */

/** What a rule is called inside a sentence. @type {Record<string, string>} */
const RULES = {
  fifty_move_rule: 'the fifty-move rule',
  seventy_five_move_rule: 'the seventy-five-move rule',
  quiet: 'too many quiet turns',
  nobody_can_move: 'nobody can move',
};

/** @param {string} code */
export const ruleName = (code) => RULES[code] ?? called(code.toUpperCase()).toLowerCase();

/** @param {GameView} game */
const leader = (game) => (game.leader === null ? 'leader' : kindName(game, game.leader));

/** What a program does that is no chess, and ends its game. @type {Record<string, string>} */
const FAULTS = {
  malformed: 'gave an answer that cannot be read',
  illegal: 'wanted what the rules do not allow',
  timeout: 'did not answer in time',
  exited: 'ended in the middle of the game',
  closed: 'closed the line',
  too_long: 'wrote more than one answer may hold',
  unsolicited: 'spoke without being asked',
  could_not_start: 'could not be started',
  unreachable: 'could not be reached',
  no_answer: 'found nothing to answer',
  broken: 'broke down',
};

/** What happened to a player, where nobody said anything: `White's flag fell`. @param {GameView} game @param {ActionView | undefined} act */
function mishap(game, act) {
  if (!act || act.san !== undefined) return null;
  const whose = `${playerName(game, act.by ?? act.player)}'s`;
  if (act.text === 'flag') return `${whose} flag fell`;
  const fault = FAULTS[act.text];
  return fault === undefined ? null : `${whose} program ${fault}`;
}

/** `Checkmate: White wins`. @param {GameView} game @param {import('./types.js').EndView} end @param {ActionView} [last] what was done last */
export function ending(game, { winners, reason }, last) {
  const what = mishap(game, last);
  if (what !== null) {
    if (winners.length) return `${what}: ${wins(game, winners)}`;
    if (last?.text === 'flag') return `${what}, but the other side cannot win: a draw`;
    return `${what}: the game is broken off`;
  }
  if (!winners.length) {
    if (reason === 'too_long') return 'The game was too long: it is broken off';
    if (reason === 'stalemate') return 'Stalemate: a draw';
    if (reason === 'nobody_can_move') return 'Nobody can move: a draw';
    return `Draw by ${ruleName(reason)}`;
  }
  /** @type {Record<string, string>} */
  const own = { leader_captured: `${called(leader(game))} captured`, timeout: 'Time is up', held: 'The squares that count are held' };
  return `${own[reason] ?? called(reason.toUpperCase())}: ${wins(game, winners)}`;
}

/** @param {GameView} game @param {number[]} winners */
const wins = (game, winners) => `${playerNames(game, winners)} ${winners.length > 1 ? 'win' : 'wins'}`;

/** Whose turn it is. @param {RoomView} table @returns {{text: string, yours: boolean}} */
export function turn({ game, state, you, seats }) {
  if (state.end) return { text: 'The game is over.', yours: false };
  const { actor, mover } = state;
  const yours = you.includes(actor);
  const name = playerName(game, actor);
  if (state.proposal) return { text: yours ? 'Answer the exchange' : `${name} is asked about an exchange`, yours };
  if (yours && state.can?.throw) return { text: you.length === 1 ? 'Throw the die' : `${name} throws the die`, yours };
  const army = actor === mover ? '' : ` for ${playerName(game, mover)}`;
  const check = state.check.includes(mover) ? ', in check' : '';
  if (yours && you.length === 1) return { text: `Your move${army}${check}`, yours };
  if (yours || seats[actor]?.kind === 'human') return { text: `${name} to move${army}${check}`, yours };
  return { text: `${name} is thinking${army}${check}…`, yours };
}

/** What else there is to know, sentence by sentence. @param {GameView} game @param {StateView} state */
export function facts(game, state) {
  const told = [];
  const king = leader(game);
  for (const player of state.check) if (player !== state.mover && !state.end) told.push(`${playerName(game, player)} is in check.`);
  for (const [whose, by] of state.captives) told.push(`${playerName(game, whose)}'s ${king} is held captive by ${playerName(game, by)}.`);
  if (state.frozen.length) told.push(`${state.frozen.length > 1 ? 'The armies' : 'The army'} of ${playerNames(game, state.frozen)} ${state.frozen.length > 1 ? 'are' : 'is'} frozen.`);
  for (const [whose, by] of state.controlled) told.push(`${playerName(game, by)} moves ${playerName(game, whose)}'s army.`);
  if (state.out.length) told.push(`${playerNames(game, state.out)} ${state.out.length > 1 ? 'are' : 'is'} out of the game.`);
  if (state.holding.length) told.push(`${playerNames(game, state.holding)} ${state.holding.length > 1 ? 'hold' : 'holds'} the squares that count.`);
  if (state.resigning.length && !state.end) told.push(`${playerNames(game, state.resigning)} would resign, if the partner did.`);
  if (state.die !== null && !state.end) told.push(`The die shows ${state.die}.`);
  if (state.repetitions > 1 && !state.end) told.push(`This position is here for the ${ordinal(state.repetitions)} time.`);
  return told;
}

/** What waits for an answer. @param {RoomView} table */
export function offers({ game, state }) {
  if (state.end) return [];
  const { offer } = state;
  return [
    ...(offer === null ? [] : [`${playerName(game, offer)} offers a draw.`]),
    ...(state.proposal ? [exchange(game, state.proposal)] : []),
  ];
}

/** @param {number} number */
function ordinal(number) {
  return ['first', 'second', 'third', 'fourth', 'fifth'][number - 1] ?? `${number}th`;
}

/** @param {GameView} game @param {ExchangeOffer} offer */
export function exchange(game, { proposer, asked, given }) {
  const king = leader(game);
  return `${playerName(game, proposer)} proposes to exchange prisoners: ${playerName(game, asked[0])}'s ${king} comes back on ${squareName(asked[1])}, ${playerName(game, given[0])}'s ${king} on ${squareName(given[1])}.`;
}

/** What somebody said, as a sentence; nothing for moves. @param {GameView} game @param {ActionView} act */
export function saying(game, act) {
  const what = mishap(game, act);
  if (what !== null) return `${what}.`;
  const name = playerName(game, act.by ?? act.player);
  const [word = '', ...rest] = act.text.split(' ');
  if (word === 'claim') return `${name} claims ${ruleName(rest[0] ?? '')}.`;
  if (word === 'withdraw') return `${name} hands the army over to ${called(rest.join(' '))}.`;
  /** @type {Record<string, string>} */
  const words = {
    draw: 'offers a draw.', accept: 'accepts.', decline: 'declines.', resign: 'resigns.',
    exchange: 'proposes to exchange prisoners.', throw: 'throws the die.',
  };
  return `${name} ${words[word] ?? `says: ${act.text}`}`;
}
