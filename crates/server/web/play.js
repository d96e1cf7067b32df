// The page of a player. It connects the socket, the board, the player bars, the move list and the action buttons.
import { ActionPanel } from './action_panel.js';
import { Board } from './board.js';
import { Clocks } from './clocks.js';
import { byId, el } from './dom.js';
import { Invite } from './invite.js';
import { MoveList } from './move_list.js';
import { count, displayName, playerName, playerNames, sentence } from './names.js';
import { Notices } from './notices.js';
import { showClock, showPlayerBars } from './players.js';
import { addVisitedGame } from './recent_games.js';
import { CONNECTION_LOST, fitBoard, flipTurns, onKeys, positions, sceneAfter, showFatalError, showGameInfo, showRecordLinks, tablesAfter } from './room_page.js';
import { RoomSocket, roomOfPage } from './room_socket.js';
import { RulesSide } from './rules_side.js';
import { click, setSound, soundIsOn } from './sound.js';
import { actionText, facts, resultText, turnText } from './status_text.js';

/** @typedef {import('./types.js').RoomView} RoomView */

/** @type {RoomView | null} */
let room = null;
/** @type {Board | null} */
let board = null;
/** The hands, once they are loaded; only games with hands need them. @type {import('./hands.js').Hands | null} */
let hands = null;
/** @type {MoveList | null} */
let moves = null;
/** The number of actions before the position on the board while looking back; otherwise `null`. @type {number | null} */
let lookingAt = null;
/** Quarter turns by which the user has turned the board. */
let flipped = 0;
let turnsAutomatically = false;
/** @type {RoomSocket | null} */
let socket = null;

const clocks = new Clocks((player, ms, isRunning) => showClock(room?.game.players[player]?.name ?? '', ms, isRunning));
const panel = new ActionPanel(act, send);
const notices = new Notices(byId('notices'), send);
/** @type {Invite | null} */
let invite = null;
/** @type {RulesSide | null} */
let rules = null;
/** The material value of each piece kind. @type {number[] | null} */
let values = null;
let isOffline = false;
/** Whether the user has withdrawn or declined a proposal, and the server has not confirmed it. */
let hasDeclined = false;

// ---- actions ----

/** @param {string} text @param {number} [player] The player that resigns. */
function act(text, player) {
  if (!room) return;
  if (!socket?.act(text, room.state.seen, player)) {
    toast('No connection to the server: nothing was sent.');
    showBoard();
  }
}

/** Sends a message that is not an action. @param {import('./types.js').FromClient} message */
function send(message) {
  if (message.rematch && room?.next) return goTo(room.next);
  hasDeclined ||= !!message.decline_undo || !!message.decline_rematch;
  const isSent = message.undo ? socket?.undo(message.undo.seen) : socket?.send(message);
  if (!isSent) toast('No connection to the server: nothing was sent.');
}

/** Opens the room of the rematch. @param {import('./types.js').NextRoomView} next */
function goTo({ id, key }) {
  // The page reloads when the key in its address changes.
  location.assign(`/play#${id}.${key}`);
}

/** @param {string} text */
function move(text) {
  const claim = panel.claiming;
  panel.claiming = null;
  act(claim ? `claim ${claim} ${text}` : text);
}

/** Loads the hands of a game that has them. @param {import('./types.js').GameView} game */
async function loadHands(game) {
  const { Hands } = await import('./hands.js');
  hands ??= new Hands(game, (kind, event) => board?.pickUp(kind, event));
  if (board) board.hands = hands;
  showAll();
}

// ---- messages of the server ----

