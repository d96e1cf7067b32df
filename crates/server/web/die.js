// Draws the die.
import { svg } from './pieces.js';

/** The pips of each face on a 3 × 3 grid. */
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/** @param {number | null} face `null` before the first throw */
export function die(face) {
  const picture = svg('svg', { viewBox: '0 0 48 48', role: 'img', 'aria-label': face === null ? 'The die has not been thrown' : `The die shows ${face}` });
  picture.append(svg('rect', { x: 3, y: 3, width: 42, height: 42, rx: 9 }));
  const pips = face === null ? [] : PIPS[face];
  for (const pip of pips ?? []) picture.append(svg('circle', { cx: 12.5 + (pip % 3) * 11.5, cy: 12.5 + Math.floor(pip / 3) * 11.5, r: 4 }));
  if (!pips || face === null) {
    const text = svg('text', { x: 24, y: 32 });
    text.textContent = face === null ? '?' : String(face);
    picture.append(text);
  }
  return picture;
}
