// The workshop: for those who write games. Every change is checked by the server a moment later; the faults stand below the
// text, and the board, the pieces and the rules in English beside it. The last game that was sound stays in sight.

import { Refused, check, gameText, games, openTable, opponents } from './api.js';
import { Board } from './board.js';
import { byId, el, options } from './build.js';
import { Choices } from './choices.js';
import { drawPieces } from './diagrams.js';
import { aside, firstText, keep, setAside } from './drafts.js';
import { Editor } from './editor.js';
import { countFaults, listFaults } from './faults.js';
import { formatted } from './format.js';
import { keepLinks } from './keeping.js';
import { called, list } from './names.js';
import { remember } from './recent.js';
import { rulesText } from './rules.js';
import { FIRST_LEVEL, YOU, seats, wayIn } from './seats.js';
import { pack } from './share.js';
import { opponentName } from './words.js';

/** @typedef {import('./types.js').CheckResult} CheckResult */
/** @typedef {import('./types.js').GamePreview} GamePreview */

/** How long nothing is typed before the text is checked. */
const PAUSE = 250;
/** How long to wait before asking again a server that did not answer. */
const RETRY = 3000;
/** Longer files are no games; the server would not take them. */
const LONGEST_FILE = 256 << 10;

const PLAYS = ['play-self', 'play-opponent'];
const TABS = /** @type {const} */ (['board', 'pieces', 'rules']);
/** @typedef {typeof TABS[number]} Tab */

const editor = new Editor(byId('editor', HTMLTextAreaElement), byId('gutter'), byId('backdrop'), () => {
  // What was only said is read by now; what can be brought back stays.
  if (byId('back').hidden) byId('loaded').hidden = true;
  changed(PAUSE);
});
const choices = new Choices(byId('choices'), () => changed(0));

/** @type {GamePreview | null} */
let preview = null;
/** @type {Tab} */
let tab = 'board';
/** Which tabs show the newest preview already. @type {Set<Tab>} */
const drawn = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** Counts what was asked: only the newest answer is shown. */
let asked = 0;

/**
 * The text or the choice is another now.
 * @param {number} pause
 */
function changed(pause) {
  asked += 1;
  document.body.dataset.checked = 'false';
  byId('kept').textContent = keep(editor.text) ? 'Your text is kept in this browser.' : 'This browser keeps nothing: download your text before you leave.';
  clearTimeout(timer);
  timer = setTimeout(() => void look(), pause);
}

/** Has the text checked. */
async function look() {
  const mine = asked;
  const spec = editor.text;
  if (spec.length > LONGEST_FILE) {
    editor.mark([]);
    byId('faults').replaceChildren();
    count('This text is too long: a game has at most 256 KiB.', 'bad');
    document.body.dataset.checked = 'true';
    return playable(false);
  }
  try {
    const checked = await check({ spec, choice: choices.choice() });
    if (mine === asked) show(checked);
  } catch (error) {
    if (mine !== asked) return;
    const refused = error instanceof Refused ? error : null;
    if (refused && refused.diagnostics.length > 0) {
      show({ diagnostics: refused.diagnostics, left_out: 0, game: null });
      return;
    }
    const { layout, preset, options: set } = choices.choice();
    if (refused && refused.status >= 400 && refused.status < 500 && (layout || preset || set.length > 0)) {
      // What was chosen may be gone from the text.
      choices.clear();
      changed(0);
      return;
    }
    count(error instanceof Error ? error.message : String(error), 'bad');
    playable(false);
    if (!refused || refused.status === 0 || refused.status === 429 || refused.status >= 500) timer = setTimeout(() => void look(), RETRY);
  }
}

/** @param {CheckResult} checked */
function show(checked) {
  const { diagnostics, game } = checked;
  const errors = diagnostics.some((fault) => fault.severity === 'error');
  editor.mark(diagnostics);
  listFaults(byId('faults'), diagnostics, (fault) => editor.show(fault));
  count(countFaults(diagnostics, checked.left_out), errors ? 'bad' : diagnostics.length > 0 ? 'warn' : 'good');
  document.body.dataset.checked = 'true';
  playable(game !== null);
  if (game) {
    preview = game;
    drawn.clear();
    choices.show(game.offer);
    byId('title').textContent = game.game.title;
    byId('about').textContent = game.game.about ?? '';
    document.title = `${game.game.title} – Workshop – Tabiya`;
    byId('play-self').textContent = game.game.players.length === 2 ? 'Play both sides' : 'Play all sides';
    draw();
  }
}