/** @param {RoomView} view */
function onRoom(view) {
  room = view;
  notices.restart();
  document.body.dataset.game = view.game.library ?? '';
  showGameInfo(view.game);
  byId('error').hidden = true;
  if (lookingAt !== null && lookingAt > view.acts.length) lookingAt = null;
  if (view.game.hands && !hands) void loadHands(view.game);
  board ??= new Board(byId('board'), view.game, {
    turn: wantedTurn(),
    interactive: true,
    label: `${view.game.title}, board`,
    onMove: move,
    onReturn: () => lookAt(Infinity),
    onInspect: (piece, place) => void rules?.inspect(piece, place, board?.turn),
  });
  fitBoard(board);
  moves ??= new MoveList(byId('moves', HTMLTableElement), byId('moves-scroll'), view.game, lookAt);
  moves.reset(view.acts, view.throws);
  byId('auto-turn').hidden = view.you.length < 2;
  if (socket) {
    void invite?.show(view);
    addVisitedGame(view, socket.key);
    showRecordLinks(view.id, socket.key);
    rules?.show(view);
  }
  showAll();
  document.body.dataset.ready = 'true';
}

/** @param {import('./types.js').ActionView} action @param {import('./types.js').StateView} state @param {import('./types.js').DiceView} [dice] */
function onAction(action, state, dice) {
  if (!room || !socket) return;
  // A message was missed: get the complete state.
  if (action.n !== room.acts.length) return socket.reconnect();
  room.acts.push(action);
  room.state = state;
  room.offers.undo = null;
  if (state.end) room.people = { missing: [], abort_in: null, away: [] };
  if (dice) rules?.show(Object.assign(room, { dice }));
  moves?.add(action);
  showAll();
  const { game } = room;
  const text = action.san ? `${playerName(game, action.player)}: ${action.san}` : actionText(game, action);
  const check = action.check?.length ? `. ${playerNames(game, action.check)} in check` : '';
  board?.announce(state.end ? `${text}. ${resultText(game, state.end, action)}` : text + check);
  click(state.end ? 'end' : action.capture ? 'capture' : 'move');
}

/** @param {import('./types.js').OffersView} offers */
function onOffers(offers) {
  if (!room) return;
  const { offers: before, you } = room;
  const isRefused = (/** @type {'undo' | 'rematch'} */ what) => !!before[what]?.by.includes(you[0] ?? -1) && !offers[what] && !hasDeclined;
  if (isRefused('undo')) toast('Your proposal to take back was declined.');
  if (isRefused('rematch')) toast('Your proposal to play again was declined.');
  hasDeclined = false;
  room.offers = offers;
  notices.show(room);
  panel.show(room);
}

/** @param {import('./room_socket.js').SocketStatus} status */
function onStatus(status) {
  const notice = byId('connection');
  notice.dataset.status = status;
  isOffline = status !== 'open';
  showPlayers();
  notice.hidden = !(status === 'lost' || (status === 'connecting' && room !== null));
  if (!notice.hidden) notice.textContent = CONNECTION_LOST;
}

/** @param {import('./types.js').ErrorBody} error */
function onError({ why }) {
  if (!room) return showFatalError(why);
  // The server writes player names in capitals, as specs do.
  const { players } = room.game;
  toast(why.replaceAll(/\b[A-Z][A-Z_]+\b/g, (word) => (players.some(({ name }) => name === word) ? displayName(word) : word)));
  showBoard();
}

// ---- display ----

function showAll() {
  if (!room) return;
  const { game, state, acts } = room;
  if (turnsAutomatically) turnBoard();
  clocks.set(state);
  panel.show(room);
  notices.show(room);
  const turn = turnText(room);
  const result = state.end ? resultText(game, state.end, acts.at(-1)) : '';
  byId('status').textContent = turn.text;
  byId('status').dataset.yours = String(turn.yours);
  byId('facts').replaceChildren(...facts(game, state).map((fact) => el('li', {}, fact)));
  byId('result').hidden = !state.end;
  byId('result').textContent = result;
  byId('no-moves').hidden = acts.length > 0;
  document.title = `${result || turn.text} – ${game.title}`;
  showBoard();
}

function showPlayers() {
  if (!room || !board) return;
  // The values of the pieces are needed once material is unequal.
  if (!values && room.acts.some((action) => action.captured?.length)) void rules?.load();
  const shown = lookingAt ?? room.acts.length;
  showPlayerBars(room, { turn: board.turn, shown, pieces: sceneAfter(room, shown).pieces, ...tablesAfter(room, shown), hands: hands?.rows ?? [], isOffline, values });
  clocks.showAll();
  byId('watching').textContent = room.watching ? `${count(room.watching, 'spectator')}.` : '';
}

