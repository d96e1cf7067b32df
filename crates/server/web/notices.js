// Notices between the people of a room: proposals to take back or to play again, people who have not come, and people who left.
// Times count down between two messages of the server.
import { el } from './dom.js';
import { displayName, playerNames } from './names.js';

/** @typedef {import('./types.js').RoomView} RoomView */
/** @typedef {import('./types.js').OfferedView} OfferedView */
/** @typedef {import('./types.js').FromClient} FromClient */
/** A button: its id, label, class and message. @typedef {[string, string, string | null, FromClient]} NoticeButton */
/**
 * A notice. At the end of its time it may get another text and other buttons.
 * @typedef {{id: string, text: string, buttons: NoticeButton[], until?: number, afterwards?: {text: string, buttons: NoticeButton[]}}} Notice
 */

export class Notices {
  /** @type {Map<string, {notice: Notice, element: HTMLElement}>} */
  #shown = new Map();
  /** When the times of the server were received. */
  #since = 0;

  /** @param {HTMLElement} place @param {(message: FromClient) => void} send */
  constructor(place, send) {
    this.place = place;
    this.send = send;
    setInterval(() => this.#tick(), 250);
  }

  /** Notes that the times of a room are new. */
  restart() {
    this.#since = performance.now();
  }

  /** @param {RoomView} room */
  show(room) {
    const notices = noticesOf(room);
    const ids = new Set(notices.map(({ id }) => id));
    for (const [id, { element }] of this.#shown) {
      if (ids.has(id)) continue;
      element.remove();
      this.#shown.delete(id);
    }
    for (const notice of notices) {
      const known = this.#shown.get(notice.id);
      // Some screen readers repeat a live region that is set to the same text.
      if (known && known.notice.text === notice.text && known.notice.buttons.length === notice.buttons.length) {
        known.notice = notice;
        continue;
      }
      const element = el('div', { class: 'notice banner', 'data-notice': notice.id }, ...this.#content(notice));
      if (known) known.element.replaceWith(element);
      else this.place.append(element);
      this.#shown.set(notice.id, { notice, element });
    }
    this.#tick();
  }

  /** @param {{text: string, buttons: NoticeButton[]}} notice */
  #content({ text, buttons }) {
    const made = buttons.map(([id, label, kind, message]) => el('button', { type: 'button', id, class: kind, onclick: () => this.send(message) }, label));
    return [el('p', { role: 'status' }, text, ' ', el('span', { class: 'countdown', 'aria-hidden': 'true' })), el('div', { class: 'row' }, ...made)];
  }

  #tick() {
    for (const { notice, element } of this.#shown.values()) {
      if (notice.until === undefined) continue;
      const left = notice.until - (performance.now() - this.#since);
      if (left <= 0 && notice.afterwards && !element.dataset.over) {
        element.dataset.over = 'true';
        element.replaceChildren(...this.#content(notice.afterwards));
      }
      const time = element.querySelector('.countdown');
      const text = left > 0 ? secondsText(left) : '';
      if (time && time.textContent !== text) time.textContent = text;
    }
  }
}

/** `1:05`. @param {number} ms */
function secondsText(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** @param {RoomView} room @returns {Notice[]} */
function noticesOf(room) {
  const { game, people, offers, you, state } = room;
  if (!you.length) return [];
  /** @type {Notice[]} */
  const notices = [];
  if (people.missing.length) {
    const starts = state.clocks.length ? ' The clocks start then.' : '';
    const aborts = people.abort_in === null ? '' : ' Otherwise the game is aborted in';
    notices.push({
      id: 'missing',
      text: `Waiting for ${playerNames(game, people.missing)} to join.${starts}${aborts}`,
      until: people.abort_in ?? undefined,
      buttons: [['abort', 'Abort the game', 'danger', { abort: {} }]],
    });
  }
  for (const { players, claim_in } of people.away) {
    if (you.includes(players[0] ?? -1) || players.every((player) => state.out.includes(player))) continue;
    const names = playerNames(game, players);
    const isPartner = players.some((player) => you.some((own) => own !== player && game.players[own]?.team && game.players[own]?.team === game.players[player]?.team));
    const claim = isLastOpponent(room, players) ? 'claim the game' : `continue without ${names}`;
    notices.push({
      id: `away-${players.join('-')}`,
      text: isPartner ? `${names} left the game.` : `${names} left. You can ${claim} in`,
      until: isPartner ? undefined : claim_in,
      buttons: [],
      afterwards: { text: `${names} left. You can ${claim}.`, buttons: [['claim-left', displayName(claim), 'primary', { claim_left: { player: players[0] ?? 0 } }]] },
    });
  }
  if (offers.undo && !state.end) notices.push(proposal(room, offers.undo, 'undo', 'take back the last move', { undo: { seen: state.seen } }, { decline_undo: {} }));
  if (offers.rematch && state.end && !room.next) notices.push(proposal(room, offers.rematch, 'rematch', 'play again', { rematch: {} }, { decline_rematch: {} }));
  return notices;
}

/** Returns whether only one side is left without these players. @param {RoomView} room @param {number[]} players */
function isLastOpponent({ game, state }, players) {
  const side = (/** @type {number} */ player) => game.players[player]?.team ?? player;
  const gone = new Set(players.map(side));
  const left = game.players.map((_, player) => player).filter((player) => !state.out.includes(player) && !gone.has(side(player)));
  return new Set(left.map(side)).size < 2;
}

/**
 * @param {RoomView} room
 * @param {OfferedView} offer
 * @param {string} id
 * @param {string} what
 * @param {FromClient} yes
 * @param {FromClient} no
 * @returns {Notice}
 */
function proposal({ game, you }, { by, agreed }, id, what, yes, no) {
  const own = you[0] ?? -1;
  if (by.includes(own)) return { id, text: `You asked to ${what}. Waiting for an answer.`, buttons: [[`${id}-no`, 'Withdraw', null, no]] };
  const asks = `${playerNames(game, by)} ${by.length > 1 ? 'ask' : 'asks'} to ${what}.`;
  if (agreed.includes(own)) return { id, text: `${asks} You agreed; others have not answered yet.`, buttons: [[`${id}-no`, 'Decline', null, no]] };
  return { id, text: asks, buttons: [[`${id}-yes`, 'Accept', 'primary', yes], [`${id}-no`, 'Decline', null, no]] };
}
