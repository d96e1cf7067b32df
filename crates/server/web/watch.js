// The page for those who watch a table. The board follows the game, or stands still where one looks at it; the moves go on
// coming either way. Of programs it also shows what they were asked and what they said.

import { Line, recordLink, tableOfPage } from './api.js';
import { Board } from './board.js';
import { byId, el } from './build.js';
import { showChosen } from './chosen.js';
import { Clocks } from './clocks.js';
import { die } from './die.js';
import { Exchanges } from './exchanges.js';
import { lastMove, leadersOf, menAfter, stops } from './history.js';
import { MoveList } from './movelist.js';
import { called, sentence } from './names.js';
import { seatPlayers, showClock } from './players.js';
import { ending, facts, offers, turn } from './standing.js';

/** @typedef {import('./types.js').RoomView} RoomView */
/** @typedef {import('./types.js').StateView} StateView */
/** @typedef {import('./types.js').ActionView} ActionView */

/** @type {RoomView | null} */
let table = null;
/** @type {Board | null} */
let board = null;
/** @type {MoveList | null} */
let moves = null;
/** @type {Exchanges | null} */
let exchanges = null;
let follow = true;
/** After how many acts the board is shown. */
let at = 0;
let quarters = 0;
let anythingSaid = false;
/** @type {Line | null} */
let line = null;

const clocks = new Clocks((player, ms, isRunning) => {
  const name = table?.game.players[player]?.name;
  if (name !== undefined) showClock(name, ms, isRunning);
});

/** Shows the board as it was after `at` acts. */
function look() {
  if (!table || !board || !moves) return;
  const { acts, state, game, start } = table;
  const isNow = at >= acts.length;
  const men = isNow ? state.men : menAfter(start, acts, at);
  board.show({
    men,
    last: lastMove(acts, at)?.squares ?? null,
    check: leadersOf(game, men, isNow ? state.check : (acts[at - 1]?.check ?? [])),
    frozen: isNow ? state.frozen : (acts[at - 1]?.frozen ?? []),
  });
  moves.mark(at);
  byId('first', HTMLButtonElement).disabled = byId('prev', HTMLButtonElement).disabled = at === 0;
  byId('next', HTMLButtonElement).disabled = isNow;
  const button = byId('follow');
  button.setAttribute('aria-pressed', String(follow));
  button.hidden = state.end !== null && isNow;
  button.textContent = state.end ? 'To the end' : follow ? 'Following' : isNow ? 'Follow' : `Follow (${acts.length - at} more)`;
  byId('standing').hidden = button.hidden && game.die === null && byId('facts').childElementCount === 0;
}

/**
 * Goes to a place of the game, and stays there.
 * @param {number} acts
 */
function goTo(acts) {
  at = Math.max(0, Math.min(acts, table?.acts.length ?? 0));
  follow = false;
  look();
}

/** Everything around the board: the players, whose turn it is, and how it ended. */
function around() {
  if (!table) return;
  const { game, state } = table;
  seatPlayers(byId('players-top'), byId('players-bottom'), table, quarters);
  clocks.tellAll();
  byId('status').textContent = state.end ? '' : turn(table).text;
  byId('facts').replaceChildren(...[...offers(table), ...facts(game, state)].map((fact) => el('li', {}, fact)));
  byId('result').hidden = !state.end;
  byId('result').textContent = state.end ? ending(game, state.end, table.acts.at(-1)) : '';
  byId('die').hidden = game.die === null;
  if (game.die !== null) byId('die').replaceChildren(die(state.die));
  byId('no-moves').hidden = table.acts.length > 0;
}

/** The panel of what agents said is there as soon as one sits at the table. */
function panel() {
  if (!table) return;
  const agents = table.seats.some((seat) => seat.kind === 'agent');
  byId('agents').hidden = !agents && !anythingSaid;
  byId('table').classList.toggle('with-agents', !byId('agents').hidden);
  byId('no-exchanges').hidden = anythingSaid;
}

