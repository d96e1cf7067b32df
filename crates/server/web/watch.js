// The page of a spectator. The board follows the game or stays at a chosen position. For agents it also shows what they were
// asked and what they answered.
import { AgentAnswers } from './agent_answers.js';
import { Board } from './board.js';
import { Clocks } from './clocks.js';
import { die } from './die.js';
import { byId, el } from './dom.js';
import { MoveList } from './move_list.js';
import { count, displayName } from './names.js';
import { showClock, showPlayerBars } from './players.js';
import { CONNECTION_LOST, fitBoard, flipTurns, onKeys, positions, sceneAfter, showFatalError, showGameInfo, showRecordLinks, tablesAfter } from './room_page.js';
import { RoomSocket, roomOfPage } from './room_socket.js';
import { RulesSide } from './rules_side.js';
import { facts, offers, resultText, turnText } from './status_text.js';

/** @typedef {import('./types.js').RoomView} RoomView */

/** @type {RoomView | null} */
let room = null;
/** @type {Board | null} */
let board = null;
/** @type {import('./hands.js').Hands | null} */
let hands = null;
/** @type {MoveList | null} */
let moves = null;
/** @type {AgentAnswers | null} */
let answers = null;
let isFollowing = true;
/** The number of actions before the position on the board. */
let shown = 0;
/** Quarter turns of the board. */
let turn = 0;
let hasAnswers = false;
/** @type {RoomSocket | null} */
let socket = null;

/** @type {RulesSide | null} */
let rules = null;
/** The material value of each piece kind. @type {number[] | null} */
let values = null;
let isOffline = false;

const clocks = new Clocks((player, ms, isRunning) => showClock(room?.game.players[player]?.name ?? '', ms, isRunning));

function showBoard() {
  if (!room || !board || !moves) return;
  const { acts, state } = room;
  const isCurrent = shown >= acts.length;
  board.show(sceneAfter(room, shown));
  // The board comes first: a dropped piece starts where it was in the hand.
  hands?.show(tablesAfter(room, shown).inHand);
  moves.mark(shown);
  byId('first', HTMLButtonElement).disabled = byId('prev', HTMLButtonElement).disabled = shown === 0;
  byId('next', HTMLButtonElement).disabled = byId('last', HTMLButtonElement).disabled = isCurrent;
  showPlayers();
  const button = byId('follow');
  button.setAttribute('aria-pressed', String(isFollowing));
  button.hidden = state.end !== null && isCurrent;
  button.textContent = state.end ? 'Go to the end' : isFollowing ? 'Following' : isCurrent ? 'Follow' : `Follow (${acts.length - shown} more)`;
}

/** Shows the position after `count` actions. The board follows the game from its last position, and from no other. @param {number} count */
function lookAt(count) {
  const acts = room?.acts ?? [];
  isFollowing = count >= (positions(acts).at(-1) ?? 0);
  shown = isFollowing ? acts.length : Math.max(0, count);
  showBoard();
}

/** @param {number} by */
function step(by) {
  const all = positions(room?.acts ?? []);
  const next = by > 0 ? all.find((position) => position > shown) : all.filter((position) => position < shown).at(-1);
  lookAt(next ?? (by > 0 ? Infinity : 0));
}

function showPlayers() {
  if (!room) return;
  // The values of the pieces are needed once material is unequal.
  if (!values && room.acts.some((action) => action.captured?.length)) void rules?.load();
  showPlayerBars(room, { turn, shown, pieces: sceneAfter(room, shown).pieces, ...tablesAfter(room, shown), hands: hands?.rows ?? [], isOffline, values });
  clocks.showAll();
}

/** Shows the status and the result. */
function showStatus() {
  if (!room) return;
  const { game, state, acts } = room;
  byId('status').textContent = state.end ? '' : turnText(room).text;
  byId('facts').replaceChildren(...[...offers(room), ...facts(game, state)].map((fact) => el('li', {}, fact)));
  byId('result').hidden = !state.end;
  byId('result').textContent = state.end ? resultText(game, state.end, acts.at(-1)) : '';
  byId('die').hidden = game.die === null;
  if (game.die !== null) byId('die').replaceChildren(die(state.die));
  byId('no-moves').hidden = acts.length > 0;
  byId('watching').textContent = room.watching > 1 ? `${count(room.watching, 'spectator')}.` : '';
}

/** Shows the panel of agents if one plays or a program has answered. */
function showAgentPanel() {
  if (!room) return;
  byId('agents').hidden = !room.seats.some((seat) => seat.kind === 'agent') && !hasAnswers;
  byId('room').classList.toggle('with-agents', !byId('agents').hidden);
  byId('no-exchanges').hidden = hasAnswers;
}

