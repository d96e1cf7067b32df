// A move can need one more word: what a pawn becomes, or which of two moves between the same squares is meant. This asks for it.
import { closesBeside } from './build.js';
import { kindName, called } from './names.js';
import { swatch } from './pieces.js';

/** @typedef {import('./types.js').MoveView} MoveView */

/**
 * Asks which of some moves is meant. The first is the default; Escape means none.
 * @param {HTMLElement} place where the dialogue is put
 * @param {import('./types.js').GameView} game
 * @param {{kind: number, player: number}} man who moves
 * @param {MoveView[]} moves
 * @returns {Promise<MoveView | null>}
 */
export function pick(place, game, man, moves) {
  const isPromotion = moves.some((move) => move.promotion !== undefined);
  const dialog = document.createElement('dialog');
  const heading = document.createElement('h2');
  heading.textContent = isPromotion ? `The ${kindName(game, man.kind)} becomes` : 'Which move?';
  heading.id = 'promotion-heading';
  dialog.setAttribute('aria-labelledby', heading.id);
  const choices = document.createElement('div');
  choices.className = 'promotion-choices';
  const cancel = document.createElement('button');
  cancel.type = 'button';
  cancel.className = 'quiet';
  cancel.textContent = 'Cancel';
  const actions = document.createElement('div');
  actions.className = 'dialog-actions';
  actions.append(cancel);

  return new Promise((resolve) => {
    /** @type {MoveView | null} */
    let chosen = null;
    for (const move of moves) {
      const kind = move.promotion ?? man.kind;
      const isOnly = moves.every((other) => other === move || other.promotion !== move.promotion);
      const button = document.createElement('button');
      button.type = 'button';
      button.dataset.kind = game.kinds[kind]?.code ?? '';
      button.dataset.text = move.text;
      button.append(swatch(game, kind, man.player), isOnly ? called(kindName(game, kind)) : move.text);
      button.addEventListener('click', () => {
        chosen = move;
        dialog.close();
      });
      choices.append(button);
    }
    cancel.addEventListener('click', () => dialog.close());
    closesBeside(dialog);
    dialog.addEventListener('keydown', (event) => {
      event.stopPropagation();
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const buttons = [...choices.querySelectorAll('button')];
      const now = buttons.indexOf(/** @type {any} */ (document.activeElement));
      buttons[(now + step + buttons.length) % buttons.length]?.focus();
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(chosen);
    });
    dialog.append(heading, choices, actions);
    place.append(dialog);
    dialog.showModal();
    choices.querySelector('button')?.focus();
  });
}