/** @param {RoomView} view */
function begin(view) {
  const { game, acts, asked = [] } = view;
  if (table === null || follow) at = acts.length;
  at = Math.min(at, acts.length);
  table = view;
  clocks.set(view.state);
  byId('error').hidden = true;
  byId('title').textContent = game.title;
  document.title = `${game.title} – Watching – Tabiya`;
  showChosen(game);
  byId('table').hidden = false;
  byId('board').replaceChildren();
  board = new Board(byId('board'), game, { turn: quarters, label: `The board of ${game.title}` });
  fit();
  moves = new MoveList(byId('moves', HTMLTableElement), byId('moves-scroll'), game, goTo);
  moves.reset(acts);
  const whose = byId('whose', HTMLSelectElement);
  const chosen = whose.value;
  whose.replaceChildren(
    el('option', { value: '' }, 'All players'),
    ...game.players.flatMap((player, i) => (view.seats[i]?.kind === 'human' ? [] : [el('option', { value: i }, called(player.name))])),
  );
  whose.value = chosen;
  exchanges = new Exchanges(byId('exchanges'), game);
  exchanges.only(whose.value);
  for (const each of asked) exchanges.add(each);
  anythingSaid = asked.length > 0;
  watching(view.watching);
  panel();
  around();
  look();
}

/**
 * @param {ActionView} act
 * @param {StateView} state
 */
function done(act, state) {
  if (!table) return;
  // Something was missed: hear everything again.
  if (act.n !== table.acts.length) return line?.again();
  table.acts.push(act);
  table.state = state;
  clocks.set(state);
  moves?.add(act);
  if (follow) at = table.acts.length;
  around();
  look();
}

/** The board may be as high as the window is; how high it is depends on how it is turned. */
function fit() {
  const aspect = board?.element.style.getPropertyValue('--aspect') || '1';
  byId('board').parentElement?.style.setProperty('--aspect', aspect);
}

/** @param {number} count */
function watching(count) {
  byId('watching').textContent = count > 1 ? `${count} are watching.` : '';
}

/** @param {string} why */
function refuse(why) {
  byId('error').replaceChildren(el('p', {}, sentence(why)), el('p', {}, el('a', { href: '/' }, 'Choose a game')));
  byId('error').hidden = false;
}

function listen() {
  const step = (/** @type {number} */ by) => {
    const places = stops(table?.acts ?? []);
    // Steps go from one position to the next; what was only said between two moves changes nothing to look at.
    const next = by > 0 ? places.find((place) => place > at) : places.filter((place) => place < at).at(-1);
    goTo(next ?? (by > 0 ? Infinity : 0));
  };
  byId('first').addEventListener('click', () => goTo(0));
  byId('prev').addEventListener('click', () => step(-1));
  byId('next').addEventListener('click', () => step(1));
  byId('follow').addEventListener('click', (event) => {
    if (event.detail > 1) return;
    follow = !follow;
    if (follow) at = table?.acts.length ?? 0;
    look();
  });
  byId('flip').addEventListener('click', () => {
    quarters = (quarters + (table && table.game.players.length > 2 ? 1 : 2)) % 4;
    board?.turnTo(quarters);
    fit();
    around();
  });
  byId('whose').addEventListener('change', () => exchanges?.only(byId('whose', HTMLSelectElement).value));
  addEventListener('keydown', (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || target.closest('select, [role="grid"]')) return;
    if (event.key === 'ArrowLeft') step(-1);
    else if (event.key === 'ArrowRight') step(1);
    else return;
    event.preventDefault();
  });
  // Another link in the same tab is another table.
  addEventListener('hashchange', () => location.reload());
}

/** @type {Record<import('./api.js').LineStatus, string>} */
const STATUS = { connecting: '', open: '', lost: 'The connection to the server is lost. Trying again…', refused: '' };

const link = tableOfPage();
if (link) {
  byId('pgn', HTMLAnchorElement).href = recordLink(link.id, link.key, 'pgn');
  byId('json', HTMLAnchorElement).href = recordLink(link.id, link.key, 'json');
  listen();
  line = new Line(link.id, link.key, {
    onStatus: (status) => {
      // It stays until the line is there again, and does not flicker with every attempt.
      if (status === 'connecting') return;
      byId('line').textContent = STATUS[status];
      byId('line').hidden = STATUS[status] === '';
    },
    onTable: begin,
    onDone: done,
    onAsked: (asked) => {
      anythingSaid = true;
      exchanges?.add(asked);
      panel();
    },
    onPresent: (present, count) => {
      if (!table) return;
      table.present = present;
      watching(count);
      around();
    },
    onRefused: (refusal) => refuse(refusal.why),
  });
} else {
  refuse('This address names no table. A link to one looks like /watch#TABLE.KEY; whoever plays there can give it to you.');
}
