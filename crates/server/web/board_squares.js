// The squares of a board as an SVG image with its layers: marks, tints, pieces, hints and the keyboard cursor. `board.js` adds
// the interaction.
import { displayName, fileName, squareName } from './names.js';
import { svg } from './pieces.js';

export { svg };

/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {import('./types.js').Square} Square */
/** @typedef {{square: Square, group: SVGGElement, title: SVGTitleElement}} Cell */

/** The side of a square, and of a piece drawing. */
export const UNIT = 45;

/** What draws hexagons and levels, once a board needs it. @type {typeof import('./board_layout.js') | null} */
let layouts = null;

/** Whether a board is drawn in rows of squares. @param {GameView} game */
export const isPlain = (game) => game.lattice !== 'hex' && !(game.levels > 1);

/** Loads what the drawing of a board lacks; `null` if it lacks nothing. @param {GameView} game */
export const missing = (game) => (isPlain(game) || layouts ? null : import('./board_layout.js').then((loaded) => (layouts = loaded)));

/**
 * @param {GameView} game
 * @param {{turn: number, small: boolean, label: string, id: string}} how
 */
export function boardSquares(game, { turn, small, label, id }) {
  const isAcross = turn % 2 === 1;
  const columns = isAcross ? game.ranks : game.files;
  const rows = isAcross ? game.files : game.ranks;
  const holes = new Set(game.holes.map(squareName));

  /** Returns column and row on screen, from the top left. @param {Square} square @returns {[number, number]} */
  const view = ([x, y]) => {
    const [left, top] = [x, game.ranks - 1 - y];
    if (turn === 1) return [game.ranks - 1 - top, left];
    if (turn === 2) return [game.files - 1 - left, game.ranks - 1 - top];
    if (turn === 3) return [top, game.files - 1 - left];
    return [left, top];
  };

  /** Returns the square at a column and row on screen. @param {number} column @param {number} row @returns {Square | null} */
  const squareOf = (column, row) => {
    if (column < 0 || row < 0 || column >= columns || row >= rows) return null;
    let [left, top] = [column, row];
    if (turn === 1) [left, top] = [row, game.ranks - 1 - column];
    if (turn === 2) [left, top] = [game.files - 1 - column, game.ranks - 1 - row];
    if (turn === 3) [left, top] = [game.files - 1 - row, column];
    /** @type {Square} */
    const square = [left, game.ranks - 1 - top];
    return holes.has(squareName(square)) ? null : square;
  };

  // Holes that are open to the outside need no drawing; one between squares would look like a square.
  const open = new Set();
  const visit = (/** @type {number} */ column, /** @type {number} */ row) => {
    const isOutside = column < -1 || row < -1 || column > columns || row > rows;
    if (isOutside || open.has(`${column},${row}`) || squareOf(column, row)) return;
    open.add(`${column},${row}`);
    queue.push([column + 1, row], [column - 1, row], [column, row + 1], [column, row - 1]);
  };
  /** @type {[number, number][]} */
  const queue = [[-1, -1]];
  for (let next = queue.pop(); next; next = queue.pop()) visit(...next);
  const isEnclosed = (/** @type {number} */ column, /** @type {number} */ row) => !open.has(`${column},${row}`);

  /** @type {Map<string, string[]>} */
  const regions = new Map();
  for (const region of game.regions) {
    for (const square of region.squares) {
      const name = squareName(square);
      regions.set(name, [...(regions.get(name) ?? []), region.code]);
    }
  }

  // Coordinates grow with the board to stay readable on large boards.
  const across = isPlain(game) ? 1 : layouts?.levelsAcross(game, small) ?? 1;
  const letter = Math.max(9.5, Math.max(columns * across, rows / (game.levels || 1)) * 1.05);
  const margin = small ? 0 : letter * 1.6;
  const layout = isPlain(game) ? null : layouts?.layoutOf(game, turn, letter, across) ?? null;
  const [width, height] = [(layout?.width ?? columns * UNIT) + margin + 2, (layout?.height ?? rows * UNIT) + margin + 2];
  const picture = svg('svg', { viewBox: `${-margin - 1} -1 ${width} ${height}`, focusable: 'false' });
  const hatch = svg('pattern', { id: `${id}-hatch`, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' });
  hatch.append(svg('rect', { width: 2, height: 5, fill: '#fff', 'fill-opacity': 0.55 }));
  const wall = svg('pattern', { id: `${id}-wall`, width: 9, height: 9, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' });
  wall.append(svg('rect', { class: 'wall-back', width: 9, height: 9 }), svg('rect', { class: 'wall-line', width: 3, height: 9 }));
  const defs = svg('defs');
  defs.append(hatch, wall);
  const grid = svg('g');
  if (small) {
    picture.setAttribute('role', 'img');
    picture.setAttribute('aria-label', label);
  } else {
    picture.setAttribute('role', 'none');
    grid.setAttribute('role', 'grid');
    grid.setAttribute('aria-label', label);
    grid.setAttribute('aria-rowcount', String(rows));
    grid.setAttribute('aria-colcount', String(columns));
  }

  /** @param {string} name */
  const layer = (name) => svg('g', { class: name, 'aria-hidden': 'true' });
  const [marks, tints, pieces, hints, front] = [layer('marks'), layer('tints'), layer('pieces'), layer('hints'), layer('front-layer')];

  /** @type {Map<string, Cell>} */
  const cells = new Map();
  /** Returns the upper left corner of a square. @param {Square} square */
  const corner = (square) => {
    if (layout) return layout.corner(square);
    const [column, row] = view(square);
    return { x: column * UNIT, y: row * UNIT };
  };
  let [rim, seam] = ['', ''];
  /** Returns the colour of a square. @param {Square} square */
  const shade = (square) => (layout ? layouts?.shade(game, square) : (square[0] + square[1]) % 2 ? 'light' : 'dark');
  /** Returns the shape of a square with its corner at the origin. @param {string} name @param {number} [inset] */
  const shape = (name, inset = 0) => layout?.hexagon
    ? svg('path', { class: name, d: `M${layout.hexagon}z` })
    : svg('rect', { class: name, x: inset, y: inset, width: UNIT - 2 * inset, height: UNIT - 2 * inset, ...(inset > 1.4 ? { rx: 2 } : {}) });
  /** Adds a square to a row. @param {SVGElement} line @param {Square} square @param {number} index @param {SVGElement} drawn */
  const add = (line, square, index, drawn) => {
    const name = squareName(square);
    const group = svg('g', { class: 'cell', 'data-square': name });
    if (!small) {
      group.id = `${id}-${name}`;
      group.setAttribute('role', 'gridcell');
      group.setAttribute('aria-colindex', String(index));
    }
    const title = svg('title');
    group.append(title, drawn);
    line.append(group);
    cells.set(name, { square, group, title });
    if (regions.has(name)) {
      title.textContent = (regions.get(name) ?? []).map(displayName).join(' · ');
      const { x, y } = corner(square);
      marks.append(goalMark(x, y));
    }
  };
  if (layout) {
    // A row is what stands at the same height.
    /** @type {Map<number, Square[]>} */
    const lines = new Map();
    for (const square of layouts?.existing(game) ?? []) {
      const y = Math.round(corner(square).y);
      lines.set(y, [...(lines.get(y) ?? []), square]);
    }
    [...lines.keys()].sort((one, other) => one - other).forEach((y, index) => {
      const line = svg('g', small ? {} : { role: 'row', 'aria-rowindex': index + 1 });
      const own = (lines.get(y) ?? []).sort((one, other) => corner(one).x - corner(other).x);
      own.forEach((square, place) => {
        const at = corner(square);
        const element = shape(`square edged ${shade(square)}`);
        element.setAttribute('transform', `translate(${at.x} ${at.y})`);
        add(line, square, place + 1, element);
      });
      grid.append(line);
    });
    if (!small) for (const [words, x, y] of layout.labels) marks.append(text(words, x, y, letter));
  }
  for (let row = 0; !layout && row < rows; row += 1) {
    const line = svg('g', small ? {} : { role: 'row', 'aria-rowindex': row + 1 });
    for (let column = 0; column < columns; column += 1) {
      const square = squareOf(column, row);
      if (!square && isEnclosed(column, row)) marks.append(svg('rect', { class: 'hole', x: column * UNIT, y: row * UNIT, width: UNIT, height: UNIT, fill: `url(#${id}-wall)` }));
      if (!square) continue;
      const [x, y] = [column * UNIT, row * UNIT];
      add(line, square, column + 1, svg('rect', { class: `square ${shade(square)}`, x, y, width: UNIT, height: UNIT }));
      /** Draws an edge, unless there is a square beyond it. @param {number} right @param {number} down @param {string} d */
      const edge = (right, down, d) => {
        if (squareOf(column + right, row + down)) return;
        const isLast = column + right < 0 || column + right >= columns || row + down < 0 || row + down >= rows;
        const wraps = game.wraps?.[(right ? 0 : 1) ^ (isAcross ? 1 : 0)];
        if (isLast && wraps) seam += d;
        else rim += d;
      };
      edge(-1, 0, `M${x} ${y}v${UNIT}`);
      edge(1, 0, `M${x + UNIT} ${y}v${UNIT}`);
      edge(0, -1, `M${x} ${y}h${UNIT}`);
      edge(0, 1, `M${x} ${y + UNIT}h${UNIT}`);
    }
    if (line.childElementCount) grid.append(line);
  }
  marks.append(svg('path', { class: 'rim', d: rim }));
  if (seam) marks.append(svg('path', { class: 'rim seam', d: seam }));
  if (!small && !layout) {
    for (let column = 0; column < columns; column += 1) {
      const index = turn === 0 || turn === 1 ? column : columns - 1 - column;
      marks.append(text(isAcross ? String(index + 1) : fileName(index, game), (column + 0.5) * UNIT, rows * UNIT + letter * 1.1, letter));
    }
    for (let row = 0; row < rows; row += 1) {
      const index = turn === 1 || turn === 2 ? row : rows - 1 - row;
      marks.append(text(isAcross ? fileName(index, game) : String(index + 1), -margin / 2 - 1, (row + 0.5) * UNIT + letter * 0.36, letter));
    }
  }
  const place = svg('g', { class: 'cursor-place' });
  const over = svg('g', { visibility: 'hidden' });
  place.append(shape('cursor-back', 1.5), shape('cursor', 1.5));
  over.append(shape('over'));
  front.append(place);
  picture.append(defs, grid, marks, tints, over, pieces, hints, front);

  return {
    svg: picture, grid, pieces, front, cells, columns, rows, view, squareOf, corner, isPlain: !layout,
    aspect: width / height,
    /** Returns the name of a square. @param {Square} square */
    nameOf: (square) => (layout ? layouts?.placeName(game, square) ?? '' : `${fileName(square[0], game)}${square[1] + 1}`),
    /** Returns the next square in a direction as seen on screen, where squares are not in rows. @param {Square} from @param {[number, number]} way @param {boolean} far */
    neighbour: (from, way, far) => layouts?.neighbour([...cells.values()].map(({ square }) => square), corner, from, way, far) ?? from,
    /** Returns the square at a point of the drawing. @param {number} x @param {number} y */
    squareAt: (x, y) => (layout ? layout.squareAt(x, y) : squareOf(Math.floor(x / UNIT), Math.floor(y / UNIT))),
    /** @param {Square} square */
    regionsAt: (square) => regions.get(squareName(square)) ?? [],
    /** Removes tints and hints. */
    clear() {
      tints.replaceChildren();
      hints.replaceChildren();
    },
    /** @param {Square} square @param {'last' | 'check' | 'chosen'} what */
    tint(square, what) {
      const { x, y } = corner(square);
      const inset = what === 'check' ? 1.2 : 0;
      const tint = shape(`tint ${what}`, inset);
      tint.setAttribute('transform', `translate(${x} ${y})`);
      tints.append(tint);
    },
    /** @param {Square} square @param {'go' | 'take' | 'cross' | 'rays'} what @param {'' | 'hop'} [how] */
    hint(square, what, how = '') {
      const { x, y } = corner(square);
      const [cx, cy] = [x + UNIT / 2, y + UNIT / 2];
      if (what === 'go') hints.append(svg('circle', { class: `hint go ${how}`, cx, cy, r: 6.5 }));
      if (what === 'take') hints.append(svg('circle', { class: 'hint take', cx, cy, r: 19.8 }));
      if (what === 'cross') hints.append(svg('path', { class: `hint cross ${how}`, d: `M${cx - 9} ${cy - 9}l18 18m0-18l-18 18` }));
      if (what === 'rays') {
        const rays = `M${cx - 12} ${cy - 12}l4 4M${cx + 12} ${cy - 12}l-4 4M${cx - 12} ${cy + 12}l4-4M${cx + 12} ${cy + 12}l-4-4`;
        hints.append(svg('path', { class: `hint cross ${how}`, d: rays }));
      }
    },
    /** @param {Square} square */
    cursor(square) {
      const { x, y } = corner(square);
      place.setAttribute('transform', `translate(${x} ${y})`);
    },
    /** Highlights the square under a dragged piece. @param {Square | null} square */
    over(square) {
      over.setAttribute('visibility', square ? 'visible' : 'hidden');
      if (square) {
        const { x, y } = corner(square);
        over.setAttribute('transform', `translate(${x} ${y})`);
      }
    },
    /** Draws the mark of a frozen piece. */
    frost() {
      const group = svg('g');
      group.append(svg('circle', { class: 'frost', cx: 7.5, cy: 7.5, r: 6 }));
      group.append(svg('path', { class: 'frost-lines', d: 'M7.5 3.7v7.6M4.2 5.6l6.6 3.8M10.8 5.6l-6.6 3.8' }));
      return group;
    },
  };
}

/** Draws a goal square. @param {number} x @param {number} y */
function goalMark(x, y) {
  const group = svg('g', { class: 'throne', transform: `translate(${x} ${y})` });
  group.append(svg('path', { d: 'M7.5 4h30v3.5H41v30h-3.5V41h-30v-3.5H4v-30h3.5z' }));
  group.append(svg('path', { d: 'M22.5 10l12.5 12.5-12.5 12.5L10 22.5z' }));
  return group;
}

/** @param {string} words @param {number} x @param {number} y @param {number} size */
function text(words, x, y, size) {
  const element = svg('text', { class: 'coordinate', x, y });
  element.style.setProperty('font-size', `${size}px`);
  element.textContent = words;
  return element;
}
