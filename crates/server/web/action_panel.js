// The buttons for actions other than moves: draw offers, claims, dice, exchanges, resignation.
import { die } from './die.js';
import { byId, closeOnOutsideClick, el } from './dom.js';
import { displayName, playerName, playerNames } from './names.js';
import { exchangeText, ruleName } from './status_text.js';

/** @typedef {import('./types.js').RoomView} RoomView */
/** @typedef {import('./types.js').GameView} GameView */

export class ActionPanel {
  /** The draw that the next move will claim. @type {string | null} */
  claiming = null;
  /** @type {RoomView | null} */
  #room = null;

  /** @param {(text: string, player?: number) => void} act @param {(message: import('./types.js').FromClient) => void} send */
  constructor(act, send) {
    this.act = act;
    for (const action of ['draw', 'accept', 'decline', 'throw', 'exchange']) byId(action).addEventListener('click', () => act(action));
    byId('undo').addEventListener('click', () => send({ undo: { seen: this.#room?.state.seen ?? 0 } }));
    byId('rematch').addEventListener('click', () => send({ rematch: {} }));
    byId('claim').addEventListener('click', () => act(`claim ${this.#room?.state.can?.claims[0]}`));
    byId('resign').addEventListener('click', () => this.#askToResign());
    const claims = byId('claims-next', HTMLDialogElement);
    byId('claims-open').addEventListener('click', () => claims.showModal());
    byId('claims-close').addEventListener('click', () => claims.close());
    closeOnOutsideClick(claims);
    const dialog = byId('confirm', HTMLDialogElement);
    byId('confirm-no').addEventListener('click', () => dialog.close());
    byId('confirm-yes').addEventListener('click', () => dialog.close('yes'));
  }

  /** @param {RoomView} room */
  show(room) {
    this.#room = room;
    const { game, state, you, may_undo } = room;
    const isPlaying = you.length > 0 && !state.end;
    const isMissing = room.people.missing.length > 0;
    const can = state.end ? null : state.can;
    // The buttons of a game stay in place; those that cannot be used are disabled.
    const hidden = {
      undo: !isPlaying && !may_undo,
      draw: !isPlaying || !game.draw_offers,
      'claims-open': !isPlaying || !game.claims.length,
      rematch: !you.length || !state.end,
      again: !state.end,
      claim: !can?.claims.length,
      throw: !can?.throw,
      exchange: !can?.exchange,
      resign: !isPlaying,
      die: game.die === null,
    };
    for (const [id, isHidden] of Object.entries(hidden)) byId(id).hidden = isHidden;
    const hasActed = room.acts.some((action) => you.includes(action.by ?? action.player) && action.text !== 'flag');
    byId('undo', HTMLButtonElement).disabled = !hasActed || isMissing || room.offers.undo !== null;
    byId('undo').textContent = may_undo ? 'Take back' : 'Ask to take back';
    byId('resign', HTMLButtonElement).disabled = isMissing;
    byId('rematch', HTMLButtonElement).disabled = room.offers.rematch !== null;
    byId('rematch').textContent = room.next ? 'Go to the rematch' : may_undo ? 'Play again' : 'Rematch';
    byId('draw', HTMLButtonElement).disabled = !can?.draw;
    if (can?.claims.length) byId('claim').textContent = `Claim ${ruleName(can.claims[0] ?? '')}`;
    if (can?.exchange) byId('exchange').title = exchangeText(game, can.exchange);
    if (game.die !== null) byId('die').replaceChildren(die(state.die));
    this.#showWithdrawals(can?.withdraw ?? []);
    this.#showClaims(room);
    this.#showOffer(room);
    if (state.end) for (const id of ['confirm', 'claims-next']) byId(id, HTMLDialogElement).close();
  }

  /** Shows a button for each player that can take over the army. @param {number[]} players */
  #showWithdrawals(players) {
    const place = byId('withdraw');
    place.hidden = !players.length;
    place.replaceChildren(...players.map((player) => {
      const name = this.#room?.game.players[player]?.name ?? '';
      const ask = () => this.#confirm({
        title: 'Hand over your army?',
        text: `${displayName(name)} will move your pieces from now on.`,
        yes: 'Hand over',
        onYes: () => this.act(`withdraw ${name}`),
      });
      return el('button', { type: 'button', onclick: ask }, `Hand army to ${displayName(name)}`);
    }));
  }

  /** Shows the draws that can be claimed together with the next move. @param {RoomView} room */
  #showClaims({ game, state }) {
    if (state.end || !game.claims.includes(this.claiming ?? '')) this.claiming = null;
    byId('claims-open').setAttribute('aria-pressed', String(this.claiming !== null));
    byId('claims-next-list').replaceChildren(...game.claims.map((code) => {
      const button = el('button', { type: 'button', 'data-claim': code, 'aria-pressed': String(this.claiming === code) }, displayName(ruleName(code)));
      button.addEventListener('click', () => {
        this.claiming = this.claiming === code ? null : code;
        for (const other of byId('claims-next-list').children) other.setAttribute('aria-pressed', String(other.getAttribute('data-claim') === this.claiming));
        byId('claims-open').setAttribute('aria-pressed', String(this.claiming !== null));
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

  /** Asks before resigning. A seat with several armies chooses which of them resign; the side to move is chosen at first. */
  #askToResign() {
    const room = this.#room;
    if (!room) return;
    const { game, state, you } = room;
    const mine = you.filter((player) => !state.out.includes(player) && !state.resigning.includes(player));
    const choices = armyChoices(game, mine, game.players.length - state.out.length);
    const first = choices.findIndex(([player, ...others]) => player === state.actor && !others.length);
    const names = choices.map((players) => `${playerNames(game, players)} ${players.length > 1 ? 'resign' : 'resigns'}`);
    this.#confirm({
      title: names.length > 1 ? 'Who resigns?' : 'Resign?',
      text: names.length > 1 ? '' : `${names[0]}.`,
      yes: 'Resign',
      choices: names.length > 1 ? names : [],
      chosen: Math.max(0, first),
      onYes: (chosen) => choices[chosen]?.forEach((player) => this.act('resign', player)),
    });
  }

  /** @param {{title: string, text: string, yes: string, choices?: string[], chosen?: number, onYes: (chosen: number) => void}} question */
  #confirm({ title, text, yes, choices = [], chosen = 0, onYes }) {
    const dialog = byId('confirm', HTMLDialogElement);
    byId('confirm-title').textContent = title;
    byId('confirm-text').textContent = text;
    byId('confirm-text').hidden = text === '';
    byId('confirm-yes').textContent = yes;
    const radios = choices.map((_, i) => el('input', { type: 'radio', name: 'confirm-choice', value: i, checked: i === chosen }));
    byId('confirm-choices').hidden = !choices.length;
    byId('confirm-choices').replaceChildren(...radios.map((radio, i) => el('label', { class: 'check' }, radio, choices[i] ?? '')));
    dialog.returnValue = '';
    dialog.onclose = () => dialog.returnValue === 'yes' && onYes(Math.max(0, radios.findIndex((radio) => radio.checked)));
    dialog.showModal();
  }
}

/**
 * Returns which of a seat's players can resign together: each alone, the partners of a team, and all, unless no other player is left.
 * @param {GameView} game
 * @param {number[]} mine
 * @param {number} playing The number of players still in the game.
 * @returns {number[][]}
 */
function armyChoices(game, mine, playing) {
  const teams = new Set(mine.map((player) => game.players[player]?.team ?? null));
  const partners = [...teams].filter((team) => team !== null).map((team) => mine.filter((player) => game.players[player]?.team === team));
  const all = mine.length < playing ? [mine] : [];
  const together = [...partners, ...all].filter((players) => players.length > 1);
  const distinct = new Map(together.map((players) => [players.join(), players]));
  return [...mine.map((player) => [player]), ...distinct.values()];
}
