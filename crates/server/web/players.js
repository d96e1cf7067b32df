// The players around the board: name, colour, who sits there, whether anybody is there, and the clock.
import { el } from './build.js';
import { clockText } from './clocks.js';
import { called, playerName } from './names.js';
import { emblem, swatch } from './pieces.js';

/** @typedef {import('./types.js').RoomView} RoomView */

/** Who sits there, in words. @param {import('./types.js').SeatView | undefined} seat */
function sitter(seat) {
  if (!seat || seat.kind === 'human') return 'person';
  return seat.name.replace(/^level_?(\d+)$/i, 'level $1') || seat.kind;
}

/**
 * Players in bars above and below the board, each on the side on which he sits as seen: what is not below is above.
 * @param {HTMLElement} top
 * @param {HTMLElement} bottom
 * @param {RoomView} table
 * @param {number} turn how the board is turned
 */
export function seatPlayers(top, bottom, table, turn) {
  const { game, state, you, seats, present } = table;
  /** @type {HTMLElement[][]} */
  const sides = [[], [], [], []];
  game.players.forEach((player, index) => {
    const isHere = present.includes(index);
    const isYours = you.includes(index) && you.length < game.players.length;
    const isOut = state.out.includes(index);
    const card = el('li', { class: 'player', 'data-player': player.name, 'data-turn': String(!state.end && state.mover === index), 'data-out': String(isOut) },
      swatch(game, emblem(game), index),
      el('span', { class: 'who' },
        el('span', { class: 'name' }, playerName(game, index),
          isYours && el('span', { class: 'tag' }, 'you'),
          state.check.includes(index) && el('span', { class: 'tag bad' }, 'check'),
          state.frozen.includes(index) && el('span', { class: 'tag' }, '❄ frozen'),
          isOut && el('span', { class: 'tag' }, 'out'),
          state.end?.winners.includes(index) && el('span', { class: 'tag good' }, 'won')),
        el('span', { class: 'seat' },
          el('span', { class: 'sitter' },
            el('span', { class: 'presence', 'data-here': String(isHere), title: isHere ? 'is here' : 'is away' }),
            sitter(seats[index]),
            el('span', { class: 'hidden-text' }, isHere ? ', is here' : ', is away')),
          player.team && el('span', {}, `· ${called(player.team)}`))),
      state.clocks.length > 0 && el('span', { class: 'clock', role: 'timer', 'aria-label': `Time of ${playerName(game, index)}` }, clockText(state.clocks[index] ?? 0)));
    const side = (player.turn - turn + 4) % 4;
    sides[side]?.push(card);
  });
  const [below = [], right = [], above = [], left = []] = sides;
  const others = [...left, ...above, ...right];
  const many = String(game.players.length > 2);
  top.dataset.many = many;
  bottom.dataset.many = many;
  top.replaceChildren(...others);
  bottom.replaceChildren(...below);
}

/** One clock. @param {string} name @param {number} ms @param {boolean} isRunning */
export function showClock(name, ms, isRunning) {
  const clock = document.querySelector(`[data-player="${CSS.escape(name)}"] .clock`);
  if (!(clock instanceof HTMLElement)) return;
  const text = clockText(ms);
  if (clock.textContent !== text) clock.textContent = text;
  clock.dataset.running = String(isRunning);
  clock.dataset.low = String(ms < 20000);
}