/** Loads the hands of a game that has them. @param {import('./types.js').GameView} game */
async function loadHands(game) {
  const { Hands } = await import('./hands.js');
  hands = new Hands(game);
  if (board) board.hands = hands;
  showBoard();
}

/** @param {RoomView} view */
function onRoom(view) {
  const { game, acts, asked = [] } = view;
  if (room === null || isFollowing) shown = acts.length;
  shown = Math.min(shown, acts.length);
  room = view;
  clocks.set(view.state);
  byId('error').hidden = true;
  document.title = `${game.title} – Watching – Tabiya`;
  showGameInfo(game);
  byId('board').replaceChildren();
  hands = null;
  if (game.hands) void loadHands(game);
  board = new Board(byId('board'), game, { turn, label: `${game.title}, board`, onInspect: (piece, place) => void rules?.inspect(piece, place, turn) });
  rules?.show(view);
  fitBoard(board);
  moves = new MoveList(byId('moves', HTMLTableElement), byId('moves-scroll'), game, lookAt);
  moves.reset(acts, view.throws);
  const filter = byId('whose', HTMLSelectElement);
  const chosen = filter.value;
  const programs = game.players.flatMap((player, i) => (view.seats[i]?.kind === 'human' ? [] : [el('option', { value: i }, displayName(player.name))]));
  filter.replaceChildren(el('option', { value: '' }, 'All players'), ...programs);
  filter.value = chosen;
  answers = new AgentAnswers(byId('exchanges'), game);
  answers.showOnly(filter.value);
  for (const answer of asked) answers.add(answer);
  hasAnswers = asked.length > 0;
  showAgentPanel();
  showStatus();
  showBoard();
}

/** @param {import('./types.js').ActionView} action @param {import('./types.js').StateView} state @param {import('./types.js').DiceView} [dice] */
function onAction(action, state, dice) {
  if (!room) return;
  // A message was missed: get the complete state.
  if (action.n !== room.acts.length) return socket?.reconnect();
  room.acts.push(action);
  room.state = state;
  if (dice) rules?.show(Object.assign(room, { dice }));
  clocks.set(state);
  moves?.add(action);
  if (isFollowing) shown = room.acts.length;
  showStatus();
  showBoard();
}

function listen() {
  byId('first').addEventListener('click', () => lookAt(0));
  byId('prev').addEventListener('click', () => step(-1));
  byId('next').addEventListener('click', () => step(1));
  byId('last').addEventListener('click', () => lookAt(Infinity));
  byId('follow').addEventListener('click', (event) => {
    if (event.detail > 1) return;
    isFollowing = !isFollowing;
    if (isFollowing) shown = room?.acts.length ?? 0;
    showBoard();
  });
  byId('flip').addEventListener('click', () => {
    turn = (turn + flipTurns(room?.game)) % 4;
    board?.turnTo(turn);
    if (board) fitBoard(board);
    showPlayers();
  });
  byId('whose').addEventListener('change', () => answers?.showOnly(byId('whose', HTMLSelectElement).value));
  onKeys({ ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => lookAt(0), End: () => lookAt(Infinity) });
  // Another link in the same tab is another room.
  addEventListener('hashchange', () => location.reload());
}

const link = roomOfPage();
if (link) {
  showRecordLinks(link.id, link.key);
  listen();
  rules = new RulesSide(link.id, link.key, (loaded) => {
    values = loaded.values;
    showPlayers();
  });
  socket = new RoomSocket(link.id, link.key, {
    onStatus: (status) => {
      // The notice stays until the socket is open, so that it does not flicker with each attempt.
      isOffline = status !== 'open';
      showPlayers();
      if (status === 'connecting') return;
      byId('connection').hidden = status !== 'lost';
      byId('connection').textContent = status === 'lost' ? CONNECTION_LOST : '';
    },
    onRoom,
    onAction,
    onAgentAnswer: (answer) => {
      hasAnswers = true;
      answers?.add(answer);
      showAgentPanel();
    },
    onPresence: ({ players, watching, people }) => {
      if (!room) return;
      Object.assign(room, { present: players, watching, people });
      showStatus();
      showPlayers();
    },
    onNext: ({ id, key }) => location.assign(`/watch#${id}.${key}`),
    onError: ({ why }) => showFatalError(why),
  });
} else {
  showFatalError('This page needs the link of a game, such as /watch#ID.KEY. The players can share it.');
}
