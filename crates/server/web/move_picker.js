// A dialog that chooses among moves with the same squares, usually by promotion.
import { closeOnOutsideClick, el } from './dom.js';
import { displayName, kindName } from './names.js';
import { swatch } from './pieces.js';

/** @typedef {import('./types.js').MoveView} MoveView */

/**
 * Asks which move is meant. The first is the default; Escape returns `null`.
 * @param {HTMLElement} place Where the dialog is inserted.
 * @param {import('./types.js').GameView} game
 * @param {{kind: number, player: number}} piece The piece that moves.
 * @param {MoveView[]} moves
 * @returns {Promise<MoveView | null>}
 */
export function pickMove(place, game, piece, moves) {
  const isPromotion = moves.some((move) => move.promotion !== undefined);
  return new Promise((resolve) => {
    /** @type {MoveView | null} */
    let chosen = null;
    const buttons = moves.map((move) => {
      const kind = move.promotion ?? piece.kind;
      const isUnique = moves.every((other) => other === move || other.promotion !== move.promotion);
      const choose = () => {
        chosen = move;
        dialog.close();
      };
      return el('button', { type: 'button', 'data-kind': game.kinds[kind]?.code ?? '', 'data-text': move.text, onclick: choose },
        swatch(game, kind, piece.player), isUnique ? displayName(kindName(game, kind)) : move.text);
    });
    const dialog = el('dialog', { 'aria-labelledby': 'promotion-heading' },
      el('h2', { id: 'promotion-heading' }, isPromotion ? `Promote the ${kindName(game, piece.kind)} to` : 'Which move?'),
      el('div', { class: 'promotion-choices' }, ...buttons),
      el('div', { class: 'dialog-actions' }, el('button', { type: 'button', class: 'quiet', onclick: () => dialog.close() }, 'Cancel')));
    closeOnOutsideClick(dialog);
    dialog.addEventListener('keydown', (event) => {
      event.stopPropagation();
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const now = buttons.indexOf(/** @type {any} */ (document.activeElement));
      buttons[(now + step + buttons.length) % buttons.length]?.focus();
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(chosen);
    });
    place.append(dialog);
    dialog.showModal();
    buttons[0]?.focus();
  });
}
