// The board: squares, men, and how a hand, a finger or a keyboard moves them. It draws any board of the wire format and knows no
// rules: what can be done is in the list of moves that it is given.
import { field, svg, UNIT } from './field.js';
import { called, manName, squareName } from './names.js';
import { drawing } from './pieces.js';
import { pick } from './pick.js';

/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {import('./types.js').Square} Square */
/** @typedef {import('./types.js').PieceView} PieceView */
/** @typedef {import('./types.js').MoveView} MoveView */
/**
 * What the board shows.
 * @typedef {object} Scene
 * @property {PieceView[]} men
 * @property {[Square, Square] | null} [last] the last move
 * @property {Square[]} [check] who stands there is in check
 * @property {MoveView[]} [moves] what can be done
 * @property {number[]} [frozen] players whose men are frozen
 * @property {boolean} [selectable] whether men can be picked up; yes, if nothing else is said
 * @property {Square[]} [dots] for diagrams: where a man goes
 * @property {Square[]} [crosses] for diagrams: what it takes
 */
/** @typedef {{man: PieceView, frozen: boolean, element: SVGGElement, size: SVGGElement}} Figure */
/** @typedef {{square: Square, guest: boolean}} Choice */

/** @param {Square | undefined} one @param {Square | undefined} other */
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

/** How far a pointer goes before it drags, in pixels. */
const SLACK = 5;

let boards = 0;

export class Board {
  /** @type {Scene} */
  #scene = { men: [] };
  /** The men, and the moves, by the square on which they stand or begin. @type {Map<string, PieceView[]>} */
  #standing = new Map();
  /** @type {Map<string, MoveView[]>} */
  #leaving = new Map();
  /** @type {Figure[]} */
  #figures = [];
  /** The man that is picked up. @type {Choice | null} */
  #chosen = null;
  /** @type {{figure: Figure, x: number, y: number, moved: boolean} | null} */
  #drag = null;
  /** What a click will do if it ends where it began. @type {(() => void) | null} */
  #click = null;
  /** Where the keyboard is; at first on the lower left. @type {Square} */
  #cursor = [-1, -1];
  #busy = false;

  /**
   * @param {HTMLElement} host
   * @param {GameView} game
   * @param {{turn?: number, interactive?: boolean, small?: boolean, label?: string, onMove?: (text: string) => void, onSquare?: (square: Square) => void}} [options]
   */
  constructor(host, game, options = {}) {
    this.game = game;
    this.turn = options.turn ?? 0;
    this.interactive = options.interactive ?? false;
    this.small = options.small ?? false;
    this.label = options.label ?? 'Board';
    this.onMove = options.onMove;
    this.onSquare = options.onSquare;
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
    // Not on the grid: browsers take what listens for this in a drawing for a place to stop at.
    this.element.addEventListener('focusin', ({ target }) => {
      this.element.classList.toggle('has-cursor', target instanceof Element && target.matches('[role="gridcell"]:focus-visible'));
    });
    this.element.addEventListener('focusout', () => this.element.classList.remove('has-cursor'));
    host.append(this.element);
    this.field = this.#build();
  }

