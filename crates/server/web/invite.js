// The links of a room: the other seats, if this browser opened the room, and the link for spectators. A link to this machine
// works nowhere else, so the dialog warns and shows the address that others can reach, if there is one.
import { addresses } from './api.js';
import { byId, closeOnOutsideClick, el } from './dom.js';
import { playerNames } from './names.js';
import { loadLinks, loadName, saveName } from './storage.js';

/** @typedef {import('./types.js').RoomView} RoomView */

const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

export class Invite {
  #dialog = byId('share', HTMLDialogElement);
  /** The origin for links. @type {Promise<{origin: string, isReachable: boolean}>} */
  #origin = isLocal ? publicOrigin() : Promise.resolve({ origin: location.origin, isReachable: true });
  #hasOpened = false;

  /** @param {string} key The key of this page. @param {() => void} onName Called when the user has entered another name. */
  constructor(key, onName) {
    this.key = key;
    byId('share-open').addEventListener('click', () => this.#dialog.showModal());
    byId('share-close').addEventListener('click', () => this.#dialog.close());
    closeOnOutsideClick(this.#dialog);
    const name = byId('own-name', HTMLInputElement);
    name.value = loadName() ?? '';
    name.addEventListener('change', () => {
      saveName(name.value);
      onName();
    });
  }

  /** Shows the links. The first time, opens the dialog if others must be invited; closes it when they have come. @param {RoomView} room */
  async show(room) {
    const seats = (loadLinks(room.id)?.seats ?? []).filter((seat) => seat.key !== this.key);
    const { origin, isReachable } = await this.#origin;
    byId('links').replaceChildren(
      ...(isLocal ? [localNotice(isReachable ? origin : null)] : []),
      ...seats.map((seat) => link(`Invite ${playerNames(room.game, seat.players)}`, `${origin}/play#${room.id}.${seat.key}`)),
      link('Link for spectators', `${origin}/watch#${room.id}.${room.watch}`));
    const isMissing = room.people.missing.length > 0;
    if (isMissing && seats.length && !this.#hasOpened && !this.#dialog.open) this.#dialog.showModal();
    else if (this.#hasOpened && !isMissing && this.#dialog.open) this.#dialog.close();
    this.#hasOpened = isMissing && seats.length > 0;
  }
}

/** Returns the first address that others can reach. */
async function publicOrigin() {
  const [origin] = await addresses().catch(() => []);
  return { origin: origin ?? location.origin, isReachable: origin !== undefined };
}

/** Says that this address works only here, and which one works for others. @param {string | null} origin */
function localNotice(origin) {
  if (origin !== null) return el('p', { class: 'notice small', id: 'reachable' }, `This page is open at ${location.host}, which works only on this computer. The links use ${origin}, which others can reach.`);
  return el('div', { class: 'notice warn', id: 'local-only' },
    el('p', {}, 'These links work only on this computer: the server listens only here.'),
    el('p', { class: 'small' }, 'To invite others in your network, restart it with ', el('code', {}, 'tabiya serve --bind 0.0.0.0'), '.'));
}

/** @param {string} name @param {string} address */
function link(name, address) {
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
  const open = el('a', { class: 'button', href: address, target: '_blank', rel: 'noopener', 'aria-label': `${name}: open in a new tab` }, 'Open');
  return el('div', { class: 'link' }, el('span', {}, name), el('div', { class: 'row' }, input, copy, open));
}
