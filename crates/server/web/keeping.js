// What the browser keeps for us. Some keep nothing, because they are told so or are full: then reading finds nothing, and
// writing says that it was in vain.

/** @param {'localStorage' | 'sessionStorage'} where @param {string} key @returns {string | null} */
export function kept(where, key) {
  try {
    return window[where].getItem(key);
  } catch {
    return null;
  }
}

/** @param {'localStorage' | 'sessionStorage'} where @param {string} key @param {string | null} text Nothing, to forget it. */
export function keep(where, key, text) {
  try {
    if (text === null) window[where].removeItem(key);
    else window[where].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** The links of a table, for the page that shows them. @param {import('./types.js').OpenedRoom} opened */
export const keepLinks = (opened) => keep('sessionStorage', `tabiya-links-${opened.id}`, JSON.stringify(opened));
