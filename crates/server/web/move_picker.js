// A dialog at the target square that chooses among moves with the same squares, usually by promotion.
import { closeOnOutsideClick, el } from './dom.js';
import { displayName, kindName } from './names.js';
import { swatch } from './pieces.js';

/** @typedef {import('./types.js').MoveView} MoveView */

/**
 * Asks which move is meant. The first is the default; Escape or a click elsewhere returns `null`.
 * @param {HTMLElement} host Where the dialog is inserted.
 * @param {import('./types.js').GameView} game
 * @param {{kind: number, player: number}} piece The piece that moves.
 * @param {MoveView[]} moves
 * @param {DOMRect} [square] The target square in the window.
 * @returns {Promise<MoveView | null>}
 */
export function pickMove(host, game, piece, moves, square) {
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
      const name = isUnique ? displayName(kindName(game, kind)) : move.text;
      return el('button', { type: 'button', 'data-kind': game.kinds[kind]?.code ?? '', 'data-text': move.text, title: name, onclick: choose },
        swatch(game, kind, piece.player), el('span', { class: isUnique ? 'hidden-text' : 'small' }, name));
    });
    const heading = isPromotion ? `Promote the ${kindName(game, piece.kind)} to` : 'Which move?';
    const dialog = el('dialog', { class: 'picker', 'aria-label': heading }, ...buttons);
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
    host.append(dialog);
    dialog.showModal();
    if (square) place(dialog, square);
    buttons[0]?.focus();
  });
}

/** Puts the dialog on the square, growing away from the nearer edge of the window. @param {HTMLDialogElement} dialog @param {DOMRect} square */
function place(dialog, square) {
  const side = Math.max(44, square.width);
  dialog.style.setProperty('--side', `${side}px`);
  const { width, height } = dialog.getBoundingClientRect();
  const growsDown = square.top + square.height / 2 < innerHeight / 2;
  const top = growsDown ? square.top : square.bottom - height;
  const left = square.left + square.width / 2 - width / 2;
  dialog.style.setProperty('left', `${Math.min(Math.max(2, left), innerWidth - width - 2)}px`);
  dialog.style.setProperty('top', `${Math.min(Math.max(2, top), innerHeight - height - 2)}px`);
}
