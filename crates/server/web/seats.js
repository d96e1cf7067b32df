// The seats of a new room, and how the user enters it.

/** @typedef {import('./types.js').PlayerView} PlayerView */
/** @typedef {import('./types.js').SeatBody} SeatBody */

/** Choices for a player besides the programs. */
export const YOU = 'you';
export const FRIEND = 'friend';

/** The default opponent. */
export const DEFAULT_OPPONENT = 'player:level3';

/**
 * Returns one seat for all players of the user, and one for each friend and each program.
 * @param {readonly PlayerView[]} players
 * @param {readonly string[]} chosen The choice for each player.
 * @returns {SeatBody[]}
 */
export function seats(players, chosen) {
  /** @type {SeatBody[]} */
  const made = [];
  const mine = players.filter((_, i) => chosen[i] === YOU).map((player) => player.name);
  if (mine.length > 0) made.push({ players: mine, who: 'human' });
  players.forEach((player, i) => {
    const who = chosen[i];
    if (who !== undefined && who !== YOU) made.push({ players: [player.name], who: who === FRIEND ? 'human' : who });
  });
  return made;
}

/**
 * Returns the link for the user: the seat, or the link for spectators.
 * @param {import('./types.js').OpenedRoom} opened
 * @param {readonly string[]} chosen
 */
export function ownLink(opened, chosen) {
  const first = chosen.indexOf(YOU);
  const seat = opened.seats.find((each) => each.players.includes(first));
  return seat ? `/play#${opened.id}.${seat.key}` : `/watch#${opened.id}.${opened.watch}`;
}

/**
 * Returns the sides that a person can play: each player, and each team of several.
 * @param {readonly PlayerView[]} players
 * @returns {{ name: string, team: boolean, players: number[] }[]}
 */
export function sides(players) {
  const single = players.map((player, i) => ({ name: player.name, team: false, players: [i] }));
  const names = [...new Set(players.map((player) => player.team))];
  const teams = names.flatMap((name) => {
    const members = players.flatMap((player, i) => (player.team === name ? [i] : []));
    return name !== null && members.length > 1 && members.length < players.length ? [{ name, team: true, players: members }] : [];
  });
  return [...single, ...teams];
}
