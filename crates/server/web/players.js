// The player bars above and below the board: name, color, tags, occupant, presence, captured pieces and clock. Their height is
// fixed, so that nothing moves when a tag appears.
import { clockText } from './clocks.js';
import { byId, el } from './dom.js';
import { count, counterName, displayName, kindName, list, playerName } from './names.js';
import { emblem, swatch } from './pieces.js';

/** @typedef {import('./types.js').RoomView} RoomView */
/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {import('./types.js').CapturedView} CapturedView */
/** @typedef {import('./types.js').PieceView} PieceView */

/**
 * What the bars show besides the current state.
 * @typedef {object} BarOptions
 * @property {number} turn Quarter turns of the board.
 * @property {number} shown The number of actions before the position on the board. Tags and captured pieces follow it.
 * @property {PieceView[]} pieces The pieces in that position.
 * @property {number[][]} inHand The pieces in hand in that position.
 * @property {number[][]} counters The counters in that position.
 * @property {HTMLElement[]} hands The hand of each player.
 * @property {boolean} isOffline Whether this page has no connection and cannot know who is there.
 * @property {number[] | null} values The material value of each piece kind, once known.
 */

/** @param {import('./types.js').SeatView | undefined} seat */
function occupantName(seat) {
  if (!seat || seat.kind === 'human') return seat?.name || 'person';
  return seat.name.replace(/^level_?(\d+)$/i, 'level $1') || seat.kind;
}

/** Shows each player on its side of the board; players at the left and right go above. @param {RoomView} room @param {BarOptions} options */
export function showPlayerBars(room, options) {
  const { game, state, you, seats, acts } = room;
  const isCurrent = options.shown >= acts.length;
  const last = acts[options.shown - 1];
  const [check, frozen, out] = isCurrent ? [state.check, state.frozen, state.out] : [last?.check ?? [], last?.frozen ?? [], last?.out ?? []];
  const isMate = isCurrent && state.end?.reason === 'checkmate';
  const gains = capturesAt(room, options.shown);
  const lead = materialLead(room, options);
  /** @type {HTMLElement[][]} */
  const sides = [[], [], [], []];
  game.players.forEach((player, index) => {
    const isYours = you.includes(index) && you.length < game.players.length;
    const isOut = out.includes(index);
    const parts = [
      swatch(game, emblem(game), index),
      el('span', { class: 'name' }, playerName(game, index),
        isYours && el('span', { class: 'tag' }, 'you'),
        check.includes(index) && el('span', { class: 'tag bad' }, isMate ? 'mated' : 'check'),
        frozen.includes(index) && el('span', { class: 'tag' }, '❄ frozen'),
        isOut && el('span', { class: 'tag' }, 'out'),
        isCurrent && state.end?.winners.includes(index) && el('span', { class: 'tag good' }, 'won'),
        ...counterTags(game, options.counters, index)),
      el('span', { class: 'seat' },
        occupant(room, seats[index], index, options.isOffline),
        player.team && el('span', {}, `· ${displayName(player.team)}`),
        // Pieces that go to a hand are shown there.
        !game.hands?.captured_to && capturedList(room, gains[index] ?? []),
        (lead[index] ?? 0) > 0 && el('span', { class: 'material' }, `+${lead[index]}`, el('span', { class: 'hidden-text' }, ' material'))),
      ...(state.clocks.length ? [el('span', { class: 'clock', role: 'timer', 'aria-label': `Clock of ${playerName(game, index)}` }, clockText(state.clocks[index] ?? 0))] : []),
    ];
    const bar = barOf(player.name, options.hands[index], parts);
    bar.dataset.turn = String(!state.end && state.mover === index);
    bar.dataset.out = String(isOut);
    sides[(player.turn - options.turn + 4) % 4]?.push(bar);
  });
  const [bottom = [], right = [], top = [], left = []] = sides;
  for (const [id, bars] of /** @type {const} */ ([['players-top', [...left, ...top, ...right]], ['players-bottom', bottom]])) {
    byId(id).dataset.many = String(game.players.length > 2);
    const { children } = byId(id);
    if (bars.length !== children.length || bars.some((bar, i) => bar !== children[i])) byId(id).replaceChildren(...bars);
  }
}

/**
 * Returns the bar of a player with new parts. The hand stays in the document, and so do the focus and a press on its pieces.
 * @param {string} name
 * @param {HTMLElement | undefined} hand
 * @param {Element[]} parts
 */
