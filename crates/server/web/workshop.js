// The workshop, for people who write games. The server checks the text after each pause in typing; the page shows the problems,
// the board, the pieces and the rules in English. The last playable version stays visible.
import { ApiError, check, expand, format, openRoom, opponents } from './api.js';
import { Board } from './board.js';
import { Choices } from './choices.js';
import { countText, showDiagnostics } from './diagnostics.js';
import { acceptDroppedFile, byId, el, errorText, showNotice } from './dom.js';
import { MAX_SPEC_BYTES, initialText, previousText, saveDraft, savePrevious } from './drafts.js';
import { Editor } from './editor.js';
import { formatJson } from './format.js';
import { showMoveDiagrams } from './move_diagrams.js';
import { boardSize, displayName, list, sentence } from './names.js';
import { addRecentGame } from './recent_games.js';
import { rulesText } from './rules_text.js';
import { YOU, ownLink, seats } from './seats.js';
import { pack } from './spec_link.js';
import { saveLinks } from './storage.js';

/** @typedef {import('./types.js').CheckResult} CheckResult */
/** @typedef {import('./types.js').GamePreview} GamePreview */

/** The pause in typing before a check. */
const PAUSE_MS = 250;
/** The delay before another request to a server that did not respond. */
const RETRY_MS = 3000;

const PLAY_BUTTONS = ['play-self', 'play-with'];
const TABS = /** @type {const} */ (['board', 'pieces', 'rules', 'long']);
/** @typedef {typeof TABS[number]} Tab */

const editor = new Editor(
  byId('sheet'),
  () => {
    // Keep the notice while it offers to restore the previous text.
    if (byId('back').hidden) byId('loaded').hidden = true;
    scheduleCheck(PAUSE_MS);
  },
  () => showWord(),
);
const longForm = new Editor(byId('long-sheet'));
/** @type {import('./betza_panel.js').BetzaPanel | null} */
let betzaPanel = null;
const choices = new Choices(byId('choices'), () => scheduleCheck(0));

/** @type {GamePreview | null} */
let preview = null;
/** @type {Tab} */
let tab = 'board';
/** The tabs that show the newest preview. @type {Set<Tab>} */
const drawn = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** Counts checks: only the newest result is shown. */
let checkNumber = 0;

/** Shows the word of Betza notation at the cursor. */
const showWord = () => betzaPanel?.show(editor.text, editor.cursor, preview?.game ?? null);

/** Loads what helps with typing. A visitor who only looks does not need it. */
async function loadTypingHelp() {
  const [{ Completion }, { BetzaPanel }] = await Promise.all([import('./completion.js'), import('./betza_panel.js')]);
  new Completion(editor, byId('completions'), byId('completions-status'));
  betzaPanel = new BetzaPanel(byId('betza'), byId('tab-board').parentElement ?? byId('preview'), byId('sheet'));
  showWord();
}

/**
 * Checks the text after a pause, because the text or a choice has changed.
 * @param {number} pause
 */
function scheduleCheck(pause) {
  checkNumber += 1;
  document.body.dataset.checked = 'false';
  clearTimeout(timer);
  timer = setTimeout(() => void checkText(), pause);
}

/** Saves the text. Writing a long text takes time, so it waits for a pause in typing. */
function saveText() {
  const isSaved = saveDraft(editor.text);
  byId('kept').textContent = isSaved ? 'Your text is saved in this browser.' : 'This browser does not store data: download your text before you leave.';
}

async function checkText() {
  const mine = checkNumber;
  const spec = editor.text;
  saveText();
  if (spec.length > MAX_SPEC_BYTES) {
    editor.mark([]);
    byId('faults').replaceChildren();
    showSummary('This text is too long: a game may have at most 256 KiB.', 'bad');
    document.body.dataset.checked = 'true';
    return setPlayable(false);
  }
  try {
    const checked = await check({ spec, choice: choices.choice() });
    if (mine === checkNumber) showResult(checked);
  } catch (error) {
    if (mine !== checkNumber) return;
    const apiError = error instanceof ApiError ? error : null;
    if (apiError && apiError.diagnostics.length > 0) {
      showResult({ diagnostics: apiError.diagnostics, left_out: 0, game: null });
      return;
    }
    const { layout, preset, options: set } = choices.choice();
    if (apiError && apiError.status >= 400 && apiError.status < 500 && (layout || preset || set.length > 0)) {
      // The text may no longer have the chosen options.
      choices.clear();
      scheduleCheck(0);
      return;
    }
    showSummary(errorText(error), 'bad');
    setPlayable(false);
    if (!apiError || apiError.status === 0 || apiError.status === 429 || apiError.status >= 500) timer = setTimeout(() => void checkText(), RETRY_MS);
  }
}

