// The text of the workshop: where it is saved, and what the workshop shows at first.
import { gameText } from './api.js';
import { unpack } from './spec_link.js';
import { load, save } from './storage.js';

/** The size limit of the server. */
export const MAX_SPEC_BYTES = 256 << 10;

const DRAFT = 'tabiya-draft';
const PREVIOUS = 'tabiya-draft-before';

/**
 * A text, and a message about it.
 * @typedef {{ text: string, message: string | null }} Loaded
 */

/**
 * Loads the first text: from the link, from a file dropped on the home page, from the saved draft, or a sample game.
 * @returns {Promise<Loaded>}
 */
export async function initialText() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const packed = hash.get('spec');
  const name = hash.get('game');
  // Otherwise the address would replace the draft on every reload.
  if (packed !== null || name !== null) history.replaceState(null, '', location.pathname);
  if (packed !== null) {
    try {
      return replaceDraft(await unpack(packed), 'Loaded the game from the link.');
    } catch {
      return { text: await draftOrSample(), message: 'The link does not contain a readable game.' };
    }
  }
  if (name !== null) {
    try {
      return replaceDraft((await gameText(name)).spec, `Loaded ${name} from the library.`);
    } catch {
      return { text: await draftOrSample(), message: `The library has no game ${name}.` };
    }
  }
  const dropped = load('sessionStorage', DRAFT);
  if (dropped !== null) {
    save('sessionStorage', DRAFT, null);
    return replaceDraft(dropped, 'Loaded the dropped file.');
  }
  return { text: await draftOrSample(), message: null };
}

/** Saves a file dropped on the home page for the workshop. @param {string} text */
export const saveDroppedFile = (text) => save('sessionStorage', DRAFT, text);

/** Saves the draft. @param {string} text @returns {boolean} Whether it was saved. */
export const saveDraft = (text) => save('localStorage', DRAFT, text);

/** The previous text, also in a browser without storage. @type {string | null} */
let previous = load('localStorage', PREVIOUS);

/** Saves a text that is about to be replaced. @param {string} text */
export function savePrevious(text) {
  if (text.trim() === '') return;
  previous = text;
  save('localStorage', PREVIOUS, text);
}

export const previousText = () => previous;

function draft() {
  const text = load('localStorage', DRAFT);
  return text === null || text.trim() === '' ? null : text;
}

async function draftOrSample() {
  return draft() ?? (await gameText('gardner')).spec;
}

/**
 * @param {string} text
 * @param {string} message
 * @returns {Loaded}
 */
function replaceDraft(text, message) {
  const mine = draft();
  if (mine === null || mine === text) return { text, message: null };
  savePrevious(mine);
  return { text, message };
}
