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

/** Saves the links of a room for the page that shows them. @param {OpenedRoom} opened */
export const saveLinks = (opened) => save('sessionStorage', `tabiya-links-${opened.id}`, JSON.stringify(opened));

/** @param {string} id @returns {OpenedRoom | null} */
export const loadLinks = (id) => loadJson('sessionStorage', `tabiya-links-${id}`);