/** @param {CheckResult} checked */
function showResult(checked) {
  const { diagnostics, game } = checked;
  const errors = diagnostics.some((diagnostic) => diagnostic.severity === 'error');
  editor.mark(diagnostics);
  showDiagnostics(byId('faults'), diagnostics, (diagnostic) => editor.show(diagnostic));
  showSummary(countText(diagnostics, checked.left_out), errors ? 'bad' : diagnostics.some((diagnostic) => diagnostic.severity === 'warning') ? 'warn' : 'good');
  document.body.dataset.checked = 'true';
  setPlayable(game !== null);
  if (game) {
    preview = game;
    drawn.clear();
    choices.show(game.offer);
    byId('title').textContent = game.game.title;
    byId('about').textContent = game.game.about ?? '';
    document.title = `${game.game.title} – Workshop – Tabiya`;
    byId('play-self').textContent = game.game.players.length === 2 ? 'Play both sides' : 'Play all sides';
    drawTab();
  }
}

/**
 * Enables the play buttons, or dims the preview if the text cannot be played.
 * @param {boolean} isPlayable
 */
function setPlayable(isPlayable) {
  document.body.dataset.playable = String(isPlayable);
  byId('preview').classList.toggle('old', !isPlayable);
  byId('stale').hidden = isPlayable || preview === null;
  for (const id of PLAY_BUTTONS) byId(id, HTMLButtonElement).disabled = !isPlayable;
}

/**
 * @param {string} text
 * @param {'good' | 'warn' | 'bad'} level
 */
function showSummary(text, level) {
  const place = byId('fault-count');
  place.className = `tag ${level}`;
  // Some screen readers repeat a live region that is set to the same text.
  if (place.textContent !== text) place.textContent = text;
}

/** Draws the open tab, if it does not show the newest preview. */
function drawTab() {
  if (!preview || drawn.has(tab)) return;
  drawn.add(tab);
  const { game, men } = preview;
  if (tab === 'board') {
    byId('board').replaceChildren();
    new Board(byId('board'), game, { label: `Start of ${game.title}` }).show({ pieces: men });
    showFacts(preview);
  } else if (tab === 'pieces') {
    showMoveDiagrams(byId('panel-pieces'), preview.game, preview.diagrams);
  } else if (tab === 'rules') {
    byId('panel-rules').replaceChildren(rulesText(preview.english));
  } else {
    void showLongForm();
  }
}

/** Shows the long form of the text, unless the text changes meanwhile. */
async function showLongForm() {
  const mine = checkNumber;
  /** @type {unknown} */
  let failure = null;
  let text = '';
  try {
    text = (await expand({ spec: editor.text, choice: choices.choice() })).spec;
  } catch (error) {
    failure = error;
  }
  if (mine !== checkNumber) return drawn.delete('long');
  showNotice(byId('long-error'), failure);
  if (failure === null) longForm.refresh(text);
  byId('panel-long').dataset.shown = String(mine);
}