/**
 * Whether what is shown is the game of the text; if not, it is dimmed.
 * @param {boolean} yes
 */
function playable(yes) {
  document.body.dataset.playable = String(yes);
  byId('preview').classList.toggle('old', !yes);
  byId('stale').hidden = yes || preview === null;
  for (const id of PLAYS) byId(id, HTMLButtonElement).disabled = !yes;
}

/**
 * @param {string} text
 * @param {'good' | 'warn' | 'bad'} how
 */
function count(text, how) {
  const place = byId('fault-count');
  place.className = `tag ${how}`;
  // A live region that is set to what it says already would be read out again by some readers.
  if (place.textContent !== text) place.textContent = text;
}

/** Draws the tab that is open, if it is not drawn yet. */
function draw() {
  if (!preview || drawn.has(tab)) return;
  drawn.add(tab);
  const { game, men } = preview;
  if (tab === 'board') {
    byId('board').replaceChildren();
    new Board(byId('board'), game, { label: `The start of ${game.title}` }).show({ men });
    facts(preview);
  } else if (tab === 'pieces') {
    drawPieces(byId('panel-pieces'), preview);
  } else {
    byId('panel-rules').replaceChildren(rulesText(preview.english));
  }
}

/** @param {GamePreview} of */
function facts({ game, men }) {
  const squares = game.files * game.ranks - game.holes.length;
  /** @type {[string, string][]} */
  const rows = [
    ['Board', `${game.files} × ${game.ranks}${game.holes.length > 0 ? `, ${squares} squares` : ''}`],
    ['Players', list(game.players.map((player) => called(player.name)))],
    ['Men', `${men.length} of ${game.kinds.length} kinds`],
    ...(game.die === null ? [] : [/** @type {[string, string]} */ (['Die', `${game.die} faces`])]),
  ];
  byId('facts').replaceChildren(...rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}

/**
 * @param {Tab} next
 * @param {boolean} [focus]
 */
function turnTo(next, focus = false) {
  tab = next;
  for (const each of TABS) {
    const button = byId(`tab-${each}`);
    button.setAttribute('aria-selected', String(each === next));
    button.tabIndex = each === next ? 0 : -1;
    byId(`panel-${each}`).hidden = each !== next;
    if (each === next && focus) button.focus();
  }
  draw();
}

/**
 * Another text comes in the place of this one, which can be brought back.
 * @param {string} text
 * @param {string} said
 */
function replace(text, said) {
  if (text !== editor.text) setAside(editor.text);
  editor.text = text;
  choices.clear();
  tell(said);
  changed(0);
}

/** @param {string} said */
function tell(said) {
  byId('loaded-text').textContent = said;
  byId('back').hidden = aside() === null || aside() === editor.text;
  byId('loaded').hidden = false;
}

/** @param {File | null | undefined} file */
async function take(file) {
  if (!file) return;
  if (file.size > LONGEST_FILE) return tell(`${file.name} is too long: a game has at most 256 KiB.`);
  try {
    replace(await file.text(), `This is the file ${file.name}.`);
  } catch {
    tell(`${file.name} cannot be read.`);
  }
}

/** @param {unknown} error */
function failed(error) {
  const place = byId('play-error');
  place.textContent = error instanceof Error ? error.message : String(error);
  place.hidden = false;
}

/**
 * Opens a table with this game and goes there.
 * @param {string} other Who plays all but the first player; `you` for oneself.
 */
async function play(other) {
  byId('play-error').hidden = true;
  if (!preview) return;
  // One table, however often it is pressed.
  for (const id of PLAYS) byId(id, HTMLButtonElement).disabled = true;
  const { players, title } = preview.game;
  const chosen = players.map((_, i) => (i === 0 ? YOU : other));
  try {
    const opened = await openTable({ spec: editor.text, choice: choices.choice(), seats: seats(players, chosen) });
    keepLinks(opened);
    const href = wayIn(opened, chosen);
    const who = other === YOU ? 'You play all sides' : `You play ${called(players[0]?.name ?? '')}`;
    remember({ id: opened.id, href, title, who, when: Date.now() });
    location.assign(href);
  } catch (error) {
    failed(error);
    playable(document.body.dataset.playable === 'true');
  }
}

async function share() {
  const link = `${location.origin}/workshop#spec=${await pack(editor.text)}`;
  const field = byId('share-link', HTMLInputElement);
  field.value = link;
  byId('shared').hidden = false;
  let copied = true;
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    copied = false;
    field.select();
  }
  byId('share-said').textContent = copied
    ? 'Copied. Whoever opens this link sees your game as it is now; no server is sent it.'
    : 'Copy this link. Whoever opens it sees your game as it is now; no server is sent it.';
}

