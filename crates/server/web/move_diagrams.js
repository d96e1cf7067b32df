// A small board for each piece kind that shows where it moves and captures.
import { Board } from './board.js';
import { el } from './dom.js';
import { count, displayName } from './names.js';

/**
 * @param {HTMLElement} host
 * @param {import('./types.js').GamePreview} preview
 */
export function showMoveDiagrams(host, preview) {
  const figures = el('div', { class: 'figures' });
  host.replaceChildren(legend(), figures);
  for (const diagram of preview.diagrams) {
    const kind = preview.game.kinds[diagram.kind];
    if (!kind) continue;
    const place = el('div', { class: 'figure-board' });
    const name = displayName(kind.code);
    const isLeader = preview.game.leader === diagram.kind;
    figures.append(
      el(
        'figure',
        { class: 'figure card', 'data-kind': kind.code },
        place,
        el(
          'figcaption',
          {},
          el('span', { class: 'figure-name' }, name),
          el('span', { class: 'muted small' }, ` ${kind.letters?.join(' ') ?? kind.letter}${isLeader ? ', the leader' : ''}`),
          el('span', { class: 'muted small figure-words' }, summary(diagram)),
        ),
      ),
    );
    // The diagram has a board without holes and regions.
    const game = { ...preview.game, files: diagram.files, ranks: diagram.ranks, holes: [], regions: [] };
    new Board(place, game, { small: true, label: `${name}: ${summary(diagram)}` }).show({
      pieces: [{ at: diagram.at, kind: diagram.kind, player: diagram.player }],
      dots: diagram.goes,
      crosses: diagram.takes,
    });
  }
}

/** @param {import('./types.js').MoveDiagram} diagram */
function summary(diagram) {
  const goes = new Set(diagram.goes.map(String));
  const takes = new Set(diagram.takes.map(String));
  const isSame = goes.size === takes.size && [...goes].every((square) => takes.has(square));
  if (isSame) return `moves and captures: ${count(goes.size, 'square')}`;
  return `moves: ${count(goes.size, 'square')}; captures: ${count(takes.size, 'square')}`;
}

function legend() {
  const sample = (/** @type {string} */ name, /** @type {string} */ text, /** @type {string} */ sign = '') =>
    el('span', {}, el('span', { class: `sample ${name}`, 'aria-hidden': 'true' }, sign), text);
  return el(
    'p',
    { class: 'legend small muted' },
    sample('dot-sample', 'can move there'),
    sample('rays-sample', 'can move or capture there'),
    sample('cross-sample', 'can only capture there', '×'),
  );
}