/** @param {GamePreview} of */
function showFacts({ game, men }) {
  const squares = game.files * game.ranks - game.holes.length;
  /** @type {[string, string][]} */
  const rows = [
    ['Board', `${boardSize(game.files, game.ranks / game.levels, game.levels)}${game.holes.length > 0 ? `, ${squares} squares` : ''}`],
    ['Players', list(game.players.map((player) => displayName(player.name)))],
    ['Pieces', `${men.length} of ${game.kinds.length} kinds`],
    ...(game.die === null ? [] : [/** @type {[string, string]} */ (['Die', `${game.die} faces`])]),
  ];
  byId('facts').replaceChildren(...rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}

/**
 * @param {Tab} next
 * @param {boolean} [focus]
 */
function openTab(next, focus = false) {
  tab = next;
  for (const each of TABS) {
    const button = byId(`tab-${each}`);
    button.setAttribute('aria-selected', String(each === next));
    button.tabIndex = each === next ? 0 : -1;
    byId(`panel-${each}`).hidden = each !== next;
    if (each === next && focus) button.focus();
  }
  drawTab();
}

/**
 * Replaces the text. The user can restore the old one.
 * @param {string} text
 * @param {string} message
 */
function replaceText(text, message) {
  if (text !== editor.text) savePrevious(editor.text);
  editor.text = text;
  choices.clear();
  showMessage(message);
  scheduleCheck(0);
}

/** @param {string} message */
function showMessage(message) {
  byId('loaded-text').textContent = message;
  byId('back').hidden = previousText() === null || previousText() === editor.text;
  byId('loaded').hidden = false;
}

/** @param {File | null | undefined} file */
async function openFile(file) {
  if (!file) return;
  if (file.size > MAX_SPEC_BYTES) return showMessage(`${file.name} is too large: a game may have at most 256 KiB.`);
  try {
    replaceText(await file.text(), `Loaded the file ${file.name}.`);
  } catch {
    showMessage(`${file.name} cannot be read.`);
  }
}

/** Opens a room in which the user plays all sides. */
async function playAllSides() {
  showNotice(byId('play-error'), null);
  if (!preview) return;
  // A double click opens one room.
  for (const id of PLAY_BUTTONS) byId(id, HTMLButtonElement).disabled = true;
  const { players, title } = preview.game;
  const chosen = players.map(() => YOU);
  try {
    const opened = await openRoom({ spec: editor.text, choice: choices.choice(), seats: seats(players, chosen) });
    saveLinks(opened);
    const href = ownLink(opened, chosen);
    addRecentGame({ id: opened.id, href, title, who: 'You play all sides', when: Date.now() });
    location.assign(href);
  } catch (error) {
    showNotice(byId('play-error'), error);
    setPlayable(document.body.dataset.playable === 'true');
  }
}

/** @type {import('./setup.js').Setup | null} */
let setup = null;

/** Opens the form for a new game: opponents, seats and clock. */
async function playWithOthers() {
  if (!preview) return;
  const { game, offer } = preview;
  const own = { spec: editor.text, choice: choices.choice() };
  // The form is loaded when it is needed.
  const [{ Setup }, programs] = await Promise.all([import('./setup.js'), opponents().catch(() => [])]);
  setup ??= new Setup();
  setup.show({ name: null, title: game.title, about: game.about ?? '', players: game.players, offer }, programs, own);
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
    ? 'Copied. The link contains the current text of your game and sends it to no server.'
    : 'Copy this link. It contains the current text of your game and sends it to no server.';
}

function download() {
  const name = preview?.game.title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'game';
  const address = URL.createObjectURL(new Blob([editor.text], { type: 'application/json' }));
  const link = el('a', { href: address, download: `${name}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Replaces the text by its shortest form. A text that cannot be played, or takes too long, is only laid out. */
async function formatText() {
  const button = byId('format', HTMLButtonElement);
  const text = editor.text;
  const { checked, playable } = document.body.dataset;
  if (checked === 'true' && playable === 'false') return layOut(text, '');
  button.disabled = true;
  try {
    const { spec } = await format({ spec: text });
    if (editor.text === text) useFormatted(spec, 'The text is in its shortest form.');
  } catch (error) {
    if (editor.text === text) layOut(text, error instanceof ApiError && error.rule !== 'faulty_game' ? `${sentence(error.message)} ` : '');
  } finally {
    button.disabled = false;
  }
}

/**
 * @param {string} text
 * @param {string} reason Why the text is only laid out.
 */
function layOut(text, reason) {
  try {
    useFormatted(formatJson(text), `${reason}The lines of the text are laid out.`);
  } catch {
    showMessage('This text is not valid JSON and cannot be formatted. See the first problem below.');
  }
}

/**
 * @param {string} text
 * @param {string} message
 */
function useFormatted(text, message) {
  const isChanged = text !== editor.text;
  if (isChanged) editor.replace(text);
  showMessage(isChanged ? `${message} Undo restores the old one.` : message);
}

/** Opens the dialog for a new game, which is loaded when it is needed. */
async function startNewGame() {
  const { showNewGame } = await import('./new_game.js');
  showNewGame(replaceText);
}

function listen() {
  editor.field.addEventListener('focus', () => void loadTypingHelp(), { once: true });
  byId('new').addEventListener('click', () => void startNewGame());
  const file = byId('file', HTMLInputElement);
  file.addEventListener('change', () => {
    void openFile(file.files?.[0]);
    file.value = '';
  });
  byId('format').addEventListener('click', () => void formatText());
  byId('download').addEventListener('click', download);
  byId('share').addEventListener('click', () => void share());
  byId('share-close').addEventListener('click', () => {
    byId('shared').hidden = true;
  });
  byId('back').addEventListener('click', () => {
    const text = previousText();
    if (text !== null) replaceText(text, 'Restored your text.');
  });
  byId('loaded-close').addEventListener('click', () => {
    byId('loaded').hidden = true;
  });
  addEventListener('pageshow', (event) => event.persisted && setPlayable(document.body.dataset.playable === 'true'));
  byId('play').addEventListener('submit', (event) => event.preventDefault());
  byId('play-self').addEventListener('click', () => void playAllSides());
  byId('play-with').addEventListener('click', () => void playWithOthers());
  for (const each of TABS) byId(`tab-${each}`).addEventListener('click', () => openTab(each));
  byId('tab-board').parentElement?.addEventListener('keydown', (event) => {
    const at = TABS.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    const next = to === undefined ? undefined : TABS[(to + TABS.length) % TABS.length];
    if (!next) return;
    event.preventDefault();
    openTab(next, true);
  });
  addEventListener('pagehide', saveText);
  acceptDroppedFile(byId('sheet'), (dropped) => void openFile(dropped));
  // A link opened in the same tab loads its game.
  addEventListener('hashchange', async () => {
    if (!/^#(spec|game)=/.test(location.hash)) return;
    const first = await initialText();
    replaceText(first.text, first.message ?? 'Loaded the game from the link.');
  });
}

async function begin() {
  listen();
  try {
    const first = await initialText();
    editor.text = first.text;
    if (first.message !== null) showMessage(first.message);
    scheduleCheck(0);
  } catch (error) {
    showSummary(errorText(error), 'bad');
  }
}

void begin();
