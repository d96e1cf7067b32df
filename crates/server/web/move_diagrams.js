// A small board for each piece kind that shows where it moves and captures. On a large board only the part around the piece is
// drawn, so that it stays readable; rays go on beyond it.
import { Board } from './board.js';
import { isPlain } from './board_squares.js';
import { el } from './dom.js';
import { count, displayName } from './names.js';

/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {import('./types.js').MoveDiagram} MoveDiagram */
/** @typedef {import('./types.js').Square} Square */

/** Boards up to this size are drawn as a whole. */
const MAX_WHOLE = 10;
/** The least number of squares drawn on each side of the piece. */
const MIN_RADIUS = 4;

/**
 * @param {HTMLElement} host
 * @param {GameView} game
 * @param {MoveDiagram[]} diagrams
 */
export function showMoveDiagrams(host, game, diagrams) {
  host.replaceChildren(legend(diagrams.some(hasHops)), el('div', { class: 'figures' }, ...diagrams.map((diagram) => diagramFigure(game, diagram))));
}

/**
 * Draws a diagram with its caption. `player` is the owner to show it for, `turn` the quarter turns of the board.
 * @param {GameView} game
 * @param {MoveDiagram} diagram
 * @param {{turn?: number, player?: number}} [how]
 */
export function diagramFigure(game, diagram, { turn = 0, player = diagram.player } = {}) {
  const kind = game.kinds[diagram.kind];
  const place = el('div', { class: 'figure-board' });
  const name = displayName(kind?.code ?? '?');
  const isLeader = game.leader === diagram.kind;
  const isPlainBoard = isPlain(game);
  const shown = isPlainBoard ? cropped(diagram) : { ...diagram, isCut: false };
  const figure = el('figure', { class: 'figure card', 'data-kind': kind?.code ?? '' }, place,
    el('figcaption', {},
      el('span', { class: 'figure-name' }, name),
      el('span', { class: 'muted small' }, ` ${kind?.letters?.join(' ') ?? kind?.letter}${isLeader ? ', the leader' : ''}`),
      el('span', { class: 'muted small figure-words' }, summary(diagram) + (shown.isCut ? ', further along the lines' : ''))));
  // The diagram has a board without holes and regions. It is turned as if its owner were the given player.
  const board = { ...game, files: shown.files, ranks: shown.ranks, holes: isPlainBoard ? [] : game.holes, regions: [], wraps: isPlainBoard && shown.isCut ? [] : game.wraps };
  const turned = (turn + (game.players[diagram.player]?.turn ?? 0) - (game.players[player]?.turn ?? 0) + 8) % 4;
  new Board(place, board, { small: true, turn: turned, label: `${name}: ${summary(diagram)}` }).show({
    pieces: [{ at: shown.at, kind: diagram.kind, player }],
    dots: shown.goes,
    crosses: shown.takes,
    hops: shown.hops,
    hopCrosses: shown.hop_takes,
  });
  return figure;
}

/**
 * Cuts a diagram to the part around the piece that shows every leap and the beginning of every ray.
 * @param {MoveDiagram} diagram
 */
function cropped({ files, ranks, at, goes, takes, hops, hop_takes }) {
  if (files <= MAX_WHOLE && ranks <= MAX_WHOLE) return { files, ranks, at, goes, takes, hops, hop_takes, isCut: false };
  const [x, y] = at;
  const all = [...goes, ...takes, ...hops, ...hop_takes];
  const targets = new Set(all.map(String));
  const distance = (/** @type {Square} */ [column, row]) => Math.max(Math.abs(column - x), Math.abs(row - y));
  // A square behind another on the same line belongs to a ray.
  const isBehind = (/** @type {Square} */ [column, row]) => {
    const [right, up] = [column - x, row - y];
    const steps = divisor(Math.abs(right), Math.abs(up));
    return steps > 1 && targets.has(String([x + (right / steps) * (steps - 1), y + (up / steps) * (steps - 1)]));
  };
  const radius = Math.max(MIN_RADIUS, ...all.filter((square) => !isBehind(square)).map(distance));
  const [left, bottom] = [Math.max(0, x - radius), Math.max(0, y - radius)];
  const [right, top] = [Math.min(files - 1, x + radius), Math.min(ranks - 1, y + radius)];
  const inside = (/** @type {Square} */ [column, row]) => column >= left && column <= right && row >= bottom && row <= top;
  const moved = (/** @type {Square[]} */ squares) => squares.filter(inside).map(([column, row]) => /** @type {Square} */ ([column - left, row - bottom]));
  return {
    files: right - left + 1,
    ranks: top - bottom + 1,
    at: /** @type {Square} */ ([x - left, y - bottom]),
    goes: moved(goes),
    takes: moved(takes),
    hops: moved(hops),
    hop_takes: moved(hop_takes),
    isCut: !all.every(inside),
  };
}

/** @param {number} one @param {number} other @returns {number} */
const divisor = (one, other) => (other === 0 ? one : divisor(other, one % other));

/** @param {MoveDiagram} diagram */
function summary(diagram) {
  const goes = new Set(diagram.goes.map(String));
  const takes = new Set(diagram.takes.map(String));
  const isSame = goes.size === takes.size && [...goes].every((square) => takes.has(square));
  const over = new Set([...diagram.hops, ...diagram.hop_takes].map(String));
  const hops = over.size ? `; over another piece: ${count(over.size, 'square')}` : '';
  if (isSame && goes.size === 0 && hops) return hops.slice(2);
  if (isSame) return `moves and captures: ${count(goes.size, 'square')}${hops}`;
  return `moves: ${count(goes.size, 'square')}; captures: ${count(takes.size, 'square')}${hops}`;
}

/** Whether the piece moves over others. @param {MoveDiagram} diagram */
export const hasHops = (diagram) => diagram.hops.length + diagram.hop_takes.length > 0;

/** The meaning of dots and crosses. @param {boolean} [withHops] */
export function legend(withHops = false) {
  const sample = (/** @type {string} */ name, /** @type {string} */ text, /** @type {string} */ sign = '') =>
    el('span', {}, el('span', { class: `sample ${name}`, 'aria-hidden': 'true' }, sign), text);
  return el(
    'p',
    { class: 'legend small muted' },
    sample('dot-sample', 'can move there'),
    sample('rays-sample', 'can move or capture there'),
    sample('cross-sample', 'can only capture there', '×'),
    ...(withHops ? [sample('hop-sample', 'dashed: only over another piece')] : []),
  );
}
