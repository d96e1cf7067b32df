// The state of a game in sentences: whose turn it is, other facts, and the result.
import { counterName, displayName, kindName, playerName, playerNames, squareName } from './names.js';

/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {import('./types.js').StateView} StateView */
/** @typedef {import('./types.js').RoomView} RoomView */
/** @typedef {import('./types.js').ExchangeOffer} ExchangeOffer */
/** @typedef {import('./types.js').ActionView} ActionView */

/** Rules whose name in a sentence differs from their code. @type {Record<string, string>} */
const RULES = {
  fifty_move_rule: 'the fifty-move rule',
  seventy_five_move_rule: 'the seventy-five-move rule',
  quiet: 'too many quiet turns',
};

/** @param {string} code */
export const ruleName = (code) => RULES[code] ?? displayName(code.toUpperCase()).toLowerCase();

/** @param {GameView} game */
const leaderName = (game) => (game.leader === null ? 'leader' : kindName(game, game.leader));

/** Faults of a program that end its game. @type {Record<string, string>} */
const FAULTS = {
  malformed: 'gave a malformed answer',
  illegal: 'made an illegal move',
  timeout: 'did not answer in time',
  exited: 'ended during the game',
  closed: 'closed the connection',
  too_long: 'gave an answer that is too long',
  unsolicited: 'sent a message without being asked',
  could_not_start: 'could not be started',
  unreachable: 'could not be reached',
  no_answer: 'found no answer',
  broken: 'crashed',
};

/** `White's flag fell`; `null` for an action of a player. @param {GameView} game @param {ActionView | undefined} action */
function faultText(game, action) {
  if (!action || action.san !== undefined) return null;
  if (action.text === 'left') return `${playerName(game, action.by ?? action.player)} left the game`;
  const owner = `${playerName(game, action.by ?? action.player)}'s`;
  if (action.text === 'flag') return `${owner} flag fell`;
  const fault = FAULTS[action.text];
  return fault === undefined ? null : `${owner} program ${fault}`;
}

/** `Checkmate: White wins`. @param {GameView} game @param {import('./types.js').EndView} end @param {ActionView} [last] */
export function resultText(game, { winners, reason }, last) {
  if (reason === 'no_opponent') return 'Not everyone came: game aborted';
  if (reason === 'too_complex') return 'The game has become too large for this server: game aborted';
  const fault = faultText(game, last);
  const wins = `${playerNames(game, winners)} ${winners.length > 1 ? 'win' : 'wins'}`;
  if (fault !== null) {
    if (winners.length) return `${fault}: ${wins}`;
    if (last?.text === 'flag') return `${fault}, but the opponent cannot win: draw`;
    return `${fault}: game aborted`;
  }
  if (!winners.length) {
    if (reason === 'max_plies') return 'Too many moves: draw';
    if (reason === 'stalemate') return 'Stalemate: draw';
    if (reason === 'nobody_can_move') return 'No player can move: draw';
    return `Draw by ${ruleName(reason)}`;
  }
  /** @type {Record<string, string>} */
  const reasons = { leader_captured: `${displayName(leaderName(game))} captured`, timeout: 'Time is up', held: 'Goal squares held' };
  return `${reasons[reason] ?? displayName(reason.toUpperCase())}: ${wins}`;
}

/** Says whose turn it is. @param {RoomView} room @returns {{text: string, yours: boolean}} */
export function turnText({ game, state, you, seats, people }) {
  if (state.end) return { text: 'The game is over.', yours: false };
  if (people.missing.length && !you.includes(state.actor)) return { text: `Waiting for ${playerNames(game, people.missing)}`, yours: false };
  const { actor, mover } = state;
  const yours = you.includes(actor);
  const name = playerName(game, actor);
  if (state.proposal) return { text: yours ? 'Answer the exchange' : `${name} must answer an exchange`, yours };
  if (yours && state.can?.throw) return { text: you.length === 1 ? 'Throw the die' : `${name} throws the die`, yours };
  const army = actor === mover ? '' : ` for ${playerName(game, mover)}`;
  const check = state.check.includes(mover) ? ', in check' : '';
  if (yours && you.length === 1) return { text: `Your move${army}${check}`, yours };
  if (yours || seats[actor]?.kind === 'human') return { text: `${name} to move${army}${check}`, yours };
  return { text: `${name} is thinking${army}${check}…`, yours };
}

/** Lists other facts about the state. @param {GameView} game @param {StateView} state */
export function facts(game, state) {
  const leader = leaderName(game);
  const isOver = state.end !== null;
  const is = (/** @type {number[]} */ players) => (players.length > 1 ? 'are' : 'is');
  const found = [];
  for (const player of state.check) if (player !== state.mover && !isOver) found.push(`${playerName(game, player)} is in check.`);
  for (const [owner, captor] of state.captives) found.push(`${playerName(game, captor)} holds ${playerName(game, owner)}'s ${leader} captive.`);
  if (state.frozen.length) found.push(`${state.frozen.length > 1 ? 'The armies' : 'The army'} of ${playerNames(game, state.frozen)} ${is(state.frozen)} frozen.`);
  for (const [owner, controller] of state.controlled) found.push(`${playerName(game, controller)} moves ${playerName(game, owner)}'s army.`);
  if (state.out.length) found.push(`${playerNames(game, state.out)} ${is(state.out)} out of the game.`);
  if (state.holding.length) found.push(`${playerNames(game, state.holding)} ${state.holding.length > 1 ? 'hold' : 'holds'} the goal squares.`);
  if (state.resigning.length && !isOver) found.push(`${playerNames(game, state.resigning)} will resign if the partner does.`);
  if (state.die !== null && !isOver) found.push(`The die shows ${state.die}.`);
  game.counters.forEach(({ code, per_player, max }, i) => per_player || found.push(`${displayName(counterName(code))} ${state.counters[i]?.[0] ?? 0}/${max}.`));
  if (state.repetitions > 1 && !isOver) found.push(`This position has occurred ${state.repetitions} times.`);
  return found;
}

/** Lists the offers that await an answer. @param {RoomView} room */
export function offers({ game, state }) {
  if (state.end) return [];
  return [
    ...(state.offer === null ? [] : [`${playerName(game, state.offer)} offers a draw.`]),
    ...(state.proposal ? [exchangeText(game, state.proposal)] : []),
  ];
}

/** @param {GameView} game @param {ExchangeOffer} offer */
export function exchangeText(game, { proposer, asked, given }) {
  const leader = leaderName(game);
  return `${playerName(game, proposer)} proposes to exchange captives: ${playerName(game, asked[0])}'s ${leader} returns on ${squareName(asked[1])}, ${playerName(game, given[0])}'s ${leader} on ${squareName(given[1])}.`;
}

/** Describes an action other than a move. @param {GameView} game @param {ActionView} action */
export function actionText(game, action) {
  if (action.text === 'no_opponent' || action.text === 'too_complex') return 'The game is aborted.';
  const fault = faultText(game, action);
  if (fault !== null) return `${fault}.`;
  const name = playerName(game, action.by ?? action.player);
  const [word = '', ...rest] = action.text.split(' ');
  if (word === 'claim') return `${name} claims ${ruleName(rest[0] ?? '')}.`;
  if (word === 'withdraw') return `${name} hands the army to ${displayName(rest.join(' '))}.`;
  /** @type {Record<string, string>} */
  const verbs = {
    draw: 'offers a draw', accept: 'accepts', decline: 'declines', resign: 'resigns',
    exchange: 'proposes to exchange captives', throw: 'throws the die',
  };
  return `${name} ${verbs[word] ?? `plays ${action.text}`}.`;
}
