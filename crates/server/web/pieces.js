// Piece drawings, as paths on a 45 × 45 square. A drawing is a list of parts: a body in the color of the army, lines and dots.
// Colors come from the classes `army-0` … `army-7`. With more than two players each army also has a distinct plate, for people who
// cannot distinguish the colors.

/** @typedef {import('./types.js').GameView} GameView */
/** @typedef {{body: string, lines?: string, dots?: string, place?: string, front?: boolean}} Part */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number>} [attributes]
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** @param {number} x @param {number} y @param {number} r */
const disc = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`;

/** @type {Part} */
const PAWN = {
  body: 'M22.5 8.2a5.6 5.6 0 0 1 3.9 9.6c1 .4 1.7 1.1 1.7 2.2h-2.5c.3 5.2 2.2 8.6 5.9 11.6 1.7 1.4 2.5 3 2.5 5.4v2.5H11V37c0-2.4.8-4 2.5-5.4 3.7-3 5.6-6.4 5.9-11.6h-2.5c0-1.1.7-1.8 1.7-2.2a5.6 5.6 0 0 1 3.9-9.6z',
  lines: 'M14.4 35.3h16.2',
};

/** @type {Part} */
const ROOK = {
  body: 'M11.5 8.5h5.2v3.4h3.2V8.5h5.2v3.4h3.2V8.5h5.2v7c0 1.2-.6 2-1.6 2.6l-2 1.2.9 10.7c2.6 1 4.2 3 4.2 6v3.5H10V36c0-3 1.6-5 4.2-6l.9-10.7-2-1.2c-1-.6-1.6-1.4-1.6-2.6z',
  lines: 'M15.8 19.3h13.4M15 29.9h15M13 35.3h19',
};

/** @type {Part} */
const KNIGHT = {
  body: 'M11.5 39.5v-2.6c0-2 .9-3.5 2.4-4.5.4-4.4 3-6.9 5.8-9.5 1.2-1.1 1.8-2 2-3.1-2 1.7-3.9 2.4-6 2.7-.9 2-2.2 3.5-3.9 4.5-1.5.9-3.1.5-4-.9-.9-1.3-.9-2.7 0-4.1 1.9-2.8 3.3-5.5 4.2-8.6.7-2.2 2.2-4 4.5-5.1l.3-4.5 4.5 3.2c8.7.3 13.5 7 13.5 16.2 0 3.4-.4 6.2-.9 9.1 1.6 1 2.6 2.6 2.6 4.7v2.5z',
  lines: 'M15 35.3h17.5M22.5 11c5.7 2 8.2 6.9 7.9 14.2',
  dots: disc(16.5, 14.2, 1.4) + disc(10.3, 22.7, 1),
};

/** @type {Part} */
const BISHOP = {
  body: 'M22.5 4.2a2.7 2.7 0 0 1 1.6 4.9c4.3 2.8 7 6.4 7 10.6 0 2.9-1.3 5-3.3 6.5h1c.8 0 1.4.6 1.4 1.4s-.6 1.4-1.4 1.4h-1.4c.9 2.3 2.8 3.5 5 4.4 1.6.7 2.2 1.9 2.2 3.6v2.5H10.4V37c0-1.7.6-2.9 2.2-3.6 2.2-.9 4.1-2.1 5-4.4h-1.4c-.8 0-1.4-.6-1.4-1.4s.6-1.4 1.4-1.4h1c-2-1.5-3.3-3.6-3.3-6.5 0-4.2 2.7-7.8 7-10.6a2.7 2.7 0 0 1 1.6-4.9z',
  lines: 'M27 12.4l-5 7.2M18.6 26.2h7.8M13.8 35.3h17.4',
};

/** @type {Part} */
const QUEEN = {
  body: `M9 15.6l4.3 14.2c-1.8 1-2.8 2.8-2.8 5.2v4.5h24V35c0-2.4-1-4.2-2.8-5.2L36 15.6l-6.4 7-.9-11-4.8 9.8-1.4-11.6-1.4 11.6-4.8-9.8-.9 11z${disc(8, 13.6, 2.3)}${disc(16, 9.4, 2.3)}${disc(22.5, 7.6, 2.3)}${disc(29, 9.4, 2.3)}${disc(37, 13.6, 2.3)}`,
  lines: 'M14.6 29.6c5.3-1.3 10.5-1.3 15.8 0M13.3 35.3c6.2-1.3 12.2-1.3 18.4 0',
};

/** @type {Part} */
const KING = {
  body: 'M21 3.5h3v2.9h2.9v3H24v4.1c1.2-.9 3.2-1.4 5.2-1.4 4.9 0 8.3 3.2 8.3 7.3s-2.5 7.4-6 10.2c1.9 1 3 2.9 3 5.4v4.5h-24V35c0-2.5 1.1-4.4 3-5.4-3.5-2.8-6-6.1-6-10.2s3.4-7.3 8.3-7.3c2 0 4 .5 5.2 1.4V9.4h-2.9v-3H21z',
  lines: 'M22.5 26.8c-.8-5.8-2.4-10.2-6.4-10.4-2.9-.1-4.5 1.5-4.5 3.5 0 2.6 1.5 4.9 3.6 6.8M22.5 26.8c.8-5.8 2.4-10.2 6.4-10.4 2.9-.1 4.5 1.5 4.5 3.5 0 2.6-1.5 4.9-3.6 6.8M14.6 30.2c5.3-1.3 10.5-1.3 15.8 0M13.3 35.3c6.2-1.3 12.2-1.3 18.4 0',
};

/** A helmet with a visor: moves as a king but is not one. @type {Part} */
const GUARD = {
  body: 'M22.5 5.5c7 0 10.7 5 10.7 11.3v8.4c0 2-.9 3.3-2.6 4.1 2.5 1 4 3 4 5.7v4.5H10.4V35c0-2.7 1.5-4.7 4-5.7-1.7-.8-2.6-2.1-2.6-4.1v-8.4C11.8 10.5 15.5 5.5 22.5 5.5z',
  lines: 'M15.3 17.6h14.4M22.5 9v16.5M17.8 21.6v3M27.2 21.6v3M15 29.7h15M13.8 35.3h17.4',
};

/** @type {Part} */
const ELEPHANT = {
  body: 'M22.5 8c4.2 0 7.3 1.6 8.9 4.3 4.6-1.7 9.3.5 9.3 6.3 0 5.8-3.8 9.6-8.6 9.1-.7 2.3-2.3 4-4.8 4.7v2.1c0 2.9-1.9 5-4.7 5s-4.6-1.9-4.6-4.3h3.2c.1.8.6 1.3 1.4 1.3s1.3-.6 1.3-1.7v-2.2h-1.4c-4.8 0-8.6-1.3-9.6-4.9-4.8.5-8.6-3.3-8.6-9.1 0-5.8 4.7-8 9.3-6.3C15.2 9.6 18.3 8 22.5 8z',
  lines: 'M13.6 12.3c-2 4.4-2.2 10-.7 15.4M31.4 12.3c2 4.4 2.2 10 .7 15.4M19.7 24.2c0 3 .2 6 .4 8.5M26.1 24.2c0 3 .4 6 1.2 8.2',
  dots: disc(18, 18.6, 1.5) + disc(27, 18.6, 1.5),
};

/** @type {Part} */
const BOAT = {
  body: 'M21.4 4.5h2.2v2c6 3.2 9.7 9.2 9.9 17.3h-9.9v4.4h16.4c-.8 6.5-4.7 11.3-10.6 11.3H15.6C9.7 39.5 5.8 34.7 5 28.2h16.4v-4.4H10.2c1.2-7.8 5.1-13.6 11.2-17z',
  lines: 'M22.5 8.5v17M9.5 33h26',
};

/** A crescent on the neck, for the nightrider. */
const CRESCENT = 'M27.6 17.2a6.3 6.3 0 1 0 1.7 11.6 5.2 5.2 0 1 1-1.7-11.6z';

/** A knight combined with the piece whose moves it also has. @param {Part} front @returns {Part[]} */
const withKnight = (front) => [
  { ...KNIGHT, lines: 'M22.5 11c5.7 2 8.2 6.9 7.9 14.2', place: 'translate(-2 -1.4) scale(.94)' },
  { ...front, place: 'translate(15.6 14.2) scale(.66)', front: true },
];

/** @type {Record<string, Part[]>} */
const DRAWINGS = {
  PAWN: [PAWN], ROOK: [ROOK], KNIGHT: [KNIGHT], BISHOP: [BISHOP], QUEEN: [QUEEN], KING: [KING],
  CHANCELLOR: withKnight(ROOK),
  ARCHBISHOP: withKnight(BISHOP),
  AMAZON: withKnight(QUEEN),
  NIGHTRIDER: [{ ...KNIGHT, lines: 'M15 35.3h17.5', dots: KNIGHT.dots + CRESCENT }],
  GUARD: [GUARD], ELEPHANT: [ELEPHANT], BOAT: [BOAT],
};

/** Other names of the same pieces. @type {Record<string, string>} */
const ALIASES = {
  HORSE: 'KNIGHT', CASTLE: 'ROOK', SHIP: 'BOAT', MARSHALL: 'CHANCELLOR', MARSHAL: 'CHANCELLOR', EMPRESS: 'CHANCELLOR',
  CARDINAL: 'ARCHBISHOP', PRINCESS: 'ARCHBISHOP', JANUS: 'ARCHBISHOP', MAN: 'GUARD', MANN: 'GUARD', GENERAL: 'GUARD',
  COMMONER: 'GUARD',
};

/** The color for a player's name. */
const COLORS = /** @type {[RegExp, number][]} */ ([
  [/^(WHITE|IVORY|SILVER)$/i, 0], [/^(BLACK|DARK)$/i, 1], [/^(RED|VERMILION|FIRE)$/i, 2], [/^(BLUE|WATER)$/i, 3],
  [/^(YELLOW|GOLD|AIR)$/i, 4], [/^(GREEN|EARTH)$/i, 5], [/^(PURPLE|PINK|VIOLET|MAGENTA)$/i, 6], [/^(SKY|CYAN|ORANGE|TEAL)$/i, 7],
]);

/** Returns the number of each player's color, distinct while there are enough. @param {{name: string}[]} players */
export function armies(players) {
  /** @type {(number | undefined)[]} */
  const chosen = players.map(() => undefined);
  players.forEach((player, index) => {
    const fit = COLORS.find(([pattern]) => pattern.test(player.name))?.[1];
    if (fit !== undefined && !chosen.includes(fit)) chosen[index] = fit;
  });
  return chosen.map((army, index) => {
    if (army !== undefined) return army;
    const free = [0, 1, 2, 3, 4, 5, 6, 7].find((other) => !chosen.includes(other)) ?? index % 8;
    chosen[index] = free;
    return free;
  });
}

/** The plates, one shape for each army. */
const PLATES = [
  disc(22.5, 22.5, 20.8),
  'M5.5 2.5h34a3 3 0 0 1 3 3v34a3 3 0 0 1-3 3h-34a3 3 0 0 1-3-3v-34a3 3 0 0 1 3-3z',
  'M22.5 .8L44.2 22.5 22.5 44.2 .8 22.5z',
  'M12 2.8h21L43.7 22.5 33 42.2H12L1.3 22.5z',
  'M3 42V14.5C3 6.5 11 2.5 22.5 2.5S42 6.5 42 14.5V42z',
  'M22.5 1.5L43.5 17l-8 25h-26l-8-25z',
  'M14.5 2.5h16l12 12v16l-12 12h-16l-12-12v-16z',
  'M2.5 2.5h40v24c0 9-9 14-20 16.5-11-2.5-20-7.5-20-16.5z',
];

/**
 * Draws a piece as a group on a 45 × 45 square.
 * @param {GameView} game
 * @param {number} kind
 * @param {number} player
 * @param {{hatch?: string}} [how] `hatch` is the id of a pattern to draw over it.
 */
export function drawing(game, kind, player, { hatch } = {}) {
  const group = svg('g', { class: `army-${armies(game.players)[player] ?? 0}` });
  const many = game.players.length > 2;
  if (many) group.append(svg('path', { class: 'plate', d: PLATES[player % PLATES.length] }));
  const figure = svg('g', many ? { transform: 'translate(2.9 2.3) scale(.87)' } : {});
  group.append(figure);

  const { code, letter, letters } = game.kinds[kind] ?? { code: '?', letter: '?', letters: null };
  const name = code.toUpperCase();
  const patron = /^(.)_?PAWN$/.exec(name);
  const parts = letters ? undefined : (DRAWINGS[ALIASES[name] ?? name] ?? (patron ? DRAWINGS.PAWN : undefined));
  for (const part of parts ?? [{ body: disc(22.5, 22.5, 17) }]) {
    const place = svg('g', { class: part.front ? 'front' : 'figure', ...(part.place && { transform: part.place }) });
    if (part.front) place.append(svg('path', { class: 'halo', d: part.body }));
    place.append(svg('path', { class: 'body', d: part.body }));
    if (hatch) place.append(svg('path', { class: 'hatch', d: part.body, fill: `url(#${hatch})` }));
    if (part.lines) place.append(svg('path', { class: 'detail', d: part.lines }));
    if (part.dots) place.append(svg('path', { class: 'dot', d: part.dots }));
    figure.append(place);
  }
  if (!parts) figure.append(token(code, letters?.[player] ?? letter));
  if (parts && patron) figure.append(...badge(patron[1] ?? ''));
  return group;
}

