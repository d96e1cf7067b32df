// The board: squares and pieces, moved by mouse, touch or keyboard. It draws any board and knows no rules: it is given the list
// of legal moves.
import { boardSquares, missing, svg, UNIT } from './board_squares.js';
import { pickMove } from './move_picker.js';
import { count, displayName, pieceName, squareName } from './names.js';
import { drawing } from './pieces.js';

/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {import('./types.js').Square} Square */
/** @typedef {import('./types.js').PieceView} PieceView */
/** @typedef {import('./types.js').MoveView} MoveView */
/**
 * What the board shows.
 * @typedef {object} Scene
 * @property {PieceView[]} pieces
 * @property {[Square | null, Square] | null} [last] The last move. A drop has no origin.
 * @property {Square[]} [check] Squares of pieces in check.
 * @property {MoveView[]} [moves] The legal moves.
 * @property {number} [mover] The player whose pieces are dropped.
 * @property {number[]} [frozen] Players whose pieces are frozen.
 * @property {boolean} [selectable] Whether pieces can be picked up; `true` by default.
 * @property {boolean} [past] Whether this is an earlier position: a click returns to the present.
 * @property {Square[]} [dots] For diagrams: squares a piece can move to.
 * @property {Square[]} [crosses] For diagrams: squares a piece can capture on.
 * @property {Square[]} [hops] For diagrams: squares a piece can move to over another piece.
 * @property {Square[]} [hopCrosses] For diagrams: squares a piece can capture on over another piece.
 */
/** @typedef {{piece: PieceView, frozen: boolean, element: SVGGElement, size: SVGGElement}} Figure */
/** A piece on a square, or a kind in the hand of the mover. @typedef {{square: Square, guest: boolean, drop?: number}} Choice */

/** @param {Square | null | undefined} one @param {Square | null | undefined} other */
const same = (one, other) => !!one && !!other && one[0] === other[0] && one[1] === other[1];

/**
 * @template T
 * @param {T[]} things
 * @param {(thing: T) => Square} where
 * @returns {Map<string, T[]>}
 */
function group(things, where) {
  const found = new Map();
  for (const thing of things) {
    const name = squareName(where(thing));
    if (found.has(name)) found.get(name).push(thing);
    else found.set(name, [thing]);
  }
  return found;
}

/** Where the pieces in hand stand. @type {Square} */
const NOWHERE = [-1, -1];
/** Distance in pixels after which a press becomes a drag. */
const DRAG_DISTANCE = 5;
/** Time after which a pointer that rests on a piece, or a finger that presses it, asks how it moves. */
const HOVER_MS = 800;
const LONG_PRESS_MS = 500;

let boards = 0;

export class Board {
  /** @type {Scene} */
  #scene = { pieces: [] };
  /** Pieces by square. @type {Map<string, PieceView[]>} */
  #piecesBySquare = new Map();
  /** Moves by origin. @type {Map<string, MoveView[]>} */
  #movesByOrigin = new Map();
  /** @type {Figure[]} */
  #figures = [];
  /** The piece that is picked up. @type {Choice | null} */
  #chosen = null;
  /** The dragged piece. A piece of the hand is not among the figures. @type {{figure: Figure, x: number, y: number, moved: boolean, isDrop: boolean} | null} */
  #drag = null;
  /** The action of a click that ends on the square where it began. @type {(() => void) | null} */
  #click = null;
  /** The square of the keyboard cursor; at first the lower left. @type {Square} */
  #cursor = [-1, -1];
  /** The moves among which the user chooses in a dialog. @type {MoveView[]} */
  #offered = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #inspectTimer;
  /** The square under the pointer. @type {Square | null} */
  #hovered = null;