function barOf(name, hand, parts) {
  const found = document.querySelector(`.player[data-player="${CSS.escape(name)}"]`);
  const bar = found instanceof HTMLElement ? found : el('li', { class: 'player', 'data-player': name });
  for (const old of [...bar.children]) if (old !== hand) old.remove();
  if (hand && hand.parentElement !== bar) bar.append(hand);
  bar.prepend(...parts);
  return bar;
}

/** `checks 2/3`, for each counter of a player. @param {GameView} game @param {number[][]} counters @param {number} player */
function counterTags(game, counters, player) {
  return game.counters.flatMap((counter, i) => (counter.per_player
    ? [el('span', { class: 'tag', 'data-counter': counter.code, title: counterName(counter.code) },
      el('span', { class: 'counter-name' }, `${counterName(counter.code)} `), `${counters[i]?.[player] ?? 0}/${counter.max}`)]
    : []));
}

/** @param {RoomView} room @param {import('./types.js').SeatView | undefined} seat @param {number} index @param {boolean} isOffline */
function occupant({ present }, seat, index, isOffline) {
  const isHere = present.includes(index);
  const isKnown = !isOffline || seat?.kind !== 'human';
  const words = !isKnown ? 'presence unknown' : isHere ? 'connected' : 'disconnected';
  return el('span', { class: 'occupant' },
    el('span', { class: 'presence', 'data-here': isKnown ? String(isHere) : 'unknown', title: words }),
    el('span', { class: 'who' }, occupantName(seat)),
    el('span', { class: 'hidden-text' }, `, ${words}`));
}

/**
 * Returns the pieces that each player has captured and not returned.
 * @param {RoomView} room
 * @param {number} shown
 */
function capturesAt({ game, acts }, shown) {
  /** @type {CapturedView[][]} */
  const gains = game.players.map(() => []);
  for (const action of acts.slice(0, shown)) {
    gains[action.player]?.push(...(action.captured ?? []));
    for (const back of action.returned ?? []) {
      const holder = gains.find((list) => list.some((piece) => alike(piece, back)));
      holder?.splice(holder.findIndex((piece) => alike(piece, back)), 1);
    }
  }
  return gains;
}

/** @param {CapturedView} one @param {CapturedView} other */
const alike = (one, other) => one.kind === other.kind && one.player === other.player;

/** @param {RoomView} room @param {CapturedView[]} captured */
function capturedList({ game }, captured) {
  if (!captured.length) return null;
  const sorted = [...captured].sort((one, other) => one.player - other.player || one.kind - other.kind);
  const words = sorted.filter((piece, i) => i === 0 || !alike(piece, sorted[i - 1] ?? piece))
    .map((piece) => count(sorted.filter((other) => alike(other, piece)).length, kindName(game, piece.kind)));
  const pictures = sorted.map((piece, i) => {
    const picture = swatch(game, piece.kind, piece.player);
    if (i > 0 && !alike(piece, sorted[i - 1] ?? piece)) picture.classList.add('other');
    return picture;
  });
  return el('span', { class: 'captured', title: `Captured: ${list(words)}` }, ...pictures, el('span', { class: 'hidden-text' }, `, has captured ${list(words)}`));
}

/**
 * Returns by how many pawns each player's side leads over the best other side.
 * @param {RoomView} room
 * @param {BarOptions} options
 */
function materialLead({ game }, { pieces, inHand, values }) {
  if (!values) return [];
  const side = (/** @type {number} */ player) => game.players[player]?.team ?? player;
  /** @type {Map<string | number, number>} */
  const sums = new Map(game.players.map((_, player) => [side(player), 0]));
  for (const { kind, player } of pieces) sums.set(side(player), (sums.get(side(player)) ?? 0) + (values[kind] ?? 0));
  inHand.forEach((numbers, player) => {
    const worth = numbers.reduce((sum, number, kind) => sum + number * (values[kind] ?? 0), 0);
    sums.set(side(player), (sums.get(side(player)) ?? 0) + worth);
  });
  return game.players.map((_, player) => {
    const others = [...sums].filter(([other]) => other !== side(player)).map(([, sum]) => sum);
    return Math.round(((sums.get(side(player)) ?? 0) - Math.max(0, ...others)) / 100);
  });
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