/** A round token with a letter, for pieces without a drawing. @param {string} code @param {string} letter */
function token(code, letter) {
  const group = svg('g');
  group.append(svg('path', { class: 'detail', d: disc(22.5, 22.5, 13.8) }));
  const short = [...(letter || code)].slice(0, 2).join('').toUpperCase();
  const text = svg('text', { class: short.length > 1 ? 'token-letter two' : 'token-letter', x: 22.5, y: short.length > 1 ? 27.7 : 29 });
  text.textContent = short;
  group.append(text);
  return group;
}

/** The letter of the piece that a pawn belongs to. @param {string} letter */
function badge(letter) {
  const text = svg('text', { class: 'badge-letter', x: 33, y: 18.6 });
  text.textContent = letter;
  return [svg('path', { class: 'badge', d: disc(33, 15, 6.8) }), text];
}

/**
 * A small picture of a piece for lists and buttons. Screen readers skip it, because a name stands beside it.
 * @param {GameView} game
 * @param {number} kind
 * @param {number} player
 */
export function swatch(game, kind, player) {
  const picture = svg('svg', { class: 'swatch', viewBox: '0 0 45 45', 'aria-hidden': 'true', focusable: 'false' });
  picture.append(drawing(game, kind, player));
  return picture;
}

/** The piece kind that represents an army: its leader, or else its first kind. @param {GameView} game */
export const emblem = (game) => game.leader ?? Math.max(0, game.kinds.findIndex((kind) => kind.code === 'KING'));
