// Where the squares of a board stand on screen: squares in rows, levels side by side, hexagons in files half a hexagon apart. All
// lengths are in units of the drawing, from the top left.
import { fileName, squareName } from './names.js';

/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {import('./types.js').Square} Square */
/** @typedef {{x: number, y: number}} Corner The upper left corner of a piece. */
/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height
 * @property {(square: Square) => Corner} corner
 * @property {(x: number, y: number) => Square | null} squareAt
 * @property {string} hexagon The outline of a hexagon around its corner; empty for squares.
 * @property {[string, number, number][]} labels Names of files, ranks and levels with the middle of their text.
 */

/** The side of a square, and of a piece drawing. */
export const UNIT = 45;
/** The distance between two files of hexagons, and half the width of a hexagon. */
const [FILE, HALF] = [UNIT * 0.866, UNIT * 0.5774];
/** The space between two levels. */
const GAP = UNIT * 0.7;

/** `A`. @param {number} level */
const levelName = (level) => fileName(level).toUpperCase();

/** Returns the layout of hexagons or levels. @param {GameView} game @param {number} turn @param {number} letter The size of letters. @param {number} across The number of levels beside each other. @returns {Layout} */
export function layoutOf(game, turn, letter, across) {
  return game.lattice === 'hex' ? hexagons(game, turn, letter) : levels(game, turn, letter, across);
}

/** The number of levels beside each other: two on a phone held upright, else as many as make a board that is a little wider than high. @param {GameView} game @param {boolean} small */
export function levelsAcross(game, small) {
  const isNarrow = !small && matchMedia('(max-width: 40rem) and (orientation: portrait)').matches;
  if (isNarrow) return Math.min(game.levels, 2);
  return game.levels < 4 ? game.levels : Math.ceil(Math.sqrt(game.levels));
}

/** The name of a square as moves write it: `Be4` on a level, and on hexagons counted from the lowest of its file. @param {GameView} game @param {Square} square */
export function placeName(game, [x, row]) {
  const rows = game.ranks / game.levels;
  const level = game.levels > 1 ? levelName(Math.floor(row / rows)) : '';
  const below = existing(game).filter(([file, other]) => file === x && other < row).length;
  return `${level}${fileName(x, game)}${(game.lattice === 'hex' ? below : row % rows) + 1}`;
}

/** The colour of a square; hexagons have three. @param {GameView} game @param {Square} square */
export function shade(game, [x, row]) {
  const rows = game.ranks / game.levels;
  if (game.lattice === 'hex') return ['dark', 'light', 'middle'][(x + row) % 3];
  return (x + (row % rows) + Math.floor(row / rows)) % 2 ? 'light' : 'dark';
}

/** @param {GameView} game @param {number} turn @param {number} letter @returns {Layout} */
function hexagons(game, turn, letter) {
  const squares = existing(game);
  // Hexagons are only seen from below or above.
  const sign = turn === 2 || turn === 3 ? -1 : 1;
  const middle = (/** @type {Square} */ [x, y]) => [sign * x * FILE, -sign * (2 * y - x) * (UNIT / 2)];
  const all = squares.map(middle);
  const left = Math.min(...all.map(([x = 0]) => x)) - HALF;
  const top = Math.min(...all.map(([, y = 0]) => y)) - UNIT / 2;
  const right = Math.max(...all.map(([x = 0]) => x)) + HALF;
  const bottom = Math.max(...all.map(([, y = 0]) => y)) + UNIT / 2;
  const corner = (/** @type {Square} */ square) => {
    const [x = 0, y = 0] = middle(square);
    return { x: x - left - UNIT / 2, y: y - top - UNIT / 2 };
  };
  const half = UNIT / 2;
  const outline = [[half - HALF / 2, 0], [half + HALF / 2, 0], [half + HALF, half], [half + HALF / 2, UNIT], [half - HALF / 2, UNIT], [half - HALF, half]];
  // The name of a file stands below its lowest hexagon.
  const files = Array.from({ length: game.files }, (_, x) => x);
  /** @type {[string, number, number][]} */
  const labels = [];
  for (const file of files) {
    const own = squares.filter(([x]) => x === file).map(corner);
    if (!own.length) continue;
    const lowest = own.reduce((one, other) => (other.y > one.y ? other : one));
    labels.push([fileName(file, game), lowest.x + half, lowest.y + UNIT + letter * 1.05]);
  }
  return { width: right - left, height: bottom - top, corner, squareAt: nearest(squares, corner), hexagon: outline.map((point) => point.join(' ')).join('L'), labels };
}

