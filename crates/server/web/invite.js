// The links of a room: the other seats, if this browser opened the room, and the link for spectators.
import { el } from './dom.js';
import { playerNames } from './names.js';
import { loadLinks } from './storage.js';

/**
 * @param {HTMLElement} place
 * @param {import('./types.js').RoomView} room
 * @param {string} key The key of this page.
 * @returns {boolean} Whether another seat can be shared.
 */
export function showLinks(place, room, key) {
  const seats = (loadLinks(room.id)?.seats ?? []).filter((seat) => seat.key !== key);
  place.replaceChildren(
    ...seats.map((seat) => link(`Invite ${playerNames(room.game, seat.players)}`, `/play#${room.id}.${seat.key}`)),
    link('Link for spectators', `/watch#${room.id}.${room.watch}`));
  return seats.length > 0;
}

/** @param {string} name @param {string} path */
function link(name, path) {
  const address = new URL(path, location.href).href;
  const input = el('input', { readonly: true, value: address, 'aria-label': name });
  input.addEventListener('focus', () => input.select());
  const copy = el('button', { type: 'button', 'aria-label': `${name}: copy` }, 'Copy');
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      // Pages without TLS have no clipboard API.
      input.select();
      document.execCommand('copy');
    }
    copy.textContent = 'Copied';
    setTimeout(() => (copy.textContent = 'Copy'), 1500);
  });
  const open = el('a', { class: 'button', href: path, target: '_blank', rel: 'noopener', 'aria-label': `${name}: open in a new tab` }, 'Open');
  return el('div', { class: 'link' }, el('span', {}, name), el('div', { class: 'row' }, input, copy, open));
}
