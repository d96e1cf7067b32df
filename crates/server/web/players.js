// The player bars above and below the board: name, color, occupant, presence and clock.
import { clockText } from './clocks.js';
import { byId, el } from './dom.js';
import { displayName, playerName } from './names.js';
import { emblem, swatch } from './pieces.js';

/** @typedef {import('./types.js').RoomView} RoomView */

/** @param {import('./types.js').SeatView | undefined} seat */
function occupantName(seat) {
  if (!seat || seat.kind === 'human') return 'person';
  return seat.name.replace(/^level_?(\d+)$/i, 'level $1') || seat.kind;
}

/** Shows each player on its side of the board; players at the left and right go above. @param {RoomView} room @param {number} turn */
export function showPlayerBars({ game, state, you, seats, present }, turn) {
  /** @type {HTMLElement[][]} */
  const sides = [[], [], [], []];
  game.players.forEach((player, index) => {
    const isHere = present.includes(index);
    const isYours = you.includes(index) && you.length < game.players.length;
    const isOut = state.out.includes(index);
    const bar = el('li', { class: 'player', 'data-player': player.name, 'data-turn': String(!state.end && state.mover === index), 'data-out': String(isOut) },
      swatch(game, emblem(game), index),
      el('span', { class: 'who' },
        el('span', { class: 'name' }, playerName(game, index),
          isYours && el('span', { class: 'tag' }, 'you'),
          state.check.includes(index) && el('span', { class: 'tag bad' }, 'check'),
          state.frozen.includes(index) && el('span', { class: 'tag' }, '❄ frozen'),
          isOut && el('span', { class: 'tag' }, 'out'),
          state.end?.winners.includes(index) && el('span', { class: 'tag good' }, 'won')),
        el('span', { class: 'seat' },
          el('span', { class: 'occupant' },
            el('span', { class: 'presence', 'data-here': String(isHere), title: isHere ? 'connected' : 'disconnected' }),
            occupantName(seats[index]),
            el('span', { class: 'hidden-text' }, isHere ? ', connected' : ', disconnected')),
          player.team && el('span', {}, `· ${displayName(player.team)}`))),
      state.clocks.length > 0 && el('span', { class: 'clock', role: 'timer', 'aria-label': `Clock of ${playerName(game, index)}` }, clockText(state.clocks[index] ?? 0)));
    sides[(player.turn - turn + 4) % 4]?.push(bar);
  });
  const [bottom = [], right = [], top = [], left = []] = sides;
  for (const [id, bars] of /** @type {const} */ ([['players-top', [...left, ...top, ...right]], ['players-bottom', bottom]])) {
    byId(id).dataset.many = String(game.players.length > 2);
    byId(id).replaceChildren(...bars);
  }
}

/** @param {string} name @param {number} ms @param {boolean} isRunning */
export function showClock(name, ms, isRunning) {
  const clock = document.querySelector(`[data-player="${CSS.escape(name)}"] .clock`);
  if (!(clock instanceof HTMLElement)) return;
  const text = clockText(ms);
  if (clock.textContent !== text) clock.textContent = text;
  clock.dataset.running = String(isRunning);
  clock.dataset.low = String(ms < 20000);
}
