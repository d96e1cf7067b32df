// The dialog for a new game: a variant that extends a library game, a copy of its whole file, or an empty board.
import { gameText, games } from './api.js';
import { byId, closeOnOutsideClick, options, showNotice } from './dom.js';
import { sortGames } from './game_cards.js';

/** @typedef {import('./types.js').LibraryGame} LibraryGame */
/** @typedef {'variant' | 'copy' | 'empty'} Start */

/** @type {Record<Start, string>} */
const ABOUT = {
  variant: 'A short file that extends the game. It says only what is different.',
  copy: 'The file of the game as its author wrote it.',
  empty: 'Two kings on a board of your size. Add pieces to the setup and to the list.',
};

/** The most squares of a board. */
const MAX_SQUARES = 1024;

/** @type {LibraryGame[]} */
let library = [];
/** @type {(text: string, message: string) => void} */
let use = () => {};
let isReady = false;

/**
 * Opens the dialog.
 * @param {(text: string, message: string) => void} take Takes the text of the new game.
 */
export function showNewGame(take) {
  use = take;
  if (!isReady) listen();
  isReady = true;
  showNotice(byId('new-error'), null);
  update();
  byId('new-dialog', HTMLDialogElement).showModal();
  if (library.length === 0) void loadLibrary();
}

function listen() {
  const dialog = byId('new-dialog', HTMLDialogElement);
  closeOnOutsideClick(dialog);
  byId('new-cancel').addEventListener('click', () => dialog.close());
  byId('new-form').addEventListener('change', update);
  byId('new-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void start();
  });
}

async function loadLibrary() {
  try {
    library = sortGames(await games());
    byId('from').replaceChildren(...options(library.map((game) => [game.name, game.title]), 'chess'));
    update();
  } catch (error) {
    showNotice(byId('new-error'), error);
  }
}

/** @returns {Start} */
function chosen() {
  const value = document.querySelector('input[name="start"]:checked')?.getAttribute('value');
  return value === 'copy' || value === 'empty' ? value : 'variant';
}

function update() {
  const kind = chosen();
  const name = byId('from', HTMLSelectElement).value;
  byId('start-about').textContent = ABOUT[kind];
  byId('start-game').hidden = kind === 'empty';
  byId('start-size').hidden = kind !== 'empty';
  byId('from-about').textContent = library.find((game) => game.name === name)?.about ?? '';
}

async function start() {
  try {
    const [text, message] = chosen() === 'empty' ? emptyBoard() : await fromLibrary();
    byId('new-dialog', HTMLDialogElement).close();
    use(text, message);
    byId('editor').focus();
  } catch (error) {
    showNotice(byId('new-error'), error);
  }
}

/** @returns {Promise<[string, string]>} */
async function fromLibrary() {
  const select = byId('from', HTMLSelectElement);
  const title = select.selectedOptions[0]?.textContent ?? select.value;
  const { spec, variant } = await gameText(select.value);
  return chosen() === 'copy' ? [spec, `Loaded the file of ${title}.`] : [variant, `Started a variant of ${title}.`];
}

/** @returns {[string, string]} */
function emptyBoard() {
  const size = (/** @type {string} */ id) => Math.round(byId(id, HTMLInputElement).valueAsNumber);
  const [files, ranks] = [size('start-files'), size('start-ranks')];
  if (!(files * ranks <= MAX_SQUARES)) throw new Error(`A board has at most ${MAX_SQUARES} squares.`);
  const middle = Math.floor(files / 2);
  const run = (/** @type {number} */ squares) => (squares > 0 ? String(squares) : '');
  const king = (/** @type {string} */ letter) => `${run(middle)}${letter}${run(files - middle - 1)}`;
  const setup = [king('k'), ...Array(ranks - 2).fill(String(files)), king('K')].join('/');
  const lines = [
    '{',
    '  "name": "My game",',
    '  "about": "What makes it different.",',
    '  "leader": "KING",',
    `  "board": { "dimensions": [${files},${ranks}] },`,
    `  "setup": "${setup}",`,
    '  "pieces": [',
    '    { "code": "KING", "name": "king", "betza": "K" }',
    '  ]',
    '}',
  ];
  return [`${lines.join('\n')}\n`, 'Started with an empty board.'];
}