  /** Shows a position; whoever has moved since the last one travels. @param {Scene} scene */
  show(scene) {
    this.#scene = scene;
    this.#standing = group(scene.men, (man) => man.at);
    // Host before guest.
    for (const men of this.#standing.values()) men.sort((one, other) => Number(!!one.guest) - Number(!!other.guest));
    this.#leaving = group(scene.moves ?? [], (move) => move.from);
    if (this.#chosen && !this.#movesOf(this.#chosen).length) this.#chosen = null;
    if (this.#drag && !this.#chosen) this.#endDrag();
    this.#match(scene);
    this.#paint();
  }

  /** Turns the board so many quarters clockwise from how its file has it. @param {number} quarters */
  turnTo(quarters) {
    const turn = ((quarters % 4) + 4) % 4;
    if (turn === this.turn) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.turn = turn;
    this.#figures = [];
    this.#chosen = null;
    this.#drag = null;
    this.field = this.#build();
    this.show(this.#scene);
    if (hadFocus) this.focus();
  }

  /** Tells those who listen. @param {string} text */
  announce(text) {
    this.live.textContent = text;
  }

  /** Whoever is picked up is put back. */
  drop() {
    if (this.#chosen) this.#choose(null);
  }

  /** Puts the keyboard on the board. */
  focus() {
    this.field.cells.get(squareName(this.#cursor))?.group.focus();
  }

  #build() {
    const made = field(this.game, { turn: this.turn, small: this.small, label: this.label, id: this.id });
    this.element.replaceChildren(made.svg, ...(this.small ? [] : [this.live, this.promotion]));
    this.element.style.setProperty('--aspect', String(made.aspect));
    if (!made.cells.has(squareName(this.#cursor))) {
      const bottom = [...made.cells.values()].map(({ square }) => square).filter((square) => made.view(square)[1] === made.rows - 1);
      this.#cursor = bottom[0] ?? [...made.cells.values()].at(-1)?.square ?? [0, 0];
    }
    if (!this.small) this.#listen(made.svg, made.grid);
    else if (this.onSquare) made.svg.addEventListener('click', (event) => this.#tell(this.#squareAt(event)));
    return made;
  }

  // ---- what is shown ----

  /** Finds for each man who was there where he is now, so that only those travel who moved. @param {Scene} scene */
  #match(scene) {
    const isFirst = !this.#figures.length;
    if (isFirst) this.#still();
    const old = new Set(this.#figures);
    const fresh = new Set(scene.men);
    /** @type {Map<PieceView, Figure>} */
    const found = new Map();
    /** @param {(figure: Figure, man: PieceView) => boolean} fits */
    const pair = (fits) => {
      for (const man of fresh) {
        for (const figure of old) {
          if (!fits(figure, man)) continue;
          found.set(man, figure);
          old.delete(figure);
          fresh.delete(man);
          break;
        }
      }
    };
    /** @param {Figure} figure @param {PieceView} man */
    const alike = (figure, man) => figure.man.kind === man.kind && figure.man.player === man.player;
    const [from, to] = scene.last ?? [];
    pair((figure, man) => same(figure.man.at, man.at) && alike(figure, man) && !figure.man.guest === !man.guest);
    pair((figure, man) => same(figure.man.at, man.at) && alike(figure, man));
    // The last move forwards, and backwards when somebody looks back.
    pair((figure, man) => same(figure.man.at, from) && same(man.at, to) && figure.man.player === man.player);
    pair((figure, man) => same(figure.man.at, to) && same(man.at, from) && figure.man.player === man.player);
    pair(alike);
    for (const figure of old) this.#leave(figure);
    this.#figures = scene.men.map((man) => this.#figure(man, found.get(man)));
  }

  /** @param {PieceView} man @param {Figure} [was] @returns {Figure} */
  #figure(man, was) {
    const frozen = this.#scene.frozen?.includes(man.player) ?? false;
    const element = was?.element ?? svg('g', { class: 'man' });
    const size = was?.size ?? svg('g', { class: 'size' });
    if (!was || was.man.kind !== man.kind || was.man.player !== man.player || was.frozen !== frozen) {
      size.replaceChildren(drawing(this.game, man.kind, man.player, frozen ? { hatch: `${this.id}-hatch` } : {}));
      if (frozen) size.append(this.field.frost());
      element.classList.toggle('frozen', frozen);
      element.dataset.man = `${this.game.players[man.player]?.name} ${this.game.kinds[man.kind]?.code}`;
    }
    element.dataset.at = squareName(man.at);
    if (!was) {
      element.append(size);
      this.field.men.append(element);
    } else if (!same(was.man.at, man.at)) {
      // Who travels goes above the others.
      this.field.men.append(element);
    }
    return { man, frozen, element, size };
  }

  /** @param {Figure} figure */
  #leave({ element }) {
    delete element.dataset.man;
    element.classList.add('leaving');
    setTimeout(() => element.remove(), 160);
  }

  /** Nothing travels until the next frame. */
  #still() {
    this.element.classList.add('still');
    requestAnimationFrame(() => requestAnimationFrame(() => this.element.classList.remove('still')));
  }

  #paint() {
    for (const figure of this.#figures) this.#place(figure);
    const { field: made, game } = this;
    const scene = this.#scene;
    made.clear();
    for (const square of scene.last ?? []) made.tint(square, 'last');
    for (const square of scene.check ?? []) made.tint(square, 'check');
    if (this.#chosen) made.tint(this.#chosen.square, 'chosen');
    const targets = this.#chosen ? this.#movesOf(this.#chosen) : [];
    const marked = new Set();
    for (const { to } of targets) {
      const name = squareName(to);
      if (!marked.has(name)) made.hint(to, this.#menAt(to).length ? 'take' : 'go');
      marked.add(name);
    }
    const crosses = new Set((scene.crosses ?? []).map(squareName));
    const dots = new Set((scene.dots ?? []).map(squareName));
    for (const square of scene.dots ?? []) made.hint(square, 'go');
    for (const square of scene.crosses ?? []) made.hint(square, dots.has(squareName(square)) ? 'rays' : 'cross');

    if (this.small) {
      made.svg.setAttribute('aria-label', this.#summary(dots, crosses));
      return;
    }
    for (const [name, cell] of made.cells) {
      const men = this.#menAt(cell.square);
      const isMovable = this.#movable(cell.square).length > 0;
      cell.group.classList.toggle('movable', isMovable);
      cell.group.classList.toggle('target', marked.has(name));
      cell.group.setAttribute('aria-label', this.#describe(cell.square, men, marked.has(name)));
      cell.group.setAttribute('aria-selected', String(same(this.#chosen?.square, cell.square)));
      cell.group.setAttribute('tabindex', same(this.#cursor, cell.square) ? '0' : '-1');
      const isFrozen = men.some((man) => scene.frozen?.includes(man.player));
      const strange = men.some((man) => !/^(KING|QUEEN|ROOK|BISHOP|KNIGHT|PAWN)$/.test(game.kinds[man.kind]?.code ?? ''));
      const words = [
        ...(isFrozen || strange ? men.map((man) => manName(game, man) + (scene.frozen?.includes(man.player) ? ', frozen' : '')) : []),
        ...made.regionsAt(cell.square).map(called),
      ];
      cell.title.textContent = words.join(' · ');
    }
    made.cursor(this.#cursor);
  }

  /** @param {Figure} figure */
  #place(figure) {
    if (this.#drag?.figure.element === figure.element && this.#drag.moved) return;
    const [column, row] = this.field.view(figure.man.at);
    figure.element.style.setProperty('transform', `translate(${column * UNIT}px, ${row * UNIT}px)`);
    const isShared = this.#menAt(figure.man.at).length > 1;
    const isChosen = same(this.#chosen?.square, figure.man.at) && !this.#chosen?.guest === !figure.man.guest;
    const isOther = isShared && same(this.#chosen?.square, figure.man.at) && !isChosen;
    const scale = isChosen ? 0.72 : 0.64;
    const far = UNIT * (1 - scale) - 0.5;
    const size = figure.man.guest ? `translate(${far}px, 0.5px) scale(${scale})` : `translate(0.5px, ${far}px) scale(${scale})`;
    figure.size.style.setProperty('transform', isShared ? size : 'none');
    figure.element.style.setProperty('opacity', isOther ? '0.45' : '');
  }

  /** What stands on a square, host before guest. @param {Square} square */
  #menAt(square) {
    return this.#standing.get(squareName(square)) ?? [];
  }

  /** @param {Choice} choice */
  #movesOf({ square, guest }) {
    return (this.#leaving.get(squareName(square)) ?? []).filter((move) => !move.guest === !guest);
  }

  /** Who on a square can be picked up. @param {Square} square @returns {Choice[]} */
  #movable(square) {
    if (!this.interactive || this.#busy || this.#scene.selectable === false) return [];
    return [false, true].map((guest) => ({ square, guest })).filter((choice) => this.#movesOf(choice).length);
  }

  /** @param {Square} square @param {PieceView[]} men @param {boolean} isTarget */
  #describe(square, men, isTarget) {
    const { game } = this;
    const scene = this.#scene;
    const names = men.map((man) => manName(game, man) + (scene.frozen?.includes(man.player) ? ', frozen' : ''));
    const words = [squareName(square), names.length ? names.join(' with ') : 'empty'];
    for (const region of this.field.regionsAt(square)) words.push(called(region));
    if (scene.check?.some((other) => same(other, square))) words.push('in check');
    if (scene.last?.some((other) => same(other, square))) words.push('last move');
    if (same(this.#chosen?.square, square)) words.push('picked up');
    else if (isTarget) words.push(men.length && !men.every((man) => this.#isFriend(man)) ? 'legal capture' : 'legal target');
    else {
      const reach = new Set(this.#movable(square).flatMap((choice) => this.#movesOf(choice)).map((move) => squareName(move.to)));
      if (reach.size) words.push(`can go to ${reach.size} square${reach.size > 1 ? 's' : ''}`);
    }
    return words.join(', ');
  }

  /** Whether a man is on the side of the one that is picked up. @param {PieceView} man */
  #isFriend(man) {
    const chosen = this.#chosen;
    const mover = chosen && this.#menAt(chosen.square).find((other) => !other.guest === !chosen.guest);
    return !!mover && this.#areFriends(mover, man);
  }

  /** @param {PieceView} one @param {PieceView} other */
  #areFriends(one, other) {
    const [mine, theirs] = [this.game.players[one.player], this.game.players[other.player]];
    return one.player === other.player || (!!mine?.team && mine.team === theirs?.team);
  }

  /** A small board in one sentence. @param {Set<string>} dots @param {Set<string>} crosses */
  #summary(dots, crosses) {
    const words = [this.label];
    if (dots.size) words.push(`goes to ${[...dots].join(' ')}`);
    if (crosses.size) words.push(`takes on ${[...crosses].join(' ')}`);
    return words.join('; ');
  }

  // ---- hands, fingers and keys ----

  /** @param {SVGSVGElement} picture @param {SVGGElement} grid */
  #listen(picture, grid) {
    picture.addEventListener('pointerdown', (event) => this.#down(event));
    picture.addEventListener('pointermove', (event) => this.#move(event));
    picture.addEventListener('pointerup', (event) => this.#up(event));
    picture.addEventListener('pointercancel', () => this.#endDrag());
    // The mouse does not take the keyboard away from where it is.
    picture.addEventListener('mousedown', (event) => event.preventDefault());
    picture.addEventListener('contextmenu', (event) => this.#drag && event.preventDefault());
    // A page must not scroll under a finger that holds a man; elsewhere on the board it may.
    picture.addEventListener(
      'touchstart',
      (event) => {
        const touch = event.touches[0];
        const square = touch && this.#squareAt(touch);
        if (square && event.cancelable && (this.#movable(square).length || this.#isTarget(square))) event.preventDefault();
      },
      { passive: false },
    );
    // Screen readers click without a pointer.
    picture.addEventListener('click', (event) => {
      const name = event.target instanceof Element && event.target.closest('[data-square]')?.getAttribute('data-square');
      const square = name ? this.field.cells.get(name)?.square : undefined;
      if (event.detail === 0 && square) this.#activate(square);
    });
    grid.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Which square lies under a point of the window. @param {{clientX: number, clientY: number}} at @returns {Square | null} */
  #squareAt(at) {
    const [x, y] = this.#point(at);
    return this.field.squareOf(Math.floor(x / UNIT), Math.floor(y / UNIT));
  }

  /** @param {{clientX: number, clientY: number}} at */
  #point(at) {
    const matrix = this.field.svg.getScreenCTM()?.inverse();
    const point = new DOMPoint(at.clientX, at.clientY).matrixTransform(matrix);
    return [point.x, point.y];
  }

  /** @param {Square} square */
  #isTarget(square) {
    return !!this.#chosen && this.#movesOf(this.#chosen).some((move) => same(move.to, square));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    const square = this.#squareAt(event);
    this.#click = null;
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
        this.#tell(square);
      };
      return;
    }
    this.#click = isChosen ? () => this.#choose(this.#next(movable)) : () => this.#tell(square);
    if (!isChosen) this.#choose(movable[0] ?? null);
    const chosen = this.#chosen;
    const figure = this.#figures.find(({ man }) => same(man.at, square) && !man.guest === !chosen?.guest);
    if (figure) {
      this.#drag = { figure, x: event.clientX, y: event.clientY, moved: false };
      this.field.svg.setPointerCapture(event.pointerId);
    }
  }

  /** A second click: the other man on the square, or nobody. @param {Choice[]} movable */
  #next(movable) {
    const now = movable.findIndex((choice) => choice.guest === this.#chosen?.guest);
    return movable[now + 1] ?? null;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const drag = this.#drag;
    if (!drag) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLACK) return;
    if (!drag.moved) {
      drag.moved = true;
      this.element.classList.add('dragging');
      drag.figure.element.classList.add('dragged');
      drag.figure.size.style.setProperty('transform', 'none');
      this.field.front.append(drag.figure.element);
    }
    const [x = 0, y = 0] = this.#point(event);
    drag.figure.element.style.setProperty('transform', `translate(${x - UNIT / 2}px, ${y - UNIT / 2}px)`);
    this.field.over(this.#squareAt(event));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const drag = this.#drag;
    const click = this.#click;
    this.#click = null;
    const square = this.#squareAt(event);
    if (drag?.moved) {
      const isTarget = square && this.#isTarget(square);
      if (isTarget) {
        this.#endDrag(true);
        this.#go(square, true);
      } else this.#endDrag();
      return;
    }
    this.#drag = null;
    if (click && square) click();
  }

  /** @param {boolean} [stays] the man stays under the pointer for now */
  #endDrag(stays = false) {
    const drag = this.#drag;
    this.#drag = null;
    this.#click = null;
    this.element.classList.remove('dragging');
    this.field.over(null);
    drag?.figure.element.classList.remove('dragged');
    if (drag?.moved) this.field.men.append(drag.figure.element);
    if (!stays) this.#paint();
  }

  /** @param {Choice | null} choice */
  #choose(choice) {
    this.#chosen = choice;
    this.#paint();
  }

  /** @param {Square | null} square */
  #tell(square) {
    if (square) this.onSquare?.(square);
  }

  /** Picks up or puts down on a square, as Enter does. @param {Square} square */
  #activate(square) {
    const isChosen = same(this.#chosen?.square, square);
    const movable = this.#movable(square);
    if (this.#isTarget(square) && !isChosen) this.#go(square);
    else if (isChosen) this.#choose(this.#next(movable));
    else {
      this.#choose(movable[0] ?? null);
      this.#tell(square);
    }
    const man = this.#chosen && this.#menAt(square).find((other) => !other.guest === !this.#chosen?.guest);
    if (man) this.announce(`${manName(this.game, man)} picked up, ${this.#movesOf(/** @type {Choice} */ (this.#chosen)).length} moves`);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) this.#walk(step[0] ?? 0, step[1] ?? 0, false);
    else if (event.key === 'Home') this.#walk(-1, 0, true);
    else if (event.key === 'End') this.#walk(1, 0, true);
    else if (event.key === 'Enter' || event.key === ' ') this.#activate(this.#cursor);
    else if (event.key === 'Escape' && this.#chosen) this.#choose(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The cursor goes as one sees it, over holes. @param {number} right @param {number} down @param {boolean} far */
  #walk(right, down, far) {
    let [column, row] = this.field.view(this.#cursor);
    for (;;) {
      column += right;
      row += down;
      if (column < 0 || row < 0 || column >= this.field.columns || row >= this.field.rows) break;
      const square = this.field.squareOf(column, row);
      if (square) this.#cursor = square;
      if (square && !far) break;
    }
    for (const cell of this.field.cells.values()) {
      cell.group.setAttribute('tabindex', same(cell.square, this.#cursor) ? '0' : '-1');
    }
    this.field.cursor(this.#cursor);
    this.focus();
  }

  // ---- a move ----

  /** The chosen man goes to a square, after one more question if several moves do that. @param {Square} to @param {boolean} [dropped] */
  async #go(to, dropped = false) {
    const chosen = this.#chosen;
    const man = chosen && this.#menAt(chosen.square).find((other) => !other.guest === !chosen.guest);
    if (!chosen || !man) return;
    const moves = this.#movesOf(chosen).filter((move) => same(move.to, to));
    /** @type {MoveView | null} */
    let move = moves[0] ?? null;
    if (moves.length > 1) {
      if (dropped) this.#hold(man, to);
      this.#busy = true;
      move = await pick(this.promotion, this.game, man, moves);
      this.#busy = false;
    }
    if (!move) {
      this.#choose(null);
      return;
    }
    if (dropped) this.#still();
    this.#chosen = null;
    this.#foresee(man, move);
    this.onMove?.(move.text);
  }

  /** A man who was dropped waits on his square while a question is asked. @param {PieceView} man @param {Square} at */
  #hold(man, at) {
    const figure = this.#figures.find((other) => other.man === man);
    const [column, row] = this.field.view(at);
    figure?.element.style.setProperty('transform', `translate(${column * UNIT}px, ${row * UNIT}px)`);
  }

  /** Shows a move at once, as far as one can guess it; the next `show` puts everything right. @param {PieceView} man @param {MoveView} move */
  #foresee(man, move) {
    const rest = this.#scene.men.filter((other) => other !== man && (!same(other.at, move.to) || this.#areFriends(man, other)));
    // Whoever shared the square has it alone now.
    const men = rest.map((other) => (same(other.at, man.at) ? { ...other, guest: false } : other));
    const isJoining = men.some((other) => same(other.at, move.to));
    men.push({ ...man, at: move.to, kind: move.promotion ?? man.kind, guest: isJoining });
    this.show({ ...this.#scene, men, moves: [], check: [], last: [move.from, move.to] });
  }
}