  /**
   * @param {HTMLElement} host
   * @param {GameView} game
   * @param {{turn?: number, interactive?: boolean, small?: boolean, label?: string, onMove?: (text: string) => void, onSquare?: (square: Square) => void, onReturn?: () => void, onInspect?: (piece: PieceView | null, place?: DOMRect) => void}} [options]
   */
  constructor(host, game, options = {}) {
    this.game = game;
    this.turn = options.turn ?? 0;
    this.interactive = options.interactive ?? false;
    this.small = options.small ?? false;
    this.label = options.label ?? 'Board';
    this.onMove = options.onMove;
    this.onSquare = options.onSquare;
    this.onReturn = options.onReturn;
    this.onInspect = options.onInspect;
    /** The hands beside the board, once they are loaded. @type {import('./hands.js').Hands | null} */
    this.hands = null;
    this.id = `board-${(boards += 1)}`;
    this.element = document.createElement('div');
    this.element.className = 'board';
    this.element.classList.toggle('small', this.small);
    this.element.classList.toggle('interactive', this.interactive);
    this.live = document.createElement('div');
    this.live.className = 'hidden-text';
    this.live.setAttribute('role', 'status');
    this.live.setAttribute('aria-live', 'polite');
    this.promotion = document.createElement('div');
    if (this.interactive) this.promotion.id = 'promotion';
    // Not on the grid: in an SVG, browsers make an element with a focus listener a tab stop.
    this.element.addEventListener('focusin', ({ target }) => {
      this.element.classList.toggle('has-cursor', target instanceof Element && target.matches('[role="gridcell"]:focus-visible'));
    });
    this.element.addEventListener('focusout', () => this.element.classList.remove('has-cursor'));
    host.append(this.element);
    const loading = missing(game);
    this.squares = this.#build();
    this.element.style.visibility = loading ? 'hidden' : '';
    /** Resolves once the board is drawn in its shape. */
    this.ready = loading?.then(() => {
      this.#rebuild();
      this.element.style.visibility = '';
    });
  }

