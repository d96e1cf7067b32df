// What can be said at a table beside moves: draws, claims, throws, exchanges, giving up. It shows what is possible, and says what
// is pressed.
import { byId, el } from './build.js';
import { called, playerName, playerNames } from './names.js';
import { die } from './die.js';
import { exchange, ruleName } from './standing.js';

/** @typedef {import('./types.js').RoomView} RoomView */

export class Talk {
  /** What the next move will claim. @type {string | null} */
  claiming = null;
  /** @type {RoomView | null} */
  #table = null;

  /** @param {(text: string) => void} say @param {() => void} undo */
  constructor(say, undo) {
    this.say = say;
    for (const word of ['draw', 'accept', 'decline', 'throw', 'exchange']) byId(word).addEventListener('click', () => say(word));
    byId('undo').addEventListener('click', undo);
    byId('claim').addEventListener('click', () => say(`claim ${this.#table?.state.can?.claims[0]}`));
    byId('resign').addEventListener('click', () => this.#confirm('Resign?', this.#resigning(), 'Resign', 'resign'));
    const dialog = byId('confirm', HTMLDialogElement);
    byId('confirm-no').addEventListener('click', () => dialog.close());
    byId('confirm-yes').addEventListener('click', () => dialog.close('yes'));
  }

  /** @param {RoomView} table */
  show(table) {
    this.#table = table;
    const { game, state, you, may_undo } = table;
    const plays = you.length > 0 && !state.end;
    const can = state.end ? null : state.can;
    const hidden = {
      undo: !may_undo,
      draw: !plays || !game.draw_offers,
      claim: !can?.claims.length,
      throw: !can?.throw,
      exchange: !can?.exchange,
      resign: !plays,
      die: game.die === null,
    };
    for (const [id, isHidden] of Object.entries(hidden)) byId(id).hidden = isHidden;
    byId('undo', HTMLButtonElement).disabled = !table.acts.some((act) => you.includes(act.by ?? act.player) && act.text !== 'flag');
    byId('draw', HTMLButtonElement).disabled = !can?.draw;
    if (can?.claims.length) byId('claim').textContent = `Claim ${ruleName(can.claims[0] ?? '')}`;
    if (can?.exchange) byId('exchange').title = exchange(game, can.exchange);
    if (game.die !== null) byId('die').replaceChildren(die(state.die));
    this.#heirs(can?.withdraw ?? []);
    this.#claims(table);
    this.#banner(table);
  }

  /** @param {number[]} heirs */
  #heirs(heirs) {
    const place = byId('withdraw');
    place.hidden = !heirs.length;
    place.replaceChildren(...heirs.map((heir) => {
      const name = this.#table?.game.players[heir]?.name ?? '';
      const ask = () => this.#confirm('Hand the army over?', `${called(name)} will move your men from now on.`, 'Hand over', `withdraw ${name}`);
      return el('button', { type: 'button', onclick: ask }, `Hand army to ${called(name)}`);
    }));
  }

  /** What can be claimed with the move that comes. @param {RoomView} table */
  #claims({ game, state, you }) {
    if (state.end || !game.claims.includes(this.claiming ?? '')) this.claiming = null;
    byId('claims-next').hidden = !game.claims.length || !!state.end || !you.length;
    byId('claims-next-list').replaceChildren(...game.claims.map((code) => {
      const button = el('button', { type: 'button', 'data-claim': code, 'aria-pressed': String(this.claiming === code) }, called(ruleName(code)));
      button.addEventListener('click', () => {
        this.claiming = this.claiming === code ? null : code;
        for (const other of byId('claims-next-list').children) other.setAttribute('aria-pressed', String(other.getAttribute('data-claim') === this.claiming));
      });
      return button;
    }));
  }

  /** @param {RoomView} table */
  #banner({ game, state, you, acts }) {
    const { proposal, offer } = state;
    const since = acts.slice(acts.map((act) => act.text).lastIndexOf('draw') + 1);
    const hasAccepted = since.some((act) => act.text === 'accept' && you.includes(act.by ?? act.player));
    const banner = byId('banner');
    banner.hidden = !!state.end || (offer === null && !proposal);
    if (banner.hidden) return;
    const isAsked = proposal ? you.includes(proposal.answerer) : you.includes(state.actor) && state.actor !== offer && !hasAccepted;
    byId('accept').hidden = !isAsked;
    byId('decline').hidden = !isAsked;
    const isMine = proposal ? you.includes(proposal.proposer) : you.includes(offer ?? -1);
    let text;
    if (proposal) text = exchange(game, proposal) + (isAsked ? '' : ` ${playerName(game, proposal.answerer)} must answer.`);
    else if (isMine && !isAsked) text = you.includes(state.actor) ? 'You offer a draw. Make your move; then it is answered.' : 'You offer a draw. It waits for an answer.';
    else if (hasAccepted) text = `${playerName(game, offer ?? 0)} offers a draw. You have accepted it; others have not answered yet.`;
    else text = `${playerName(game, offer ?? 0)} offers a draw.${isAsked ? '' : ' You can answer when it is your turn.'}`;
    if (byId('banner-text').textContent !== text) byId('banner-text').textContent = text;
  }

  #resigning() {
    const table = this.#table;
    return table ? `${playerNames(table.game, table.you)} will give the game up.` : '';
  }

  /** @param {string} title @param {string} text @param {string} yes @param {string} words */
  #confirm(title, text, yes, words) {
    const dialog = byId('confirm', HTMLDialogElement);
    byId('confirm-title').textContent = title;
    byId('confirm-text').textContent = text;
    byId('confirm-yes').textContent = yes;
    dialog.returnValue = '';
    dialog.onclose = () => dialog.returnValue === 'yes' && this.say(words);
    dialog.showModal();
  }
}
