// A table at which one sits. This file only joins the parts: the line to the server, the board, the players, the list of moves,
// and what can be said.
import { Line, recordLink, tableOfPage } from './api.js';
import { Board } from './board.js';
import { byId, el } from './build.js';
import { showChosen } from './chosen.js';
import { Clocks } from './clocks.js';
import { lastMove, leadersOf, menAfter, stops } from './history.js';
import { showLinks } from './invite.js';
import { MoveList } from './movelist.js';
import { called, playerName, sentence } from './names.js';
import { seatPlayers, showClock } from './players.js';
import { click, setSound, soundIsOn } from './sound.js';
import { ending, facts, saying, turn } from './standing.js';
import { Talk } from './talk.js';

/** @typedef {import('./types.js').RoomView} RoomView */

/** @type {RoomView | null} */
let table = null;
/** @type {Board | null} */
let board = null;
/** @type {MoveList | null} */
let moves = null;
/** How many acts are shown, when somebody looks back; else nothing. @type {number | null} */
let looking = null;
/** How far the person has turned the board by hand. */
let flipped = 0;
let turnsItself = false;
/** @type {Line | null} */
let line = null;

const clocks = new Clocks((player, ms, isRunning) => showClock(table?.game.players[player]?.name ?? '', ms, isRunning));
const talk = new Talk(say, () => {
  if (table && !line?.undo(table.state.seen)) toast('There is no connection to the server: nothing was taken back.');
});

// ---- what is said ----

/** @param {string} text */
function say(text) {
  if (!table) return;
  if (!line?.act(text, table.state.seen)) {
    toast('There is no connection to the server: nothing was done.');
    showBoard();
  }
}

/** @param {string} text */
function move(text) {
  const claim = talk.claiming;
  talk.claiming = null;
  say(claim ? `claim ${claim} ${text}` : text);
}

// ---- what is heard ----

/** @param {RoomView} news */
function sitDown(news) {
  const isFirst = !table;
  table = news;
  document.body.dataset.game = news.game.library ?? '';
  byId('title').textContent = news.game.title;
  showChosen(news.game);
  byId('table').hidden = false;
  byId('door').hidden = true;
  if (looking !== null && looking > news.acts.length) looking = null;
  board ??= new Board(byId('board'), news.game, { turn: wantedTurn(), interactive: true, label: `${news.game.title}, board`, onMove: move });
  fit();
  moves ??= new MoveList(byId('moves', HTMLTableElement), byId('moves-scroll'), news.game, (count) => lookAt(count));
  moves.reset(news.acts);
  byId('auto-turn').hidden = news.you.length < 2;
  if (line) {
    const invites = showLinks(byId('links'), news, line.key);
    if (isFirst && invites && !news.acts.length) byId('share', HTMLDetailsElement).open = true;
    byId('pgn', HTMLAnchorElement).href = recordLink(news.id, line.key, 'pgn');
    byId('json', HTMLAnchorElement).href = recordLink(news.id, line.key, 'json');
  }
  showAll();
  document.body.dataset.ready = 'true';
}

/** @param {import('./types.js').ActionView} act @param {import('./types.js').StateView} state */
function done(act, state) {
  if (!table || !line) return;
  // Something was missed: hear everything again.
  if (act.n !== table.acts.length) return line.again();
  table.acts.push(act);
  table.state = state;
  moves?.add(act);
  showAll();
  const words = act.san ? `${playerName(table.game, act.player)}: ${act.san}` : saying(table.game, act);
  const check = act.check?.length ? `. ${act.check.map((player) => playerName(/** @type {RoomView} */ (table).game, player)).join(', ')} in check` : '';
  board?.announce(state.end ? `${words}. ${ending(table.game, state.end, act)}` : words + check);
  click(state.end ? 'end' : act.capture ? 'capture' : 'move');
}

/** @param {import('./api.js').LineStatus} status */
function connection(status) {
  const place = byId('connection');
  place.dataset.status = status;
  const isLost = status === 'lost' || (status === 'connecting' && table !== null);
  place.hidden = !isLost;
  if (isLost) place.textContent = 'The connection to the server is lost. Trying again…';
}

/** @param {import('./types.js').ErrorBody} refusal */
function refused(refusal) {
  if (!table) return shutDoor(refusal.why);
  // The server names players as specs do.
  const { players } = table.game;
  toast(refusal.why.replaceAll(/\b[A-Z][A-Z_]+\b/g, (word) => (players.some(({ name }) => name === word) ? called(word) : word)));
  showBoard();
}

/** @param {string} why */
function shutDoor(why) {
  const door = byId('door');
  door.replaceChildren(el('p', {}, sentence(why)), el('p', {}, el('a', { href: '/' }, 'Choose a game')));
  door.hidden = false;
}

// ---- what is shown ----