  /** Shows a position and animates the pieces that moved. @param {Scene} scene */
  show(scene) {
    this.#scene = scene;
    this.#stopInspecting();
    this.#piecesBySquare = group(scene.pieces, (piece) => piece.at);
    // Host before guest.
    for (const pieces of this.#piecesBySquare.values()) pieces.sort((one, other) => Number(!!one.guest) - Number(!!other.guest));
    this.#movesByOrigin = group(scene.moves ?? [], (move) => move.from ?? NOWHERE);
    if (this.#chosen && !this.#movesOf(this.#chosen).length) this.#chosen = null;
    if (this.#drag && !this.#chosen) this.#endDrag();
    // The position has changed, so the user cannot choose any more.
    const texts = new Set(scene.moves?.map((move) => move.text));
    if (!this.#offered.every((move) => texts.has(move.text))) this.promotion.querySelector('dialog')?.close();
    this.#match(scene);
    this.#paint();
  }

  /** Turns the board by clockwise quarters from the orientation of the spec. @param {number} quarters */
  turnTo(quarters) {
    const turn = ((quarters % 4) + 4) % 4;
    if (turn === this.turn) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.turn = turn;
    this.#rebuild();
    if (hadFocus) this.focus();
  }

  #rebuild() {
    this.#figures = [];
    this.#chosen = null;
    this.#drag = null;
    this.squares = this.#build();
    this.show(this.#scene);
  }

  /** Announces a text to screen readers. @param {string} text */
  announce(text) {
    this.live.textContent = text;
  }

  /** Puts the picked-up piece back. */
  drop() {
    if (this.#chosen) this.#choose(null);
  }

  /** Picks up a piece of the mover's hand, or puts it back. A pointer can drag it; without one, the focus goes to the board. @param {number} kind @param {PointerEvent} [event] */
  pickUp(kind, event) {
    const choice = { square: NOWHERE, guest: false, drop: kind };
    if (!this.#isSelectable() || !this.#movesOf(choice).length) return;
    const isChosen = this.#chosen?.drop === kind;
    this.#stopInspecting();
    if (!isChosen) this.#choose(choice);
    const piece = this.#chosenPiece();
    if (event && piece) {
      this.#click = isChosen ? () => this.#choose(null) : null;
      const name = `${this.game.players[piece.player]?.name} ${this.game.kinds[kind]?.code}`;
      const [element, size] = [svg('g', { class: 'piece', 'data-piece': name }), svg('g', { class: 'size' })];
      size.append(drawing(this.game, piece.kind, piece.player));
      element.append(size);
      this.#drag = { figure: { piece, frozen: false, element, size }, x: event.clientX, y: event.clientY, moved: false, isDrop: true };
      this.squares.svg.setPointerCapture(event.pointerId);
    } else if (isChosen) {
      this.#choose(null);
    } else if (piece) {
      this.announce(`${pieceName(this.game, piece)} picked up, ${this.#movesOf(choice).length} moves`);
      this.focus();
    }
  }

  /** Moves the focus to the board. */
  focus() {
    this.squares.cells.get(squareName(this.#cursor))?.group.focus();
  }

  #build() {
    const made = boardSquares(this.game, { turn: this.turn, small: this.small, label: this.label, id: this.id });
    this.element.replaceChildren(made.svg, ...(this.small ? [] : [this.live, this.promotion]));
    this.element.style.setProperty('--aspect', String(made.aspect));
    if (!made.cells.has(squareName(this.#cursor))) {
      const squares = [...made.cells.values()].map(({ square }) => square);
      const low = (/** @type {Square} */ square) => made.corner(square).y - made.corner(square).x / 1e4;
      this.#cursor = squares.length ? squares.reduce((one, other) => (low(other) > low(one) ? other : one)) : [0, 0];
    }
    if (!this.small) this.#listen(made.svg, made.grid);
    else if (this.onSquare) made.svg.addEventListener('click', (event) => this.#reportSquare(this.#squareAt(event)));
    return made;
  }

  // ---- display ----

  /** Matches the figures on the board with the new pieces, so that only moved pieces are animated. @param {Scene} scene */
  #match(scene) {
    const isFirst = !this.#figures.length;
    if (isFirst) this.#skipAnimation();
    const old = new Set(this.#figures);
    const unmatched = new Set(scene.pieces);
    /** @type {Map<PieceView, Figure>} */
    const found = new Map();
    /** @param {(figure: Figure, piece: PieceView) => boolean} fits */
    const pair = (fits) => {
      for (const piece of unmatched) {
        for (const figure of old) {
          if (!fits(figure, piece)) continue;
          found.set(piece, figure);
          old.delete(figure);
          unmatched.delete(piece);
          break;
        }
      }
    };
    /** @param {Figure} figure @param {PieceView} piece */
    const alike = (figure, piece) => figure.piece.kind === piece.kind && figure.piece.player === piece.player;
    const [from, to] = scene.last ?? [];
    pair((figure, piece) => same(figure.piece.at, piece.at) && alike(figure, piece) && !figure.piece.guest === !piece.guest);
    pair((figure, piece) => same(figure.piece.at, piece.at) && alike(figure, piece));
    // The last move, or its reverse while looking back.
    pair((figure, piece) => same(figure.piece.at, from) && same(piece.at, to) && figure.piece.player === piece.player);
    pair((figure, piece) => same(figure.piece.at, to) && same(piece.at, from) && figure.piece.player === piece.player);
    pair(alike);
    for (const figure of old) this.#removeFigure(figure);
    this.#figures = scene.pieces.map((piece) => this.#figure(piece, found.get(piece)));
  }

  /** @param {PieceView} piece @param {Figure} [was] @returns {Figure} */
  #figure(piece, was) {
    const frozen = this.#scene.frozen?.includes(piece.player) ?? false;
    const element = was?.element ?? svg('g', { class: 'piece' });
    const size = was?.size ?? svg('g', { class: 'size' });
    if (!was || was.piece.kind !== piece.kind || was.piece.player !== piece.player || was.frozen !== frozen) {
      size.replaceChildren(drawing(this.game, piece.kind, piece.player, frozen ? { hatch: `${this.id}-hatch` } : {}));
      if (frozen) size.append(this.squares.frost());
      element.classList.toggle('frozen', frozen);
      element.dataset.piece = `${this.game.players[piece.player]?.name} ${this.game.kinds[piece.kind]?.code}`;
    }
    element.dataset.at = squareName(piece.at);
    if (!was) {
      element.append(size);
      const start = this.#placeInHand(piece);
      if (start) element.style.setProperty('transform', start);
      this.squares.pieces.append(element);
      // Without a layout there would be nothing to animate from.
      if (start) element.getBoundingClientRect();
    } else if (!same(was.piece.at, piece.at)) {
      // A moving piece is drawn above the others.
      this.squares.pieces.append(element);
    }
    return { piece, frozen, element, size };
  }

  /** Returns where the piece that was dropped last was in the hand; `null` for other pieces. @param {PieceView} piece */
  #placeInHand(piece) {
    const [from, to] = this.#scene.last ?? [];
    const place = from === null && same(piece.at, to) ? this.hands?.place(piece.player, piece.kind) : undefined;
    if (!place?.width) return null;
    const [x = 0, y = 0] = this.#point({ clientX: place.left + Math.min(place.width, place.height) / 2, clientY: place.top + place.height / 2 });
    return `translate(${x - UNIT / 2}px, ${y - UNIT / 2}px)`;
  }

  /** @param {Figure} figure */
  #removeFigure({ element }) {
    delete element.dataset.piece;
    element.classList.add('leaving');
    setTimeout(() => element.remove(), 160);
  }

  /** Disables animation until the next frame. */
  #skipAnimation() {
    this.element.classList.add('still');
    requestAnimationFrame(() => requestAnimationFrame(() => this.element.classList.remove('still')));
  }

  #paint() {
    for (const figure of this.#figures) this.#place(figure);
    const { squares: made, game } = this;
    const scene = this.#scene;
    made.clear();
    for (const square of scene.last ?? []) if (square) made.tint(square, 'last');
    for (const square of scene.check ?? []) made.tint(square, 'check');
    if (this.#chosen && this.#chosen.drop === undefined) made.tint(this.#chosen.square, 'chosen');
    this.hands?.mark(this.#chosen?.drop ?? null);
    const targets = this.#chosen ? this.#movesOf(this.#chosen) : [];
    const marked = new Set();
    for (const { to } of targets) {
      const name = squareName(to);
      if (!marked.has(name)) made.hint(to, this.#piecesAt(to).length ? 'take' : 'go');
      marked.add(name);
    }
    const crosses = new Set((scene.crosses ?? []).map(squareName));
    const dots = new Set((scene.dots ?? []).map(squareName));
    for (const square of scene.dots ?? []) made.hint(square, 'go');
    for (const square of scene.crosses ?? []) made.hint(square, dots.has(squareName(square)) ? 'rays' : 'cross');
    const hops = new Set((scene.hops ?? []).map(squareName));
    const hopCrosses = new Set((scene.hopCrosses ?? []).map(squareName));
    for (const square of scene.hops ?? []) made.hint(square, 'go', 'hop');
    for (const square of scene.hopCrosses ?? []) {
      const name = squareName(square);
      made.hint(square, dots.has(name) || hops.has(name) ? 'rays' : 'cross', 'hop');
    }

    if (this.small) {
      made.svg.setAttribute('aria-label', this.#summary(dots, crosses, hops, hopCrosses));
      return;
    }
    for (const [name, cell] of made.cells) {
      const pieces = this.#piecesAt(cell.square);
      const isMovable = this.#movable(cell.square).length > 0;
      cell.group.classList.toggle('movable', isMovable);
      cell.group.classList.toggle('target', marked.has(name));
      cell.group.setAttribute('aria-label', this.#describe(cell.square, pieces, marked.has(name)));
      cell.group.setAttribute('aria-selected', String(same(this.#chosen?.square, cell.square)));
      cell.group.setAttribute('tabindex', same(this.#cursor, cell.square) ? '0' : '-1');
      const frozen = pieces.filter((piece) => scene.frozen?.includes(piece.player));
      const words = [...frozen.map((piece) => `${pieceName(game, piece)}, frozen`), ...made.regionsAt(cell.square).map(displayName)];
      cell.title.textContent = words.join(' · ');
    }
    made.cursor(this.#cursor);
  }

  /** @param {Figure} figure */
  #place(figure) {
    if (this.#drag?.figure.element === figure.element && this.#drag.moved) return;
    const { x, y } = this.squares.corner(figure.piece.at);
    figure.element.style.setProperty('transform', `translate(${x}px, ${y}px)`);
    const isShared = this.#piecesAt(figure.piece.at).length > 1;
    const isChosen = same(this.#chosen?.square, figure.piece.at) && !this.#chosen?.guest === !figure.piece.guest;
    const isOther = isShared && same(this.#chosen?.square, figure.piece.at) && !isChosen;
    const scale = isChosen ? 0.72 : 0.64;
    const far = UNIT * (1 - scale) - 0.5;
    const size = figure.piece.guest ? `translate(${far}px, 0.5px) scale(${scale})` : `translate(0.5px, ${far}px) scale(${scale})`;
    figure.size.style.setProperty('transform', isShared ? size : 'none');
    figure.element.style.setProperty('opacity', isOther ? '0.45' : '');
  }

  /** Returns the pieces on a square, host before guest. @param {Square} square */
  #piecesAt(square) {
    return this.#piecesBySquare.get(squareName(square)) ?? [];
  }

  /** @param {Choice} choice */
  #movesOf({ square, guest, drop }) {
    return (this.#movesByOrigin.get(squareName(square)) ?? []).filter((move) => !move.guest === !guest && move.drop === drop);
  }

  /** Returns the piece that is picked up. @returns {PieceView | undefined} */
  #chosenPiece() {
    const chosen = this.#chosen;
    if (chosen?.drop !== undefined) return { at: NOWHERE, kind: chosen.drop, player: this.#scene.mover ?? 0 };
    return chosen ? this.#piecesAt(chosen.square).find((other) => !other.guest === !chosen.guest) : undefined;
  }

  #isSelectable() {
    return this.interactive && this.#offered.length === 0 && this.#scene.selectable !== false;
  }

  /** Returns the pieces on a square that can be picked up. @param {Square} square @returns {Choice[]} */
  #movable(square) {
    if (!this.#isSelectable()) return [];
    return [false, true].map((guest) => ({ square, guest })).filter((choice) => this.#movesOf(choice).length);
  }

  /** @param {Square} square @param {PieceView[]} pieces @param {boolean} isTarget */
  #describe(square, pieces, isTarget) {
    const { game } = this;
    const scene = this.#scene;
    const names = pieces.map((piece) => pieceName(game, piece) + (scene.frozen?.includes(piece.player) ? ', frozen' : ''));
    const words = [this.squares.nameOf(square), names.length ? names.join(' with ') : 'empty'];
    for (const region of this.squares.regionsAt(square)) words.push(displayName(region));
    if (scene.check?.some((other) => same(other, square))) words.push('in check');
    if (scene.last?.some((other) => same(other, square))) words.push('last move');
    if (same(this.#chosen?.square, square)) words.push('picked up');
    else if (isTarget) words.push(pieces.length && !pieces.every((piece) => this.#isFriend(piece)) ? 'legal capture' : 'legal target');
    else {
      const reach = new Set(this.#movable(square).flatMap((choice) => this.#movesOf(choice)).map((move) => squareName(move.to)));
      if (reach.size) words.push(`can move to ${count(reach.size, 'square')}`);
    }
    return words.join(', ');
  }

  /** Returns whether a piece is on the side of the picked-up piece. @param {PieceView} piece */
  #isFriend(piece) {
    const mover = this.#chosenPiece();
    return !!mover && this.#areFriends(mover, piece);
  }

  /** @param {PieceView} one @param {PieceView} other */
  #areFriends(one, other) {
    const [mine, theirs] = [this.game.players[one.player], this.game.players[other.player]];
    return one.player === other.player || (!!mine?.team && mine.team === theirs?.team);
  }

  /**
   * Describes a small board in one sentence.
   * @param {Set<string>} dots
   * @param {Set<string>} crosses
   * @param {Set<string>} hops
   * @param {Set<string>} hopCrosses
   */
  #summary(dots, crosses, hops, hopCrosses) {
    const words = [this.label];
    const named = (/** @type {Set<string>} */ keys) => [...keys].map((key) => this.#nameOf(key)).join(' ');
    if (dots.size) words.push(`moves to ${named(dots)}`);
    if (crosses.size) words.push(`captures on ${named(crosses)}`);
    if (hops.size) words.push(`moves over a piece to ${named(hops)}`);
    if (hopCrosses.size) words.push(`captures over a piece on ${named(hopCrosses)}`);
    return words.join('; ');
  }

  /** Returns the name of the square with a key. @param {string} key */
  #nameOf(key) {
    const square = this.squares.cells.get(key)?.square;
    return square ? this.squares.nameOf(square) : key;
  }

  // ---- mouse, touch and keyboard ----

  /** @param {SVGSVGElement} picture @param {SVGGElement} grid */
  #listen(picture, grid) {
    picture.addEventListener('pointerdown', (event) => this.#down(event));
    picture.addEventListener('pointermove', (event) => this.#move(event));
    picture.addEventListener('pointerup', (event) => this.#up(event));
    picture.addEventListener('pointercancel', () => {
      this.#stopInspecting();
      this.#endDrag();
    });
    // A finger leaves when it is lifted; what it asked for stays until the next touch.
    picture.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && this.#stopInspecting());
    // A mouse click keeps the keyboard focus where it is.
    picture.addEventListener('mousedown', (event) => event.preventDefault());
    // A long press would open a menu.
    picture.addEventListener('contextmenu', (event) => (this.#drag || event.pointerType === 'touch') && event.preventDefault());
    // A touch on a movable piece or a target must not scroll the page.
    picture.addEventListener(
      'touchstart',
      (event) => {
        const touch = event.touches[0];
        const square = touch && this.#squareAt(touch);
        if (square && event.cancelable && (this.#movable(square).length || this.#isTarget(square))) event.preventDefault();
      },
      { passive: false },
    );
    // Screen readers send clicks without a pointer.
    picture.addEventListener('click', (event) => {
      const name = event.target instanceof Element && event.target.closest('[data-square]')?.getAttribute('data-square');
      const square = name ? this.squares.cells.get(name)?.square : undefined;
      if (event.detail === 0 && square) this.#activate(square);
    });
    grid.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Returns the square at a point of the window. @param {{clientX: number, clientY: number}} at @returns {Square | null} */
  #squareAt(at) {
    const [x = 0, y = 0] = this.#point(at);
    return this.squares.squareAt(x, y);
  }

  /** @param {{clientX: number, clientY: number}} at */
  #point(at) {
    const matrix = this.squares.svg.getScreenCTM()?.inverse();
    const point = new DOMPoint(at.clientX, at.clientY).matrixTransform(matrix);
    return [point.x, point.y];
  }

  /** @param {Square} square */
  #isTarget(square) {
    return !!this.#chosen && this.#movesTo(this.#chosen, square).length > 0;
  }

  /** Returns the moves that a click on a square means. A click on the partner castles. @param {Choice} choice @param {Square} square */
  #movesTo(choice, square) {
    const moves = this.#movesOf(choice);
    const direct = moves.filter((move) => same(move.to, square));
    return direct.length ? direct : moves.filter((move) => same(move.partner, square));
  }

  /** Asks after a while how the piece on a square moves. A press is then no click. @param {Square | null} square @param {number} wait @param {boolean} [isPress] */
  #inspectLater(square, wait, isPress = false) {
    this.#stopInspecting();
    this.#hovered = square;
    const piece = square && this.#piecesAt(square)[0];
    if (!piece || !this.onInspect) return;
    this.#inspectTimer = setTimeout(() => {
      if (isPress) {
        this.#click = null;
        this.#drag = null;
        this.drop();
      }
      this.onInspect?.(piece, this.squares.cells.get(squareName(piece.at))?.group.getBoundingClientRect());
    }, wait);
  }

  #stopInspecting() {
    clearTimeout(this.#inspectTimer);
    this.#inspectTimer = undefined;
    this.#hovered = null;
    this.onInspect?.(null);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    const square = this.#squareAt(event);
    this.#click = null;
    this.#stopInspecting();
    if (event.pointerType !== 'mouse') this.#inspectLater(square, LONG_PRESS_MS, true);
    if (this.#scene.past) {
      this.#click = () => this.onReturn?.();
      return;
    }
    if (!square) return;
    const movable = this.#movable(square);
    const isChosen = same(this.#chosen?.square, square);
    if (this.#isTarget(square) && !isChosen) {
      this.#click = () => this.#go(square);
      return;
    }
    if (!movable.length) {
      this.#click = () => {
        this.#choose(null);
        this.#reportSquare(square);
      };
      return;
    }
    this.#click = isChosen ? () => this.#choose(this.#nextChoice(movable)) : () => this.#reportSquare(square);
    if (!isChosen) this.#choose(movable[0] ?? null);
    const chosen = this.#chosen;
    const figure = this.#figures.find(({ piece }) => same(piece.at, square) && !piece.guest === !chosen?.guest);
    if (figure) {
      this.#drag = { figure, x: event.clientX, y: event.clientY, moved: false, isDrop: false };
      this.squares.svg.setPointerCapture(event.pointerId);
    }
  }

  /** Returns the choice after a second click: the other piece on the square, or none. @param {Choice[]} movable */
  #nextChoice(movable) {
    const now = movable.findIndex((choice) => choice.guest === this.#chosen?.guest);
    return movable[now + 1] ?? null;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const drag = this.#drag;
    if (!drag) {
      const square = this.#squareAt(event);
      if (event.pointerType === 'mouse' && event.buttons === 0 && !same(square ?? undefined, this.#hovered ?? undefined)) this.#inspectLater(square, HOVER_MS);
      return;
    }
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_DISTANCE) return;
    if (!drag.moved) {
      this.#stopInspecting();
      drag.moved = true;
      this.element.classList.add('dragging');
      drag.figure.element.classList.add('dragged');
      drag.figure.size.style.setProperty('transform', 'none');
      this.squares.front.append(drag.figure.element);
    }
    const [x = 0, y = 0] = this.#point(event);
    drag.figure.element.style.setProperty('transform', `translate(${x - UNIT / 2}px, ${y - UNIT / 2}px)`);
    this.squares.over(this.#squareAt(event));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const drag = this.#drag;
    const click = this.#click;
    this.#click = null;
    if (event.pointerType !== 'mouse') clearTimeout(this.#inspectTimer);
    const square = this.#squareAt(event);
    if (drag?.moved) {
      const isTarget = square && this.#isTarget(square);
      if (isTarget) {
        this.#endDrag(true);
        this.#go(square, drag.figure);
      } else this.#endDrag();
      return;
    }
    this.#drag = null;
    if (click && (square || drag?.isDrop || this.#scene.past)) click();
  }

  /** @param {boolean} [stays] Whether the piece stays under the pointer for now. */
  #endDrag(stays = false) {
    const drag = this.#drag;
    this.#drag = null;
    this.#click = null;
    this.element.classList.remove('dragging');
    this.squares.over(null);
    drag?.figure.element.classList.remove('dragged');
    if (drag?.isDrop && !stays) drag.figure.element.remove();
    else if (drag?.moved) this.squares.pieces.append(drag.figure.element);
    if (!stays) this.#paint();
  }

  /** @param {Choice | null} choice */
  #choose(choice) {
    this.#chosen = choice;
    this.#paint();
  }

  /** @param {Square | null} square */
  #reportSquare(square) {
    if (square) this.onSquare?.(square);
  }

  /** Picks up or puts down a piece, as Enter does. @param {Square} square */
  #activate(square) {
    if (this.#scene.past) return this.onReturn?.();
    const isChosen = same(this.#chosen?.square, square);
    const movable = this.#movable(square);
    if (this.#isTarget(square) && !isChosen) this.#go(square);
    else if (isChosen) this.#choose(this.#nextChoice(movable));
    else {
      this.#choose(movable[0] ?? null);
      this.#reportSquare(square);
    }
    const piece = this.#chosen && this.#piecesAt(square).find((other) => !other.guest === !this.#chosen?.guest);
    if (piece) this.announce(`${pieceName(this.game, piece)} picked up, ${this.#movesOf(/** @type {Choice} */ (this.#chosen)).length} moves`);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) this.#moveCursor(step[0] ?? 0, step[1] ?? 0, false);
    else if (event.key === 'Home') this.#moveCursor(-1, 0, true);
    else if (event.key === 'End') this.#moveCursor(1, 0, true);
    else if (event.key === 'Enter' || event.key === ' ') this.#activate(this.#cursor);
    else if (event.key === 'Escape' && this.#chosen) {
      const { drop } = this.#chosen;
      this.#choose(null);
      if (drop !== undefined) this.hands?.focus(drop);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves the cursor in a direction as seen on screen, skipping holes. @param {number} right @param {number} down @param {boolean} far */
  #moveCursor(right, down, far) {
    let [column, row] = this.squares.view(this.#cursor);
    if (!this.squares.isPlain) this.#cursor = this.squares.neighbour(this.#cursor, [right, down], far);
    while (this.squares.isPlain) {
      column += right;
      row += down;
      if (column < 0 || row < 0 || column >= this.squares.columns || row >= this.squares.rows) break;
      const square = this.squares.squareOf(column, row);
      if (square) this.#cursor = square;
      if (square && !far) break;
    }
    for (const cell of this.squares.cells.values()) {
      cell.group.setAttribute('tabindex', same(cell.square, this.#cursor) ? '0' : '-1');
    }
    this.squares.cursor(this.#cursor);
    this.focus();
  }

  // ---- moves ----

  /** Moves the chosen piece to a square. Asks which move is meant if there are several. @param {Square} to @param {Figure} [dragged] */
  async #go(to, dragged) {
    const chosen = this.#chosen;
    const piece = this.#chosenPiece();
    if (!chosen || !piece) return;
    const isDrop = chosen.drop !== undefined;
    const moves = this.#movesTo(chosen, to);
    /** @type {MoveView | null} */
    let move = moves[0] ?? null;
    if (moves.length > 1 && moves.some((other) => other.then?.length)) return this.#begin(piece, moves, dragged);
    if (moves.length > 1) {
      if (dragged) this.#hold(dragged, to);
      this.#offered = moves;
      const place = this.squares.cells.get(squareName(to))?.group.getBoundingClientRect();
      move = await pickMove(this.promotion, this.game, piece, moves, place);
      this.#offered = [];
    }
    if (!move) {
      if (isDrop) dragged?.element.remove();
      this.#choose(null);
      return;
    }
    if (dragged) this.#skipAnimation();
    // From now on it is a figure of the board.
    if (dragged && isDrop) this.#figures.push({ ...dragged, piece: { ...piece, at: to } });
    this.#chosen = null;
    this.#preview(piece, move);
    this.onMove?.(move.text);
  }

  /** Keeps a dragged piece on its target while the dialog is open. @param {Figure} figure @param {Square} at */
  #hold(figure, at) {
    const { x, y } = this.squares.corner(at);
    figure.element.style.setProperty('transform', `translate(${x}px, ${y}px)`);
  }

  /** Shows the first part of a turn, and what may follow it. @param {PieceView} piece @param {MoveView[]} moves @param {Figure} [dragged] */
  #begin(piece, moves, dragged) {
    const first = /** @type {MoveView} */ (moves[0]);
    const moved = moves.some((move) => move.then?.[0]?.[0] && !same(move.then[0][0], piece.at));
    const at = moved ? first.to : piece.at;
    if (dragged) this.#skipAnimation();
    if (moved) this.#preview(piece, first);
    const following = moves.map((move) => {
      const [next, ...then] = move.then ?? [];
      return next ? { ...move, from: next[0], to: next[1], then } : { ...move, from: at, to: at, then: [] };
    });
    this.#chosen = null;
    this.show({ ...this.#scene, moves: following });
    this.#choose({ square: at, guest: false });
    this.announce('The turn goes on. Choose the next square.');
  }

  /** Shows the likely result of a move until the server confirms it. @param {PieceView} piece @param {MoveView} move */
  #preview(piece, move) {
    const rest = this.#scene.pieces.filter((other) => other !== piece && (!same(other.at, move.to) || this.#areFriends(piece, other)));
    // A piece that shared the origin is now alone on it.
    const pieces = rest.map((other) => (same(other.at, piece.at) ? { ...other, guest: false } : other));
    const isJoining = pieces.some((other) => same(other.at, move.to));
    pieces.push({ ...piece, at: move.to, kind: move.promotion ?? piece.kind, guest: isJoining });
    this.show({ ...this.#scene, pieces, moves: [], check: [], last: [move.from, move.to] });
  }
}
