// Where the text of the workshop is kept, so that nothing is lost on reload, and where it comes from at first.

import { gameText } from './api.js';
import { keep as store, kept } from './keeping.js';
import { unpack } from './share.js';

const DRAFT = 'tabiya-draft';
const BEFORE = 'tabiya-draft-before';

/**
 * A text to begin with, and what to say about it.
 * @typedef {{ text: string, said: string | null }} First
 */

/**
 * The text to begin with: that of the link, that of a file dropped on the first page, the draft of this browser, or a small
 * game to change.
 * @returns {Promise<First>}
 */
export async function firstText() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const packed = hash.get('spec');
  const name = hash.get('game');
  // The address would win over the draft at every reload.
  if (packed !== null || name !== null) history.replaceState(null, '', location.pathname);
  if (packed !== null) {
    try {
      return replacing(await unpack(packed), 'This is the game of the link.');
    } catch {
      return { text: draft() ?? (await sample()), said: 'The link has no game in it that could be read.' };
    }
  }
  if (name !== null) {
    try {
      return replacing((await gameText(name)).spec, `This is ${name} of the library.`);
    } catch {
      return { text: draft() ?? (await sample()), said: `The library has no game ${name}.` };
    }
  }
  const dropped = kept('sessionStorage', DRAFT);
  if (dropped !== null) {
    store('sessionStorage', DRAFT, null);
    return replacing(dropped, 'This is the file that you dropped.');
  }
  return { text: draft() ?? (await sample()), said: null };
}

/** Keeps the draft. @param {string} text @returns {boolean} whether it is kept; else the tab is all that has it */
export const keep = (text) => store('localStorage', DRAFT, text);

/** The text that was set aside, also where the browser keeps nothing. @type {string | null} */
let before = kept('localStorage', BEFORE);

/** Keeps a text aside that is about to be replaced. @param {string} text */
export function setAside(text) {
  if (text.trim() === '') return;
  before = text;
  store('localStorage', BEFORE, text);
}

/** @returns {string | null} The text that was set aside. */
export const aside = () => before;

/** @returns {string | null} */
function draft() {
  const text = kept('localStorage', DRAFT);
  return text === null || text.trim() === '' ? null : text;
}

async function sample() {
  return (await gameText('gardner')).spec;
}

/**
 * @param {string} text
 * @param {string} said
 * @returns {First}
 */
function replacing(text, said) {
  const mine = draft();
  if (mine === null || mine === text) return { text, said: null };
  setAside(mine);
  return { text, said };
}
