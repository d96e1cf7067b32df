// The buttons for actions other than moves: draw offers, claims, dice, exchanges, resignation.
import { die } from './die.js';
import { byId, el } from './dom.js';
import { displayName, playerName, playerNames } from './names.js';
import { exchangeText, ruleName } from './status_text.js';

/** @typedef {import('./types.js').RoomView} RoomView */

export class ActionPanel {
  /** The draw that the next move will claim. @type {string | null} */
  claiming = null;
  /** @type {RoomView | null} */
  #room = null;

  /** @param {(text: string) => void} act @param {() => void} undo */
  constructor(act, undo) {
    this.act = act;
    for (const action of ['draw', 'accept', 'decline', 'throw', 'exchange']) byId(action).addEventListener('click', () => act(action));
    byId('undo').addEventListener('click', undo);
    byId('claim').addEventListener('click', () => act(`claim ${this.#room?.state.can?.claims[0]}`));
    byId('resign').addEventListener('click', () => this.#confirm('Resign?', this.#resignText(), 'Resign', 'resign'));
    const dialog = byId('confirm', HTMLDialogElement);
    byId('confirm-no').addEventListener('click', () => dialog.close());
    byId('confirm-yes').addEventListener('click', () => dialog.close('yes'));
  }

  /** @param {RoomView} room */
  show(room) {
    this.#room = room;
    const { game, state, you, may_undo } = room;
    const isPlaying = you.length > 0 && !state.end;
    const can = state.end ? null : state.can;
    const hidden = {
      undo: !may_undo,
      draw: !isPlaying || !game.draw_offers,
      claim: !can?.claims.length,
      throw: !can?.throw,
      exchange: !can?.exchange,
      resign: !isPlaying,
      die: game.die === null,
    };
    for (const [id, isHidden] of Object.entries(hidden)) byId(id).hidden = isHidden;
    byId('undo', HTMLButtonElement).disabled = !room.acts.some((action) => you.includes(action.by ?? action.player) && action.text !== 'flag');
    byId('draw', HTMLButtonElement).disabled = !can?.draw;
    if (can?.claims.length) byId('claim').textContent = `Claim ${ruleName(can.claims[0] ?? '')}`;
    if (can?.exchange) byId('exchange').title = exchangeText(game, can.exchange);
    if (game.die !== null) byId('die').replaceChildren(die(state.die));
    this.#showWithdrawals(can?.withdraw ?? []);
    this.#showClaims(room);
    this.#showOffer(room);
  }

  /** Shows a button for each player that can take over the army. @param {number[]} players */
  #showWithdrawals(players) {
    const place = byId('withdraw');
    place.hidden = !players.length;
    place.replaceChildren(...players.map((player) => {
      const name = this.#room?.game.players[player]?.name ?? '';
      const ask = () => this.#confirm('Hand over your army?', `${displayName(name)} will move your pieces from now on.`, 'Hand over', `withdraw ${name}`);
      return el('button', { type: 'button', onclick: ask }, `Hand army to ${displayName(name)}`);
    }));
  }

  /** Shows the draws that can be claimed together with the next move. @param {RoomView} room */
  #showClaims({ game, state, you }) {
    if (state.end || !game.claims.includes(this.claiming ?? '')) this.claiming = null;
    byId('claims-next').hidden = !game.claims.length || !!state.end || !you.length;
    byId('claims-next-list').replaceChildren(...game.claims.map((code) => {
      const button = el('button', { type: 'button', 'data-claim': code, 'aria-pressed': String(this.claiming === code) }, displayName(ruleName(code)));
      button.addEventListener('click', () => {
        this.claiming = this.claiming === code ? null : code;
        for (const other of byId('claims-next-list').children) other.setAttribute('aria-pressed', String(other.getAttribute('data-claim') === this.claiming));
      });
      return button;
    }));
  }

  /** Shows an open draw offer or exchange proposal. @param {RoomView} room */
  #showOffer({ game, state, you, acts }) {
    const { proposal, offer } = state;
    const sinceOffer = acts.slice(acts.map((action) => action.text).lastIndexOf('draw') + 1);
    const hasAccepted = sinceOffer.some((action) => action.text === 'accept' && you.includes(action.by ?? action.player));
    const banner = byId('banner');
    banner.hidden = !!state.end || (offer === null && !proposal);
    if (banner.hidden) return;
    const mayAnswer = proposal ? you.includes(proposal.answerer) : you.includes(state.actor) && state.actor !== offer && !hasAccepted;
    byId('accept').hidden = !mayAnswer;
    byId('decline').hidden = !mayAnswer;
    const isMine = proposal ? you.includes(proposal.proposer) : you.includes(offer ?? -1);
    const offered = `${playerName(game, offer ?? 0)} offers a draw.`;
    let text;
    if (proposal) text = exchangeText(game, proposal) + (mayAnswer ? '' : ` ${playerName(game, proposal.answerer)} must answer.`);
    else if (isMine && !mayAnswer) text = you.includes(state.actor) ? 'You offered a draw. Now make your move.' : 'You offered a draw. Waiting for an answer.';
    else if (hasAccepted) text = `${offered} You accepted; others have not answered yet.`;
    else text = `${offered}${mayAnswer ? '' : ' You can answer on your turn.'}`;
    if (byId('banner-text').textContent !== text) byId('banner-text').textContent = text;
  }

  #resignText() {
    const room = this.#room;
    return room ? `${playerNames(room.game, room.you)} will resign the game.` : '';
  }

  /** @param {string} title @param {string} text @param {string} yes @param {string} action */
  #confirm(title, text, yes, action) {
    const dialog = byId('confirm', HTMLDialogElement);
    byId('confirm-title').textContent = title;
    byId('confirm-text').textContent = text;
    byId('confirm-yes').textContent = yes;
    dialog.returnValue = '';
    dialog.onclose = () => dialog.returnValue === 'yes' && this.act(action);
    dialog.showModal();
  }
}
