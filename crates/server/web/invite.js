// The links of a table: of the other seats, if this browser has opened it, and of those who watch.
import { el } from './build.js';
import { kept } from './keeping.js';
import { playerNames } from './names.js';

/** @typedef {import('./types.js').RoomView} RoomView */

/** What the page that opened the table has left here. @param {string} id @returns {import('./types.js').OpenedRoom | null} */
function opened(id) {
  try {
    return JSON.parse(kept('sessionStorage', `tabiya-links-${id}`) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * @param {HTMLElement} place
 * @param {RoomView} table
 * @param {string} key one's own
 * @returns {boolean} whether somebody else can be invited to a seat
 */
export function showLinks(place, table, key) {
  const seats = (opened(table.id)?.seats ?? []).filter((seat) => seat.key !== key);
  place.replaceChildren(
    ...seats.map((seat) => link(`Invite ${playerNames(table.game, seat.players)}`, `/play#${table.id}.${seat.key}`)),
    link('To watch', `/watch#${table.id}.${table.watch}`));
  return seats.length > 0;
}

/** @param {string} name @param {string} path */
function link(name, path) {
  const address = new URL(path, location.href).href;
  const input = el('input', { readonly: true, value: address, 'aria-label': `${name}: link` });
  input.addEventListener('focus', () => input.select());
  const copy = el('button', { type: 'button', 'aria-label': `${name}: copy the link` }, 'Copy');
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      // Pages without TLS have no clipboard; what is selected can still be copied by hand.
      input.select();
      document.execCommand('copy');
    }
    copy.textContent = 'Copied';
    setTimeout(() => (copy.textContent = 'Copy'), 1500);
  });
  return el('div', { class: 'link' }, el('span', {}, name),
    el('div', { class: 'row' }, input, copy, el('a', { class: 'button', href: path, target: '_blank', rel: 'noopener', 'aria-label': `${name}: open in a new tab` }, 'Open')));
}
