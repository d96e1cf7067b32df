// The browser's storage. Some browsers have none, or it is full: then loading returns `null` and saving returns `false`.

/** @typedef {'localStorage' | 'sessionStorage'} Area */
/** @typedef {import('./types.js').OpenedRoom} OpenedRoom */

/** @param {Area} area @param {string} key @returns {string | null} */
export function load(area, key) {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** @param {Area} area @param {string} key @param {string | null} text `null` removes the entry. */
export function save(area, key, text) {
  try {
    if (text === null) window[area].removeItem(key);
    else window[area].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** @param {Area} area @param {string} key @returns {any} */
export function loadJson(area, key) {
  try {
    return JSON.parse(load(area, key) ?? 'null');
  } catch {
    return null;
  }
}

/** The name of the user, for the others in a room. */
export const loadName = () => load('localStorage', 'tabiya-name');

/** @param {string} name */
export const saveName = (name) => save('localStorage', 'tabiya-name', name.trim() || null);

/** Rooms whose links are kept. */
const MAX_LINKS = 30;

/** @returns {OpenedRoom[]} The links of all rooms, newest first. */
function allLinks() {
  const saved = loadJson('localStorage', 'tabiya-links');
  return Array.isArray(saved) ? saved.filter((each) => typeof each?.id === 'string' && Array.isArray(each.seats)) : [];
}

/** Saves the links of a room, so that others can still be invited after the tab was closed. @param {OpenedRoom} opened */
export const saveLinks = (opened) =>
  save('localStorage', 'tabiya-links', JSON.stringify([opened, ...allLinks().filter(({ id }) => id !== opened.id)].slice(0, MAX_LINKS)));

/** @param {string} room @returns {OpenedRoom | null} */
export const loadLinks = (room) => allLinks().find(({ id }) => id === room) ?? null;