/** @param {GameView} game @param {number} turn @param {number} letter @param {number} across @returns {Layout} */
function levels(game, turn, letter, across) {
  const rows = game.ranks / game.levels;
  const isAcross = turn % 2 === 1;
  const [wide, high] = isAcross ? [rows, game.files] : [game.files, rows];
  const room = letter * 2.2;
  const corner = (/** @type {Square} */ [x, row]) => {
    const [level, y] = [Math.floor(row / rows), row % rows];
    const [left, top] = [x, rows - 1 - y];
    const [column, line] = [[left, top], [rows - 1 - top, left], [game.files - 1 - left, rows - 1 - top], [top, game.files - 1 - left]][turn] ?? [left, top];
    const [right, down] = [level % across, Math.floor(level / across)];
    return { x: (column ?? 0) * UNIT + right * (wide * UNIT + GAP), y: (line ?? 0) * UNIT + down * (high * UNIT + GAP + room) + room };
  };
  /** @type {[string, number, number][]} */
  const labels = [];
  const lines = Math.ceil(game.levels / across);
  for (let level = 0; level < game.levels; level += 1) {
    const [right, down] = [level % across, Math.floor(level / across)];
    const [x, y] = [right * (wide * UNIT + GAP), down * (high * UNIT + GAP + room) + room];
    labels.push([`level ${levelName(level)}`, x + (wide * UNIT) / 2, y - letter * 0.6]);
    for (let column = 0; column < wide; column += 1) {
      const index = turn === 0 || turn === 1 ? column : wide - 1 - column;
      labels.push([isAcross ? String(index + 1) : fileName(index, game), x + (column + 0.5) * UNIT, y + high * UNIT + letter * 1.1]);
    }
    for (let row = 0; right === 0 && row < high; row += 1) {
      const index = turn === 1 || turn === 2 ? row : high - 1 - row;
      labels.push([isAcross ? fileName(index, game) : String(index + 1), -letter * 0.8, y + (row + 0.5) * UNIT + letter * 0.36]);
    }
  }
  const height = lines * (high * UNIT + GAP + room) - GAP;
  return { width: across * (wide * UNIT + GAP) - GAP, height, corner, squareAt: inside(existing(game), corner), hexagon: '', labels };
}

/** Returns the squares that exist. @param {GameView} game @returns {Square[]} */
export function existing(game) {
  const holes = new Set(game.holes.map(squareName));
  /** @type {Square[]} */
  const squares = [];
  for (let y = 0; y < game.ranks; y += 1) for (let x = 0; x < game.files; x += 1) squares.push([x, y]);
  return squares.filter((square) => !holes.has(squareName(square)));
}

/** @param {Square[]} squares @param {(square: Square) => Corner} corner @returns {(x: number, y: number) => Square | null} */
const inside = (squares, corner) => (x, y) =>
  squares.find((square) => {
    const at = corner(square);
    return x >= at.x && x < at.x + UNIT && y >= at.y && y < at.y + UNIT;
  }) ?? null;

/** Returns the hexagon at a point: the one with the nearest middle. @param {Square[]} squares @param {(square: Square) => Corner} corner @returns {(x: number, y: number) => Square | null} */
const nearest = (squares, corner) => (x, y) => {
  const far = (/** @type {Square} */ square) => Math.hypot(corner(square).x + UNIT / 2 - x, corner(square).y + UNIT / 2 - y);
  const found = squares.reduce((one, other) => (far(other) < far(one) ? other : one));
  return far(found) <= HALF ? found : null;
};

/** Returns the next square in a direction as seen on screen, or the last one. @param {Iterable<Square>} squares @param {(square: Square) => Corner} corner @param {Square} from @param {[number, number]} way @param {boolean} far */
export function neighbour(squares, corner, from, [right, down], far) {
  const start = corner(from);
  let [best, least] = [from, Infinity];
  for (const square of squares) {
    const { x, y } = corner(square);
    const along = (x - start.x) * right + (y - start.y) * down;
    const aside = Math.abs((x - start.x) * down) + Math.abs((y - start.y) * right);
    const cost = far ? aside * 9 - along : along + aside * 2;
    if (along > UNIT / 4 && cost < least) [best, least] = [square, cost];
  }
  return best;
}
