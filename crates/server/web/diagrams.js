// A small board for each kind of piece, with where it goes and where it captures: what a designer looks at first.

import { Board } from './board.js';
import { el } from './build.js';
import { called } from './names.js';

/** @typedef {import('./types.js').GamePreview} GamePreview */
/** @typedef {import('./types.js').MoveDiagram} MoveDiagram */
/** @typedef {import('./types.js').Square} Square */

/**
 * @param {HTMLElement} host
 * @param {GamePreview} preview
 */
export function drawPieces(host, preview) {
  const figures = el('div', { class: 'figures' });
  host.replaceChildren(legend(), figures);
  for (const diagram of preview.diagrams) {
    const kind = preview.game.kinds[diagram.kind];
    if (!kind) continue;
    const place = el('div', { class: 'figure-board' });
    const name = called(kind.code);
    const leader = preview.game.leader === diagram.kind;
    figures.append(
      el(
        'figure',
        { class: 'figure card', 'data-kind': kind.code },
        place,
        el(
          'figcaption',
          {},
          el('span', { class: 'figure-name' }, name),
          el('span', { class: 'muted small' }, ` ${kind.letter}${leader ? ', the leader' : ''}`),
          el('span', { class: 'muted small figure-words' }, words(diagram)),
        ),
      ),
    );
    // The drawing is a board of its own: without holes and named squares, and as large as it needs to be.
    const game = { ...preview.game, files: diagram.files, ranks: diagram.ranks, holes: [], regions: [] };
    new Board(place, game, { small: true, label: `${name}: ${words(diagram)}` }).show({
      men: [{ at: diagram.at, kind: diagram.kind, player: diagram.player }],
      dots: diagram.goes,
      crosses: diagram.takes,
    });
  }
}

/**
 * What the drawing shows, in words.
 * @param {MoveDiagram} diagram
 */
function words(diagram) {
  const goes = new Set(diagram.goes.map(String));
  const takes = new Set(diagram.takes.map(String));
  const same = goes.size === takes.size && [...goes].every((square) => takes.has(square));
  if (same) return `goes and captures: ${count(goes.size)}`;
  return `goes: ${count(goes.size)}; captures: ${count(takes.size)}`;
}

/** @param {number} squares */
function count(squares) {
  return `${squares} ${squares === 1 ? 'square' : 'squares'}`;
}

function legend() {
  return el(
    'p',
    { class: 'legend small muted' },
    el('span', {}, el('span', { class: 'sample dot-sample', 'aria-hidden': 'true' }), 'goes there'),
    el('span', {}, el('span', { class: 'sample rays-sample', 'aria-hidden': 'true' }), 'goes or captures there'),
    el('span', {}, el('span', { class: 'sample cross-sample', 'aria-hidden': 'true' }, '×'), 'only captures there'),
  );
}