function showAll() {
  if (!table) return;
  const { game, state } = table;
  if (turnsItself) turnBoard();
  showPlayers();
  clocks.set(state);
  talk.show(table);
  const now = turn(table);
  byId('status').textContent = now.text;
  byId('status').dataset.yours = String(now.yours);
  byId('facts').replaceChildren(...facts(game, state).map((fact) => el('li', {}, fact)));
  byId('result').hidden = !state.end;
  byId('result').textContent = state.end ? ending(game, state.end, table.acts.at(-1)) : '';
  byId('again').classList.toggle('primary', !!state.end);
  byId('no-moves').hidden = table.acts.length > 0;
  document.title = `${state.end ? ending(game, state.end, table.acts.at(-1)) : now.text} – ${game.title}`;
  showBoard();
}

function showPlayers() {
  if (!table || !board) return;
  seatPlayers(byId('players-top'), byId('players-bottom'), table, board.turn);
  clocks.tellAll();
  const count = table.watching;
  byId('watching').textContent = count ? `${count} ${count > 1 ? 'people watch' : 'person watches'}.` : '';
}

function showBoard() {
  if (!table || !board) return;
  const { game, state, start, acts, you } = table;
  const isLive = looking === null;
  const count = looking ?? acts.length;
  const last = lastMove(acts, count);
  const men = isLive ? state.men : menAfter(start, acts, count);
  const check = isLive ? state.check : (acts[count - 1]?.check ?? []);
  const mayMove = isLive && !state.end && you.includes(state.actor);
  board.show({
    men,
    last: last?.squares ?? null,
    check: leadersOf(game, men, check),
    moves: mayMove ? state.moves : [],
    frozen: isLive ? state.frozen : (acts[count - 1]?.frozen ?? []),
    selectable: mayMove,
  });
  moves?.mark(count);
  byId('looking').hidden = isLive;
  const places = stops(acts);
  const isAtStart = count <= 0;
  for (const id of ['first', 'prev']) byId(id, HTMLButtonElement).disabled = isAtStart || places.length < 2;
  for (const id of ['next', 'last']) byId(id, HTMLButtonElement).disabled = isLive;
}

/** Shows the position after so many acts. @param {number} count */
function lookAt(count) {
  if (!table) return;
  const places = stops(table.acts);
  looking = count >= (places.at(-1) ?? 0) ? null : Math.max(0, count);
  showBoard();
}

/** @param {number} by */
function step(by) {
  if (!table) return;
  const places = stops(table.acts);
  const count = looking ?? table.acts.length;
  const now = places.filter((place) => place <= count).length - 1;
  lookAt(places[Math.min(places.length - 1, Math.max(0, now + by))] ?? 0);
}

// ---- the board's turn ----

function wantedTurn() {
  if (!table) return 0;
  const { game, state, you } = table;
  const whose = turnsItself && you.includes(state.actor) ? state.mover : (you[0] ?? 0);
  return ((game.players[whose]?.turn ?? 0) + flipped) % 4;
}

/** The page must know how wide the board is for its height, in order to fit it into the window. */
function fit() {
  const aspect = board?.element.style.getPropertyValue('--aspect') ?? '1';
  byId('board').parentElement?.style.setProperty('--aspect', aspect);
}

function turnBoard() {
  board?.turnTo(wantedTurn());
  fit();
  showPlayers();
}

byId('flip').addEventListener('click', () => {
  // Of two players, each sees the other's side; of more, one walks around the board.
  flipped = (flipped + ((table?.game.players.length ?? 2) > 2 ? 1 : 2)) % 4;
  turnBoard();
});
byId('auto-turn').addEventListener('click', () => {
  turnsItself = !turnsItself;
  byId('auto-turn').setAttribute('aria-pressed', String(turnsItself));
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
addEventListener('keydown', (event) => {
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (target.closest('input, select, textarea, dialog, [role="grid"]')) return;
  if (event.key === 'ArrowLeft') step(-1);
  else if (event.key === 'ArrowRight') step(1);
  else if (event.key === 'Home') lookAt(0);
  else if (event.key === 'End') lookAt(Infinity);
  else if (event.key === 'Escape') board?.drop();
  else return;
  event.preventDefault();
});

/** @type {ReturnType<typeof setTimeout> | undefined} */
let toasting;

/** @param {string} text */
function toast(text) {
  const place = byId('toast');
  place.textContent = sentence(text);
  place.hidden = false;
  clearTimeout(toasting);
  toasting = setTimeout(() => (place.hidden = true), 6000);
}

// ---- the line ----

const here = tableOfPage();
if (!here) shutDoor('This page needs the link of a table.');
else {
  line = new Line(here.id, here.key, {
    onStatus: connection,
    onTable: sitDown,
    onDone: done,
    onPresent: (players, watching) => {
      if (!table) return;
      table.present = players;
      table.watching = watching;
      showPlayers();
    },
    onRefused: refused,
    onLost: (text) => toast(`The connection was lost before the server heard “${text}”. Please do it again.`),
  });
}
// Another link in the same tab is another table.
addEventListener('hashchange', () => location.reload());