function showBoard() {
  if (!room || !board) return;
  const { state, acts, you } = room;
  const isLive = lookingAt === null;
  const shown = lookingAt ?? acts.length;
  const mayMove = isLive && !state.end && you.includes(state.actor);
  const legal = mayMove ? state.moves : [];
  board.show({ ...sceneAfter(room, shown), moves: legal, mover: state.mover, selectable: mayMove, past: !isLive });
  // The board comes first: a dropped piece starts where it was in the hand.
  hands?.show(tablesAfter(room, shown).inHand, { you, dropper: mayMove ? state.mover : null, moves: legal });
  showPlayers();
  moves?.mark(shown);
  byId('looking').hidden = isLive;
  for (const id of ['first', 'prev']) byId(id, HTMLButtonElement).disabled = shown <= 0 || positions(acts).length < 2;
  for (const id of ['next', 'last']) byId(id, HTMLButtonElement).disabled = isLive;
}

/** Shows the position after `count` actions. @param {number} count */
function lookAt(count) {
  if (!room) return;
  lookingAt = count >= (positions(room.acts).at(-1) ?? 0) ? null : Math.max(0, count);
  showBoard();
}

/** @param {number} by */
function step(by) {
  if (!room) return;
  const all = positions(room.acts);
  const shown = lookingAt ?? room.acts.length;
  const now = all.filter((position) => position <= shown).length - 1;
  lookAt(all[Math.min(all.length - 1, Math.max(0, now + by))] ?? 0);
}

// ---- board orientation ----

function wantedTurn() {
  if (!room) return 0;
  const { game, state, you } = room;
  const player = turnsAutomatically && you.includes(state.actor) ? state.mover : (you[0] ?? 0);
  return ((game.players[player]?.turn ?? 0) + flipped) % 4;
}

function turnBoard() {
  if (!board) return;
  board.turnTo(wantedTurn());
  fitBoard(board);
  showPlayers();
}

byId('flip').addEventListener('click', () => {
  flipped = (flipped + flipTurns(room?.game)) % 4;
  turnBoard();
});
byId('auto-turn').addEventListener('click', () => {
  turnsAutomatically = !turnsAutomatically;
  byId('auto-turn').setAttribute('aria-pressed', String(turnsAutomatically));
  turnBoard();
});
byId('sound').setAttribute('aria-pressed', String(soundIsOn()));
byId('sound').addEventListener('click', () => {
  setSound(!soundIsOn());
  byId('sound').setAttribute('aria-pressed', String(soundIsOn()));
});
byId('first').addEventListener('click', () => lookAt(0));
byId('prev').addEventListener('click', () => step(-1));
byId('next').addEventListener('click', () => step(1));
for (const id of ['last', 'live']) byId(id).addEventListener('click', () => lookAt(Infinity));
onKeys({
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  Home: () => lookAt(0),
  End: () => lookAt(Infinity),
  Escape: () => board?.drop(),
});

/** @type {ReturnType<typeof setTimeout> | undefined} */
let toastTimer;

/** @param {string} text */
function toast(text) {
  const place = byId('toast');
  place.textContent = sentence(text);
  place.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (place.hidden = true), 6000);
}

// ---- start ----

const link = roomOfPage();
if (!link) showFatalError('This page needs the link of a game.');
else {
  rules = new RulesSide(link.id, link.key, (loaded) => {
    values = loaded.values;
    showPlayers();
  });
  // The name is sent with the next connection.
  invite = new Invite(link.key, () => socket?.reconnect());
  socket = new RoomSocket(link.id, link.key, {
    onStatus,
    onRoom,
    onAction,
    onPresence: ({ players, watching, people }) => {
      if (!room) return;
      Object.assign(room, { present: players, watching, people });
      notices.restart();
      notices.show(room);
      panel.show(room);
      showPlayers();
    },
    onOffers,
    onNext: goTo,
    onError,
    onLostAction: (text) => toast(`The connection was lost before “${text}” reached the server. Please try again.`),
  });
}
// Another link in the same tab is another room.
addEventListener('hashchange', () => location.reload());