function download() {
  const name = preview?.game.title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'game';
  const address = URL.createObjectURL(new Blob([editor.text], { type: 'application/json' }));
  const link = el('a', { href: address, download: `${name}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function format() {
  try {
    const text = formatted(editor.text);
    if (text !== editor.text) replace(text, 'The text is set anew.');
  } catch {
    tell('This is not JSON yet, so that it cannot be formatted: the first fault says where.');
  }
}

function listen() {
  const from = byId('from', HTMLSelectElement);
  from.addEventListener('change', async () => {
    const name = from.value;
    const title = from.selectedOptions[0]?.textContent ?? name;
    from.value = '';
    try {
      if (name) replace((await gameText(name)).spec, `This is ${title} of the library.`);
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
    }
  });
  const file = byId('file', HTMLInputElement);
  file.addEventListener('change', () => {
    void take(file.files?.[0]);
    file.value = '';
  });
  byId('format').addEventListener('click', format);
  byId('download').addEventListener('click', download);
  byId('share').addEventListener('click', () => void share());
  byId('share-close').addEventListener('click', () => {
    byId('shared').hidden = true;
  });
  byId('back').addEventListener('click', () => {
    const text = aside();
    if (text !== null) replace(text, 'This is your text again.');
  });
  byId('loaded-close').addEventListener('click', () => {
    byId('loaded').hidden = true;
  });
  addEventListener('pageshow', (event) => event.persisted && playable(document.body.dataset.playable === 'true'));
  byId('play').addEventListener('submit', (event) => event.preventDefault());
  byId('play-self').addEventListener('click', () => void play(YOU));
  byId('play-opponent').addEventListener('click', () => void play(byId('opponent', HTMLSelectElement).value));
  for (const each of TABS) byId(`tab-${each}`).addEventListener('click', () => turnTo(each));
  byId('tab-board').parentElement?.addEventListener('keydown', (event) => {
    const at = TABS.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    const next = to === undefined ? undefined : TABS[(to + TABS.length) % TABS.length];
    if (!next) return;
    event.preventDefault();
    turnTo(next, true);
  });
  // A file may be dropped anywhere: whoever misses the field would otherwise leave the page.
  addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    byId('sheet').classList.add('over');
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) byId('sheet').classList.remove('over');
  });
  addEventListener('drop', (event) => {
    byId('sheet').classList.remove('over');
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  });
  // A link pasted into the address of the open workshop loads its game, too.
  addEventListener('hashchange', async () => {
    if (!/^#(spec|game)=/.test(location.hash)) return;
    const first = await firstText();
    replace(first.text, first.said ?? 'This is the game of the link.');
  });
}

async function begin() {
  listen();
  try {
    const first = await firstText();
    editor.text = first.text;
    if (first.said !== null) tell(first.said);
    changed(0);
  } catch (error) {
    count(error instanceof Error ? error.message : String(error), 'bad');
  }
  const [library, programs] = await Promise.all([games().catch(() => []), opponents().catch(() => [])]);
  byId('from').append(...options(library.map((game) => [game.name, game.title])));
  byId('opponent').replaceChildren(...options(programs.map((each) => [each.who, opponentName(each)]), FIRST_LEVEL));
}

void begin();
