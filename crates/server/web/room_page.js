// Parts shared by the pages for players and for spectators.
import { recordLink } from './api.js';
import { byId, el } from './dom.js';
import { sentence, squareName } from './names.js';

/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {import('./types.js').RoomView} RoomView */
/** @typedef {import('./types.js').ActionView} ActionView */
/** @typedef {import('./types.js').PieceView} PieceView */

export const CONNECTION_LOST = 'Connection lost. Reconnecting…';

/** Shows the title and the starting array of a game. @param {GameView} game */
export function showGameInfo({ title, layout }) {
  byId('title').textContent = title;
  byId('array').hidden = layout === null;
  byId('array').textContent = layout === null ? '' : `Array: ${layout}`;
  byId('room').hidden = false;
}

/** @param {string} id @param {string} key */
export function showRecordLinks(id, key) {
  byId('pgn', HTMLAnchorElement).href = recordLink(id, key, 'pgn');
  byId('json', HTMLAnchorElement).href = recordLink(id, key, 'json');
}

/** Shows an error with a link to the home page. @param {string} why */
export function showFatalError(why) {
  const notice = byId('error');
  notice.replaceChildren(el('p', {}, sentence(why)), el('p', {}, el('a', { href: '/' }, 'Choose a game')));
  notice.hidden = false;
}

/** Passes the aspect ratio of the board to the style sheet, which fits the board into the window. @param {import('./board.js').Board} board */
export function fitBoard(board) {
  const { hands, players } = board.game;
  if (hands) byId('room').dataset.hands = players.length > 2 ? 'many' : 'two';
  const fit = () => byId('room').style.setProperty('--aspect', board.element.style.getPropertyValue('--aspect') || '1');
  fit();
  void board.ready?.then(fit);
}

/** Quarter turns per click: two players swap sides, more players rotate the board. @param {GameView | undefined} game */
export const flipTurns = (game) => ((game?.players.length ?? 2) > 2 ? 1 : 2);

/**
 * Returns what the board shows after `count` actions.
 * @param {RoomView} room
 * @param {number} count
 */
export function sceneAfter({ game, state, start, acts }, count) {
  const isCurrent = count >= acts.length;
  const pieces = isCurrent ? state.men : piecesAfter(start, acts, count);
  const inCheck = isCurrent ? state.check : (acts[count - 1]?.check ?? []);
  return {
    pieces,
    last: acts.slice(0, count).filter((action) => action.squares).at(-1)?.squares ?? null,
    check: pieces.filter((piece) => piece.kind === game.leader && inCheck.includes(piece.player)).map((piece) => piece.at),
    frozen: isCurrent ? state.frozen : (acts[count - 1]?.frozen ?? []),
  };
}

/**
 * Returns the pieces in hand and the counters after `count` actions.
 * @param {RoomView} room
 * @param {number} count
 */
export function tablesAfter({ state, start_hands = [], start_counters = [], acts }, count) {
  if (count >= acts.length) return { inHand: state.hands, counters: state.counters };
  const [inHand, counters] = [start_hands, start_counters].map((table) => table.map((row) => [...row]));
  for (const { hands: held = [], counters: counted = [] } of acts.slice(0, count)) {
    for (const [player, kind, number] of held) Object.assign(inHand?.[player] ?? [], { [kind]: number });
    for (const [counter, player, value] of counted) Object.assign(counters?.[counter] ?? [], { [player]: value });
  }
  return { inHand: inHand ?? [], counters: counters ?? [] };
}

/** @param {PieceView[]} start @param {ActionView[]} actions @param {number} count */
function piecesAfter(start, actions, count) {
  /** @type {Map<string, PieceView[]>} */
  const squares = new Map();
  for (const piece of start) squares.set(squareName(piece.at), [...(squares.get(squareName(piece.at)) ?? []), piece]);
  for (const action of actions.slice(0, count)) {
    for (const [square, pieces] of action.changes) squares.set(squareName(square), pieces);
  }
  return [...squares.values()].flat();
}

/** Returns the numbers of actions before each distinct position: the start, and after each change. @param {ActionView[]} actions */
export function positions(actions) {
  return [0, ...actions.filter((action) => action.changes.length || action.squares).map((action) => action.n + 1)];
}

/**
 * Calls the handler of a key, unless a field, a dialog or the board has the focus.
 * @param {Record<string, () => void>} handlers
 */
export function onKeys(handlers) {
  addEventListener('keydown', (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (target.closest('input, select, textarea, dialog, [role="grid"]')) return;
    const handler = handlers[event.key];
    if (!handler) return;
    handler();
    event.preventDefault();
  });
}
